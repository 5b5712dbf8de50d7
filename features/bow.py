"""Bags of words: idf-weighted vectors (Tian et al., 2017) and the one-hot cosine baseline (Cer et al., 2017)."""

import numpy as np

from .base import PairBatch, feature
from .kernels import K11, Met, k11_sparse, meet
from .ragged import Ragged, ratio, share
from .resources import Idf
from .views import emptied, item_hashes, item_ids, vocabulary


def _met(pairs: PairBatch, stops: str | None) -> tuple[Met, np.ndarray]:
    # The stems of both sides by the rank of their hash, and the vocabulary in that order. The rank follows the batch,
    # but the order of any two stems does not, so sums over a pair are added alike in every batch.
    def compute() -> tuple[Met, np.ndarray]:
        order = np.argsort(vocabulary(pairs, "stems").hashes, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        a, b = item_ids(pairs, "stems", stops)
        return meet(Ragged(rank[a.values], a.offsets), Ragged(rank[b.values], b.offsets)), order

    return pairs.memo(("stems met", stops), compute)


def _weights(pairs: PairBatch, idf: Idf) -> tuple[np.ndarray, np.ndarray]:
    def compute() -> tuple[np.ndarray, np.ndarray]:
        stems = vocabulary(pairs, "stems").items
        return idf.ecnu("stems", stems), idf.smooth("stems", stems)

    return pairs.memo(("stem weights", idf.digest), compute)


def _dimension(pairs: PairBatch, idf: Idf, met: Met, order: np.ndarray) -> np.ndarray:
    # Half way between the weight of a stem seen in no sentence and in one.
    unseen = _weights(pairs, idf)[1][order] > np.log((idf.sentences + 1) / 1.5) + 1
    return idf.size("stems") + np.bincount(met.row[unseen[met.item]], minlength=len(pairs))


def _kernels(pairs: PairBatch, idf: Idf, stops: str | None) -> np.ndarray:
    met, order = _met(pairs, stops)
    weight = _weights(pairs, idf)[0][order][met.item]
    dimension = _dimension(pairs, idf, met, order)
    used = weight > 0
    row, weight = met.row[used], weight[used]
    u, v = met.count_a[used] * weight, met.count_b[used] * weight
    lengths = [np.sqrt(np.bincount(row, weights=x * x, minlength=len(pairs))) for x in (u, v)]
    return k11_sparse(row, ratio(u, lengths[0][row]), ratio(v, lengths[1][row]), dimension)


@feature(*K11, low=-1.0, high=float("inf"), needs=("idf",), source="Tian et al. 2017")
def kept(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 of the L2-normalised vectors of the stems, each occurrence weighing its idf; stop words kept.

    The dimension is the size of the idf table plus the number of distinct stems of the pair that are not in it, so that
    it does not depend on what else is in the batch.
    """
    return _kernels(pairs, idf, None)


@feature(*K11, low=-1.0, high=float("inf"), needs=("idf",), source="Tian et al. 2017")
def removed(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 as in `kept` with the stop words of ECNU removed, unless that empties a side."""
    return _kernels(pairs, idf, "ecnu")


@feature("kept", "removed", needs=("idf",), source="ours")
def smooth(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Cosine of the stem vectors weighted by the smooth idf of document frequencies, stop words kept and removed."""
    columns = []
    for stops in (None, "ecnu"):
        met, order = _met(pairs, stops)
        weight = _weights(pairs, idf)[1][order][met.item]
        u, v = met.count_a * weight, met.count_b * weight
        dot, left, right = (met.total(x, len(pairs)) for x in (u * v, u * u, v * v))
        columns.append(np.minimum(ratio(dot, np.sqrt(left * right)), 1.0))
    return np.stack(columns, axis=1)


@feature("cosine", source="Cer et al. 2017")
def one_hot(pairs: PairBatch) -> np.ndarray:
    """Cosine of the sets of lower-case Penn Treebank tokens, ``|a & b| / sqrt(|a| |b|)``: the baseline of the task."""
    shared = share(*item_hashes(pairs, "words"))
    return ratio(shared.common, np.sqrt(shared.types_a * shared.types_b))[:, None]


@feature("text", "stop_words", source="ours")
def empty(pairs: PairBatch) -> np.ndarray:
    """1 where a side has no token; 1 where a side has none but stop words, so that both sides keep theirs."""
    none = vocabulary(pairs, "stems").ids.lengths == 0
    return np.stack([none[pairs.left] | none[pairs.right], emptied(pairs, "ecnu")], axis=1)
