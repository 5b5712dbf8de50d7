"""Pairs of texts that may be alike, found by views of the texts."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..scoring.worker_processes import Workers, usable_cores
from .index import Index
from .text_index import CandidateSettings, FindLinks, Links, TextIndex
from .texts import TextCollection, codes_by_view


class Candidates(NamedTuple):
    """Unordered pairs of distinct texts, each once, ascending.

    Attributes
    ----------
    texts
        Texts of the rows of one table or two; of an index only those that are close to a row of the first.
    first, second
        Shape (m,), int64: places of the texts; ``first <= second``.
    recall
        For each view searched by graphs, the share of the links of a sample that the graphs found, 0..1.
    rows
        Shape (n,), int64: rows of an index whose texts these are; None without an index.
    """

    texts: TextCollection
    first: np.ndarray
    second: np.ndarray
    recall: dict[str, float]
    rows: np.ndarray | None = None

    def of(self, places: np.ndarray) -> "Candidates":
        """Return some of the pairs."""
        return self._replace(first=self.first[places], second=self.second[places])


def find_candidates(
    texts: TextCollection,
    settings: CandidateSettings,
    pool: Workers | None = None,
    both: bool = True,
    search: FindLinks = TextIndex.links,
) -> Candidates:
    """Return the candidates within one table, or between two; texts that two tables share are candidates.

    Parameters
    ----------
    texts
        Texts of one table or two.
    settings
        Settings of the search.
    pool
        Processes for slow views.
    both
        Of two tables, whether the close texts of those of the second are searched in the first too.
    search
        Search of an index.
    """
    own = settings.glossary
    codes = codes_by_view(texts.texts, settings.views, pool, own)
    if len(texts.rows) == 1:
        index = TextIndex(texts.texts, codes, settings.views, glossary=own)
        links = search(index, texts.texts, codes, settings, usable_cores())
        others = links.queries != links.texts
        return _unordered(texts, (Links(links.queries[others], links.texts[others], links.recall), None, None))
    sides = np.unique(texts.rows[0]), np.unique(texts.rows[1])
    parts: list[tuple[Links, np.ndarray | None, np.ndarray | None]] = []
    for a, b in (sides, sides[::-1])[: 1 + both]:
        of_a, of_b = ({name: values[places] for name, values in codes.items()} for places in (a, b))
        index = TextIndex([texts.texts[place] for place in b.tolist()], of_b, settings.views, glossary=own)
        queries = [texts.texts[place] for place in a.tolist()]
        parts.append((search(index, queries, of_a, settings, usable_cores()), a, b))
    equal = np.intersect1d(*sides)
    return _unordered(texts, *parts, (Links(equal, equal, {}), None, None))


def _unordered(texts: TextCollection, *parts: tuple[Links, np.ndarray | None, np.ndarray | None]) -> Candidates:
    # Parts are links with the places of their queries and texts; None: they are places already.
    count, keys = len(texts.texts), [np.empty(0, np.int64)]
    recall: dict[str, float] = {}
    for links, queries, others in parts:
        one = links.queries if queries is None else queries[links.queries]
        other = links.texts if others is None else others[links.texts]
        keys.append(np.minimum(one, other) * count + np.maximum(one, other))
        recall |= {name: min(share, recall.get(name, 1.0)) for name, share in links.recall.items()}
    first, second = np.divmod(np.unique(np.concatenate(keys)), max(count, 1))
    return Candidates(texts, first, second, recall)


def find_in_index(
    texts: Sequence[str],
    index: Index,
    settings: CandidateSettings,
    pool: Workers | None = None,
    both: bool = False,
    search: FindLinks = TextIndex.links,
    alone: bool = False,
) -> Candidates:
    """Return the candidates of the rows of a table with those of an index, by its views.

    Parameters
    ----------
    texts
        Texts of the rows of the table.
    index
        The index.
    settings, pool, both, search
        As for `find_candidates`.
    alone
        Whether the matches of a text are to be those of this text alone. Then a text that both sides have stands twice
        among the texts, so that it is never found as a row of the index by another text that it is close to.

    Raises
    ------
    IndexFileError
        If the index was built with another glossary than that of the settings.
    """
    index.check_glossary(settings.glossary)
    own = TextCollection.of(texts)
    codes = codes_by_view(own.texts, index.views, pool, settings.glossary)
    links = search(index.texts, own.texts, codes, settings, 1 if alone else usable_cores())
    links = index.texts.with_equal(links, own.texts)
    one, other, recall = links
    if both:
        turned = TextIndex(own.texts, codes, index.views, glossary=settings.glossary)
        back = search(turned, index.texts.texts, index.texts.codes, settings, usable_cores())
        one, other, recall = np.r_[one, back.texts], np.r_[other, back.queries], {**recall, **back.recall}
    near = np.unique(other)
    rows = np.flatnonzero(np.isin(index.places, near))
    close = TextCollection.of([index.texts.texts[place] for place in near.tolist()])
    if alone:
        merged = [*own.texts, *close.texts]
        of_own, of_close = np.arange(len(own.texts)), np.arange(len(own.texts), len(merged))
    else:
        merged = sorted({*own.texts, *close.texts})
        places = {text: place for place, text in enumerate(merged)}
        of_own, of_close = (
            np.array([places[text] for text in side], dtype=np.int64) for side in (own.texts, close.texts)
        )
    of_near = of_close[close.rows[0]]
    sides = [of_own[own.rows[0]], of_near[np.searchsorted(near, index.places[rows])]]
    found = (Links(one, np.searchsorted(near, other), recall), of_own, of_near)
    return _unordered(TextCollection(merged, sides), found)._replace(rows=rows)
