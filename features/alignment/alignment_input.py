"""Sentences of a batch prepared for the word aligner (Sultan et al., 2014), once for all their pairs."""

from itertools import chain
from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import CLASS_OF_TAG, Vocabulary, vocabulary
from .dependency_relations import Edges, edges, no_edges
from .word_relatedness import Words, read_words

WINDOW = 3
"""Number of tokens to either side that are neighbours of a word."""

Hyphenated = tuple[tuple[int, tuple[str, ...]], ...]
"""The places of the hyphenated words of a sentence, and their parts."""


class AlignmentInput(NamedTuple):
    """The distinct sentences of a batch; arrays have an entry for each token of each sentence in turn.

    Attributes
    ----------
    sentences
        The sentences.
    tokens
        The tokens of each sentence, numbered through all sentences.
    words, word
        The distinct words, and the word of each token.
    form, written
        Numbers of the lower-case form and of the token as written.
    closing
        Whether the token ends a sentence: ``.`` or ``!``.
    classes
        Index of the word class in `dependency_relations.GROUPS`, -1 for others.
    hyphenated
        The hyphenated words of the sentences that have any.
    edges
        The dependency trees.
    named
        Whether each sentence has a named entity.
    """

    sentences: tuple[Sentence, ...]
    tokens: Ragged
    words: Words
    word: np.ndarray
    form: np.ndarray
    written: np.ndarray
    closing: np.ndarray
    classes: np.ndarray
    hyphenated: dict[int, Hyphenated]
    edges: Edges
    named: np.ndarray


def prepare(pairs: PairBatch, *, parsed: bool = True) -> AlignmentInput:
    """Prepare the sentences of a batch.

    Parameters
    ----------
    pairs
        A batch of the level ``lexical`` or ``parsed``.
    parsed
        Whether to use dependencies and names, which needs the level ``parsed``.
    """
    forms, lemmas, tokens = vocabulary(pairs, "words"), vocabulary(pairs, "lemmas"), vocabulary(pairs, "tokens")
    offsets, form, lemma = forms.ids.offsets, forms.ids.values, lemmas.ids.values
    tags = list(chain.from_iterable(sentence.tags for sentence in pairs.sentences))
    index = {name: k for k, name in enumerate(dict.fromkeys(tags))}
    tag = np.fromiter(map(index.__getitem__, tags), dtype=np.int64, count=len(tags))
    number = np.asarray([name == "CD" for name in index], dtype=bool)[tag]
    codes, word = np.unique((form * len(lemmas.items) + lemma) * 2 + number, return_inverse=True)
    parts = codes // 2 // max(len(lemmas.items), 1), codes // 2 % max(len(lemmas.items), 1)
    return AlignmentInput(
        pairs.sentences,
        Ragged(np.arange(len(form)), offsets),
        read_words(pairs, *parts, codes % 2 == 1),
        word,
        form,
        tokens.ids.values,
        np.asarray([item in (".", "!") for item in tokens.items], dtype=bool)[tokens.ids.values],
        np.asarray([CLASS_OF_TAG.get(name[:2], -1) for name in index], dtype=np.int64)[tag],
        _hyphenated(forms),
        edges(pairs.sentences, offsets, lemma, lemmas.items) if parsed else no_edges(len(form)),
        np.asarray([parsed and bool(sentence.entities) for sentence in pairs.sentences], dtype=bool),
    )


def _hyphenated(forms: Vocabulary) -> dict[int, Hyphenated]:
    parts = [tuple(filter(None, form.split("-"))) if "-" in form else () for form in forms.items]
    tokens = np.flatnonzero(np.asarray([len(pieces) > 1 for pieces in parts], dtype=bool)[forms.ids.values])
    rows = np.searchsorted(forms.ids.offsets, tokens, side="right") - 1
    places = tokens - forms.ids.offsets[rows]
    words_of: dict[int, Hyphenated] = {}
    for row, place, form in zip(rows.tolist(), places.tolist(), forms.ids.values[tokens].tolist(), strict=True):
        words_of[row] = (*words_of.get(row, ()), (place, parts[form]))
    return words_of
