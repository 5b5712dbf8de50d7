"""Columns of records that are compared: similarities by hand, weights, and whole runs."""

import csv

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.matching.compared_columns import KINDS, compared_columns, similarities
from samewise.ensemble.matching.dedupe_files import dedupe_file
from samewise.ensemble.matching.joint_decision import Evidence, weights_of_labels, weights_without_labels
from samewise.ensemble.matching.match_files import match_file
from samewise.ensemble.matching.options import DedupeOptions, MatchOptions

import samewise

HEAD = ("title", "brand", "price", "ean")
ROWS = [
    ("Red lamp with a clip", "Ostrand", "12.50", "0401234"),
    ("Lamp (red) with clip", "OSTRAND", "12,5", "401234"),
    ("Claw hammer 450 g", "Ostrand", "20", "888"),
    ("Tool for carpenters", "Ostrand", "20", "0888"),
    ("Garden chair of oak", "Torvald", "150", ""),
    ("Oak garden chair", "Torvald", "149", ""),
    ("Bicycle pump", "Zefal", "30", "555"),
    ("Kettle", "Brunvik", "45", "556"),
    ("Tea towel with stripes", "Pike", "6", "557"),
]
COMPARE = compared_columns("title:text,brand:name,price:number,ean:code")


@pytest.mark.parametrize(
    ("kind", "one", "other", "wanted"),
    [
        ("name", "Meier, Anna", "anna meier", 1.0),
        ("name", "Martha", "Marhta", 0.9611),  # the example of Winkler (1990)
        ("number", "1,299.00 EUR", "1299", 1.0),
        ("number", "12,5", "10", 0.8),
        ("number", "-2", "2", 0.0),
        ("number", "on request", "2", np.nan),
        ("code", "HB-1850", "hb 1850", 1.0),
        ("code", "0401234", "401234", 1.0),
        ("code", "HB-1850", "HB-1851", 0.0),
        ("code", "--", "HB-1851", np.nan),
    ],
)
def test_similarities_by_hand(kind, one, other, wanted):
    first, second = np.array([0, 0, 1]), np.array([1, 2, 2])
    found = similarities(kind, [one, other, None], first, second)
    assert found[0] == pytest.approx(wanted, abs=1e-4, nan_ok=True)
    assert np.isnan(found[1:]).all()


@given(st.sampled_from(sorted(KINDS)), st.text(max_size=8), st.text(max_size=8))
def test_a_similarity_is_of_both_values_in_any_order(kind, one, other):
    ends = np.array([0, 1]), np.array([1, 0])
    found = similarities(kind, [one, other], *ends)
    assert np.array_equal(found[:1], found[1:], equal_nan=True)
    assert np.isnan(found[0]) or 0.0 <= found[0] <= 1.0


@pytest.mark.parametrize(
    ("named", "message"),
    [
        ("title:text,brand:nmae", "with a kind of text, name, number, code, got 'brand:nmae'"),
        ("title:text,brand", "got ':brand'"),
        ("title:text", "must be one text and others, got title:text"),
        ("a:text,b:text,c:code", "join several texts, as in title"),
    ],
)
def test_columns_that_cannot_be_compared(named, message):
    with pytest.raises(ValueError, match=message):
        compared_columns(named)


def test_what_agrees_by_chance_weighs_less():
    agreement = np.array([[1.0, 1.0, 1.0], [1.0, 0.0, 0.0], [1.0, np.nan, np.nan]] * 5)
    chance = np.column_stack([np.arange(1000) % 2, np.arange(1000) % 100 == 0]).astype(float)
    parts = weights_without_labels(Evidence(np.full(15, 0.5), agreement), ["code", "code"], chance)
    assert parts[0, 3] > parts[0, 2] > 0 > parts[1, 2] and parts[1, 3] < 0
    assert parts[0, 3] - parts[0, 2] == pytest.approx(np.log(0.5 / 0.01), abs=0.1)  # m is the same for both
    assert parts[2, 2:].tolist() == [0.0, 0.0]
    assert np.allclose(parts[:, 0], 0.0)


def test_labels_teach_the_weights():
    rng = np.random.default_rng(1)
    agreement = rng.integers(0, 2, (200, 3)).astype(float)
    evidence = Evidence(np.full(200, 0.5), agreement)
    parts = weights_of_labels(evidence, evidence, agreement[:, 2] == 1)
    assert ((parts.sum(axis=1) > 0) == (agreement[:, 2] == 1)).all()
    with pytest.raises(ValueError, match="must have pairs that are the same and pairs that are not"):
        weights_of_labels(evidence, evidence, np.ones(200, bool))


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD, *ROWS])
    return path


def read(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_dedupe_of_records(table, tmp_path):
    dedupe_file(table, tmp_path / "out.csv", model="fast", workers=1, options=DedupeOptions(compare=COMPARE))
    removed = {(row["row"], row["group"]): row for row in read(tmp_path / "out.removed.csv")}
    assert removed.keys() == {("2", "1"), ("4", "3"), ("6", "5")}  # the hammers by their code
    hammers = removed["4", "3"]
    assert float(hammers["title_score"]) < 3 < 4 < float(hammers["score"])
    assert "ean +" in hammers["evidence"]
    assert (hammers["brand_score"], hammers["low"], hammers["high"]) == ("1.0", "", "")
    assert removed["6", "5"]["ean_score"] == ""


def test_matches_of_records_in_files_and_in_memory(table, tmp_path):
    options = MatchOptions(compare=COMPARE, top=1, not_within="title")
    match_file(table, table, tmp_path / "out.csv", model="fast", workers=1, options=options)
    rows = read(tmp_path / "out.csv")
    best = {row["row1"]: row["row2"] for row in rows if float(row["score"]) > 4}
    assert best == {"1": "2", "2": "1", "5": "6", "6": "5"}
    assert {("3", "4"), ("4", "3")} <= {(row["row1"], row["row2"]) for row in rows}  # by their code alone
    frame = pa.table(dict(zip(HEAD, map(list, zip(*ROWS, strict=True)), strict=True)))
    found = samewise.match(frame, frame, model="fast", compare=COMPARE, top=1, not_within="title", workers=1)
    assert found["score"].to_pylist() == [float(row["score"]) for row in rows]


def test_labels_of_pairs(table, tmp_path):
    labels = tmp_path / "labels.csv"
    with labels.open("w", encoding="utf-8", newline="") as file:
        same = [(ROWS[a][0], ROWS[a + 1][0], 5) for a in (0, 2, 4)]
        other = [(ROWS[a][0], ROWS[b][0], 0) for a, b in ((0, 2), (0, 4), (2, 4), (6, 7), (7, 8), (8, 0), (1, 3))]
        csv.writer(file).writerows([("sentence1", "sentence2", "score"), *same, *other])
    options = DedupeOptions(compare=COMPARE, labels=labels, same_from=3, unsure_from=3)
    dedupe_file(table, tmp_path / "out.csv", model="fast", workers=1, options=options)
    removed = {(row["row"], row["group"]) for row in read(tmp_path / "out.removed.csv")}
    assert {("2", "1"), ("6", "5")} <= removed <= {("2", "1"), ("4", "3"), ("6", "5")}


def test_options_that_do_not_go_with_compared_columns():
    with pytest.raises(ValueError, match="leave --model-thresholds out"):
        DedupeOptions(compare=COMPARE, model_thresholds=True)
    with pytest.raises(ValueError, match="leave out --decide and --probability-of"):
        MatchOptions(compare=COMPARE, decide=True)
    with pytest.raises(ValueError, match="name the columns with --compare"):
        DedupeOptions(labels="labels.csv")
    with pytest.raises(ValueError, match="the text must be named once, got a column 'x'"):
        DedupeOptions(compare=COMPARE).text_column("x")
