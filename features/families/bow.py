"""Bags of words: idf-weighted vectors (Tian et al., 2017) and the one-hot cosine baseline (Cer et al., 2017)."""

import numpy as np

from ..arrays.dense_kernels import K11
from ..arrays.ragged import ratio, share
from ..base.feature import PairBatch, feature
from ..base.token_sequences import emptied, item_hashes, vocabulary
from ..statistics.counts import Idf
from ..strings.ngram_overlap import idf_kernels, smooth_cosine


@feature(*K11, low=-1.0, high=float("inf"), needs=("idf",), source="Tian et al. 2017", section="BOW2")
def kept(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 of the L2-normalised vectors of the stems, each occurrence weighted by idf; stop words kept.

    The dimension is the size of the idf table plus the number of distinct stems of the pair that are not in it, so that
    it does not depend on the rest of the batch.
    """
    return idf_kernels(pairs, "stems", idf, None)


@feature(*K11, low=-1.0, high=float("inf"), needs=("idf",), source="Tian et al. 2017", section="BOW1")
def removed(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 as in `kept` with the stop words of ECNU removed, unless that empties a side."""
    return idf_kernels(pairs, "stems", idf, "ecnu")


@feature("kept", "removed", needs=("idf",), source="ours", section="BOW1 BOW2")
def smooth(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Cosine of the stem vectors weighted by the smooth idf of document frequencies, stop words kept and removed."""
    return np.stack([smooth_cosine(pairs, "stems", idf, stops) for stops in (None, "ecnu")], axis=1)


@feature("cosine", source="Cer et al. 2017", section="BOW3")
def one_hot(pairs: PairBatch) -> np.ndarray:
    """Cosine of the sets of lower-case Penn Treebank tokens, ``|a & b| / sqrt(|a| |b|)``: the baseline of the task."""
    shared = share(*item_hashes(pairs, "words"))
    return ratio(shared.common, np.sqrt(shared.types_a * shared.types_b))[:, None]


@feature("text", "stop_words", source="ours", section="BOW1 BOW2")
def empty(pairs: PairBatch) -> np.ndarray:
    """1 where a side has no token; 1 where a side has only stop words, so that both sides keep theirs."""
    none = vocabulary(pairs, "stems").ids.lengths == 0
    return np.stack([none[pairs.left] | none[pairs.right], emptied(pairs, "ecnu")], axis=1)
