"""Stages of the word aligner that take evidence from dependencies: content words, then function words."""

import numpy as np

from ..arrays.ragged import Ragged
from .alignment_state import AlignmentState
from .contextual_similarity import contextual_similarity
from ..token_sequences import ADJECTIVE, ADVERB, NOUN, VERB
from .dependency_relations import GROUPS, LEGACY_GROUPS, Groups
from .word_relatedness import PARAPHRASE


def link_by_dependencies(state: AlignmentState) -> None:
    """Link content words with equivalent dependency neighbours, and these neighbours (stage 5)."""
    groups = LEGACY_GROUPS if state.legacy else GROUPS
    for word_class in (VERB, NOUN, ADJECTIVE, ADVERB):
        _link_class(state, word_class, groups[word_class])


def _link_class(state: AlignmentState, word_class: int, groups: Groups) -> None:
    classes = state.input.classes
    token_a, token_b = state.tokens(state.related)
    fit = state.both_content & (classes[token_a] == word_class) & (classes[token_b] == word_class)
    candidates = np.flatnonzero(fit & state.free(state.related))
    cells = state.related[candidates]
    entry, neighbours = _equivalent_neighbours(state, cells, groups)
    value = state.relatedness(neighbours)
    evidence = value.copy()
    if not state.legacy:
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
