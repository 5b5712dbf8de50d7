"""Counts of the items of two ragged rows, for n pairs of rows at once."""

from typing import NamedTuple

import numpy as np

from .ragged import Ragged

ITEM_BITS = 40
"""Items of `meet` are smaller than ``2**ITEM_BITS``."""


class ItemCounts(NamedTuple):
    """Counts of the distinct items of n pairs of rows, sorted by row and then by item.

    Attributes
    ----------
    row, item
        Row and item of each entry.
    count_a, count_b
        Number of occurrences of the item on either side, float64.
    place
        Place of one occurrence in the values of `a` followed by those of `b`; empty unless `locate` is true.
    """

    row: np.ndarray
    item: np.ndarray
    count_a: np.ndarray
    count_b: np.ndarray
    place: np.ndarray

    def total(self, values: np.ndarray, n: int) -> np.ndarray:
        """Return the sum of `values` over each of the n rows, added in the order of the items."""
        return np.bincount(self.row, weights=values, minlength=n)


def meet(a: Ragged, b: Ragged, locate: bool = False) -> ItemCounts:
    """Return the union of the items of row i of `a` and of `b`, with their counts.

    Parameters
    ----------
    a, b
        n < 2**23 rows of non-negative integers below ``2**ITEM_BITS``. Sums over a row are added in the order of its
        items, so that order must depend on the row alone: hashes or ranks of the text, not places in a batch.
    locate
        Also return `place`, which takes a slower sort.
    """
    key = np.concatenate([a.values, b.values]).astype(np.uint64, copy=False) << np.uint64(1)
    key |= key_heads(a.lengths, b.lengths)
    order = np.argsort(key) if locate else None
    if order is None:
        key.sort()
    else:
        key = key[order]
    entry = key >> np.uint64(1)
    new = np.ones(len(key), dtype=bool)
    np.not_equal(entry[1:], entry[:-1], out=new[1:])
    first = np.flatnonzero(new)
    total = np.diff(first, append=len(key))
    from_b = np.zeros(len(key) + 1, dtype=np.int64)
    np.cumsum(key & np.uint64(1), out=from_b[1:], dtype=np.int64)
    count_b = np.diff(from_b[first], append=from_b[-1])
    entry = entry[first]
    place = np.empty(0, dtype=np.int64) if order is None else order[first]
    item = (entry & np.uint64((1 << ITEM_BITS) - 1)).astype(np.int64)
    row = (entry >> np.uint64(ITEM_BITS)).astype(np.int64)
    return ItemCounts(row, item, (total - count_b).astype(np.float64), count_b.astype(np.float64), place)


def key_heads(lengths_a: np.ndarray, lengths_b: np.ndarray) -> np.ndarray:
    """Return row and side of each value of rows of the given lengths, as the high bits and the lowest bit of a key.

    Joined with ``item << 1``, such keys sort by row, item and side: both sides have an item where two neighbours differ
    in the lowest bit alone.
    """
    row = np.arange(len(lengths_a), dtype=np.uint64) << np.uint64(ITEM_BITS + 1)
    return np.concatenate([np.repeat(row, lengths_a), np.repeat(row | np.uint64(1), lengths_b)])
