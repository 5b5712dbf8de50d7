"""Exact search by codes of vectors and by rare words.

scikit-learn's ``NearestNeighbors`` is not used: it returns any of several equally close texts, so threads would change
the result, and it takes longer (8,192 of 58,478 texts, two cores: 3.3 s, and 2.2 s here with a least cosine of 0.5).
`tests/ensemble/matching/test_exact_search.py` compares the two.

Rare words: the similarity is the cosine of the texts' inverse document frequencies (Sparck Jones, 1972), of which only
the rare words of both count. It is rounded to `_DIGITS`, so that it does not depend on the order of a sum.

Codes of vectors: a unit vector is multiplied by `UNIT` and rounded. Inner products of such codes are whole numbers
below 2**24, so that float32 holds them and all their partial sums exactly: no order of summation, batch or thread
changes a similarity.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ...features.analysis.analysis import cut

UNIT = 256
"""Length of the vector of a text, in whole numbers: a coordinate is rounded to 1/256, a cosine moves by about 0.001."""

_LARGEST = 127
_FIXED = float(1 << 20)


def text_codes(vectors: np.ndarray) -> np.ndarray:
    """Return vectors, scaled to the length `UNIT`, as whole numbers.

    Parameters
    ----------
    vectors
        Shape (n, d), finite.

    Returns
    -------
    np.ndarray
        Shape (n, d), int8; zeros for a vector of zeros. Coordinates of a unit vector beyond 127/256 are cut there.
    """
    values = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.square(values).sum(axis=1))
    values = values * (UNIT / np.where(lengths > 0, lengths, 1.0))[:, None]
    return np.asarray(np.clip(np.rint(values), -_LARGEST, _LARGEST).astype(np.int8))


def sums_of_words(counts: csr_array, vectors: np.ndarray) -> np.ndarray:
    """Return the sum of the vectors of each text's words, shape (n, d), exact: vectors round to multiples of 2**-20."""
    return np.asarray(counts.astype(np.float64) @ np.rint(np.asarray(vectors, dtype=np.float64) * _FIXED))


def similarity_of(products: np.ndarray) -> np.ndarray:
    """Return inner products of codes as cosines, exact in float32."""
    return np.asarray(products, dtype=np.float32) / np.float32(UNIT**2)


def row_similarities(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cosine of each row of `first` with the same row of `second`, both codes of shape (n, d)."""
    products = np.einsum("ij,ij->i", first.astype(np.int32), second.astype(np.int32))
    return similarity_of(products)


_QUERIES, _TEXTS = 2_048, 4_096
"""Rows of a block: its products take 32 MB."""


class Neighbours(NamedTuple):
    """Close texts of queries: m links, by query, then the closest first; of equally close texts the one that is first.

    Attributes
    ----------
    queries, texts
        Shape (m,), int64: places of the query and of the text.
    similarities
        Shape (m,), float32: cosines.
    """

    queries: np.ndarray
    texts: np.ndarray
    similarities: np.ndarray


class Apart(NamedTuple):
    """Groups of queries and of texts, int64: a query and a text of the same group are not compared."""

    queries: np.ndarray
    texts: np.ndarray


def exact_neighbours(
    queries: np.ndarray,
    texts: np.ndarray,
    most: int,
    least: float,
    rank: np.ndarray | None = None,
    apart: Apart | None = None,
) -> Neighbours:
    """Return the closest texts of each query; of equally close ones those of lower rank, if ranks are given."""
    starts = range(0, len(queries), _QUERIES)
    blocks = (queries[start : start + _QUERIES].astype(np.float32) for start in starts)
    parts = [
        _of_block(block, texts, most, least * UNIT**2, start, rank, apart)
        for block, start in zip(blocks, starts, strict=True)
    ]
    if not parts:
        return Neighbours(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))
    rows, places, products = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Neighbours(rows, places, similarity_of(products))


def _of_block(
    block: np.ndarray,
    texts: np.ndarray,
    most: int,
    least: float,
    before: int,
    rank: np.ndarray | None,
    apart: Apart | None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Products above `floors` can still be among the best; without ranks, one equal to the last so far comes after it.
    floors = np.full(len(block), np.nextafter(np.float32(least), np.float32(-np.inf)), dtype=np.float32)
    best = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    for start in range(0, len(texts), _TEXTS):
        products = block @ texts[start : start + _TEXTS].astype(np.float32).T
        if apart is not None:
            own = apart.queries[before : before + len(block), None]
            products[own == apart.texts[None, start : start + _TEXTS]] = -np.inf
        hits = np.flatnonzero(products > floors[:, None])
        if len(hits):
            row, column = np.divmod(hits, products.shape[1])
            best = _best_of(most, rank, best, (row, column + start, products.ravel()[hits]))
            counts = np.bincount(best[0], minlength=len(block))
            full = np.flatnonzero(counts == most)
            floors[full] = best[2][np.cumsum(counts)[full] - 1] - np.float32(rank is not None)
    return best[0] + before, best[1], best[2]


def _best_of(
    most: int, rank: np.ndarray | None, *parts: tuple[np.ndarray, np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, places, products = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((places if rank is None else rank[places], -products, rows))
    rows, places, products = rows[order], places[order], products[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = rank < most
    return rows[kept], places[kept], products[kept]


def best_neighbours(most: int, *parts: Neighbours, rank: np.ndarray | None = None) -> Neighbours:
    """Return the closest texts of each query among those of several searches in different texts."""
    return Neighbours(*_best_of(most, rank, *parts))


_WORD = re.compile(r"\w+|[^\w\s]")


class WordBags(NamedTuple):
    """Words of n texts.

    Attributes
    ----------
    words
        The m distinct words, numbers and marks in lower case, in the order in which they first occur.
    counts
        Shape (n, m), float32: number of times that each text has each word.
    """

    words: list[str]
    counts: csr_array

    @classmethod
    def of(cls, texts: Sequence[str]) -> "WordBags":
        """Return the words of normalised texts, each cut as for a score."""
        places: dict[str, int] = {}
        columns: list[int] = []
        offsets = np.zeros(len(texts) + 1, dtype=np.int64)
        for row, text in enumerate(texts):
            columns += [places.setdefault(word, len(places)) for word in _WORD.findall(cut(text).lower())]
            offsets[row + 1] = len(columns)
        ones = np.ones(len(columns), dtype=np.float32)
        counts = csr_array((ones, np.asarray(columns, dtype=np.int64), offsets), shape=(len(texts), len(places)))
        counts.sum_duplicates()
        return cls(list(places), counts)


RARE_WORDS = "rare_words"
"""Name of this view; it has no vectors, so that it is no `TextView`."""

MOST_TEXTS = 200
"""A word is rare if at most so many texts have it, which bounds the work by this number a word of a text."""

LEAST = 0.3
"""Cosine from which two texts are close."""

_DIGITS = 5
_ROWS = 8_192


class RareWords:
    """Rare words of n texts, in which texts close to a query are searched."""

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

    def neighbours(
        self,
        queries: Sequence[str],
        most: int,
        least: float = LEAST,
        rank: np.ndarray | None = None,
        apart: Apart | None = None,
    ) -> Neighbours:
        """Return the closest texts of each query; a query that is one of the texts finds itself too."""
        parts = [Neighbours(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))]
        for start in range(0, len(queries), _ROWS):
            weights = self._rare_weights(WordBags.of(queries[start : start + _ROWS]))
            products = (weights @ self._texts).tocsr()
            rows = np.repeat(np.arange(start, start + weights.shape[0]), np.diff(products.indptr))
            similarities = np.round(products.data, _DIGITS).astype(np.float32)
            kept = similarities >= np.float32(least)
            if apart is not None:
                kept &= apart.queries[rows] != apart.texts[products.indices]
            found = Neighbours(rows[kept], products.indices[kept].astype(np.int64), similarities[kept])
            parts.append(best_neighbours(most, found, rank=rank))
        return best_neighbours(most, *parts, rank=rank)
