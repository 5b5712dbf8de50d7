"""Stages of the word aligner that compare forms alone: final punctuation, runs, names, hyphenated words."""

from collections.abc import Iterator

import numpy as np

from .alignment_state import AlignmentState
from .entity_names import projected, same_names


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
    if not state.legacy:
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
