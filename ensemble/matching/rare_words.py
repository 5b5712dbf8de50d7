"""Close texts by the rare words that they share: names, codes and numbers that no vector knows.

The similarity is the cosine of the texts' inverse document frequencies (Sparck Jones, 1972), of which only the rare
words of both count. It is rounded to `_DIGITS`, so that it does not depend on the order of a sum.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from .exact_search import Neighbours, best_neighbours
from .word_bags import WordBags

RARE_WORDS = "rare_words"
"""Name of this view; it has no vectors, so that it is no `TextView`."""

MOST_TEXTS = 200
"""A word is rare if at most so many texts have it, which bounds the work by this number a word of a text."""

LEAST = 0.3
"""Cosine from which two texts are close."""

_DIGITS = 5
_ROWS = 8_192


class RareWords:
    """Weights of the rare words of n texts.

    Parameters
    ----------
    texts
        Distinct texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        present = WordBags.of(texts).counts
        present.data[:] = 1.0
        frequency = np.bincount(present.indices, minlength=present.shape[1])
        weight = np.log((1.0 + len(texts)) / np.maximum(frequency, 1))
        present.data = weight[present.indices]
        lengths = np.sqrt(np.asarray((present * present).sum(axis=1)).ravel())
        rows = np.repeat(np.arange(len(texts)), np.diff(present.indptr))
        rare = (frequency[present.indices] <= MOST_TEXTS) & (frequency[present.indices] > 1)
        values = present.data[rare] / np.where(lengths > 0, lengths, 1.0)[rows[rare]]
        counts = np.bincount(rows[rare], minlength=len(texts))
        offsets = np.concatenate([[0], np.cumsum(counts)])
        self._weights = csr_array((values, present.indices[rare], offsets), shape=present.shape)

    def neighbours(self, queries: np.ndarray, texts: np.ndarray, most: int, least: float = LEAST) -> Neighbours:
        """Return the closest texts of each query, never the query itself.

        Parameters
        ----------
        queries, texts
            Places among the texts, ascending; so are those of the result.
        most, least
            As for `exact_neighbours`.
        """
        others = self._weights[texts].T.tocsr()
        parts = []
        for start in range(0, len(queries), _ROWS):
            places = queries[start : start + _ROWS]
            products = (self._weights[places] @ others).tocsr()
            rows = np.repeat(np.arange(len(places)), np.diff(products.indptr))
            similarities = np.round(products.data, _DIGITS).astype(np.float32)
            found, query = texts[products.indices], places[rows]
            kept = (similarities >= least) & (found != query)
            parts.append(best_neighbours(most, Neighbours(query[kept], found[kept], similarities[kept])))
        nothing = Neighbours(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))
        return best_neighbours(most, nothing, *parts)
