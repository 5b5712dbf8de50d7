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
    """Rare words of n texts, in which texts close to a query are searched.

    Parameters
    ----------
    texts
        Distinct texts.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        bags = WordBags.of(texts)
        self._places = {word: place for place, word in enumerate(bags.words)}
        frequency = np.bincount(bags.counts.indices, minlength=len(bags.words))
        self._weights = np.log((1.0 + len(texts)) / np.maximum(frequency, 1))
        self._unknown = float(np.log(1.0 + len(texts)))
        self._is_rare = frequency <= MOST_TEXTS
        self._texts = self._rare_weights(bags).T.tocsr()

    def _rare_weights(self, bags: WordBags) -> csr_array:
        # Shape (texts, known words): weights of the rare words, divided by the length of the weights of all words.
        known = np.fromiter((self._places.get(word, -1) for word in bags.words), np.int64, len(bags.words))
        rows = np.repeat(np.arange(bags.counts.shape[0]), np.diff(bags.counts.indptr))
        places = known[bags.counts.indices]
        places = places[np.lexsort((places, rows))]  # the order of every sum, in whatever batch a text stands
        values = np.append(self._weights, self._unknown)[places]
        lengths = np.sqrt(np.bincount(rows, np.square(values), minlength=bags.counts.shape[0]))
        values = values / np.where(lengths > 0, lengths, 1.0)[rows]
        rare = (places >= 0) & np.append(self._is_rare, False)[places]
        shape = (bags.counts.shape[0], len(self._places))
        found = csr_array((values[rare], (rows[rare], places[rare])), shape=shape)
        found.sort_indices()  # the order of every sum
        return found

    def neighbours(self, queries: Sequence[str], most: int, least: float = LEAST) -> Neighbours:
        """Return the closest texts of each query; a query that is one of the texts finds itself too.

        Parameters
        ----------
        queries
            Texts.
        most, least
            As for `exact_neighbours`.
        """
        parts = [Neighbours(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))]
        for start in range(0, len(queries), _ROWS):
            weights = self._rare_weights(WordBags.of(queries[start : start + _ROWS]))
            products = (weights @ self._texts).tocsr()
            rows = np.repeat(np.arange(start, start + weights.shape[0]), np.diff(products.indptr))
            similarities = np.round(products.data, _DIGITS).astype(np.float32)
            kept = similarities >= np.float32(least)
            found = Neighbours(rows[kept], products.indices[kept].astype(np.int64), similarities[kept])
            parts.append(best_neighbours(most, found))
        return best_neighbours(most, *parts)
