"""Overlap of lemma n-grams and of the character n-grams of lemmas (Saric et al., 2012; Tian et al., 2017)."""

import numpy as np

from ...features.base.feature import PairBatch, feature
from ...features.statistics.counts import LemmaIdf
from ...features.strings.ngram_overlap import (
    CHARACTER_ORDERS,
    WORD_ORDERS,
    character_f1s,
    filtered_f1,
    idf_f1s,
    ngram_f1s,
)


@feature(
    *("n1", "n2", "n3", "takelab_n1", "takelab_n2", "takelab_n3"), level="lexical",
    source="Saric et al. 2012; Tian et al. 2017", section="NG2",
)  # fmt: skip
def lemmas(pairs: PairBatch) -> np.ndarray:
    """F1 of the n-grams of the lemmas, the stop words of ECNU or of TakeLab removed first."""
    return np.stack(ngram_f1s(pairs, "lemmas", "ecnu") + ngram_f1s(pairs, "lemmas", "takelab"), axis=1)


@feature("n1", "n2", "n3", level="lexical", source="Tian et al. 2017", section="NG3")
def filtered(pairs: PairBatch) -> np.ndarray:
    """F1 of lemma n-grams that are built first and then lose the stop words of ECNU; empty n-grams are dropped.

    For single lemmas this is `lemmas`, except where the removal empties a side: then `n1` is 1.
    """
    return np.stack([filtered_f1(pairs, "lemmas", n) for n in WORD_ORDERS], axis=1)


@feature(
    *(f"{kind}_n{n}" for n in WORD_ORDERS for kind in ("ecnu", "smooth")), level="lexical", needs=("lemma_idf",),
    source="Tian et al. 2017", section="NG4",
)  # fmt: skip
def idf_weighted(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """F1 of lemma n-grams, stop words kept, each weighted by the sum of the idf of its lemmas."""
    return np.stack(idf_f1s(pairs, "lemmas", lemma_idf), axis=1)


@feature(
    *(f"{kind}_n{n}" for kind in ("kept", "removed") for n in CHARACTER_ORDERS), level="lexical",
    source="Tian et al. 2017", section="NG5",
)  # fmt: skip
def characters_f1(pairs: PairBatch) -> np.ndarray:
    """F1 of the character n-grams of ``^lemma#lemma#lemma$``, stop words of ECNU kept or removed."""
    return np.stack(character_f1s(pairs, "lemmas"), axis=1)
