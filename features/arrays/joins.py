"""Joins of rows of numbers, and relations of numbers as rows."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from .ragged import Ragged, stack

PART_BITS = 20
"""Numbers that `pair_keys` joins are smaller than ``2**PART_BITS``."""

_AT_A_TIME = 1 << 16
_WORD_COST = 1 << 8  # in entries: bounds the number of words of a dense table


def pair_keys(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return one number a pair of numbers, shape (n,), int64; ordered by `x`, then by `y`."""
    return (x.astype(np.int64) << PART_BITS) | y


def by_first(keys: np.ndarray, size: int) -> Ragged:
    """Return sorted `pair_keys` as `size` rows; row i holds the numbers paired with i."""
    return Ragged(keys & (1 << PART_BITS) - 1, np.searchsorted(keys, np.arange(size + 1) << PART_BITS))


def then(rows: Ragged, relation: Ragged) -> Ragged:
    """Return rows with each value replaced by its row of the relation."""
    taken = relation.take(rows.values)
    return Ragged(taken.values, taken.offsets[rows.offsets])


def chunks(sizes: np.ndarray, limit: int = _AT_A_TIME) -> Iterator[slice]:
    """Cut rows into slices of at most `limit` items, or of one row."""
    ends = np.cumsum(sizes, dtype=np.int64)
    start = 0
    while start < len(sizes):
        done = int(ends[start - 1]) if start else 0
        stop = max(int(np.searchsorted(ends, done + limit, side="right")), start + 1)
        yield slice(start, stop)
        start = stop


class Shared(NamedTuple):
    """Entries of the second word of some pairs of words, with the values of both words.

    Attributes
    ----------
    part
        The pairs.
    items
        Items of the second word of each pair.
    offsets
        Where each pair begins and ends.
    first, second
        Least value of the first word at the item, `none` if it lacks the item, and value of the second word.
    """

    part: slice
    items: np.ndarray
    offsets: np.ndarray
    first: np.ndarray
    second: np.ndarray

    @property
    def starts(self) -> np.ndarray:
        """Beginning of each pair."""
        return self.offsets[:-1]


def share_rows(
    items: Ragged, values: np.ndarray, pairs: tuple[np.ndarray, np.ndarray], size: int, none: float
) -> Iterator[Shared]:
    """Yield the items of the second row of each pair with the values of both rows, some pairs at a time.

    Parameters
    ----------
    items
        Rows of numbers below `size`.
    values
        One for each item.
    pairs
        Row indices of both sides, equal ones of the first in sequence.
    size
        Bound of the items.
    none
        A number above every value.
    """
    x, y = pairs
    used, column_of = np.zeros(size, dtype=bool), np.zeros(size, dtype=np.int64)
    entries = Ragged(np.arange(len(items.values)), items.offsets)
    new = np.diff(x, prepend=-1) != 0
    for part in chunks(items.lengths[y] + new * _WORD_COST):
        first = new[part].copy()
        first[0] = True
        rows, row_of = x[part][first], np.cumsum(first) - 1
        table, other = entries.take(rows), entries.take(y[part])
        used[items.values[table.values]] = True
        columns = np.flatnonzero(used)
        # Column 0 is for items that none of these words has.
        column_of[columns] = np.arange(1, len(columns) + 1)
        width = len(columns) + 1
        dense = np.full(len(rows) * width, none, dtype=values.dtype)
        np.minimum.at(dense, table.rows * width + column_of[items.values[table.values]], values[table.values])
        second_items = items.values[other.values]
        cells = column_of[second_items] + np.repeat(row_of * width, other.lengths)
        yield Shared(part, second_items, other.offsets, dense[cells], values[other.values])
        used[columns], column_of[columns] = False, 0


def overlap(
    x: np.ndarray,
    y: np.ndarray,
    left: Callable[[np.ndarray], Ragged],
    right: Callable[[np.ndarray], Ragged],
    size: int,
) -> np.ndarray:
    """Return whether two rows of numbers have a common one, shape (n,), bool; False for an unknown word.

    Parameters
    ----------
    x, y
        Words, shape (n,); -1 for an unknown one.
    left, right
        Functions from words to a row of numbers below `size` each, for `x` and for `y`.
    size
        Bound of the numbers.
    """
    both_known = (x >= 0) & (y >= 0)
    result = np.zeros(len(x), dtype=bool)
    words, place = np.unique(np.concatenate([x[both_known], y[both_known]]), return_inverse=True)
    first, second = np.split(place, 2)
    keys, place = np.unique(first * len(words) + second, return_inverse=True)
    pairs = keys // max(len(words), 1), keys % max(len(words), 1) + len(words)
    rows = stack(left(words), right(words))
    met = np.zeros(len(keys), dtype=bool)
    for shared in share_rows(rows, np.zeros(len(rows.values)), pairs, size, np.inf):
        common = np.concatenate([[0], np.cumsum(np.isfinite(shared.first))])
        met[shared.part] = np.diff(common[shared.offsets]) > 0
    result[both_known] = met[place]
    return result
