"""Candidates: the pairs of texts that are worth scoring, because some view sees them close together."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .exact_search import Neighbours, exact_neighbours
from .graph_index import GraphIndex, can_index
from .rare_words import RARE_WORDS, RareWords
from .text_codes import row_similarities
from .view_catalogue import chosen_views

MOST = 10
"""Close texts of a text in each view, if nothing else is asked."""

EXACT_PRODUCTS = 1 << 31
"""Products of all pairs are computed up to so many, about ten seconds of two cores; beyond, graphs are searched."""

_AT_A_TIME = 1 << 16

SAMPLE = 512
"""Texts whose close texts are searched exactly as well, to measure what graphs miss."""


@dataclass(frozen=True)
class CandidateSettings:
    """Settings of the search for candidates.

    Attributes
    ----------
    views
        Names of views, ascending.
    most
        Largest number of close texts of a text in each view, from 1.
    least
        Cosine that the texts of a candidate must have at least in one of the views that have vectors, if there is any.
    exact
        Whether products of all pairs are computed, whatever their number; None: up to `EXACT_PRODUCTS`.

    Raises
    ------
    ValueError
        If a view is unknown or `most` is below 1.
    """

    views: tuple[str, ...] = (RARE_WORDS, "words")
    most: int = MOST
    least: float = 0.0
    exact: bool | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "views", chosen_views(self.views))
        if self.most < 1:
            raise ValueError(f"the number of candidates must be at least 1, got {self.most}; give one such as {MOST}")


class Candidates(NamedTuple):
    """Unordered pairs of distinct texts, each once, ascending.

    Attributes
    ----------
    first, second
        Shape (m,), int64: places of the texts; ``first <= second``.
    recall
        For each view searched by graphs, the share of the links of a sample that the graphs found, 0..1.
    """

    first: np.ndarray
    second: np.ndarray
    recall: dict[str, float]


class CandidateSearch:
    """Search for candidates among distinct texts.

    Parameters
    ----------
    texts
        n distinct texts, ascending.
    codes
        For each dense view the codes of the texts, shape (n, d), int8.
    settings
        Settings.
    threads
        Threads that search; no result depends on them.
    """

    def __init__(
        self, texts: Sequence[str], codes: Mapping[str, np.ndarray], settings: CandidateSettings, threads: int
    ) -> None:
        self._codes = {name: codes[name] for name in settings.views if name in codes}
        self._settings, self._threads = settings, threads
        self._rare = RareWords(texts) if RARE_WORDS in settings.views else None
        self._count = len(texts)

    def within(self) -> Candidates:
        """Return the candidates among all texts."""
        everything = np.arange(self._count)
        return self._unique(self._links(everything, everything))

    def between(self, a: np.ndarray, b: np.ndarray, both: bool = True) -> Candidates:
        """Return the candidates of texts of one side with texts of the other; equal texts are candidates.

        Parameters
        ----------
        a, b
            Places of the texts of either side, ascending.
        both
            Whether the close texts of those of `b` are searched among `a` too, so that the sides can be exchanged.
        """
        equal = np.intersect1d(a, b)
        same = Neighbours(equal, equal, np.ones(len(equal), np.float32))
        links = [("", same, 1.0), *self._links(a, b), *(self._links(b, a) if both else ())]
        return self._unique(links)

    def _links(self, queries: np.ndarray, texts: np.ndarray) -> list[tuple[str, Neighbours, float | None]]:
        links: list[tuple[str, Neighbours, float | None]] = []
        if not len(queries) or not len(texts):
            return links
        if self._rare is not None:
            links.append((RARE_WORDS, self._rare.neighbours(queries, texts, self._settings.most), None))
        return links + [(name, *self._close(name, queries, texts)) for name in self._codes]

    def _close(self, name: str, queries: np.ndarray, texts: np.ndarray) -> tuple[Neighbours, float | None]:
        # One more than asked, for a text may be its own closest.
        codes, least, most = self._codes[name], self._settings.least, self._settings.most + 1
        exact = self._settings.exact
        if exact or not can_index() or (exact is None and len(queries) * len(texts) <= EXACT_PRODUCTS):
            return _placed(exact_neighbours(codes[queries], codes[texts], most, least), queries, texts), None
        graphs = GraphIndex.build(codes[texts], self._threads)
        found = _placed(graphs.neighbours(codes[queries], most, least, self._threads), queries, texts)
        sample = queries[:: -(-len(queries) // SAMPLE)]
        expected = _placed(exact_neighbours(codes[sample], codes[texts], most, least), sample, texts)
        keys = _keys(found, self._count), _keys(expected, self._count)
        return found, float(np.isin(keys[1], keys[0]).mean()) if len(keys[1]) else 1.0

    def _unique(self, links: Iterable[tuple[str, Neighbours, float | None]]) -> Candidates:
        recall: dict[str, float] = {}
        keys = [np.empty(0, np.int64)]
        for name, found, share in links:
            first, second = np.minimum(found.queries, found.texts), np.maximum(found.queries, found.texts)
            keys.append((first * self._count + second)[(first != second) | (name == "")])
            if share is not None and name:
                recall[name] = min(share, recall.get(name, 1.0))
        first, second = np.divmod(np.unique(np.concatenate(keys)), max(self._count, 1))
        close = self._are_close(first, second)
        return Candidates(first[close], second[close], recall)

    def _are_close(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        close = (first == second) | (not self._codes)
        for codes in self._codes.values():
            for start in range(0, len(first), _AT_A_TIME):
                part = slice(start, start + _AT_A_TIME)
                close[part] |= row_similarities(codes[first[part]], codes[second[part]]) >= self._settings.least
        return close


def _placed(found: Neighbours, queries: np.ndarray, texts: np.ndarray) -> Neighbours:
    return Neighbours(queries[found.queries], texts[found.texts], found.similarities)


def _keys(found: Neighbours, count: int) -> np.ndarray:
    return found.queries * count + found.texts
