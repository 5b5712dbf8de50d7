import numpy as np
import pandas as pd
import pytest
from samewise.ensemble.core.folds import grouped_folds, sentence_groups
from samewise.ensemble.core.pair_inputs import as_pairs
from samewise.features.analysis import analyse

PAIRS = [("a", "b"), ("c", "d")]


@pytest.mark.parametrize(
    "X",
    [
        PAIRS,
        [list(pair) for pair in PAIRS],
        np.array(PAIRS),
        np.array(PAIRS, dtype=object),
        pd.DataFrame(PAIRS, columns=["left", "right"]),
        pd.DataFrame({"sentence2": ["b", "d"], "other": [1, 2], "sentence1": ["a", "c"]}),
    ],
)
def test_every_kind_of_table(X):
    assert as_pairs(X) == PAIRS


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.array(["a", "b"]), r"X has shape \(2,\)"),
        ("ab", "X is the one string 'ab'"),
        (["ab"], "item 0 of X is 'ab'"),
        ([("a", "b", "c")], "every item must be a pair"),
        ([("a", None)], "item 0 of X holds None of type NoneType"),
        ([("a", "b"), (float("nan"), "b")], "item 1 of X holds nan"),
        (pd.DataFrame({"x": ["a"], "y": ["b"], "z": ["c"]}), r"the data frame has columns \['x', 'y', 'z'\]"),
    ],
)
def test_other_input_is_named(X, message):
    with pytest.raises(ValueError, match=message):
        as_pairs(X)


def test_pairs_that_share_a_sentence_share_a_group():
    batch = analyse([("a", "b"), ("b", "c"), ("d", "e"), (" c ", "f"), ("g", "g"), ("h", "h")])
    groups = sentence_groups(batch)
    assert groups[0] == groups[1] == groups[3]
    assert len(set(groups[[0, 2, 4, 5]].tolist())) == 4
    for train, held_out in grouped_folds(groups, 3):
        assert not set(groups[train]) & set(groups[held_out])
    assert sorted(row for _, held_out in grouped_folds(groups, 3) for row in held_out) == list(range(6))


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
