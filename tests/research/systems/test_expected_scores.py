"""Published rows that systems name, and the bands in which their scores are expected."""

import pytest
from samewise.ensemble.evaluation.published_scores import read_table
from samewise.research.systems.expected_scores import BANDS, Band
from samewise.research.systems.specification import Member, Run, System, check_published


def test_systems_are_checked_before_they_run():
    def system(published):
        run = Run({"m": Member(("length.*",), "ridge")}, published=published)
        return System("mine", "Mine", "Me (2020)", {"first": run})

    check_published([system({"sts2017": "ECNU 2", "sts2016": "ECNU EN-seven"})])
    with pytest.raises(ValueError, match=r"mine.toml: runs.first.published: the table sts2017 has no row 'ECNU 4'"):
        check_published([system({"sts2017": "ECNU 4"})])
    with pytest.raises(ValueError, match=r"mine.toml: runs.first.published: no published table is called 'sts'"):
        check_published([system({"sts": "ECNU"})])


def test_bands_are_of_rows_that_there_are_and_hold_what_was_published():
    for band in BANDS:
        assert band.verdict(read_table(band.table).row(band.row).values[band.column]) == "within"


@pytest.mark.parametrize(
    ("value", "verdict"), [(72.294, "below"), (72.296, "within"), (72.904, "within"), (72.906, "above")]
)
def test_verdicts_are_of_the_figures_that_are_printed(value, verdict):
    assert Band("sts2017", "cosine baseline", "5", 72.3, 72.9).verdict(value) == verdict


def test_bands_in_words():
    assert Band("stsbenchmark", "ECNU GB", "test", 80.0).expected == "at least 80"
    assert Band("stsbenchmark", "ECNU GB", "test", 80.0).verdict(99.0) == "within"
    assert Band("sts2017", "cosine baseline", "5", 72.3, 72.9).expected == "72.3 to 72.9"
