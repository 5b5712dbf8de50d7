"""Bags of lemmas: idf-weighted vectors (Tian et al., 2017)."""

import numpy as np

from ...features.arrays.dense_kernels import K11
from ...features.base.feature import PairBatch, feature
from ...features.statistics.counts import LemmaIdf
from ...features.strings.ngram_overlap import idf_kernels, smooth_cosine


@feature(
    *K11, low=-1.0, high=float("inf"), level="lexical", needs=("lemma_idf",), source="Tian et al. 2017", section="BOW2"
)
def kept(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """K11 of the L2-normalised vectors of the lemmas, each occurrence weighted by idf; stop words kept.

    The dimension is that of `bow.kept`, with lemmas for stems.
    """
    return idf_kernels(pairs, "lemmas", lemma_idf, None)


@feature("kept", "removed", level="lexical", needs=("lemma_idf",), source="ours", section="BOW1 BOW2")
def smooth(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Cosine of the lemma vectors weighted by the smooth idf of document frequencies, stop words kept and removed."""
    return np.stack([smooth_cosine(pairs, "lemmas", lemma_idf, stops) for stops in (None, "ecnu")], axis=1)
