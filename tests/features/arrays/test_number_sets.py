"""Sets of numbers and of pairs, against those of Python."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.arrays.joins import PairSet, among, distinct, places_among

numbers = st.lists(st.integers(0, 40), max_size=50)


@given(numbers)
def test_distinct_is_unique(values):
    assert distinct(np.asarray(values, dtype=np.int64)).tolist() == sorted(set(values))


@given(numbers, numbers)
def test_among_is_membership(values, known):
    found = among(np.asarray(values, dtype=np.int64), distinct(np.asarray(known, dtype=np.int64)))
    assert found.tolist() == [value in known for value in values]


@given(numbers, numbers)
def test_places_among_are_those_of_index(values, known):
    known = sorted(set(known))
    found = places_among(np.asarray(values, dtype=np.int64), np.asarray(known, dtype=np.int64))
    assert found.tolist() == [known.index(value) if value in known else -1 for value in values]


def test_a_set_of_pairs_by_hand():
    pairs = PairSet(np.array([0, 2, 2]), np.array([1, 2, 2]), 3)
    x, y = (side.ravel() for side in np.mgrid[-1:3, -1:3])
    found = {(i, j) for i, j, is_in in zip(x.tolist(), y.tolist(), pairs.has(x, y).tolist(), strict=True) if is_in}
    assert found == {(0, 1), (2, 2)}
    assert pairs.has(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).tolist() == []


def test_an_empty_set_has_no_pair():
    nothing = np.empty(0, dtype=np.int64)
    assert PairSet(nothing, nothing, 0).has(np.array([-1]), np.array([-1])).tolist() == [False]
    assert PairSet(nothing, nothing, 5).has(np.array([0, 4]), np.array([0, 4])).tolist() == [False, False]


def test_pairs_that_share_a_slot_are_told_apart():
    # More pairs than the table has bits, so that every question passes it.
    size = 1 << 11
    x, y = (side.ravel() for side in np.mgrid[:size, : size // 2])
    pairs = PairSet(x, y, size)
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, size, (2, 1_000))
    np.testing.assert_array_equal(pairs.has(x, y), y < size // 2)
