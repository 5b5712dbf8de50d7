"""Stages of the word aligner that compare forms, and the neighbours of words (Sultan et al., 2014)."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from heapq import heapify, heappop, heappush

import numpy as np

from ..arrays.ragged import Ragged
from ..base.token_sequences import ADJECTIVE, ADVERB, NOUN, VERB
from .alignment_input import WINDOW
from .alignment_state import AlignmentState
from .dependency_relations import GROUPS, Groups
from .entity_names import projected, same_names
from .word_relatedness import PARAPHRASE


def link_final_punctuation(state: AlignmentState) -> None:
    """Link the marks that end both sentences (stage 1)."""
    a, b, sentences = state.a, state.b, state.input
    for back_a, back_b in ((1, 1), (1, 2), (2, 1), (2, 2)):
        rows = np.flatnonzero((a.lengths >= back_a) & (b.lengths >= back_b))
        p, q = (a.starts + a.lengths)[rows] - back_a, (b.starts + b.lengths)[rows] - back_b
        token_a, token_b = a.token[p], b.token[q]
        fit = sentences.closing[token_a] & sentences.closing[token_b]
        if back_a == back_b == 1:
            fit |= sentences.written[token_a] == sentences.written[token_b]
        state.link_free((p * state.width + q)[fit].tolist(), 1)


def link_identical_runs(state: AlignmentState) -> None:
    """Link runs of two or more equal words with a content word, the longest first (stage 2)."""
    form = state.input.form
    p, q = state.places(state.related)
    token_a, token_b = state.tokens(state.related)
    equal = np.flatnonzero(form[token_a] == form[token_b])
    # Cells by diagonal; a run is a stretch of a diagonal without a gap.
    diagonal = (q - p)[equal]
    order = np.argsort(diagonal * len(state.a.row) + p[equal])
    equal, diagonal = equal[order], diagonal[order]
    follows = (np.diff(diagonal) == 0) & (np.diff(p[equal]) == 1)
    starts = np.flatnonzero(np.concatenate([[True], ~follows])[: len(equal)])
    lengths = np.diff(starts, append=len(equal))
    starts, lengths = starts[lengths > 1], lengths[lengths > 1]
    order = state.best_first(lengths, state.related[equal[starts]])
    content = np.concatenate([[0], np.cumsum(state.both_content[equal])])
    order = order[(content[starts + lengths] > content[starts])[order]]
    starts, lengths = starts[order], lengths[order]
    cells = np.arange(lengths.sum()) + np.repeat(starts - (np.cumsum(lengths) - lengths), lengths)
    state.link_free(state.related[equal[cells]].tolist(), 2)


def link_names(state: AlignmentState) -> None:
    """Link the words of names of one person, organisation or place (stage 4)."""
    sentences, named = state.input.sentences, state.input.named
    for row in np.flatnonzero(named[state.left] | named[state.right]).tolist():
        a, b = sentences[state.left[row]], sentences[state.right[row]]
        start_a, start_b = int(state.a.starts[row]), int(state.b.starts[row])
        cells = [
            (start_a + i) * state.width + start_b + j
            for i, j in same_names(a, projected(a, b), b, projected(b, a))
            if state.free_a[start_a + i] or state.free_b[start_b + j]
        ]
        for cell in cells:
            state.link(cell, 4)


def link_hyphenated_runs(state: AlignmentState) -> None:
    """Link a hyphenated word to a run of its parts (stage 3)."""
    cells: list[int] = []
    for row, side, place, parts in _hyphenated_words(state):
        words = state.input.sentences[(state.left if side else state.right)[row]].words
        for start in range(len(words) - len(parts) + 1):
            if words[start : start + len(parts)] == parts:
                run = [_cell(state, row, side, place, start + k) for k in range(len(parts))]
                if state.free(np.asarray(run)).all():
                    cells += run
    for cell in cells:
        state.link(cell, 3)


def link_hyphenated_words(state: AlignmentState) -> None:
    """Link a hyphenated word that is still free to a content word that equals one of its parts (stage 7)."""
    sentences = state.input
    candidates: list[int] = []
    for row, side, place, parts in _hyphenated_words(state):
        sentence = (state.left if side else state.right)[row]
        tokens = sentences.tokens.values[sentences.tokens.offsets[sentence] : sentences.tokens.offsets[sentence + 1]]
        keys = [sentences.words.numbers.get(part, -1) for part in parts]
        words = sentences.word[tokens]
        fit = np.isin(sentences.words.keys[:, words], keys).any(axis=0) & sentences.words.content[words]
        candidates += [_cell(state, row, side, place, other) for other in np.flatnonzero(fit).tolist()]
    cells = np.unique(np.asarray(candidates, dtype=np.int64))
    cells = cells[state.free(cells)]
    state.link_free(cells[state.best_first(np.ones(len(cells)), cells)].tolist(), 7)


def _hyphenated_words(state: AlignmentState) -> Iterator[tuple[int, int, int, tuple[str, ...]]]:
    # Row, side, place and parts of every hyphenated word.
    hyphenated = state.input.hyphenated
    sentences = np.asarray(list(hyphenated), dtype=np.int64)
    for row in np.flatnonzero(np.isin(state.left, sentences) | np.isin(state.right, sentences)).tolist():
        for side, sentence in enumerate((state.left[row], state.right[row])):
            for place, parts in hyphenated.get(int(sentence), ()):
                yield row, side, place, parts


def _cell(state: AlignmentState, row: int, side: int, place: int, other: int) -> int:
    # The cell of the token at `place` of a side and the token at `other` of the other side.
    return state.cell(row, other, place) if side else state.cell(row, place, other)


WORD_WEIGHT = 0.9
"""Weight of the relatedness of two words; that of the evidence around them is the rest."""


def contextual_similarity(relatedness: np.ndarray, paraphrases: np.ndarray, equal: np.ndarray) -> np.ndarray:
    """Return the weighted mean of relatedness and contextual evidence, shape (n,)."""
    counts = zip(paraphrases.tolist(), equal.tolist(), strict=True)
    evidence = np.fromiter((_sum(*count) for count in counts), dtype=np.float64, count=len(equal))
    return WORD_WEIGHT * relatedness + (1 - WORD_WEIGHT) * evidence


@lru_cache(maxsize=4_096)
def _sum(paraphrases: int, equal: int) -> float:
    # The smallest terms first, so that the order of the words does not matter.
    return sum([PARAPHRASE] * paraphrases + [1.0] * equal)


_Candidate = tuple[float, int, int]  # less its value, its tie key and its cell


def link_by_neighbours(state: AlignmentState) -> None:
    """Link content words with related content words within a window, the most similar first (stage 6)."""
    content, value = state.related[state.both_content], state.value[state.both_content]
    free = state.free(content)
    cells = content[free]
    # The cells of one token with a run of tokens are neighbours in order, so they are counted by differences.
    equal = np.concatenate([[0], np.cumsum(value == 1.0)])
    counts = np.zeros((2, len(cells)), dtype=np.int64)
    for step in range(-WINDOW, WINDOW + 1):
        if step:
            middle = cells + step * state.width
            bounds = (middle - WINDOW, middle, middle + 1, middle + WINDOW + 1)
            begin, end, start, stop = (np.searchsorted(content, bound) for bound in bounds)
            counts[1] += equal[end] - equal[begin] + equal[stop] - equal[start]
            counts[0] += end - begin + stop - start
    counts[0] -= counts[1]
    similarity = contextual_similarity(value[free], *counts)
    state.link_free(cells[state.best_first(similarity, cells)].tolist(), 6)


def link_function_words_by_neighbours(state: AlignmentState) -> None:
    """Link free function words next to linked words, the best first (stage 9)."""
    function = ~state.both_content & state.free(state.related)
    cells = state.related[function]
    keys = zip(state.value[function].tolist(), state.tie_keys(cells).tolist(), strict=True)
    waiting = dict(zip(cells.tolist(), keys, strict=True))
    by_row: dict[int, list[_Candidate]] = {}
    for candidate in _supported(state, waiting, waiting):
        by_row.setdefault(int(state.a.row[candidate[2] // state.width]), []).append(candidate)
    for row, heap in by_row.items():
        heapify(heap)
        _link_best(state, row, heap, waiting)


def _supported(state: AlignmentState, cells: Iterable[int], waiting: dict[int, tuple[float, int]]) -> list[_Candidate]:
    # Those of the cells that wait and have a linked neighbour on the left or the right.
    links, step = state.links, state.width + 1
    candidates = []
    for cell in cells:
        linked = (cell - step in links) + (cell + step in links)
        if linked and cell in waiting:
            value, key = waiting[cell]
            candidates.append((-(value + linked), key, cell))
    return candidates


def _link_best(state: AlignmentState, row: int, heap: list[_Candidate], waiting: dict[int, tuple[float, int]]) -> None:
    step = state.width + 1
    while heap:
        candidate = heappop(heap)
        value, key, cell = candidate
        p, q = divmod(cell, state.width)
        if state.free_a[p] and state.free_b[q]:
            if heap and heap[0] != candidate and heap[0][0] == value and heap[0][1] >> 1 == key >> 1:
                state.ambiguous[row] = True
            state.link(cell, 9)
            # A new link can be the neighbour that others wait for.
            for other in _supported(state, (cell - step, cell + step), waiting):
                heappush(heap, other)


def link_by_dependencies(state: AlignmentState) -> None:
    """Link content words with equivalent dependency neighbours, and these neighbours (stage 5)."""
    for word_class in (VERB, NOUN, ADJECTIVE, ADVERB):
        _link_class(state, word_class, GROUPS[word_class])


def _link_class(state: AlignmentState, word_class: int, groups: Groups) -> None:
    classes = state.input.classes
    token_a, token_b = state.tokens(state.related)
    fit = state.both_content & (classes[token_a] == word_class) & (classes[token_b] == word_class)
    candidates = np.flatnonzero(fit & state.free(state.related))
    cells = state.related[candidates]
    entry, neighbours = _equivalent_neighbours(state, cells, groups)
    value = state.relatedness(neighbours)
    evidence = value.copy()
    evidence[(value == 0) & np.isin(neighbours, state.linked_cells())] = PARAPHRASE
    counts = [np.bincount(entry[evidence == level], minlength=len(cells)) for level in (PARAPHRASE, 1.0)]
    similarity = contextual_similarity(state.value[candidates], *counts)
    supported = np.flatnonzero(counts[0] + counts[1])
    order = supported[state.best_first(similarity[supported], cells[supported])]
    entry, neighbours, value = (column[evidence > 0] for column in (entry, neighbours, value))
    steps, tied = state.in_order(entry, value, neighbours)
    ends = np.searchsorted(entry[steps], np.arange(len(cells) + 1)).tolist()
    supporters, mirrored = neighbours[steps].tolist(), set(tied.tolist())
    for candidate, cell in zip(order.tolist(), cells[order].tolist(), strict=True):
        p, q = divmod(cell, state.width)
        if state.free_a[p] and state.free_b[q]:
            state.link(cell, 5)
            state.link_free(supporters[ends[candidate] : ends[candidate + 1]], 5)
            if candidate in mirrored:
                state.ambiguous[state.a.row[p]] = True


def _heads(state: AlignmentState, cells: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    # The places of the heads of both tokens of each cell, and whether they have one.
    p, q = state.places(cells)
    token_a, token_b = state.tokens(cells)
    heads = state.input.edges.heads
    return p + heads[token_a] - token_a, q + heads[token_b] - token_b, heads[token_a] >= 0, heads[token_b] >= 0


def _children(state: AlignmentState, cells: np.ndarray, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # The dependents of the tokens of one side of each cell: the entry of the cell, place and token.
    place, token = state.places(cells)[side], state.tokens(cells)[side]
    children = state.input.edges.children.take(token)
    entry = children.rows
    return entry, children.values + (place - token)[entry], children.values


def _both_children(state: AlignmentState, cells: np.ndarray) -> tuple[np.ndarray, ...]:
    # Every dependent of one token with every one of the other: entry of the cell, places and tokens.
    entry_a, place_a, token_a = _children(state, cells, 0)
    entry_b, place_b, token_b = _children(state, cells, 1)
    ends = np.searchsorted(entry_b, np.arange(len(cells) + 1))
    facing = Ragged(np.arange(len(entry_b)), ends).take(entry_a)
    one, other = facing.rows, facing.values
    return entry_a[one], place_a[one], place_b[other], token_a[one], token_b[other]


def _equivalent_neighbours(state: AlignmentState, cells: np.ndarray, groups: Groups) -> tuple[np.ndarray, np.ndarray]:
    # The cells of equivalent dependency neighbours of both tokens of each cell: entry and cell.
    edges = state.input.edges
    parents, children, upward, downward = (
        np.asarray([mask.get(name, 0) for name in edges.names], dtype=np.int64) for mask in groups
    )
    token_a, token_b = state.tokens(cells)
    up_a, up_b = edges.relation[token_a], edges.relation[token_b]
    head_a, head_b, has_a, has_b = _heads(state, cells)
    heads = np.flatnonzero(has_a & has_b & ((up_a == up_b) | (parents[up_a] & parents[up_b] > 0)))
    parts = [(heads, head_a[heads], head_b[heads])]
    entry, place_a, place_b, child_a, child_b = _both_children(state, cells)
    down_a, down_b = edges.relation[child_a], edges.relation[child_b]
    fit = (down_a == down_b) | (children[down_a] & children[down_b] > 0)
    parts.append((entry[fit], place_a[fit], place_b[fit]))
    entry, place, child = _children(state, cells, 1)
    fit = has_a[entry] & (upward[up_a[entry]] & downward[edges.relation[child]] > 0)
    parts.append((entry[fit], head_a[entry[fit]], place[fit]))
    entry, place, child = _children(state, cells, 0)
    fit = has_b[entry] & (upward[up_b[entry]] & downward[edges.relation[child]] > 0)
    parts.append((entry[fit], place[fit], head_b[entry[fit]]))
    entry, place_a, place_b = (np.concatenate(column) for column in zip(*parts, strict=True))
    return entry, place_a * state.width + place_b


def link_function_words_by_dependencies(state: AlignmentState) -> None:
    """Link free function words whose heads or dependents are linked (stage 8)."""
    function = ~state.both_content & state.free(state.related)
    token_a, _ = state.tokens(state.related)
    function &= ~state.input.words.punctuation[state.input.word[token_a]]
    cells, value = state.related[function], state.value[function]
    linked = state.linked_cells()
    head_a, head_b, has_a, has_b = _heads(state, cells)
    entry, place_a, place_b, *_ = _both_children(state, cells)
    below = np.isin(place_a * state.width + place_b, linked)
    counts = np.bincount(entry[below], minlength=len(cells))
    counts += has_a & has_b & np.isin(head_a * state.width + head_b, linked)
    supported = np.flatnonzero(counts)
    order = supported[state.best_first((value + counts)[supported], cells[supported])]
    state.link_free(cells[order].tolist(), 8)
