"""Word alignment in nine stages, from sure links to unsure ones (Sultan et al., 2014), for all pairs of a batch.

What may be linked, how good it is and in what order it comes is computed for the whole batch, stage by stage; only the
choice, which must take one candidate after the other, walks over the few that are left.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import heapify, heappop, heappush
from typing import NamedTuple

import numpy as np

from ..arrays.joins import chunks
from ..arrays.ragged import Ragged
from .alignment_input import WINDOW, Reading
from .dependency_relations import GROUPS, LEGACY_GROUPS, Groups
from .entity_names import projected, same_names
from .word_relatedness import PARAPHRASE, relatedness

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

_CELLS_AT_A_TIME = 1 << 19
"""So many pairs of tokens, or those of one pair of sentences, are in memory at once; one takes some 60 bytes."""


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


class Linked(NamedTuple):
    """The links of every pair of a batch, flat: row of the pair, places of the tokens, stage and weight."""

    row: np.ndarray
    i: np.ndarray
    j: np.ndarray
    stage: np.ndarray
    weight: np.ndarray


class _Side(NamedTuple):
    """The tokens of one side of n pairs, behind each sentence so many unused places that no window spans two.

    Attributes
    ----------
    starts, lengths
        First place and number of tokens of each sentence.
    row, token
        For each place its pair, and its token in the reading; unused places have some token.
    used
        Whether a token stands there.
    """

    starts: np.ndarray
    lengths: np.ndarray
    row: np.ndarray
    token: np.ndarray
    used: np.ndarray


def _side(reading: Reading, sentences: np.ndarray) -> _Side:
    lengths = reading.tokens.lengths[sentences]
    room = lengths + WINDOW
    starts = np.cumsum(room) - room
    row = np.repeat(np.arange(len(sentences)), room)
    place = np.arange(len(row)) - starts[row]
    token = np.minimum(place + reading.tokens.offsets[sentences][row], max(len(reading.word) - 1, 0))
    return _Side(starts, lengths, row, token, place < lengths[row])


@lru_cache(maxsize=4_096)
def _sum(paraphrases: int, equal: int) -> float:
    # Of so many relatednesses, the smallest first.
    return sum([PARAPHRASE] * paraphrases + [1.0] * equal)


def _sums(paraphrases: np.ndarray, equal: np.ndarray) -> np.ndarray:
    counts = zip(paraphrases.tolist(), equal.tolist(), strict=True)
    return np.fromiter((_sum(*count) for count in counts), dtype=np.float64, count=len(equal))


class Aligner:
    """The state of the alignment of n pairs: what may be linked, what is, and what is still free.

    A cell is a place of one side and one of the other, as a number: ``p * width + q``. Cells in order are those of one
    pair after the other, by place in the first sentence and then in the second.

    Parameters
    ----------
    reading
        The sentences.
    left, right
        Which of them stand on either side of each pair.
    legacy
        Follow what the reference code does where it differs from what its authors meant.

    Attributes
    ----------
    links
        Stage by cell.
    ambiguous
        For each pair whether two candidates mirrored each other, so that the other direction may differ.
    """

    def __init__(self, reading: Reading, left: np.ndarray, right: np.ndarray, *, legacy: bool = False) -> None:
        self.reading, self.legacy = reading, legacy
        self.sentences = left, right
        self.a, self.b = _side(reading, left), _side(reading, right)
        self.width = max(len(self.b.token), 1)
        self._bytes_a, self._bytes_b = bytearray(b"\1" * len(self.a.token)), bytearray(b"\1" * len(self.b.token))
        self.free_a, self.free_b = np.frombuffer(self._bytes_a, bool), np.frombuffer(self._bytes_b, bool)
        self.longest = int(max(self.a.lengths.max(initial=0), self.b.lengths.max(initial=0)))
        self.links: dict[int, int] = {}
        self.ambiguous = np.zeros(len(left), dtype=bool)
        self.related, self.value = self._compare()
        p, q = self.places(self.related)
        content = reading.words.content[reading.word]
        self.both_content = content[self.a.token[p]] & content[self.b.token[q]]

    def _compare(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the cells of related tokens, in order, and how related they are."""
        a, b = self.a, self.b
        across = b.lengths[a.row] * a.used
        p = np.repeat(np.arange(len(a.row)), across)
        ends = np.cumsum(across)
        q = np.arange(len(p)) + np.repeat(b.starts[a.row] - (ends - across), across)
        word = self.reading.word
        values = relatedness(self.reading.words, word[a.token[p]], word[b.token[q]])
        found = np.flatnonzero(values)
        return p[found] * self.width + q[found], values[found]

    def places(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of cells on either side."""
        return cells // self.width, cells % self.width

    def free(self, cells: np.ndarray) -> np.ndarray:
        """Return whether both tokens of each cell are without a link."""
        p, q = self.places(cells)
        return self.free_a[p] & self.free_b[q]

    def value_of(self, cells: np.ndarray) -> np.ndarray:
        """Return how related the tokens of each cell are."""
        place = np.searchsorted(self.related, cells)
        return np.where(np.append(self.related, -1)[place] == cells, np.append(self.value, 0.0)[place], 0.0)

    def link(self, cell: int, stage: int) -> None:
        """Link two tokens, which are then no longer free."""
        self.links.setdefault(cell, stage)
        p, q = divmod(cell, self.width)
        self._bytes_a[p] = self._bytes_b[q] = 0

    def keys(self, cells: np.ndarray) -> np.ndarray:
        """Return a sort key for equally good cells of a pair: the places nearest in the sentences come first.

        All of its bits but the lowest are the same when the sentences change places, and tell cells apart unless they
        mirror each other.
        """
        if self.legacy:
            return cells << 1
        p, q = self.places(cells)
        row = self.a.row[p]
        i, j = p - self.a.starts[row], q - self.b.starts[row]
        away = np.abs(i * self.b.lengths[row] - j * self.a.lengths[row])
        base = self.longest + 1
        return ((away * 2 * base + i + j) * base + np.minimum(i, j)) << 1 | (i > j)

    def in_order(self, group: np.ndarray, value: np.ndarray, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the order of some cells, group by group and the best first, and the groups with mirrored ones."""
        keys = self.keys(cells)
        # One number to sort by takes a fifth of the time of three.
        values, worse = np.unique(-value, return_inverse=True)
        rank = np.empty(len(keys), dtype=np.int64)
        rank[np.argsort(keys)] = np.arange(len(keys))
        level = group * len(values) + worse
        order = np.argsort(level * len(keys) + rank)
        level, keys = level[order], keys[order] >> 1
        return order, group[order][1:][(level[1:] == level[:-1]) & (keys[1:] == keys[:-1])]

    def best_first(self, value: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Return the order of some cells, pair by pair and the best first, and note which pairs are ambiguous."""
        order, tied = self.in_order(self.a.row[cells // self.width], value, cells)
        self.ambiguous[tied] = True
        return order

    def link_free(self, cells: Iterable[int], stage: int) -> None:
        """Link the first cell if both of its tokens are free, then the next."""
        free_a, free_b, links, width = self._bytes_a, self._bytes_b, self.links, self.width
        for cell in cells:
            p, q = divmod(cell, width)
            if free_a[p] and free_b[q]:
                links[cell] = stage
                free_a[p] = free_b[q] = 0

    def run(self) -> None:
        """Link in nine stages."""
        self._final_punctuation()
        self._identical_runs()
        self._hyphenated_runs()
        if self.reading.named.any():
            self._names()
        parsed = len(self.reading.edges.children.values) > 0
        if parsed:
            groups = LEGACY_GROUPS if self.legacy else GROUPS
            for kind in (1, 0, 2, 3):
                self._dependencies(kind, groups[kind])
        self._neighbouring_words()
        self._hyphenated_words()
        if parsed:
            self._function_words_by_dependencies()
        self._function_words_by_neighbours()

    def _final_punctuation(self) -> None:
        a, b, read = self.a, self.b, self.reading
        for back_a, back_b in ((1, 1), (1, 2), (2, 1), (2, 2)):
            rows = np.flatnonzero((a.lengths >= back_a) & (b.lengths >= back_b))
            p, q = (a.starts + a.lengths)[rows] - back_a, (b.starts + b.lengths)[rows] - back_b
            one, other = a.token[p], b.token[q]
            fit = read.closing[one] & read.closing[other]
            if back_a == back_b == 1:
                fit |= read.written[one] == read.written[other]
            self.link_free((p * self.width + q)[fit].tolist(), 1)

    def _identical_runs(self) -> None:
        read = self.reading
        p, q = self.places(self.related)
        equal = np.flatnonzero(read.form[self.a.token[p]] == read.form[self.b.token[q]])
        # Cells of one diagonal after the other; a run is a stretch of them without a gap.
        diagonal = (q - p)[equal]
        order = np.argsort(diagonal * len(self.a.row) + p[equal])
        equal, diagonal = equal[order], diagonal[order]
        follows = (np.diff(diagonal) == 0) & (np.diff(p[equal]) == 1)
        starts = np.flatnonzero(np.concatenate([[True], ~follows])[: len(equal)])
        lengths = np.diff(starts, append=len(equal))
        starts, lengths = starts[lengths > 1], lengths[lengths > 1]
        order = self.best_first(lengths, self.related[equal[starts]])
        if not self.legacy:
            content = np.concatenate([[0], np.cumsum(self.both_content[equal])])
            order = order[(content[starts + lengths] > content[starts])[order]]
        starts, lengths = starts[order], lengths[order]
        cells = np.arange(lengths.sum()) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
        self.link_free(self.related[equal[cells]].tolist(), 2)

    def _hyphenated(self) -> Iterator[tuple[int, int, int, tuple[str, ...]]]:
        """Yield every pair with a hyphenated word: the row, the side, the place of the word, and its parts."""
        hyphenated = self.reading.hyphenated
        found = np.asarray(list(hyphenated), dtype=np.int64)
        for row in np.flatnonzero(np.isin(self.sentences[0], found) | np.isin(self.sentences[1], found)).tolist():
            for side in (0, 1):
                for place, parts in hyphenated.get(int(self.sentences[side][row]), ()):
                    yield row, side, place, parts

    def _cell(self, row: int, side: int, own: int, other: int) -> int:
        # Of the token at the place `own` of a side and that at the place `other` of the other one.
        i, j = (other, own) if side else (own, other)
        return int(self.a.starts[row] + i) * self.width + int(self.b.starts[row] + j)

    def _hyphenated_runs(self) -> None:
        found: list[int] = []
        for row, side, place, parts in self._hyphenated():
            words = self.reading.sentences[self.sentences[1 - side][row]].words
            for start in range(len(words) - len(parts) + 1):
                if words[start : start + len(parts)] == parts:
                    cells = [self._cell(row, side, place, start + k) for k in range(len(parts))]
                    if self.free(np.asarray(cells)).all():
                        found += cells
        for cell in found:
            self.link(cell, 3)

    def _names(self) -> None:
        left, right = self.sentences
        for row in np.flatnonzero(self.reading.named[left] | self.reading.named[right]).tolist():
            a, b = self.reading.sentences[left[row]], self.reading.sentences[right[row]]
            start_a, start_b = int(self.a.starts[row]), int(self.b.starts[row])
            found = [
                (start_a + i) * self.width + start_b + j
                for i, j in same_names(a, projected(a, b), b, projected(b, a))
                if self._bytes_a[start_a + i] or self._bytes_b[start_b + j]
            ]
            for cell in found:
                self.link(cell, 4)

    def _linked(self) -> np.ndarray:
        return np.sort(np.fromiter(self.links, dtype=np.int64, count=len(self.links)))

    def _heads(self, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return the places of the heads of both tokens of each cell, and whether they have one."""
        p, q = self.places(cells)
        one, other = self.a.token[p], self.b.token[q]
        heads = self.reading.edges.heads
        return p + heads[one] - one, q + heads[other] - other, heads[one] >= 0, heads[other] >= 0

    def _children(self, cells: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the dependents of the tokens of one side of each cell: the entry of the cell, place and token."""
        place = self.places(cells)[side]
        token = (self.b if side else self.a).token[place]
        found = self.reading.edges.children.take(token)
        entry = found.rows
        return entry, found.values + (place - token)[entry], found.values

    def _both_children(self, cells: np.ndarray) -> tuple[np.ndarray, ...]:
        """Return every dependent of one token with every one of the other: entry of the cell, places and tokens."""
        entry_a, place_a, token_a = self._children(cells, 0)
        entry_b, place_b, token_b = self._children(cells, 1)
        ends = np.searchsorted(entry_b, np.arange(len(cells) + 1))
        facing = Ragged(np.arange(len(entry_b)), ends).take(entry_a)
        one, other = facing.rows, facing.values
        return entry_a[one], place_a[one], place_b[other], token_a[one], token_b[other]

    def _support(self, cells: np.ndarray, groups: Groups) -> tuple[np.ndarray, np.ndarray]:
        """Return the cells of equivalent dependency neighbours of the tokens of some cells: entry and cell."""
        edges = self.reading.edges
        parents, children, upward, downward = (
            np.asarray([mask.get(name, 0) for name in edges.names], dtype=np.int64) for mask in groups
        )
        p, q = self.places(cells)
        up_a, up_b = edges.relation[self.a.token[p]], edges.relation[self.b.token[q]]
        head_a, head_b, has_a, has_b = self._heads(cells)
        found: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        both = np.flatnonzero(has_a & has_b & ((up_a == up_b) | (parents[up_a] & parents[up_b] > 0)))
        found.append((both, head_a[both], head_b[both]))
        entry, place_a, place_b, token_a, token_b = self._both_children(cells)
        one, other = edges.relation[token_a], edges.relation[token_b]
        fit = (one == other) | (children[one] & children[other] > 0)
        found.append((entry[fit], place_a[fit], place_b[fit]))
        entry, place, token = self._children(cells, 1)
        fit = has_a[entry] & (upward[up_a[entry]] & downward[edges.relation[token]] > 0)
        found.append((entry[fit], head_a[entry[fit]], place[fit]))
        entry, place, token = self._children(cells, 0)
        fit = has_b[entry] & (upward[up_b[entry]] & downward[edges.relation[token]] > 0)
        found.append((entry[fit], place[fit], head_b[entry[fit]]))
        entry, place_a, place_b = (np.concatenate(column) for column in zip(*found, strict=True))
        return entry, place_a * self.width + place_b

    def _dependencies(self, kind: int, groups: Groups) -> None:
        p, q = self.places(self.related)
        classes = self.reading.classes
        fit = self.both_content & (classes[self.a.token[p]] == kind) & (classes[self.b.token[q]] == kind)
        some = np.flatnonzero(fit & self.free_a[p] & self.free_b[q])
        cells = self.related[some]
        entry, near = self._support(cells, groups)
        value = self.value_of(near)
        held = value.copy()
        if not self.legacy:
            held[(value == 0) & np.isin(near, self._linked())] = PARAPHRASE
        counts = [np.bincount(entry[held == one], minlength=len(cells)) for one in (PARAPHRASE, 1.0)]
        evidence = _sums(*counts)
        order = self.best_first_of(evidence > 0, WORD_WEIGHT * self.value[some] + (1 - WORD_WEIGHT) * evidence, cells)
        entry, near, value = entry[held > 0], near[held > 0], value[held > 0]
        steps, tied = self.in_order(entry, value, near)
        ends = np.searchsorted(entry[steps], np.arange(len(cells) + 1)).tolist()
        supporters, mirrored = near[steps].tolist(), set(tied.tolist())
        for one, cell in zip(order.tolist(), cells[order].tolist(), strict=True):
            p, q = divmod(cell, self.width)
            if self._bytes_a[p] and self._bytes_b[q]:
                self.link(cell, 5)
                self.link_free(supporters[ends[one] : ends[one + 1]], 5)
                if one in mirrored:
                    self.ambiguous[self.a.row[p]] = True

    def best_first_of(self, mask: np.ndarray, value: np.ndarray, cells: np.ndarray) -> np.ndarray:
        """Return `best_first` of the cells where `mask` is true."""
        some = np.flatnonzero(mask)
        return some[self.best_first(value[some], cells[some])]

    def _neighbouring_words(self) -> None:
        content = self.related[self.both_content]
        value = self.value[self.both_content]
        free = self.free(content)
        cells, own = content[free], value[free]
        # Cells in order: those of one token with a run of tokens are neighbours, so they are counted by differences.
        equal = np.concatenate([[0], np.cumsum(value == 1.0)])
        counts = np.zeros((2, len(cells)), dtype=np.int64)
        for step in range(-WINDOW, WINDOW + 1):
            if step:
                middle = cells + step * self.width
                bounds = (middle - WINDOW, middle, middle + 1, middle + WINDOW + 1)
                begin, end, start, stop = (np.searchsorted(content, bound) for bound in bounds)
                counts[1] += equal[end] - equal[begin] + equal[stop] - equal[start]
                counts[0] += end - begin + stop - start
        counts[0] -= counts[1]
        values = WORD_WEIGHT * own + (1 - WORD_WEIGHT) * _sums(*counts)
        self.link_free(cells[self.best_first(values, cells)].tolist(), 6)

    def _hyphenated_words(self) -> None:
        read = self.reading
        found = []
        for row, side, place, parts in self._hyphenated():
            sentence = self.sentences[1 - side][row]
            tokens = read.tokens.values[read.tokens.offsets[sentence] : read.tokens.offsets[sentence + 1]]
            keys = [read.words.numbers.get(part, -1) for part in parts]
            words = read.word[tokens]
            fit = np.isin(read.words.keys[:, words], keys).any(axis=0) & read.words.content[words]
            found += [self._cell(row, side, place, other) for other in np.flatnonzero(fit).tolist()]
        cells = np.unique(np.asarray(found, dtype=np.int64))
        cells = cells[self.free(cells)]
        self.link_free(cells[self.best_first(np.ones(len(cells)), cells)].tolist(), 7)

    def _free_function_words(self) -> tuple[np.ndarray, np.ndarray]:
        some = ~self.both_content & self.free(self.related)
        return self.related[some], self.value[some]

    def _function_words_by_dependencies(self) -> None:
        cells, value = self._free_function_words()
        words = self.reading.word[self.a.token[cells // self.width]]
        some = ~self.reading.words.punctuation[words]
        cells, value = cells[some], value[some]
        linked = self._linked()
        head_a, head_b, has_a, has_b = self._heads(cells)
        entry, place_a, place_b, *_ = self._both_children(cells)
        below = np.isin(place_a * self.width + place_b, linked)
        counts = np.bincount(entry[below], minlength=len(cells))
        counts += has_a & has_b & np.isin(head_a * self.width + head_b, linked)
        order = self.best_first_of(counts > 0, value + counts, cells)
        self.link_free(cells[order].tolist(), 8)

    def _function_words_by_neighbours(self) -> None:
        cells, values = self._free_function_words()
        keys = zip(values.tolist(), self.keys(cells).tolist(), strict=True)
        waiting = dict(zip(cells.tolist(), keys, strict=True))
        links, step = self.links, self.width + 1

        def ready(cells: Iterable[int]) -> list[tuple[float, int, int]]:
            found = []
            for cell in cells:
                linked = (cell - step in links) + (cell + step in links)
                if linked and cell in waiting:
                    value, key = waiting[cell]
                    found.append((-(value + linked), key, cell))
            return found

        by_row: dict[int, list[tuple[float, int, int]]] = {}
        for key in ready(waiting):
            by_row.setdefault(int(self.a.row[key[2] // self.width]), []).append(key)
        for row, heap in by_row.items():
            heapify(heap)
            while heap:
                key = heappop(heap)
                value, place, cell = key
                p, q = divmod(cell, self.width)
                if self._bytes_a[p] and self._bytes_b[q]:
                    if heap and heap[0] != key and heap[0][0] == value and heap[0][1] >> 1 == place >> 1:
                        self.ambiguous[row] = True
                    self.link(cell, 9)
                    # A new link can be the neighbour that others wait for.
                    for other in ready((cell - step, cell + step)):
                        heappush(heap, other)

    def found(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return row, places in the sentences and stage of every link, in order."""
        cells = np.fromiter(self.links, dtype=np.int64, count=len(self.links))
        stages = np.fromiter(self.links.values(), dtype=np.int64, count=len(self.links))
        order = np.argsort(cells)
        p, q = self.places(cells[order])
        row = self.a.row[p]
        return row, p - self.a.starts[row], q - self.b.starts[row], stages[order]


def link_pairs(reading: Reading, left: np.ndarray, right: np.ndarray, *, legacy: bool = False) -> Linked:
    """Return the links of n pairs of prepared sentences, averaged over both directions.

    The directions can differ only where two candidates mirror each other; the second is left out where none do.

    Parameters
    ----------
    reading
        The sentences.
    left, right
        Which of them stand on either side of each pair.
    legacy
        As in `alignment.align`.
    """
    lengths = reading.tokens.lengths
    parts = [
        _link_some(reading, left[part], right[part], legacy, part.start)
        for part in chunks(lengths[left] * lengths[right], _CELLS_AT_A_TIME)
    ]
    none = (np.empty(0, dtype=np.int64),) * 4
    row, i, j, stage, weight = (np.concatenate(column) for column in zip((*none, np.empty(0)), *parts, strict=True))
    return Linked(row, i, j, stage, weight)


def _link_some(
    reading: Reading, left: np.ndarray, right: np.ndarray, legacy: bool, first_row: int
) -> tuple[np.ndarray, ...]:
    there = Aligner(reading, left, right, legacy=legacy)
    there.run()
    row, i, j, stage = there.found()
    weight = np.ones(len(row))
    unsure = np.flatnonzero(there.ambiguous | legacy)
    if len(unsure):
        back = Aligner(reading, right[unsure], left[unsure], legacy=legacy)
        back.run()
        back_row, back_j, back_i, back_stage = back.found()
        sides = (row, i, j, stage), (unsure[back_row], back_i, back_j, back_stage)
        row, i, j, stage = (np.concatenate(column) for column in zip(*sides, strict=True))
        order = np.lexsort((stage, j, i, row))
        row, i, j, stage = row[order], i[order], j[order], stage[order]
        # A link of both directions stands twice now, the lower stage first.
        repeated = (np.diff(row) == 0) & (np.diff(i) == 0) & (np.diff(j) == 0)
        first = np.concatenate([[True], ~repeated])[: len(row)]
        both = np.concatenate([repeated, [False]])[: len(row)]
        weight = np.where(both | ~(there.ambiguous | legacy)[row], 1.0, 0.5)
        row, i, j, stage, weight = (column[first] for column in (row, i, j, stage, weight))
    return row + first_row, i, j, stage, weight
