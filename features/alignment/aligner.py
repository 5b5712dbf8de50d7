"""Word alignment in nine stages, from sure links to unsure ones (Sultan et al., 2014), for all pairs of a batch.

Candidates, their values and their order are computed for the whole batch, stage by stage. Only the choice takes one
candidate after the other.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.joins import chunks
from ..base.sentences import PairBatch, Sentence
from .alignment_input import AlignmentInput, prepare
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
    """Tokens ``a[i]`` and ``b[j]`` mean the same."""

    i: int
    j: int
    stage: int  # number of the stage that made the link, 1 to 9; see `STAGES`
    weight: float = 1.0  # 1, or 0.5 if only one of the directions has the link


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
    """Return the links of n pairs of prepared sentences, given as indices, averaged over both directions."""
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
    # The directions can differ only where two candidates mirror each other; the second is omitted where none do.
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


def align(a: Sentence | str, b: Sentence | str) -> tuple[Link, ...]:
    """Link the words of two sentences that have the same meaning.

    The nine stages (`STAGES`) add links one after the other: final punctuation, identical runs, hyphenated runs, names,
    words supported by their dependencies, by their neighbours, hyphenated words, and function words supported by
    either. Words are related if their forms, lemmas or stems are equal or the paraphrase table lists them.

    Parameters
    ----------
    a, b
        Texts, or sentences returned by `analyse`. Only the stages that need no parse align a sentence without one.

    Returns
    -------
    tuple of Link
        Links by place in `a`, then in `b`. ``align(b, a)`` returns the same links with `a` and `b` swapped.

    Raises
    ------
    TypeError
        If `a` or `b` is neither text nor a sentence.

    References
    ----------
    Sultan, Bethard and Sumner (2014), Back to basics for monolingual alignment.

    Examples
    --------
    >>> [(link.i, link.j) for link in align("A boy bought a car.", "A car was bought.")]
    [(2, 3), (3, 0), (4, 1), (5, 4)]
    """
    first, second = np.array([0]), np.array([1])
    pair = PairBatch([completed(_sentence(text)) for text in (a, b)], first, second)
    token_links = link_pairs(prepare(pair), first, second)
    columns = (column.tolist() for column in token_links[1:])
    return tuple(Link(*link) for link in zip(*columns, strict=True))


def _sentence(text: Sentence | str) -> Sentence:
    if isinstance(text, Sentence):
        return text
    if not isinstance(text, str):
        raise TypeError(f"a and b must be strings or sentences, got {type(text).__name__}; pass a string")
    from ..analysis.analysis import analyse

    return analyse([(text, text)], level="parsed").sentences[0]


def completed(sentence: Sentence) -> Sentence:
    """Fill in missing annotations: words for lemmas, no tags, every token a root."""
    size = len(sentence.tokens)
    if sentence.level == "tokens":
        sentence = sentence._replace(lemmas=sentence.words, tags=("",) * size)
    if sentence.level == "lexical":
        sentence = sentence._replace(heads=tuple(range(size)), relations=("",) * size)
    return sentence
