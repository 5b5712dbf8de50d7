"""View by the meaning of words: the sum of their vectors, as distilled from the sentence encoder."""

from collections.abc import Sequence

import numpy as np

from ....features.lexicon.word_vectors import WordVectors, shipped_vectors
from ..search import WordBags, sums_of_words, text_codes
from ..texts import TextView


def _vectors() -> WordVectors:
    return shipped_vectors("distilled")


def _codes(texts: Sequence[str]) -> np.ndarray:
    bags = WordBags.of(texts)
    return text_codes(sums_of_words(bags.counts, _vectors().embed(bags.words).values))


# Measured on 14,566 pairs of STS 2012 to 2017: of those that `full` scores at least 3, 3.5 and 4, this view sees 0.2 %,
# 0.3 % and 0.7 % below the cosines of 0.4, 0.5 and 0.6 that follow.
WORDS = TextView(
    "words", "word vectors", _codes, lambda: _vectors().digest, correlation=0.894, slack=0.2, most_similar=0.6
)
