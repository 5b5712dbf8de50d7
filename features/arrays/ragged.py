"""Rows of unequal length as flat arrays, n-grams of rows, and counts of the items of two rows.

They make n-gram features cheap: a batch is sorted once per view, without a `Counter` for each sentence.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np

_ROWS_AT_A_TIME = 1 << 16
_DROPPED_BITS = np.uint64(17)  # of 64: the rest is 16 bits of row, 47 of hash and one of the side
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)


class Ragged(NamedTuple):
    """n rows of unequal length.

    Attributes
    ----------
    values
        All rows, one after the other.
    offsets
        Shape (n + 1,): row i is ``values[offsets[i]:offsets[i + 1]]``.
    """

    values: np.ndarray
    offsets: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Length of each row, shape (n,)."""
        return np.diff(self.offsets)

    @property
    def rows(self) -> np.ndarray:
        """The row index of each value."""
        return np.repeat(np.arange(len(self.offsets) - 1), self.lengths)

    def positions(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of the values of the given rows, and the offsets of these rows."""
        lengths = self.lengths[rows]
        offsets = offsets_of(lengths)
        return np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths), offsets

    def take(self, rows: np.ndarray) -> "Ragged":
        """Return the given rows, in that order."""
        positions, offsets = self.positions(rows)
        return Ragged(self.values[positions], offsets)

    def where(self, mask: np.ndarray) -> "Ragged":
        """Keep the values whose entry in the flat `mask` is true."""
        kept = np.concatenate([[0], np.cumsum(mask)])
        return Ragged(self.values[mask], kept[self.offsets])

    def sums(self) -> np.ndarray:
        """Sum of each row, shape (n,), float64; 0 for an empty row."""
        # Not differences of a running sum: they would make a row's sum depend on the rows before it.
        return np.bincount(self.rows, weights=self.values, minlength=len(self.offsets) - 1)


def offsets_of(lengths: np.ndarray) -> np.ndarray:
    """Return row offsets, shape (n + 1,), for row lengths of shape (n,)."""
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def stack(first: Ragged, second: Ragged) -> Ragged:
    """Return the rows of the first followed by the rows of the second."""
    values = np.concatenate([first.values, second.values])
    return Ragged(values, np.concatenate([first.offsets, second.offsets[1:] + first.offsets[-1]]))


def mix(values: np.ndarray) -> np.ndarray:
    """Scramble 64-bit integers one to one (the finaliser of splitmix64, Steele et al., 2014)."""
    values = values ^ (values >> np.uint64(30))
    values = values * np.uint64(0xBF58476D1CE4E5B9)
    values = values ^ (values >> np.uint64(27))
    values = values * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def ngrams(items: Ragged, n: int) -> Ragged:
    """Return 64-bit hashes of the contiguous n-grams of each row.

    Parameters
    ----------
    items
        Rows of uint64 item hashes or code points.
    n
        Length of the n-grams, at least 1; rows shorter than n become empty.
    """
    values = items.values.astype(np.uint64, copy=False)
    size = max(len(values) - n + 1, 0)
    hashes = np.zeros(size, dtype=np.uint64)
    for k in range(n):
        hashes = hashes * _MULTIPLIER + values[k : k + size] + np.uint64(1)
    lengths = np.maximum(items.lengths - (n - 1), 0)
    offsets = offsets_of(lengths)
    positions = np.arange(offsets[-1]) + np.repeat(items.offsets[:-1] - offsets[:-1], lengths)
    return Ragged(mix(hashes[positions]), offsets)


def windows(weights: Ragged, n: int) -> Ragged:
    """Return the sum of each window of n values, parallel to `ngrams`."""
    values = weights.values
    size = max(len(values) - n + 1, 0)
    total = np.zeros(size)
    for k in range(n):
        total += values[k : k + size]
    lengths = np.maximum(weights.lengths - (n - 1), 0)
    offsets = offsets_of(lengths)
    return Ragged(total[np.arange(offsets[-1]) + np.repeat(weights.offsets[:-1] - offsets[:-1], lengths)], offsets)


class Shared:
    """Common items of row i of one ragged array and row i of another; every property has shape (n,), float64.

    Parameters
    ----------
    size_a, size_b
        Number of items in the row, with repeats.
    count_a, count_b
        Number of occurrences in either row of each distinct item of each pair of rows, pairs in order.
    bounds
        Shape (n + 1,): bounds of the distinct items of each pair of rows.
    weight
        Weight of each distinct item, or None.
    """

    def __init__(
        self,
        size_a: np.ndarray,
        size_b: np.ndarray,
        count_a: np.ndarray,
        count_b: np.ndarray,
        bounds: np.ndarray,
        weight: np.ndarray | None,
    ) -> None:
        self.size_a = size_a.astype(np.float64)
        self.size_b = size_b.astype(np.float64)
        self._count_a, self._count_b = count_a, count_b
        self._bounds = bounds
        self._weight = weight

    def _sum(self, counts: np.ndarray) -> np.ndarray:
        # Whole numbers, so the running sum is exact and a row's total does not depend on the rows before it.
        total = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
        return np.diff(total[self._bounds]).astype(np.float64)

    def _weigh(self, counts: np.ndarray, size: np.ndarray) -> np.ndarray:
        if self._weight is None:
            return size
        rows = np.repeat(np.arange(len(self._bounds) - 1), np.diff(self._bounds))
        return np.bincount(rows, weights=counts * self._weight, minlength=len(self._bounds) - 1)

    @cached_property
    def matched(self) -> np.ndarray:
        """Multiset intersection: the sum over items of the smaller count."""
        return self._sum(np.minimum(self._count_a, self._count_b))

    @cached_property
    def types_a(self) -> np.ndarray:
        """Distinct items of the first row."""
        return self._sum(self._count_a > 0)

    @cached_property
    def types_b(self) -> np.ndarray:
        """Distinct items of the second row."""
        return self._sum(self._count_b > 0)

    @cached_property
    def common(self) -> np.ndarray:
        """Distinct items that both rows have."""
        return self._sum((self._count_a > 0) & (self._count_b > 0))

    @cached_property
    def weight_a(self) -> np.ndarray:
        """`size_a` with each item counting its weight; the same as `size_a` without weights."""
        return self._weigh(self._count_a, self.size_a)

    @cached_property
    def weight_b(self) -> np.ndarray:
        """`size_b` with each item counting its weight."""
        return self._weigh(self._count_b, self.size_b)

    @cached_property
    def weight_matched(self) -> np.ndarray:
        """`matched` with each item counting its weight."""
        if self._weight is None:
            return self.matched
        return self._weigh(np.minimum(self._count_a, self._count_b), self.size_a)


def share(a: Ragged, b: Ragged, weights_a: np.ndarray | None = None, weights_b: np.ndarray | None = None) -> Shared:
    """Count the items of row i of `a` and row i of `b`.

    Items are compared by 47 bits of their hash: two different items of one pair count as equal less than once in
    10^10 pairs of sentences, and always for the same pairs, independent of the rest of the batch.

    Parameters
    ----------
    a, b
        n rows of uint64 hashes each, as `ngrams` gives them.
    weights_a, weights_b
        A weight for each value; equal items must have equal weights.
    """
    n = len(a.offsets) - 1
    counts, bounds, weights = [], [], []
    for start in range(0, max(n, 1), _ROWS_AT_A_TIME):
        stop = min(start + _ROWS_AT_A_TIME, n)
        cut_a, cut_b = slice(a.offsets[start], a.offsets[stop]), slice(b.offsets[start], b.offsets[stop])
        rows = np.arange(stop - start, dtype=np.uint64) << np.uint64(48)
        keys = [
            (values[cut] >> _DROPPED_BITS << np.uint64(1)) | np.repeat(rows, np.diff(offsets[start : stop + 1]))
            for values, offsets, cut in ((a.values, a.offsets, cut_a), (b.values, b.offsets, cut_b))
        ]
        flat = np.concatenate([keys[0], keys[1] | np.uint64(1)])
        if weights_a is None or weights_b is None:
            flat.sort()
        else:
            order = np.argsort(flat)
            flat = flat[order]
            weight = np.concatenate([weights_a[cut_a], weights_b[cut_b]])[order]
        item = flat >> np.uint64(1)
        first = np.flatnonzero(np.concatenate([[True], item[1:] != item[:-1]])[: len(item)])
        from_b = np.concatenate([[0], np.cumsum(flat & np.uint64(1), dtype=np.int64)])
        ends = np.append(first[1:], len(item)) if len(first) else first
        count_b = from_b[ends] - from_b[first]
        counts.append((ends - first - count_b, count_b))
        bounds.append(np.searchsorted(item[first], np.append(rows >> np.uint64(1), np.uint64(1) << np.uint64(63))))
        if weights_a is not None and weights_b is not None:
            weights.append(weight[first])
    starts = np.cumsum([0, *(len(count) for count, _ in counts)])
    joined = np.concatenate([[0], *(bound[1:] + begin for bound, begin in zip(bounds, starts[:-1], strict=True))])
    count_a, count_b = (np.concatenate(side) for side in zip(*counts, strict=True))
    return Shared(a.lengths, b.lengths, count_a, count_b, joined[: n + 1], np.concatenate(weights) if weights else None)


def ratio(numerator: np.ndarray, denominator: np.ndarray, empty: float | np.ndarray = 0.0) -> np.ndarray:
    """Return ``numerator / denominator``, and `empty` where the denominator is 0."""
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.where(denominator == 0, empty, numerator / safe)


def f1(shared: Shared) -> np.ndarray:
    """Harmonic mean of weighted precision and recall of matched items; 1 if a side is empty (Tian et al., 2017)."""
    total = shared.weight_a + shared.weight_b
    empty = (shared.size_a == 0) | (shared.size_b == 0)
    return np.where(empty, 1.0, ratio(2 * shared.weight_matched, total))
