"""Word alignment in nine stages, from sure links to unsure ones (Sultan et al., 2014), for all pairs of a batch.

Candidates, their values and their order are computed for the whole batch, stage by stage. Only the choice takes one
candidate after the other.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.joins import chunks
from .alignment_input import AlignmentInput
from .alignment_state import AlignmentState
from .stages import (
    link_by_dependencies,
    link_by_neighbours,
    link_final_punctuation,
    link_function_words_by_dependencies,
    link_function_words_by_neighbours,
    link_hyphenated_runs,
    link_hyphenated_words,
    link_identical_runs,
    link_names,
)

_CELLS_AT_A_TIME = 1 << 19
"""Number of pairs of tokens in memory at once, unless one pair of sentences has more; one takes about 60 bytes."""


class Link(NamedTuple):
    """Tokens ``a[i]`` and ``b[j]`` mean the same.

    Attributes
    ----------
    i, j
        Their places.
    stage
        Number of the stage that made the link, 1 to 9; see `STAGES`.
    weight
        1, or 0.5 if only one of the two directions, `a` to `b` and `b` to `a`, has the link.
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


def run_stages(state: AlignmentState) -> None:
    """Link the tokens of all pairs in nine stages."""
    link_final_punctuation(state)
    link_identical_runs(state)
    link_hyphenated_runs(state)
    if state.input.named.any():
        link_names(state)
    parsed = len(state.input.edges.children.values) > 0
    if parsed:
        link_by_dependencies(state)
    link_by_neighbours(state)
    link_hyphenated_words(state)
    if parsed:
        link_function_words_by_dependencies(state)
    link_function_words_by_neighbours(state)


def link_pairs(sentences: AlignmentInput, left: np.ndarray, right: np.ndarray) -> Linked:
    """Return the links of n pairs of prepared sentences, averaged over both directions.

    The directions can differ only where two candidates mirror each other; the second is omitted where none do.

    Parameters
    ----------
    sentences
        The prepared sentences.
    left, right
        The sentences on either side of each pair, as indices.
    """
    lengths = sentences.tokens.lengths
    parts = [
        _link_part(sentences, left[part], right[part], part.start)
        for part in chunks(lengths[left] * lengths[right], _CELLS_AT_A_TIME)
    ]
    none = (np.empty(0, dtype=np.int64),) * 4
    row, i, j, stage, weight = (np.concatenate(column) for column in zip((*none, np.empty(0)), *parts, strict=True))
    return Linked(row, i, j, stage, weight)


def _link_part(
    sentences: AlignmentInput, left: np.ndarray, right: np.ndarray, first_row: int
) -> tuple[np.ndarray, ...]:
    forward = AlignmentState(sentences, left, right)
    run_stages(forward)
    row, i, j, stage = forward.link_table()
    weight = np.ones(len(row))
    unsure = np.flatnonzero(forward.ambiguous)
    if len(unsure):
        backward = AlignmentState(sentences, right[unsure], left[unsure])
        run_stages(backward)
        back_row, back_j, back_i, back_stage = backward.link_table()
        directions = (row, i, j, stage), (unsure[back_row], back_i, back_j, back_stage)
        row, i, j, stage = (np.concatenate(column) for column in zip(*directions, strict=True))
        order = np.lexsort((stage, j, i, row))
        row, i, j, stage = row[order], i[order], j[order], stage[order]
        # A link of both directions occurs twice now, the lower stage first.
        repeated = (np.diff(row) == 0) & (np.diff(i) == 0) & (np.diff(j) == 0)
        first = np.concatenate([[True], ~repeated])[: len(row)]
        both = np.concatenate([repeated, [False]])[: len(row)]
        weight = np.where(both | ~forward.ambiguous[row], 1.0, 0.5)
        row, i, j, stage, weight = (column[first] for column in (row, i, j, stage, weight))
    return row + first_row, i, j, stage, weight
