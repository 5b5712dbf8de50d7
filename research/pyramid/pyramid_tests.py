"""Binary and ranking tests from pyramids (Baumel et al., 2016); ``docs/pyramid.md`` tells how to use them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np

from ...features.analysis.analysis import normalise
from .pyramid_units import Pyramid, Words, words_of

LEAST_WORDS = 3
"""Least number of words of a text."""

LEAST_SHARED = 4
"""Least number of distinct words that both sides of a negative pair share."""

DISTRACTORS = 3

FILTERS = ("all", "3 words", "no pronoun", "a content word differs", "over 3 words shared", "3 distractors")
"""Counted steps: all pairs, and the remainder after each filter."""

_POSITIVE, _NEGATIVE, _QUESTION = "positives", "negatives", "questions"
_AT_A_TIME = 256  # rows of a table of all pairs
_DECIMALS = 12  # equal cosines must not differ by rounding


@dataclass(frozen=True)
class Step:
    """Counts after a filter; None where the filter does not apply."""

    name: str
    positives: int | None
    negatives: int | None
    questions: int | None


@dataclass(frozen=True)
class BinaryTest:
    """Pairs of texts that do or do not express the same fact.

    Attributes
    ----------
    pairs
        Places of both texts, shape (n, 2), the smaller first, in ascending order.
    positive
        Shape (n,), bool.
    units
        The content units of the two texts, shape (n, 2); equal for a positive pair.
    """

    pairs: np.ndarray
    positive: np.ndarray
    units: np.ndarray


@dataclass(frozen=True)
class RankingTest:
    """Queries and four texts each, of which the first expresses the same fact.

    Attributes
    ----------
    queries
        Places of the queries, shape (n,).
    candidates
        Places of the right answer and of the three distractors, shape (n, 4).
    units
        The content unit of each query, shape (n,).
    """

    queries: np.ndarray
    candidates: np.ndarray
    units: np.ndarray


@dataclass(frozen=True)
class Tests:
    """Both tests over the same texts.

    Attributes
    ----------
    texts
        The distinct texts, in ascending order; the tests refer to their places.
    binary, ranking
        The tests.
    steps
        One for each of `FILTERS`.
    """

    __test__ = False  # nothing for pytest

    texts: tuple[str, ...]
    binary: BinaryTest
    ranking: RankingTest
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class _Group:
    # Units whose snippets may form pairs, with the places of the texts of their occurrences and labels.
    units: list[int]
    occurrences: list[list[int]]
    labels: list[int]


def make_tests(pyramids: Sequence[Pyramid], across: bool = False) -> Tests:
    """Make both tests; they do not depend on the order of the pyramids.

    Parameters
    ----------
    pyramids
        One or more.
    across
        Also take negative pairs and distractors from different pyramids. Annotators distinguished facts only within a
        pyramid, so two pyramids on related topics may hold the same fact.
    """
    contents = [
        [(normalise(unit.label), [each.text for each in unit.contributors]) for unit in pyramid.units]
        for pyramid in pyramids
    ]
    contents.sort()
    texts = sorted({text for units in contents for label, snippets in units for text in (label, *snippets)})
    place = {text: k for k, text in enumerate(texts)}
    groups, first = list[_Group](), 0
    for units in [list(chain.from_iterable(contents))] if across else contents:
        occurrences = [list(dict.fromkeys(place[text] for text in snippets)) for _, snippets in units]
        numbers = list(range(first, first + len(units)))
        groups.append(_Group(numbers, occurrences, [place[label] for label, _ in units]))
        first += len(units)
    maker = _Maker([words_of(text) for text in texts])
    binary, ranking = maker.binary(groups), maker.ranking(groups)
    steps = [
        Step(name, *(maker.counts.get((kind, name)) for kind in (_POSITIVE, _NEGATIVE, _QUESTION))) for name in FILTERS
    ]
    return Tests(tuple(texts), binary, ranking, tuple(steps))


class _Maker:
    def __init__(self, words: Sequence[Words]) -> None:
        from scipy.sparse import csr_array

        self.enough = np.asarray([len(each.words) >= LEAST_WORDS for each in words], dtype=bool)
        self.free = self.enough & ~np.asarray([each.pronoun for each in words], dtype=bool)
        kinds: dict[frozenset[str], int] = {}
        self.content = np.asarray([kinds.setdefault(each.content, len(kinds)) for each in words], dtype=np.int64)
        columns: dict[str, int] = {}
        rows = [[columns.setdefault(word, len(columns)) for word in each.words] for each in words]
        ends = np.cumsum([0, *map(len, rows)])
        flat = np.asarray([column for row in rows for column in row], dtype=np.int64)
        self.bags = csr_array((np.ones(len(flat)), flat, ends), shape=(len(rows), max(1, len(columns))))
        self.bags.sum_duplicates()
        self.lengths = np.sqrt((self.bags**2).sum(axis=1))
        self.sets = (self.bags > 0).astype(np.int32)
        self.counts: Counter[tuple[str, str]] = Counter()

    def binary(self, groups: Iterable[_Group]) -> BinaryTest:
        positive: dict[tuple[int, int], int] = {}
        negatives = []
        for group in groups:
            self._positives(group, positive)
        for group in groups:
            negatives += list(self._negatives(group))
        passed = [(i, j, 1, unit, unit) for (i, j), unit in positive.items() if self._passes(i, j)]
        rows = np.concatenate([np.asarray(passed, dtype=np.int64).reshape(-1, 5), *negatives])
        # The texts of a negative pair of one pyramid may be a positive pair of another.
        rows = rows[np.lexsort((rows[:, 1], rows[:, 0]))]
        positives = np.asarray([(i, j) in positive for i, j in rows[:, :2].tolist()], dtype=bool)
        repeated = np.zeros(len(rows), dtype=bool)
        repeated[1:] = (np.diff(rows[:, :2], axis=0) == 0).all(axis=1)
        lost = (rows[:, 2] == 0) & (positives | repeated)
        self.counts[_NEGATIVE, FILTERS[4]] -= int(lost.sum())
        rows = rows[~lost]
        for name, pairs in self._filtered(positive):
            self.counts[_POSITIVE, name] += len(pairs)
        return BinaryTest(rows[:, :2], rows[:, 2] == 1, rows[:, 3:])

    def _passes(self, i: int, j: int) -> bool:
        return bool(self.free[i] and self.free[j] and self.content[i] != self.content[j])

    def _filtered(self, pairs: Iterable[tuple[int, int]]) -> Iterator[tuple[str, list[tuple[int, int]]]]:
        left = list(pairs)
        yield FILTERS[0], left
        for name, kept in zip(FILTERS[1:3], (self.enough, self.free), strict=True):
            left = [(i, j) for i, j in left if kept[i] and kept[j]]
            yield name, left
        yield FILTERS[3], [(i, j) for i, j in left if self.content[i] != self.content[j]]

    def _positives(self, group: _Group, positives: dict[tuple[int, int], int]) -> None:
        for number, snippets, label in zip(group.units, group.occurrences, group.labels, strict=True):
            for i, j in combinations(sorted({*snippets, label}), 2):
                positives.setdefault((i, j), number)

    def _negatives(self, group: _Group) -> Iterator[np.ndarray]:
        from scipy.sparse import csr_array

        members = [sorted({*snippets, label}) for snippets, label in zip(group.occurrences, group.labels, strict=True)]
        places = np.asarray(sorted({place for unit in members for place in unit}), dtype=np.int64)
        local = {place: k for k, place in enumerate(places.tolist())}
        owner = np.full(len(places), -1, dtype=np.int64)  # the first of several units
        for number, unit in zip(reversed(group.units), reversed(members), strict=True):
            owner[[local[place] for place in unit]] = number
        ends = np.cumsum([0, *map(len, members)])
        flat = [local[place] for unit in members for place in unit]
        among = csr_array((np.ones(len(flat), dtype=np.int32), flat, ends), shape=(len(members), len(places))).T.tocsr()
        snippet = np.zeros(len(places), dtype=bool)
        snippet[[local[place] for snippets in group.occurrences for place in snippets]] = True
        sets = self.sets[places]
        for start in range(0, len(places), _AT_A_TIME):
            some = np.arange(start, min(start + _AT_A_TIME, len(places)))
            left = (some[:, None] < np.arange(len(places))) & (snippet[some, None] | snippet)
            left &= (among[some] @ among.T).toarray() == 0
            self.counts[_NEGATIVE, FILTERS[0]] += int(left.sum())
            for name, kept in zip(FILTERS[1:3], (self.enough[places], self.free[places]), strict=True):
                left &= kept[some, None] & kept
                self.counts[_NEGATIVE, name] += int(left.sum())
            left &= self.content[places[some], None] != self.content[places]
            self.counts[_NEGATIVE, FILTERS[3]] += int(left.sum())
            left &= (sets[some] @ sets.T).toarray() >= LEAST_SHARED
            self.counts[_NEGATIVE, FILTERS[4]] += int(left.sum())
            a, b = np.nonzero(left)
            a = some[a]
            yield np.column_stack([places[a], places[b], np.zeros(len(a), dtype=np.int64), owner[a], owner[b]])

    def ranking(self, groups: Iterable[_Group]) -> RankingTest:
        queries, candidates, units = [], [], []
        for group in groups:
            pool = np.asarray(
                sorted({p for snippets in group.occurrences for p in snippets if self.free[p]}), dtype=np.int64
            )
            for number, snippets, label in zip(group.units, group.occurrences, group.labels, strict=True):
                for name, pairs in self._filtered(combinations(snippets, 2)):
                    self.counts[_QUESTION, name] += len(pairs)
                others = pool[~np.isin(pool, [*snippets, label])]
                for query, right in pairs:
                    distractors = self._nearest(query, others)
                    if len(distractors) == DISTRACTORS:
                        queries.append(query)
                        candidates.append([right, *distractors])
                        units.append(number)
        self.counts[_QUESTION, FILTERS[5]] = len(queries)
        shaped = np.asarray(candidates, dtype=np.int64).reshape(-1, 1 + DISTRACTORS)
        return RankingTest(np.asarray(queries, dtype=np.int64), shaped, np.asarray(units, dtype=np.int64))

    def _nearest(self, query: int, others: np.ndarray) -> list[int]:
        others = others[self.content[others] != self.content[query]]
        return others[np.argsort(-self.cosines(query, others), kind="stable")[:DISTRACTORS]].tolist()

    def cosines(self, query: int, others: np.ndarray) -> np.ndarray:
        if not len(others):
            return np.empty(0)
        products: Any = self.bags[others] @ self.bags[[query]].T
        return np.round(products.toarray()[:, 0] / (self.lengths[others] * self.lengths[query]), _DECIMALS)


def distinct_pairs(tests: Tests) -> np.ndarray:
    """Return the distinct pairs of places of both tests, shape (m, 2), the smaller first, in ascending order."""
    asked = np.column_stack([np.repeat(tests.ranking.queries, 1 + DISTRACTORS), tests.ranking.candidates.ravel()])
    return np.unique(np.concatenate([tests.binary.pairs, np.sort(asked, axis=1)]), axis=0)
