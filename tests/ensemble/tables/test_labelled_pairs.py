"""Pairs with gold scores are read whole, or the bad row is named."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.core.scale import Scale
from samewise.ensemble.tables.labelled_pairs import read_labelled_pairs, read_pairs
from samewise.ensemble.tables.sources import TableError

from .written_tables import write


def test_sick(tmp_path):
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    path = write(tmp_path / "s.txt", head + "1\tA boy runs\tA boy is running\t5\tX\n2\tA boy runs\tRain\t1\tX\n")
    pairs, scores, table = read_pairs(path)
    assert pairs == [("A boy runs", "A boy is running"), ("A boy runs", "Rain")]
    assert scores.tolist() == [5.0, 0.0]
    assert table.column_names[0] == "pair_ID"


def test_two_columns_and_gold(tmp_path):
    path = write(tmp_path / "input.txt", "A\tB\nC\tD\nE\tF\n")
    gold = write(tmp_path / "gs.txt", "1.0\r\n5\r\n")
    pairs, scores, table = read_pairs(path, gold=gold)
    assert pairs == [("A", "B"), ("C", "D")]
    assert scores.tolist() == [1.0, 5.0]
    assert table.num_rows == 2
    assert len(read_pairs(path)[0]) == 3


def test_track_6(data):
    folder = data / "sts2017"
    pairs, scores, _ = read_pairs(folder / "STS.input.track6.tr-en.txt", gold=folder / "STS.gs.track6.tr-en.txt")
    assert len(pairs) == len(scores) == 250


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("sentence1,sentence2,score\n", "holds no pairs"),
        ("sentence1,sentence2,score\na,b,1\na\n", "line 3 of .*: 1 fields instead of 3"),
        (
            "sentence1,sentence2,score\na,b,\n",
            "line 2 of .*: the score must be a number from 0 to 5, got ''; fill it in or remove",
        ),
        ("sentence1,sentence2,score\na,b,nan\n", "must be a number from 0 to 5, got 'nan'"),
        ("sentence1,sentence2,score\na,b,5.5\n", "must be a number from 0 to 5, got '5.5'; convert the scores$"),
        (
            "sentence1;sentence2;score\na;b;3,5\n",
            "must be a number from 0 to 5, got '3,5'; write it with a decimal point",
        ),
    ],
)
def test_training_loses_nothing(tmp_path, content, message):
    with pytest.raises(TableError, match=message):
        read_pairs(write(tmp_path / "t.csv", content))


def test_more_gold_than_pairs(tmp_path):
    path = write(tmp_path / "t.txt", "a\tb\n")
    with pytest.raises(TableError, match="must have at most 1 scores, .*, got 2; give the gold file"):
        read_pairs(path, gold=write(tmp_path / "g", "1\n2\n"))


def test_score_by_name(tmp_path):
    path = write(tmp_path / "t.csv", "p,q,mark\na,b,2\n")
    assert read_pairs(path, columns="p,q,mark")[1].tolist() == [2.0]
    assert read_pairs(path, columns="p,q")[1] is None
    with pytest.raises(TableError, match="no column 'grade'"):
        read_pairs(path, columns="p,q", score="grade")


def test_scores_of_parquet_keep_their_value(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"sentence1": ["a"], "sentence2": ["b"], "score": pa.array([0.1], pa.float32())}), path)
    assert read_pairs(path)[1].tolist() == [float(np.float32(0.1))]


def labelled(path, **options):
    found = read_labelled_pairs(path, **options)
    return found.labels.tolist(), str(found.scale), found.points.tolist()


def test_labels_on_the_scale_that_they_seem_to_be_on(tmp_path):
    head = "sentence1,sentence2,score\n"
    path = write(tmp_path / "t.csv", f"{head}a,b,0.2\nc,d,1\n")
    assert labelled(path) == ([0.2, 1.0], "0..1", [1.0, 5.0])
    assert labelled(path, scale="0..4") == ([0.2, 1.0], "0..4", [0.25, 1.25])
    assert labelled(path, scale=Scale(0.0, 2.0)) == ([0.2, 1.0], "0..2", [0.5, 2.5])
    assert labelled(path, otherwise=lambda labels: Scale()) == ([0.2, 1.0], "0..5", [0.2, 1.0])
    assert read_labelled_pairs(path).pairs == [("a", "b"), ("c", "d")]
    assert read_labelled_pairs(path).table.num_rows == 2
    # Callers that need 0..5 take the numbers as they stand.
    assert read_pairs(path)[1].tolist() == [0.2, 1.0]


def test_words_that_say_yes_and_no(tmp_path):
    path = write(tmp_path / "t.csv", "sentence1,sentence2,score\na,b,Yes\nc,d,no\ne,f,TRUE\n")
    assert labelled(path) == ([1.0, 0.0, 1.0], "yes/no", [5.0, 0.0, 5.0])
    with pytest.raises(TableError, match="must be a number from 0 to 5, got 'Yes'; convert the scores"):
        read_pairs(path)


def test_truth_values_of_parquet(tmp_path):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"sentence1": ["a", "c"], "sentence2": ["b", "d"], "score": [True, False]}), path)
    assert labelled(path) == ([1.0, 0.0], "yes/no", [5.0, 0.0])


def test_the_column_of_sick_tells_its_scale(tmp_path):
    head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    path = write(tmp_path / "s.txt", head + "1\tA boy runs\tA boy is running\t3\tX\n2\tA boy runs\tRain\t2.5\tX\n")
    assert labelled(path) == ([3.0, 2.5], "1..5", [2.5, 1.875])
    assert labelled(path, otherwise=lambda labels: Scale())[1] == "1..5"
    assert labelled(path, scale="0..5") == ([3.0, 2.5], "0..5", [3.0, 2.5])


def test_labels_in_a_file_of_their_own(tmp_path):
    path = write(tmp_path / "input.txt", "A\tB\nC\tD\nE\tF\n")
    gold = write(tmp_path / "gs.txt", "73.5\n10\n")
    assert labelled(path, gold=gold) == ([73.5, 10.0], "0..100", [3.675, 0.5])
    with pytest.raises(TableError, match=r"line 2 of .*gs\.txt: the score must be a number from 20 to 100, got '10'"):
        read_labelled_pairs(path, gold=gold, scale="20..100")


@pytest.mark.parametrize(
    ("cells", "options", "message"),
    [
        (
            ["3", "-1"],
            {},
            r"line 3 of .*: the scores must be numbers on a scale such as 0\.\.1, 1\.\.5 or 0\.\.100, or all yes "
            r"and no, got '-1'; convert them or name their scale with --scale LOW\.\.HIGH$",
        ),
        (["yes", "perhaps"], {}, "line 3 of .*, got 'perhaps'; convert them or name"),
        (["80%", "3"], {}, "line 2 of .*, got '80%'; remove the percent sign, or name the scale with --scale 0..100$"),
        (
            [*["4.5", "2"] * 12, "25"],
            {},
            "line 26 of .*: the scores must be numbers from 0 to 5, as nearly all are, got '25'; correct it, or name",
        ),
        (["3", ""], {}, "line 3 of .*, got ''; fill it in or remove the row$"),
        (['"3,5"', "2"], {}, "line 2 of .*, got '3,5'; write it with a decimal point$"),
        (
            ["3", "6"],
            {"scale": "0..5"},
            r"line 3 of .*: the score must be a number from 0 to 5, got '6'; name the scale of the scores with --scale "
            r"LOW\.\.HIGH$",
        ),
        (
            ["1", "0.5"],
            {"scale": "yes/no"},
            "line 3 of .*: the score must be yes or no, or 1 or 0, got '0.5'; name the",
        ),
    ],
)
def test_labels_that_fit_no_scale(tmp_path, cells, options, message):
    lines = ["sentence1,sentence2,score", *(f"a{k},b{k},{cell}" for k, cell in enumerate(cells))]
    with pytest.raises(TableError, match=message):
        read_labelled_pairs(write(tmp_path / "t.csv", "\n".join(lines) + "\n"), **options)


def test_a_table_without_labels(tmp_path):
    with pytest.raises(TableError, match="has no column 'score'; name the column, as in --column A,B,SCORE"):
        read_labelled_pairs(write(tmp_path / "t.csv", "sentence1,sentence2\na,b\n"))


def test_what_names_no_scale(tmp_path):
    with pytest.raises(ValueError, match=r"scale must be LOW\.\.HIGH"):
        read_labelled_pairs(write(tmp_path / "t.csv", "sentence1,sentence2,score\na,b,1\n"), scale="5")
