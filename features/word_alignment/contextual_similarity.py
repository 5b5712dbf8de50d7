"""Similarity of two words with the evidence around them (Sultan et al., 2014, section 3)."""

from functools import lru_cache

import numpy as np

from .word_relatedness import PARAPHRASE

WORD_WEIGHT = 0.9
"""Weight of the relatedness of two words; that of the evidence around them is the rest."""


def contextual_similarity(relatedness: np.ndarray, paraphrases: np.ndarray, equal: np.ndarray) -> np.ndarray:
    """Return the weighted mean of relatedness and contextual evidence, shape (n,).

    Parameters
    ----------
    relatedness
        Relatedness of the two words of each candidate.
    paraphrases, equal
        Number of pairs of words around them that are paraphrases, and of those that are equal.
    """
    counts = zip(paraphrases.tolist(), equal.tolist(), strict=True)
    evidence = np.fromiter((_sum(*count) for count in counts), dtype=np.float64, count=len(equal))
    return WORD_WEIGHT * relatedness + (1 - WORD_WEIGHT) * evidence


@lru_cache(maxsize=4_096)
def _sum(paraphrases: int, equal: int) -> float:
    # The smallest terms first, so that the order of the words does not matter.
    return sum([PARAPHRASE] * paraphrases + [1.0] * equal)
