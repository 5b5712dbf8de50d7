"""Texts that are searched for those close to other texts, by every view."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .candidate_settings import CandidateSettings
from .exact_search import Neighbours, exact_neighbours
from .graph_index import GraphIndex, can_index
from .rare_words import RARE_WORDS, RareWords
from .text_codes import row_similarities

EXACT_PRODUCTS = 1 << 31
"""Products of all pairs are computed up to so many, about ten seconds of two cores; beyond, graphs are searched."""

SAMPLE = 512
"""Queries whose close texts are searched exactly as well, to measure what graphs miss."""

_AT_A_TIME = 1 << 16


class Links(NamedTuple):
    """Queries and texts that some view sees close together: m links, each once, by query and text.

    Attributes
    ----------
    queries, texts
        Shape (m,), int64: places.
    recall
        For each view searched by graphs, the share of the links of a sample that the graphs found, 0..1.
    """

    queries: np.ndarray
    texts: np.ndarray
    recall: dict[str, float]


class TextIndex:
    """Distinct texts and all that is needed to find those close to others.

    Parameters
    ----------
    texts
        n distinct texts.
    codes
        For each dense view their codes, shape (n, d), int8.
    views
        Names of the views.
    graphs
        Graphs of the codes, by view, that were made before.
    """

    def __init__(
        self,
        texts: Sequence[str],
        codes: Mapping[str, np.ndarray],
        views: Sequence[str],
        graphs: Mapping[str, GraphIndex] | None = None,
    ) -> None:
        self.texts, self.views = texts, tuple(views)
        self.codes = {name: codes[name] for name in views if name in codes}
        self.graphs = dict(graphs or {})
        self._rare = RareWords(texts) if RARE_WORDS in views else None

    def links(
        self,
        queries: Sequence[str],
        codes: Mapping[str, np.ndarray],
        settings: CandidateSettings,
        threads: int,
    ) -> Links:
        """Return the texts close to each query; one that is equal to a query is close to it.

        Parameters
        ----------
        queries
            Distinct texts.
        codes
            Their codes by view.
        settings
            How many texts of which similarity; the views are those of the index.
        threads
            Threads that search; no result depends on them.
        """
        found, recall = [], {}
        if len(queries) and len(self.texts):
            if self._rare is not None:
                found.append(self._rare.neighbours(queries, settings.most + 1))
            for name, own in self.codes.items():
                close, share = self._close(name, codes[name], own, settings, threads)
                found.append(close)
                if share is not None:
                    recall[name] = share
        keys = np.unique(np.concatenate([np.empty(0, np.int64), *(_keys(close, len(self.texts)) for close in found)]))
        rows, places = np.divmod(keys, max(len(self.texts), 1))
        kept = self._are_close(rows, places, codes, settings.least)
        return Links(rows[kept], places[kept], recall)

    def _close(
        self, name: str, queries: np.ndarray, texts: np.ndarray, settings: CandidateSettings, threads: int
    ) -> tuple[Neighbours, float | None]:
        # One more than asked, for a text may be its own closest.
        most, least = settings.most + 1, settings.least
        few = settings.exact is None and len(queries) * len(texts) <= EXACT_PRODUCTS and name not in self.graphs
        if settings.exact or few or not can_index():
            return exact_neighbours(queries, texts, most, least), None
        if name not in self.graphs:
            self.graphs[name] = GraphIndex.build(texts, threads)
        found = self.graphs[name].neighbours(queries, most, least, threads)
        sample = np.arange(0, len(queries), -(-len(queries) // SAMPLE))
        close = exact_neighbours(queries[sample], texts, most, least)
        expected = Neighbours(sample[close.queries], close.texts, close.similarities)
        keys = _keys(expected, len(texts))
        return found, float(np.isin(keys, _keys(found, len(texts))).mean()) if len(keys) else 1.0

    def _are_close(
        self, rows: np.ndarray, places: np.ndarray, codes: Mapping[str, np.ndarray], least: float
    ) -> np.ndarray:
        close = np.full(len(rows), not self.codes)
        for name, own in self.codes.items():
            for start in range(0, len(rows), _AT_A_TIME):
                part = slice(start, start + _AT_A_TIME)
                close[part] |= row_similarities(codes[name][rows[part]], own[places[part]]) >= np.float32(least)
        return close


def _keys(found: Neighbours, count: int) -> np.ndarray:
    return found.queries * count + found.texts
