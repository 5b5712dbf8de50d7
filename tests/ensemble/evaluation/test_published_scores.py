from importlib.resources import files

import pytest
from samewise.ensemble.evaluation.aggregates import TRACKS, primary
from samewise.ensemble.evaluation.published_scores import SUMMARIES, TABLES, place_of, read_table

SIZES = {
    "sts2015": {"images": 750, "headlines": 750, "answers-forums": 375, "belief": 375, "answers-students": 750},
    "sts2016": {
        "headlines": 249,
        "answer-answer": 254,
        "postediting": 244,
        "plagiarism": 230,
        "question-question": 209,
    },
}


def weighted_mean(row, table):
    sizes = SIZES[table]
    return sum(n * row.values[name] for name, n in sizes.items()) / sum(sizes.values())


@pytest.mark.parametrize("name", TABLES)
def test_tables_hold_percents_under_labels_of_their_own(name):
    table = read_table(name)
    assert len({row.label for row in table.rows}) == len(table.rows)
    for row in table.rows:
        assert row.values
        assert row.source
        assert all(0 < value < 100 for value in row.values.values())
        assert set(row.values) <= set(table.columns)
        assert table.row(row.label) is row
    assert set(table.sets) == set(table.columns) - set(SUMMARIES)


def test_every_file_is_a_table():
    folder = files("samewise.ensemble.evaluation").joinpath("data", "published")
    assert {path.name for path in folder.iterdir()} == {f"{name}.csv" for name in TABLES}


def test_all_submissions_of_2017_are_there():
    """Cer et al. (2017): 84 submissions of 31 teams, 44 of 17 teams to all tracks; the counts include the baseline."""
    rows = read_table("sts2017").rows
    assert rows[-1].label == "cosine baseline"
    assert len(rows) == 84 + 1
    assert len({row.team for row in rows[:-1]}) == 31
    complete = [row for row in rows[:-1] if "primary" in row.values]
    assert len(complete) == 44
    assert len({row.team for row in complete}) == 17
    counts = [sum(track in row.values for row in rows) for track in TRACKS]
    assert counts == [49, 45, 48, 53, 53, 77, 48]
    assert sum(row.corrected for row in rows) == 13


def test_printed_primary_scores_are_means_of_all_tracks():
    down = []
    for row in read_table("sts2017").rows:
        if "primary" in row.values:
            found = primary({track: row.values[track] for track in TRACKS})["primary7"]
            assert found == pytest.approx(row.values["primary"], abs=0.01)
            if found - row.values["primary"] > 0.0051:
                down.append(row.label)
    # Three were cut off where they should have been rounded.
    assert down == ["FCICU 2", "UMDeep", "hjpwhu 2"]


@pytest.mark.parametrize(
    ("track", "label", "value"),
    [
        ("primary", "ECNU", 73.16),
        ("1", "BIT 3", 75.43),
        ("2", "ECNU", 74.93),
        ("3", "ECNU", 85.59),
        ("4a", "compilIG", 83.02),
        ("4b", "SEF@UHH 3", 34.07),
        ("5", "RTV 3", 85.47),
        ("6", "ECNU", 77.06),
    ],
)
def test_the_best_of_each_track(track, label, value):
    best = max(read_table("sts2017").rows, key=lambda row: row.values.get(track, 0))
    assert (best.label, best.values[track]) == (label, value)


def test_the_row_that_the_aggregates_are_tested_with():
    row = read_table("sts2017").row("cosine baseline")
    assert tuple(row.values[track] for track in TRACKS) == (60.45, 51.55, 71.17, 62.20, 3.20, 72.78, 54.56)
    assert row.values["primary"] == 53.70


def test_labels_count_the_rows_of_a_team():
    rows = [row for row in read_table("sts2017").rows if row.team == "FCICU"]
    assert [(row.label, row.run) for row in rows] == [("FCICU", 1), ("FCICU 2", 2), ("FCICU 3", 3)]
    assert rows[2].values == {"5": 82.17}
    assert read_table("stsbenchmark").row("ECNU EN-seven").values == {"dev": 84.7, "test": 81.0}
    later = read_table("stsbenchmark").row("FastText average 2")
    assert later.values == {"dev": 65.2, "test": 53.9}
    assert later.origin == "Cer et al. (2017), later version; cosine"
    assert [read_table(name).decimals for name in TABLES] == [2, 1, 2, 2, 2, 2, 2]


def test_printed_weighted_means():
    """All but ECNU's of 2016, which lie above what its figures give, follow from the figures and the sizes."""
    [row] = [row for row in read_table("sts2015").rows if "images" in row.values]
    assert weighted_mean(row, "sts2015") == pytest.approx(row.values["mean"], abs=0.006)
    for row in read_table("sts2016").rows:
        if len(row.values) == 6:
            above = row.values["mean"] - weighted_mean(row, "sts2016")
            if row.label.startswith("ECNU"):
                assert 0.25 < above < 0.75
            else:
                assert above == pytest.approx(0, abs=0.05 if row.label == "UWB" else 0.006)  # UWB printed .757
    assert "78.13" in read_table("sts2016").remark
    assert weighted_mean(read_table("sts2016").row("ECNU EN-seven"), "sts2016") == pytest.approx(78.13, abs=0.005)


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("track 5", ("sts2017", "5")),
        ("track 4a", ("sts2017", "4a")),
        ("STS Benchmark dev", ("stsbenchmark", "dev")),
        ("2012 surprise.OnWN", ("sts2012", "surprise.OnWN")),
        ("2016 question-question", ("sts2016", "question-question")),
    ],
)
def test_places_of_sets(name, place):
    assert place_of(name) == place


@pytest.mark.parametrize("name", ["track 7", "2016 mean", "2011 headlines", "STS Benchmark train", "mine", ""])
def test_sets_without_a_place(name):
    with pytest.raises(ValueError, match="no published table has a column for"):
        place_of(name)


def test_wrong_labels_are_told_what_there_is():
    with pytest.raises(ValueError, match="no published table is called 'sts2018'; the tables are sts2017"):
        read_table("sts2018")
    with pytest.raises(ValueError, match="sts2017 has no row 'ecnu'; it may be one of ECNU"):
        read_table("sts2017").row("ecnu")
    with pytest.raises(ValueError, match="its first rows are ECNU, ECNU 2, ECNU 3, BIT, BIT 2"):
        read_table("sts2017").row("0000000000")
