"""Texts that are searched for those close to other texts, by every view."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..._code_version import installed_version
from ...features.linguistics.glossary import Glossary
from .graph_index import GraphIndex, can_index
from .search import RARE_WORDS, Apart, Neighbours, RareWords, exact_neighbours, row_similarities
from .texts import NEARER, chosen_views, deciding_view, read_by, text_views

MOST = 10
"""Close texts of a text in each view, if nothing else is asked."""


@dataclass(frozen=True)
class CandidateSettings:
    """Settings of the search for candidates.

    Attributes
    ----------
    views
        Names of views, ascending.
    most
        Largest number of close texts of a text in each view, from 1; some views find more, see `TextView.depth`.
    least
        Cosine that the texts of a candidate must have at least in the view that `deciding_view` names, if there is any.
    exact
        Whether products of all pairs are computed, whatever their number; None: up to `text_index.EXACT_PRODUCTS`.
    glossary
        Glossary by which the views read the texts; None for none.

    Raises
    ------
    ValueError
        If a view is unknown or `most` is below 1.
    """

    views: tuple[str, ...] = (RARE_WORDS, "words")
    most: int = MOST
    least: float = 0.0
    exact: bool | None = None
    glossary: Glossary | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "views", chosen_views(self.views))
        if self.most < 1:
            raise ValueError(f"the number of candidates must be at least 1, got {self.most}; give one such as {MOST}")

    def facts(self) -> dict[str, object]:
        """Return what the candidates depend on besides the texts, as JSON values."""
        tables = {name: text_views()[name].digest() for name in self.views if name in text_views()}
        index = installed_version("usearch") or "none"
        numbers = {"number per view": self.most, "least similarity": self.least, "exact": self.exact}
        own = {} if self.glossary is None else {"glossary": self.glossary.digest}
        return {"views": list(self.views), "tables of views": tables, **numbers, **own, "version of usearch": index}


EXACT_PRODUCTS = 1 << 31
"""Products of all pairs are computed up to so many, about ten seconds of two cores; beyond, graphs are searched."""

ELSEWHERE = 0.3
"""Cosine that is asked at most of the views that do not decide: texts that are further apart there are not searched."""

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
    glossary
        Glossary by which the views read the texts.
    """

    def __init__(
        self,
        texts: Sequence[str],
        codes: Mapping[str, np.ndarray],
        views: Sequence[str],
        graphs: Mapping[str, GraphIndex] | None = None,
        glossary: Glossary | None = None,
    ) -> None:
        self.texts, self.views, self.glossary = texts, tuple(views), glossary
        self.codes = {name: codes[name] for name in views if name in codes}
        self.graphs = dict(graphs or {})
        self._rare = RareWords(read_by(texts, glossary)) if RARE_WORDS in views else None
        # Equally close texts are taken by alphabet, so that the order in which they were appended decides nothing.
        self._rank = None
        if any(one > other for one, other in pairwise(texts)):
            self._rank = np.empty(len(texts), np.int64)
            self._rank[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(len(texts))

    @cached_property
    def places(self) -> dict[str, int]:
        """Place of each text."""
        return {text: place for place, text in enumerate(self.texts)}

    def with_equal(self, links: "Links", queries: Sequence[str]) -> "Links":
        """Return links with those of each query to the text that is equal to it, which a view may miss."""
        there = [(row, self.places[text]) for row, text in enumerate(queries) if text in self.places]
        rows, places = np.array(there, np.int64).reshape(-1, 2).T
        count = max(len(self.texts), 1)
        keys = np.union1d(links.queries * count + links.texts, rows * count + places)
        return Links(*np.divmod(keys, count), links.recall)

    def links(
        self,
        queries: Sequence[str],
        codes: Mapping[str, np.ndarray],
        settings: CandidateSettings,
        threads: int,
        measured: bool = True,
        apart: Apart | None = None,
    ) -> Links:
        """Return the texts close to each query; one that is equal to a query is close to it.

        Parameters
        ----------
        queries
            Distinct texts.
        codes
            Their codes by view.
        settings
            Number and least similarity of the texts to find; the views are those of the index.
        threads
            Threads that search; no result depends on them.
        measured
            Whether the recall is measured, which takes longer than the links of a few queries.
        apart
            Groups whose texts are not compared with each other; all products are then computed. None for no groups.
        """
        prepared = self.prepared(len(queries), settings if apart is None else replace(settings, exact=True), threads)
        links = self.close(queries, codes, prepared, threads, apart)
        return links._replace(recall=self.recall(codes, prepared, threads)) if measured else links

    def prepared(self, count: int, settings: CandidateSettings, threads: int) -> CandidateSettings:
        """Return settings that say whether all products are computed; if not, make the graphs that are needed."""
        exact = settings.exact
        if exact is None:
            exact = count * len(self.texts) <= EXACT_PRODUCTS and not self.graphs
        if not (count and self.texts and can_index()):
            exact = True
        for name, own in self.codes.items() if not exact else ():
            if name not in self.graphs:
                self.graphs[name] = GraphIndex.build(own, threads)
        return replace(settings, exact=exact)

    def close(
        self,
        queries: Sequence[str],
        codes: Mapping[str, np.ndarray],
        settings: CandidateSettings,
        threads: int,
        apart: Apart | None = None,
    ) -> Links:
        """Return the links of queries without their recall; those of a query do not depend on the other queries.

        Parameters
        ----------
        queries, codes, threads, apart
            As for `links`.
        settings
            Those that `prepared` returned.
        """
        found = []
        if len(queries) and len(self.texts):
            if self._rare is not None:
                read = read_by(queries, self.glossary)
                found.append(self._rare.neighbours(read, settings.most + 1, rank=self._rank, apart=apart))
            found += [self._neighbours(name, codes[name], settings, threads, apart) for name in self.codes]
        keys = np.unique(np.concatenate([np.empty(0, np.int64), *(_keys(close, len(self.texts)) for close in found)]))
        rows, places = np.divmod(keys, max(len(self.texts), 1))
        kept = self._are_close(rows, places, codes, settings.least)
        return Links(rows[kept], places[kept], {})

    def recall(self, codes: Mapping[str, np.ndarray], settings: CandidateSettings, threads: int) -> dict[str, float]:
        """Return `Links.recall` for all queries; the parameters are those of `close`."""
        shares: dict[str, float] = {}
        exactly = replace(settings, exact=True)
        for name, own in self.codes.items() if not settings.exact else ():
            sample = codes[name][:: -(-len(codes[name]) // SAMPLE)]
            keys = _keys(self._neighbours(name, sample, exactly, threads), len(own))
            found = _keys(self._neighbours(name, sample, settings, threads), len(own))
            shares[name] = float(np.isin(keys, found).mean()) if len(keys) else 1.0
        return shares

    def _neighbours(
        self, name: str, codes: np.ndarray, settings: CandidateSettings, threads: int, apart: Apart | None = None
    ) -> Neighbours:
        # One more than requested, because a text may be its own closest.
        most, depth = settings.most + 1, text_views()[name].depth
        least = settings.least if name == deciding_view(self.views) else min(settings.least, ELSEWHERE)
        if settings.exact:
            found = exact_neighbours(codes, self.codes[name], most * depth, least, self._rank, apart)
        else:
            found = self.graphs[name].neighbours(codes, most * depth, least, threads, self._rank)
        rank = np.arange(len(found.queries)) - np.searchsorted(found.queries, found.queries)
        kept = (rank < most) | (found.similarities >= np.float32(least + NEARER))
        return Neighbours(*(column[kept] for column in found))

    def _are_close(
        self, rows: np.ndarray, places: np.ndarray, codes: Mapping[str, np.ndarray], least: float
    ) -> np.ndarray:
        close = np.ones(len(rows), dtype=bool)
        name = deciding_view(self.views)
        if name is None:
            return close
        for start in range(0, len(rows), _AT_A_TIME):
            part = slice(start, start + _AT_A_TIME)
            cosines = row_similarities(codes[name][rows[part]], self.codes[name][places[part]])
            close[part] = cosines >= np.float32(least)
        return close


FindLinks = Callable[[TextIndex, Sequence[str], Mapping[str, np.ndarray], CandidateSettings, int], Links]
"""Search of an index, such as `TextIndex.links` with its parameters."""


def _keys(found: Neighbours, count: int) -> np.ndarray:
    return found.queries * count + found.texts
