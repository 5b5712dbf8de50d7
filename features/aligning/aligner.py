"""Word alignment in nine stages, from sure links to unsure ones (Sultan et al., 2014)."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from .names import projected, same_names
from .reading import Reading, nearby
from .relatedness import PARAPHRASE, related_words
from .relations import GROUPS, LEGACY_GROUPS, Groups

STAGES = (
    "final punctuation",
    "identical run",
    "hyphenated run",
    "name",
    "dependencies",
    "neighbouring words",
    "hyphenated word",
    "function word by dependencies",
    "function word by neighbours",
)
"""What made a link; stage k is ``STAGES[k - 1]``."""

WORD_WEIGHT = 0.9
"""Weight of relatedness against that of the evidence around two words (Sultan et al., 2014)."""

Candidate = tuple[float, int, int]
"""Value and places of two tokens that may be linked."""

Links = dict[tuple[int, int], int]
"""Stage by places."""


class Aligner:
    """The state of one alignment: what may be linked, what is, and what is still free."""

    def __init__(self, a: Reading, b: Reading, *, legacy: bool = False) -> None:
        self.a, self.b, self.legacy = a, b, legacy
        self.related = related_words(a.words, b.words)
        words_a, words_b = a.words.words, b.words.words
        self.content: list[Candidate] = []
        self.function: list[Candidate] = []
        for (i, j), value in self.related.items():
            both = words_a[i].content and words_b[j].content
            (self.content if both else self.function).append((value, i, j))
        self.links: Links = {}
        self.free_a = set(range(len(a.classes)))
        self.free_b = set(range(len(b.classes)))
        self.ambiguous = False

    def link(self, i: int, j: int, stage: int) -> None:
        """Link two tokens, which are then no longer free."""
        self.links.setdefault((i, j), stage)
        self.free_a.discard(i)
        self.free_b.discard(j)

    def key(self, value: float, i: int, j: int) -> tuple[float, int, int, int, int, int]:
        """Return a sort key: best value first, then the pair whose places in the sentences are nearest.

        All but the last two entries are the same when the sentences change places.
        """
        if self.legacy:
            return -value, i, j, 0, i, j
        away = i * len(self.b.classes) - j * len(self.a.classes)
        return -value, abs(away), i + j, min(i, j), i, j

    def in_order(self, candidates: Iterable[Candidate]) -> list[tuple[int, int]]:
        """Return the places of the candidates, best first."""
        keys = sorted([self.key(*candidate) for candidate in candidates])
        if keys[1:] and not self.ambiguous:
            self.ambiguous = any([one[:4] == other[:4] for one, other in pairwise(keys)])
        return [key[4:] for key in keys]

    def link_in_order(self, candidates: Iterable[Candidate], stage: int) -> None:
        """Link the best pair of free tokens, then the next best."""
        for i, j in self.in_order(candidates):
            if i in self.free_a and j in self.free_b:
                self.link(i, j, stage)

    def run(self) -> Links:
        """Link in nine stages and return the stage of each link."""
        self._final_punctuation()
        self._identical_runs()
        self._hyphenated_runs()
        self._names()
        groups = LEGACY_GROUPS if self.legacy else GROUPS
        for kind in (1, 0, 2, 3):
            self._dependencies(kind, groups[kind])
        self._neighbouring_words()
        self._hyphenated_words()
        self._function_words_by_dependencies()
        self._function_words_by_neighbours()
        return self.links

    def _final_punctuation(self) -> None:
        a, b = self.a.sentence.tokens, self.b.sentence.tokens
        ends_a, ends_b = range(len(a) - 1, max(len(a) - 3, -1), -1), range(len(b) - 1, max(len(b) - 3, -1), -1)
        for i, j in sorted(
            ((i, j) for i in ends_a for j in ends_b), key=lambda at: (len(a) - at[0]) + (len(b) - at[1])
        ):
            both_close = a[i] in (".", "!") and b[j] in (".", "!")
            last_and_equal = i == len(a) - 1 and j == len(b) - 1 and a[i] == b[j]
            if (both_close or last_and_equal) and i in self.free_a and j in self.free_b:
                self.link(i, j, 1)

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        """Yield length and beginnings of the longest runs of equal words."""
        places_b: dict[str, list[int]] = {}
        for j, word in enumerate(self.b.sentence.words):
            places_b.setdefault(word, []).append(j)
        words_a, words_b = self.a.sentence.words, self.b.sentence.words
        for i, word in enumerate(words_a):
            for j in places_b.get(word, ()):
                if i and j and words_a[i - 1] == words_b[j - 1]:
                    continue
                length = 1
                while (
                    i + length < len(words_a)
                    and j + length < len(words_b)
                    and words_a[i + length] == words_b[j + length]
                ):
                    length += 1
                if length > 1:
                    yield length, i, j

    def _identical_runs(self) -> None:
        content = self.a.words.words
        lengths = {(i, j): length for length, i, j in self._runs()}
        for i, j in self.in_order((length, *at) for at, length in lengths.items()):
            steps = range(lengths[i, j])
            if self.legacy or any(content[i + k].content for k in steps):
                for k in steps:
                    if i + k in self.free_a and j + k in self.free_b:
                        self.link(i + k, j + k, 2)

    def _hyphenated_runs(self) -> None:
        found = []
        for turned, (one, other) in enumerate(((self.a, self.b), (self.b, self.a))):
            free_one, free_other = (self.free_b, self.free_a) if turned else (self.free_a, self.free_b)
            words = other.sentence.words
            for i, parts in one.hyphenated:
                for j in range(len(words) - len(parts) + 1):
                    run = range(j, j + len(parts))
                    if words[j : j + len(parts)] == parts and i in free_one and free_other.issuperset(run):
                        found.extend([(k, i) if turned else (i, k) for k in run])
        for i, j in found:
            self.link(i, j, 3)

    def _names(self) -> None:
        a, b = self.a.sentence, self.b.sentence
        if a.entities or b.entities:
            links = list(same_names(a, projected(a, b), b, projected(b, a)))
            for i, j in [(i, j) for i, j in links if i in self.free_a or j in self.free_b]:
                self.link(i, j, 4)

    def _holds(self, i: int, j: int) -> float:
        """Return how far two words support the words next to them."""
        value = self.related.get((i, j), 0.0)
        if not value and not self.legacy and (i, j) in self.links:
            return PARAPHRASE
        return value

    def _support(self, i: int, j: int, groups: Groups) -> tuple[float, list[tuple[int, int]]]:
        """Return the evidence of the dependency neighbours for linking two words, and the neighbours that give it."""
        up_a, up_b = self.a.neighbours.parents[i], self.b.neighbours.parents[j]
        down_a, down_b = self.a.neighbours.children[i], self.b.neighbours.children[j]
        pairs = []
        if up_a and up_b and _equivalent(up_a[1], up_b[1], groups.parents):
            pairs.append((up_a[0], up_b[0]))
        for k, relation in down_a:
            for m, other in down_b:
                if _equivalent(relation, other, groups.children):
                    pairs.append((k, m))
        if up_a and (mask := groups.upward.get(up_a[1])):
            pairs.extend([(up_a[0], m) for m, other in down_b if mask & groups.downward.get(other, 0)])
        if up_b and (mask := groups.upward.get(up_b[1])):
            pairs.extend([(k, up_b[0]) for k, other in down_a if mask & groups.downward.get(other, 0)])
        held = [(self._holds(k, m), (k, m)) for k, m in pairs]
        return sum(sorted(value for value, _ in held)), [place for value, place in held if value]

    def _dependencies(self, kind: int, groups: Groups) -> None:
        values, supporters = [], {}
        for value, i, j in self.content:
            if self.a.classes[i] == kind == self.b.classes[j] and i in self.free_a and j in self.free_b:
                evidence, held = self._support(i, j, groups)
                if evidence > 0:
                    values.append((WORD_WEIGHT * value + (1 - WORD_WEIGHT) * evidence, i, j))
                    supporters[i, j] = held
        for i, j in self.in_order(values):
            if i in self.free_a and j in self.free_b:
                self.link(i, j, 5)
                self.link_in_order([(self.related.get(at, 0.0), *at) for at in supporters[i, j]], 5)

    def _neighbouring_words(self) -> None:
        values = []
        for value, i, j in self.content:
            if i in self.free_a and j in self.free_b:
                around = [self.related.get((k, m), 0.0) for k in nearby(self.a, i) for m in nearby(self.b, j)]
                values.append((WORD_WEIGHT * value + (1 - WORD_WEIGHT) * sum(sorted(around)), i, j))
        self.link_in_order(values, 6)

    def _hyphenated_words(self) -> None:
        found = set()
        for turned, (one, other) in enumerate(((self.a, self.b), (self.b, self.a))):
            free_one, free_other = (self.free_b, self.free_a) if turned else (self.free_a, self.free_b)
            for i, parts in one.hyphenated:
                places = {j for part in parts for j in other.words.places.get(part, ())} if i in free_one else set()
                for j in places & free_other:
                    if other.words.words[j].content:
                        found.add((1.0, j, i) if turned else (1.0, i, j))
        self.link_in_order(found, 7)

    def _function_words_by_dependencies(self) -> None:
        a, b = self.a.neighbours, self.b.neighbours
        values = []
        for value, i, j in self.function:
            if i in self.free_a and j in self.free_b and not self.a.words.words[i].punctuation:
                head, other = a.parents[i], b.parents[j]
                around = [(k, m) for k, _ in a.children[i] for m, _ in b.children[j]]
                around += [(head[0], other[0])] if head and other else []
                linked = sum([at in self.links for at in around])
                if linked:
                    values.append((value + linked, i, j))
        self.link_in_order(values, 8)

    def _function_words_by_neighbours(self) -> None:
        waiting = {(i, j): value for value, i, j in self.function if i in self.free_a and j in self.free_b}

        def ready(i: int, j: int) -> Iterator[tuple[float, int, int, int, int, int]]:
            linked = ((i - 1, j - 1) in self.links) + ((i + 1, j + 1) in self.links)
            if linked and (i, j) in waiting:
                yield self.key(waiting[i, j] + linked, i, j)

        heap = [key for i, j in waiting for key in ready(i, j)]
        heapify(heap)
        while heap:
            key = heappop(heap)
            i, j = key[4:]
            if i in self.free_a and j in self.free_b:
                self.ambiguous |= bool(heap) and heap[0][:4] == key[:4] and heap[0] != key
                self.link(i, j, 9)
                # A new link can be the neighbour that others wait for.
                for key in (*ready(i - 1, j - 1), *ready(i + 1, j + 1)):
                    heappush(heap, key)


def _equivalent(relation: str, other: str, masks: Mapping[str, int]) -> bool:
    return relation == other or bool(masks.get(relation, 0) & masks.get(other, 0))


class Link(NamedTuple):
    """Tokens ``a[i]`` and ``b[j]`` mean the same.

    Attributes
    ----------
    i, j
        Their places.
    stage
        1 to 9, what found it; see `STAGES`.
    weight
        1, or 0.5 where the alignment of `a` with `b` has the link and that of `b` with `a` has not.
    """

    i: int
    j: int
    stage: int
    weight: float = 1.0


def links_between(a: Reading, b: Reading, *, legacy: bool = False) -> tuple[Link, ...]:
    """Return the links of two prepared sentences, averaged over both directions.

    The directions can differ only where two candidates mirror each other; the second is left out where none do.
    """
    there = Aligner(a, b, legacy=legacy)
    links = there.run()
    if not (there.ambiguous or legacy):
        return tuple(Link(i, j, stage) for (i, j), stage in sorted(links.items()))
    back = {(i, j): stage for (j, i), stage in Aligner(b, a, legacy=legacy).run().items()}
    return tuple(
        Link(*at, min(side[at] for side in (links, back) if at in side), ((at in links) + (at in back)) / 2)
        for at in sorted(links.keys() | back.keys())
    )
