"""The contrast squares that models may be fitted on: their format, and that nothing models are judged by is in them."""

import sys
from collections import Counter

import pytest

from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
from overlap_auc import word_overlap  # noqa: E402
from samewise.ensemble.contrasts.squares import ONE, OTHER, read_squares  # noqa: E402

COLUMNS = "id domain kind change_score text same kept changed changed_same minor minor_score other".split()
KINDS = set(
    """antonym negation roles entity number unit date_time quantifier modality certainty time_order condition intent
    cause_effect comparison location_direction attribution scope aspect frequency part_whole sentiment purpose
    possession general_specific tense""".split()
)
FILES = sorted((ROOT / "data" / "contrasts").glob("squares-*.tsv"))
ROWS = {path.name: read_squares(path) for path in FILES}
EVERY = [row for rows in ROWS.values() for row in rows]


LANGUAGES = {path.stem: read_squares(path) for path in sorted((ROOT / "data/contrasts/languages").glob("*.tsv"))}
TRANSLATED = [*COLUMNS[:9], "text_en", "changed_en"]


def plain(text):
    return " ".join(text.casefold().split()).strip(" .!?\"'")


@pytest.mark.parametrize("name", ROWS)
def test_every_row_is_whole(name):
    for row in ROWS[name]:
        assert list(row) == COLUMNS and None not in row.values(), row["id"]
        assert row["kind"] in KINDS and 0 <= float(row["change_score"]) <= 3.2, row["id"]
        assert all(row[side] == row[side].strip() != "" for side in (*ONE, *OTHER, "domain")), row["id"]
        assert (row["minor"] == "") == (row["minor_score"] == ""), row["id"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_row_of_another_language_is_whole(language):
    rows = LANGUAGES[language]
    assert len(rows) > 750 and len({row["id"] for row in rows}) == len(rows) == len({row["text"] for row in rows})
    for row in rows:
        assert list(row) == TRANSLATED and None not in row.values(), row["id"]
        assert row["kind"] in KINDS | {"translation_error"} and 0 <= float(row["change_score"]) <= 4.5, row["id"]
        sides = [side for side in (*ONE, *OTHER, *TRANSLATED[-2:]) if row["domain"] != "short" or side != "kept"]
        assert all(row[side] == row[side].strip() != "" for side in sides), row["id"]


def test_squares_in_parallel_have_one_meaning_in_all_languages():
    english = {row["id"]: (row["text_en"], row["changed_en"]) for rows in LANGUAGES.values() for row in rows}
    for rows in LANGUAGES.values():
        parallel = [row for row in rows if row["id"].startswith("parallel-")]
        assert len(parallel) >= 150
        assert all(english[row["id"]] == (row["text_en"], row["changed_en"]) for row in parallel)


def test_every_square_has_its_own_name_and_text():
    assert len({row["id"] for row in EVERY}) == len(EVERY)
    # A few short titles of products and rules stand twice by chance.
    counts = Counter(plain(row["text"]) for row in EVERY)
    assert sum(count - 1 for count in counts.values()) <= 5


def test_kinds_are_spread():
    assert set(Counter(row["kind"] for row in EVERY)) == KINDS
    assert min(Counter(row["kind"] for row in EVERY).values()) >= 0.02 * len(EVERY)


def test_near_copies_of_both_meanings_share_their_words():
    """Neither of the two near copies can be told by word overlap alone."""
    kept, changed = (word_overlap([(row["text"], row[side]) for row in EVERY]).mean() for side in ("kept", "changed"))
    assert abs(kept - changed) < 0.15


def test_no_square_is_in_a_suite_that_models_are_judged_by():
    ours = {plain(row[side]) for row in EVERY for side in (*ONE, *OTHER)}
    for name in ("couples", "pairs", "differences", "voices"):
        lines = (ROOT / "tests" / "challenge" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        assert {plain(cell) for line in lines for cell in line.split("\t") if " " in cell} & ours == set()


def test_no_square_is_a_pair_that_models_are_tested_on(data):
    ours = {plain(row[side]) for row in EVERY for side in (*ONE, *OTHER)}
    ours |= {plain(row[side]) for rows in LANGUAGES.values() for row in rows for side in TRANSLATED[-2:]}
    for name in ("sts-dev.csv", "sts-test.csv"):
        lines = (data / "stsbenchmark" / name).read_text(encoding="utf-8").splitlines()
        assert {plain(cell) for line in lines for cell in line.split("\t")[5:7]} & ours == set()
