"""Stages of the word aligner that take evidence from neighbouring words: content words, then function words."""

from collections.abc import Iterable
from heapq import heapify, heappop, heappush

import numpy as np

from .alignment_input import WINDOW
from .alignment_state import AlignmentState
from .contextual_similarity import contextual_similarity

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
