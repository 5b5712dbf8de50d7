"""Similarity of the idf-weighted vectors of the items of any field of two sentences (Tian et al., 2017)."""

import numpy as np

from ..arrays.item_counts import ItemCounts, meet
from ..arrays.ragged import Ragged, ratio
from ..arrays.sparse_kernels import k11_sparse
from ..sentences import PairBatch
from ..resources.idf_weights import idf_weights
from ..resources.term_frequencies import Idf
from ..token_sequences import Field, item_ids, vocabulary
from .token_places import ranking


def _met(pairs: PairBatch, field: Field, stops: str | None) -> tuple[ItemCounts, np.ndarray]:
    # The items of both sides by the rank of their hash, and the vocabulary in that order.
    def compute() -> tuple[ItemCounts, np.ndarray]:
        order, rank = ranking(vocabulary(pairs, field).hashes)
        a, b = item_ids(pairs, field, stops)
        return meet(Ragged(rank[a.values], a.offsets), Ragged(rank[b.values], b.offsets)), order

    return pairs.memo(("items met", field, stops), compute)


def _dimension(pairs: PairBatch, field: Field, idf: Idf, met: ItemCounts, order: np.ndarray) -> np.ndarray:
    # Half way between the weight of an item seen in no sentence and in one.
    unseen = idf_weights(pairs, field, idf)[order] > np.log((idf.sentences + 1) / 1.5) + 1
    return idf.size(field) + np.bincount(met.row[unseen[met.item]], minlength=len(pairs))


def unit_kernels(row: np.ndarray, u: np.ndarray, v: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return `k11_sparse` of the vectors divided by their lengths, shape (n, 11)."""
    lengths = [np.sqrt(np.bincount(row, weights=x * x, minlength=len(d))) for x in (u, v)]
    return k11_sparse(row, ratio(u, lengths[0][row]), ratio(v, lengths[1][row]), d)


def idf_kernels(pairs: PairBatch, field: Field, idf: Idf, stops: str | None) -> np.ndarray:
    """Return the block `K11` of the unit vectors of a field, each occurrence with its idf by ECNU, shape (n, 11).

    The dimension is the size of the idf table plus the number of distinct items of the pair outside it, so that it does
    not depend on the other pairs.
    """
    met, order = _met(pairs, field, stops)
    weight = idf_weights(pairs, field, idf, "ecnu")[order][met.item]
    dimension = _dimension(pairs, field, idf, met, order)
    used = weight > 0
    row, weight = met.row[used], weight[used]
    return unit_kernels(row, met.count_a[used] * weight, met.count_b[used] * weight, dimension)


def smooth_cosine(pairs: PairBatch, field: Field, idf: Idf, stops: str | None) -> np.ndarray:
    """Return the cosine of the vectors of a field weighted by the smooth idf, shape (n,)."""
    met, order = _met(pairs, field, stops)
    weight = idf_weights(pairs, field, idf)[order][met.item]
    u, v = met.count_a * weight, met.count_b * weight
    dot, left, right = (met.total(x, len(pairs)) for x in (u * v, u * u, v * v))
    return np.minimum(ratio(dot, np.sqrt(left * right)), 1.0)
