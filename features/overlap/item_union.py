"""Union of the items of both sentences of each pair of a batch."""

from typing import NamedTuple

import numpy as np

from ..arrays.item_counts import meet
from ..arrays.ragged import Ragged
from ..sentences import PairBatch
from ..token_sequences import Field, item_ids, vocabulary


class Union(NamedTuple):
    """Distinct items of either side of n pairs, pair by pair, in an order that depends on the items alone.

    Attributes
    ----------
    row, item
        Pair of each entry, and its index in ``vocabulary(pairs, field).items``.
    in_a, in_b
        Whether either side has the item.
    n
        Number of pairs.
    """

    row: np.ndarray
    item: np.ndarray
    in_a: np.ndarray
    in_b: np.ndarray
    n: int

    def total(self, mask: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Return the sum of `weight` over the entries of each pair where `mask` is true, shape (n,)."""
        return np.bincount(self.row[mask], weights=weight[mask], minlength=self.n)


def union(pairs: PairBatch, field: Field, stops: str | None = None) -> Union:
    """Return the union of both sides of every pair; `stops` as in `item_ids`."""

    def compute() -> Union:
        order = np.argsort(vocabulary(pairs, field).hashes, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        a, b = item_ids(pairs, field, stops)
        met = meet(Ragged(rank[a.values], a.offsets), Ragged(rank[b.values], b.offsets))
        return Union(met.row, order[met.item], met.count_a > 0, met.count_b > 0, len(pairs))

    return pairs.memo(("union", field, stops), compute)
