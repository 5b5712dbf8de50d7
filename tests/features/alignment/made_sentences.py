"""Sentences with annotations of our own, and alignments of them."""

import numpy as np
import Stemmer
from samewise.features.alignment.aligner import align, completed
from samewise.features.alignment.alignment_input import prepare
from samewise.features.alignment.alignment_state import AlignmentState
from samewise.features.base.sentences import Entity, PairBatch, Sentence

STEM = Stemmer.Stemmer("english").stemWord


def parsed(text, *entities):
    """Make a sentence of tokens ``form/TAG/head/relation`` or ``form/lemma/TAG/head/relation``; heads count from 1."""
    rows = [token.split("/") for token in text.split()]
    rows = [row if len(row) == 5 else [row[0], row[0].lower(), *row[1:]] for row in rows]
    tokens, lemmas, tags, heads, relations = zip(*rows, strict=True)
    words = tuple(token.lower() for token in tokens)
    places = tuple(int(head) - 1 if head != "0" else place for place, head in enumerate(heads))
    stems = tuple(map(STEM, words))
    found = tuple(Entity(*entity) for entity in entities)
    return Sentence(" ".join(tokens), tokens, words, stems, False, lemmas, tags, places, relations, found)


def plain(text):
    """Make a sentence of the level ``tokens``."""
    tokens = tuple(text.split())
    words = tuple(token.lower() for token in tokens)
    return Sentence(text, tokens, words, tuple(map(STEM, words)))


def stages(a, b):
    return {(link.i, link.j): link.stage for link in align(a, b)}


def batch_of(*pairs):
    """Return the batch of some pairs of sentences, distinct ones once, completed where they lack annotations."""
    rows = [tuple(map(completed, pair)) for pair in pairs]
    distinct = list(dict.fromkeys(sentence for row in rows for sentence in row))
    sides = np.asarray([[distinct.index(sentence) for sentence in row] for row in rows], dtype=np.int64)
    return PairBatch(distinct, *sides.reshape(-1, 2).T)


def one_way(a, b):
    """Return the state of the alignment of one pair in one direction, nothing linked yet."""
    pair = batch_of((a, b))
    return AlignmentState(prepare(pair), pair.left, pair.right)
