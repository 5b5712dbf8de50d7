"""Pairs with gold scores are read whole, or the bad row is named."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.ensemble.tables.opening import TableError

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
        ("sentence1,sentence2,score\na,b,\n", "line 2 of .*: the score must be a number from 0 to 5, got ''"),
        ("sentence1,sentence2,score\na,b,nan\n", "must be a number from 0 to 5, got 'nan'"),
        ("sentence1,sentence2,score\na,b,5.5\n", "must be a number from 0 to 5, got '5.5'$"),
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
