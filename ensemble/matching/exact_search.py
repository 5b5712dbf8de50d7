"""Exact nearest texts by products of blocks of codes.

scikit-learn's ``NearestNeighbors`` is not used: it returns any of several equally close texts, so threads would change
the result, and it takes longer (8,192 of 58,478 texts, two cores: 3.3 s, and 2.2 s here with a least cosine of 0.5).
`tests/ensemble/matching/test_exact_search.py` compares the two.
"""

from typing import NamedTuple

import numpy as np

from .text_codes import UNIT, similarity_of

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


def exact_neighbours(queries: np.ndarray, texts: np.ndarray, most: int, least: float) -> Neighbours:
    """Return the closest texts of each query.

    Parameters
    ----------
    queries, texts
        Codes, shapes (n, d) and (m, d), int8.
    most
        Largest number of texts for a query, from 1.
    least
        Cosine that a text must have at least.
    """
    parts = [
        _of_block(queries[start : start + _QUERIES].astype(np.float32), texts, most, least * UNIT**2, start)
        for start in range(0, len(queries), _QUERIES)
    ]
    if not parts:
        return Neighbours(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32))
    rows, places, products = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Neighbours(rows, places, similarity_of(products))


def _of_block(
    block: np.ndarray, texts: np.ndarray, most: int, least: float, before: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Products above `floors` can still be among the best; a text as good as the last one so far comes after it.
    floors = np.full(len(block), np.nextafter(np.float32(least), np.float32(-np.inf)), dtype=np.float32)
    best = np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0, np.float32)
    for start in range(0, len(texts), _TEXTS):
        products = block @ texts[start : start + _TEXTS].astype(np.float32).T
        hits = np.flatnonzero(products > floors[:, None])
        if len(hits):
            row, column = np.divmod(hits, products.shape[1])
            best = _best_of(most, best, (row, column + start, products.ravel()[hits]))
            counts = np.bincount(best[0], minlength=len(block))
            full = np.flatnonzero(counts == most)
            floors[full] = best[2][np.cumsum(counts)[full] - 1]
    return best[0] + before, best[1], best[2]


def _best_of(most: int, *parts: tuple[np.ndarray, np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rows, places, products = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.lexsort((places, -products, rows))
    rows, places, products = rows[order], places[order], products[order]
    rank = np.arange(len(rows)) - np.searchsorted(rows, rows)
    kept = rank < most
    return rows[kept], places[kept], products[kept]


def best_neighbours(most: int, *parts: Neighbours) -> Neighbours:
    """Return the closest texts of each query among those of several searches in different texts."""
    return Neighbours(*_best_of(most, *parts))
