"""Pairs of texts that may be alike, found by views of the texts."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from ..scoring.worker_processes import Workers, usable_cores
from .index import Index
from .search import Apart, row_similarities
from .text_index import CandidateSettings, FindLinks, Links, TextIndex
from .texts import TextCollection, codes_by_view, deciding_view


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

    def has_equal(self, pair: int) -> bool:
        """Return whether the two texts of a pair are equal, as rows of different groups may have them."""
        return self.texts.texts[self.first[pair]] == self.texts.texts[self.second[pair]]

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
        Texts of one table or two; those of groups are searched on this machine.
    settings
        Settings of the search.
    pool
        Processes for slow views.
    both
        Of two tables, whether the close texts of those of the second are searched in the first too.
    search
        Search of an index.
    """
    codes = codes_by_view(texts.texts, settings.views, pool, settings.glossary)
    sides = [np.unique(rows) for rows in texts.rows]
    if texts.apart is not None or texts.within is not None:
        search = TextIndex.links
    if texts.within is None:
        return _unordered(texts, *_within(texts, sides, codes, settings, both, search))
    parts: list[_Part] = []
    members = [_by_group(side, texts.within) for side in sides]
    small: list[np.ndarray] = [np.empty((0, 2), np.int64)]
    for group in sorted(set(members[0]).intersection(*members)):
        of_group = [of_side[group] for of_side in members]
        if len(of_group[-1]) <= settings.most + 1 and deciding_view(settings.views) is not None:
            small.append(all_pairs(of_group[0], of_group[-1]))
        else:
            parts += _within(texts, of_group, codes, settings, both, search)
    parts.append((_close(texts, np.concatenate(small), codes, settings), None, None))
    return _unordered(texts, *parts)


def all_pairs(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return each of some places with each of others, shape (k, 2)."""
    return np.stack([np.repeat(a, len(b)), np.tile(b, len(a))], axis=1)


def _close(
    texts: TextCollection, pairs: np.ndarray, codes: Mapping[str, np.ndarray], settings: CandidateSettings
) -> Links:
    # Each text of a small group is among the closest of each other one, so the least cosine alone decides.
    first, second = pairs.T
    if texts.apart is not None:
        first, second = pairs[texts.apart[first] != texts.apart[second]].T
    if len(texts.rows) == 1:
        first, second = first[first < second], second[first < second]
    own = codes[str(deciding_view(settings.views))]
    close = np.zeros(len(first), np.bool_)
    for start in range(0, len(first), _AT_A_TIME):
        part = slice(start, start + _AT_A_TIME)
        close[part] = row_similarities(own[first[part]], own[second[part]]) >= np.float32(settings.least)
    names = np.array(texts.texts, dtype=object)
    close |= names[first] == names[second]
    return Links(first[close], second[close], {})


_AT_A_TIME = 1 << 16

_Part = tuple[Links, np.ndarray | None, np.ndarray | None]
"""Links with the places of their queries and texts; None: they are places already."""


def _by_group(places: np.ndarray, groups: np.ndarray) -> dict[int, np.ndarray]:
    """Return the places of each group, ascending."""
    order = places[np.argsort(groups[places], kind="stable")]
    names, starts = np.unique(groups[order], return_index=True)
    return dict(zip(names.tolist(), np.split(order, starts[1:]), strict=True))


def _within(
    texts: TextCollection,
    sides: Sequence[np.ndarray],
    codes: Mapping[str, np.ndarray],
    settings: CandidateSettings,
    both: bool,
    search: FindLinks,
) -> list[_Part]:
    """Return the links of the texts at some places of each side."""
    if len(sides) == 1 and len(sides[0]) < 2:
        return []
    ways = [(sides[0], sides[0])] if len(sides) == 1 else [(sides[0], sides[1]), (sides[1], sides[0])][: 1 + both]
    parts: list[_Part] = []
    for a, b in ways:
        of_a, of_b = ({name: values[places] for name, values in codes.items()} for places in (a, b))
        own = [texts.texts[place] for place in b.tolist()]
        index = TextIndex(own, of_b, settings.views, glossary=settings.glossary)
        queries = own if a is b else [texts.texts[place] for place in a.tolist()]
        find: FindLinks = search
        if texts.apart is not None:
            find = partial(TextIndex.links, apart=Apart(texts.apart[a], texts.apart[b]))
        links = find(index, queries, of_a, settings, usable_cores())
        others = a[links.queries] != b[links.texts]
        parts.append((Links(links.queries[others], links.texts[others], links.recall), a, b))
    return [*parts, (_equal(texts, sides), None, None)]


def _equal(texts: TextCollection, sides: Sequence[np.ndarray]) -> Links:
    """Return the links of equal texts, which a view may miss: of both tables, or of groups that are compared."""
    nothing = np.empty(0, np.int64)
    if texts.apart is None:
        equal = np.intersect1d(sides[0], sides[1]) if len(sides) == 2 else nothing
        return Links(equal, equal, {})
    first, second = [nothing], [nothing]
    places: dict[str, list[int]] = {}
    for place in sides[-1].tolist():
        places.setdefault(texts.texts[place], []).append(place)
    for place in sides[0].tolist():
        others = np.array(places.get(texts.texts[place], []), np.int64)
        others = others[texts.apart[others] != texts.apart[place]]
        first.append(np.full(len(others), place))
        second.append(others)
    return Links(np.concatenate(first), np.concatenate(second), {})


def _unordered(texts: TextCollection, *parts: _Part) -> Candidates:
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
