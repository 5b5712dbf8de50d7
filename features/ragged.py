"""Rows of unequal length as flat arrays, and the counting of what two rows share.

This is what makes n-gram features cheap: a batch is sorted once per view instead of building a `Counter` a sentence.
"""

from typing import NamedTuple

import numpy as np

_ROWS_AT_A_TIME = 1 << 16
_HASH_BITS = np.uint64(47)
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

    def _positions(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        lengths = self.lengths[rows]
        offsets = offsets_of(lengths)
        return np.arange(offsets[-1]) + np.repeat(self.offsets[rows] - offsets[:-1], lengths), offsets

    def take(self, rows: np.ndarray) -> "Ragged":
        """Return the given rows, in that order."""
        positions, offsets = self._positions(rows)
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


class Shared(NamedTuple):
    """What the rows of two ragged arrays share; every field has shape (n,).

    Attributes
    ----------
    size_a, size_b
        Items in the row, repeats counted.
    matched
        Multiset intersection: the sum over items of the smaller count.
    types_a, types_b, common
        Distinct items of either row and of both.
    weight_a, weight_b, weight_matched
        The same as `size_a`, `size_b` and `matched` with each item counting its weight; equal to them without weights.
    """

    size_a: np.ndarray
    size_b: np.ndarray
    matched: np.ndarray
    types_a: np.ndarray
    types_b: np.ndarray
    common: np.ndarray
    weight_a: np.ndarray
    weight_b: np.ndarray
    weight_matched: np.ndarray


def share(a: Ragged, b: Ragged, weights_a: np.ndarray | None = None, weights_b: np.ndarray | None = None) -> Shared:
    """Count what row i of `a` and row i of `b` have in common.

    Items are compared by 47 bits of their hash: two different items of one pair are taken for equal less than once in
    10^10 pairs of sentences, and always for the same pairs, whatever else is in the batch.

    Parameters
    ----------
    a, b
        n rows of uint64 hashes each, as `ngrams` gives them.
    weights_a, weights_b
        A weight for each value; equal items must have equal weights.
    """
    n = len(a.offsets) - 1
    if n > _ROWS_AT_A_TIME:
        parts = []
        for start in range(0, n, _ROWS_AT_A_TIME):
            rows = np.arange(start, min(start + _ROWS_AT_A_TIME, n))
            cut_a, cut_b = (
                slice(a.offsets[start], a.offsets[rows[-1] + 1]),
                slice(b.offsets[start], b.offsets[rows[-1] + 1]),
            )
            part_weights = (
                (None, None) if weights_a is None or weights_b is None else (weights_a[cut_a], weights_b[cut_b])
            )
            parts.append(share(a.take(rows), b.take(rows), *part_weights))
        return Shared(*(np.concatenate(field) for field in zip(*parts, strict=True)))

    shift = np.uint64(64) - _HASH_BITS
    flat = np.concatenate([a.values, b.values]) >> shift << np.uint64(1)
    flat[len(a.values) :] |= np.uint64(1)
    flat |= np.concatenate([a.rows, b.rows]).astype(np.uint64) << np.uint64(48)
    if weights_a is None or weights_b is None:
        flat.sort()
        weight = None
    else:
        order = np.argsort(flat)
        flat = flat[order]
        weight = np.concatenate([weights_a, weights_b])[order]
    item = flat >> np.uint64(1)
    first = np.flatnonzero(np.concatenate([[True], item[1:] != item[:-1]])) if len(item) else np.empty(0, np.int64)
    total = np.diff(first, append=len(item))
    from_b = np.concatenate([[0], np.cumsum(flat & np.uint64(1))]).astype(np.int64)
    count_b = from_b[first + total] - from_b[first]
    count_a = total - count_b
    both = np.minimum(count_a, count_b)
    row = (flat[first] >> np.uint64(48)).astype(np.int64)

    def per_row(values: np.ndarray) -> np.ndarray:
        return np.bincount(row, weights=values, minlength=n)

    size_a, size_b = a.lengths.astype(np.float64), b.lengths.astype(np.float64)
    matched = per_row(both)
    types = (per_row(count_a > 0), per_row(count_b > 0), per_row(both > 0))
    if weight is None:
        return Shared(size_a, size_b, matched, *types, size_a, size_b, matched)
    w = weight[first]
    return Shared(size_a, size_b, matched, *types, per_row(count_a * w), per_row(count_b * w), per_row(both * w))


def ratio(numerator: np.ndarray, denominator: np.ndarray, empty: float | np.ndarray = 0.0) -> np.ndarray:
    """Return ``numerator / denominator``, and `empty` where the denominator is 0."""
    safe = np.where(denominator == 0, 1.0, denominator)
    return np.where(denominator == 0, empty, numerator / safe)


def f1(shared: Shared) -> np.ndarray:
    """Harmonic mean of weighted precision and recall of the matched items; 1 if either side is empty (Tian et al., 2017)."""
    total = shared.weight_a + shared.weight_b
    empty = (shared.size_a == 0) | (shared.size_b == 0)
    return np.where(empty, 1.0, ratio(2 * shared.weight_matched, total))
