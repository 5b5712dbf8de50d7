import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from samewise.ensemble.core.folds import grouped_folds, sentence_groups
from samewise.ensemble.core.pair_inputs import as_pairs
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.features.analysis.analysis import analyse
from samewise.features.base.sentences import Pair

from samewise import load

pl = pytest.importorskip("polars")

PAIRS = [("a", "b"), ("c", "d")]
NOT_UTF8 = pa.Array.from_buffers(pa.string(), 1, pa.array([b"\xff"]).buffers())


@pytest.fixture(scope="module")
def surface():
    return load("surface")


@pytest.mark.parametrize(
    "X",
    [
        PAIRS,
        [list(pair) for pair in PAIRS],
        np.array(PAIRS),
        np.array(PAIRS, dtype=object),
        pd.DataFrame(PAIRS, columns=["left", "right"]),
        pd.DataFrame({"sentence2": ["b", "d"], "other": [1, 2], "sentence1": ["a", "c"]}),
        pl.DataFrame({"x": ["a", "c"], "y": ["b", "d"]}),
        pa.table({"x": ["a", "c"], "y": ["b", "d"]}),
        pa.record_batch({"sentence2": ["b", "d"], "other": [1, 2], "sentence1": ["a", "c"]}),
        [Pair("a", "b", 3.0), Pair("c", "d")],
        iter(PAIRS),
        [np.array(pair) for pair in PAIRS],
        pd.Series(PAIRS),
    ],
)
def test_every_kind_of_table(X):
    assert as_pairs(X) == PAIRS


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array(["a", "b"]), r"X must be an array of shape \(n, 2\), got shape \(2,\)"),
        (np.array(5), r"got shape \(\)"),
        (np.array([["a", "b", "c"]]), r"got shape \(1, 3\)"),
        (np.array([[1, 2]]), "item 0 of X must hold two texts, got 1 of type int"),
        (np.array([[b"a", b"b"]]), "got b'a' of type bytes"),
        (np.ma.array([["a", "b"]], mask=[[False, True]]), "got None"),
        ("ab", "X must be a sequence of pairs, got 'ab' of type str; give a list"),
        (b"ab", "X must be a sequence of pairs, got b'ab' of type bytes"),
        (bytearray(b"ab"), "of type bytearray"),
        (["ab"], "item 0 of X must be a pair of two texts, got 'ab' of type str"),
        ([("a", "b"), 5], "item 1 of X must be a pair of two texts, got 5 of type int"),
        ([None], "item 0 of X must be a pair of two texts, got None"),
        ([b"ab"], "got b'ab' of type bytes"),
        ([{"a": 1, "b": 2}], "of type dict"),
        ([{"a", "b"}], "of type set"),
        ([np.array([["a"], ["b"]])], "of type ndarray"),
        ([("a", "b", "c")], "item 0 of X must be a pair of two texts, got \\('a', 'b', 'c'\\) of type tuple"),
        ([("a", "b", 3.0)], "of type tuple"),
        ([("a",)], "of type tuple"),
        ([("a", None)], "item 0 of X must hold two texts, got None; replace"),
        ([("a", "b"), (float("nan"), "b")], "item 1 of X must hold two texts, got nan of type float"),
        ([("a", ("b", "c"))], "got .* of type tuple"),
        (pd.DataFrame({"x": ["a"], "y": ["b"], "z": ["c"]}), r"X must have two columns, .* got \['x', 'y', 'z'\]"),
        (pd.DataFrame({"x": ["a", None], "y": ["b", "c"]}), "item 1 of X must hold two texts"),
        (pd.DataFrame({"x": ["a", pd.NA], "y": ["b", "c"]}), "item 1 of X must hold two texts"),
        (pd.DataFrame([["a", "b", "c"]], columns=["sentence1", "sentence2", "sentence2"]), "'sentence2', got 2"),
        (pd.Series(["a", "b"]), "item 0 of X must be a pair"),
        (pl.DataFrame({"x": ["a", None], "y": ["b", "c"]}), "item 1 of X must hold two texts, got None"),
        (pl.DataFrame({"x": [1], "y": [2]}), "got 1 of type int"),
        (pa.table({"x": ["a", None], "y": ["b", "c"]}), "item 1 of X must hold two texts, got None"),
        (pa.table({"x": ["a"]}), r"X must have two columns, .* got \['x'\]"),
        (pa.table({"x": NOT_UTF8, "y": ["b"]}), "the column 'x' must be UTF-8"),
    ],
)
def test_other_input_is_named(X, message):
    with pytest.raises(ValueError, match=message) as raised:
        as_pairs(X)
    assert "\n" not in str(raised.value) and len(str(raised.value)) < 400


class HasColumns:
    columns = 5


@pytest.mark.parametrize("X", [None, 5, 2.5, int, object(), {"a": "b"}, {("a", "b")}, HasColumns(), pl.LazyFrame()])
def test_what_is_no_sequence_is_named(X):
    with pytest.raises(TypeError, match="^X must be a (sequence of pairs|data frame with rows), got "):
        as_pairs(X)


@pytest.mark.parametrize("X", [None, 5, "ab", [5], [("a",)], [(1, 2)], [("a", "b", "c")], [("a", None)]])
@pytest.mark.parametrize("ask", ["predict", "predict_pairs", "predict_members", "explain", "differences"])
@pytest.mark.parametrize("several", [False, True])
def test_every_question_names_other_input(surface, X, ask, several):
    model = MultilingualModel(surface) if several else surface
    with pytest.raises((TypeError, ValueError), match=r"^(X|item 0 of X) must "):
        getattr(model, ask)(X)


def test_two_columns_of_one_name_are_told_by_their_place():
    assert as_pairs(pd.DataFrame(PAIRS, columns=["x", "x"])) == PAIRS


def test_pairs_that_share_a_sentence_share_a_group():
    batch = analyse([("a", "b"), ("b", "c"), ("d", "e"), (" c ", "f"), ("g", "g"), ("h", "h")])
    groups = sentence_groups(batch)
    assert groups[0] == groups[1] == groups[3]
    assert len(set(groups[[0, 2, 4, 5]].tolist())) == 4
    for train, held_out in grouped_folds(groups, 3):
        assert not set(groups[train]) & set(groups[held_out])
    assert sorted(row for _, held_out in grouped_folds(groups, 3) for row in held_out) == list(range(6))


@pytest.mark.parametrize(
    ("pairs", "groups"),
    [
        # The question of all answers links none of them, whichever side it is on; one answer stands twice.
        ([("q", "a"), ("b", "q"), ("q", "c"), ("q", "a")], [0, 1, 2, 0]),
        ([("q", "a"), ("q", "q"), ("q", "b")], [0, 1, 2]),
        ([("q", "a"), ("q", "a"), ("a", "q")], [0, 0, 0]),
        ([("q", "a"), ("q", "b"), ("c", "d")], [0, 0, 1]),
    ],
)
def test_a_sentence_of_all_pairs_links_none(pairs, groups):
    found = sentence_groups(analyse(pairs, "text"))
    assert [found.tolist().index(one) for one in found] == [groups.index(one) for one in groups]


def test_one_group_has_no_folds():
    assert grouped_folds(np.zeros(4)) == []


def test_a_group_of_most_pairs_is_dealt_out():
    groups = np.asarray([0] * 30 + [1, 2, 3])
    with pytest.warns(UserWarning, match="30 of 33 pairs are linked"):
        folds = grouped_folds(groups, 3)
    assert [len(train) for train, _ in folds] == [22, 22, 22]
    assert sorted(row for _, held_out in folds for row in held_out) == list(range(33))


def test_labels_link_pairs_too():
    batch = analyse([("a", "b"), ("c", "d"), ("d", "e"), ("f", "g"), ("h", "i")])
    assert len(set(sentence_groups(batch))) == 4
    one, two, three, four, five = sentence_groups(batch, ["x", "y", "z", "x", "z"])
    assert one == four and two == three == five != one
    with pytest.raises(ValueError, match="1 groups for 5 pairs"):
        sentence_groups(batch, ["x"])
