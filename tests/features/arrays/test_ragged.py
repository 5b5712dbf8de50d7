from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.features.arrays import ragged
from samewise.features.arrays.ragged import Ragged, f1, ngrams, offsets_of, ratio, share, stack, windows

rows = st.lists(st.lists(st.integers(0, 5), max_size=8), min_size=1, max_size=5)


def flat(lists, dtype=np.uint64):
    return Ragged(
        np.array([x for row in lists for x in row], dtype=dtype), offsets_of(np.array([len(r) for r in lists]))
    )


def lists(values):
    return [row.tolist() for row in np.split(values.values, values.offsets[1:-1])]


def pairs_of(data):
    half = (len(data) + 1) // 2
    return data[:half], (data[half:] + [[]])[:half]


@given(rows)
def test_rows_survive_taking_stacking_and_masking(data):
    items = flat(data)
    assert items.lengths.tolist() == [len(row) for row in data]
    assert lists(items.take(np.arange(len(data))[::-1])) == data[::-1]
    assert lists(stack(items, items)) == data + data
    assert lists(items.where(items.values > 2)) == [[x for x in row if x > 2] for row in data]
    assert items.sums().tolist() == [sum(row) for row in data]


@given(rows, st.integers(1, 4))
def test_ngrams_are_equal_where_the_items_are(data, n):
    found = ngrams(flat(data), n)
    expected = [tuple(row[i : i + n]) for row in data for i in range(len(row) - n + 1)]
    assert found.lengths.tolist() == [max(len(row) - n + 1, 0) for row in data]
    assert len(set(zip(found.values.tolist(), expected, strict=True))) == len(set(expected))
    assert len(set(found.values.tolist())) == len(set(expected))


def test_ngrams_of_other_lengths_differ():
    # A leading item 0 must not vanish.
    assert ngrams(flat([[0, 1]]), 2).values[0] != ngrams(flat([[1]]), 1).values[0]


def test_windows_are_parallel_to_ngrams():
    weights = flat([[1, 2, 4], [8], [16, 32]], np.float64)
    assert lists(windows(weights, 2)) == [[3, 6], [], [48]]


@given(rows)
def test_share_equals_the_counters(data):
    left, right = pairs_of(data)
    a, b = ngrams(flat(left), 1), ngrams(flat(right), 1)
    weights = [np.array([x + 0.5 for row in side for x in row]) for side in (left, right)]
    found, weighted = share(a, b), share(a, b, *weights)
    for i, (x, y) in enumerate(zip(map(Counter, left), map(Counter, right), strict=True)):
        both = x & y
        assert (found.size_a[i], found.size_b[i], found.matched[i]) == (x.total(), y.total(), both.total())
        assert (found.types_a[i], found.types_b[i], found.common[i]) == (len(x), len(y), len(both))
        assert weighted.weight_a[i] == sum((k + 0.5) * c for k, c in x.items())
        assert weighted.weight_matched[i] == sum((k + 0.5) * c for k, c in both.items())


def test_share_in_parts_equals_the_whole(monkeypatch):
    data = [[1, 2, 2], [3], [], [2, 2, 5], [1, 1], [4]]
    left, right = pairs_of(data)
    sides = ngrams(flat(left), 1), ngrams(flat(right), 1)
    weights = [np.array([float(x) for row in side for x in row]) for side in (left, right)]
    whole = share(*sides), share(*sides, *weights)
    monkeypatch.setattr(ragged, "_ROWS_AT_A_TIME", 2)
    for before, after in zip(whole, (share(*sides), share(*sides, *weights)), strict=True):
        for field in ("matched", "types_a", "types_b", "common", "weight_a", "weight_b", "weight_matched", "size_a"):
            np.testing.assert_array_equal(getattr(before, field), getattr(after, field))


def test_ratio_and_f1():
    assert ratio(np.array([1.0, 2.0]), np.array([0.0, 4.0]), 7.0).tolist() == [7, 0.5]
    # {1, 1, 2} and {1, 3}: matched 1: 2 * 1 / (3 + 2); an empty side counts 1.
    shared = share(ngrams(flat([[1, 1, 2], []]), 1), ngrams(flat([[1, 3], [1]]), 1))
    assert f1(shared).tolist() == pytest.approx([0.4, 1])
