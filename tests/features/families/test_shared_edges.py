"""Edges that families share: pairs without content words, and work that is done in parts."""

import numpy as np
import pytest
from samewise.features.families import (
    award_penalty,
    embedding_alignment,
    neighbours,
    ngram,
    sequence,
    soft_alignment,
    translation,
    wordnet_overlap,
)
from samewise.features.strings import subsequences, translation_counts

from ...conftest import PAIRS, analysed
from .test_soft_alignment import pair

NO_CONTENT, DOG = ("a in", "a in", "DT IN"), ("dog", "dog", "NN")


def needed(value, training):
    return {need: training[1][need] for need in value.needs}


def assert_empty(value, other, training):
    assert not value(pair(("the of", "the of", "DT IN"), other), **needed(value, training)).any()


def assert_same_in_parts(value, module, limits, training, monkeypatch):
    whole = value(analysed(MANY), **needed(value, training))
    for name, limit in limits.items():
        monkeypatch.setattr(module, name, limit)
    np.testing.assert_array_equal(value(analysed(MANY), **needed(value, training)), whole)


@pytest.mark.parametrize(
    ("value", "other"),
    [
        (neighbours.common, NO_CONTENT),
        *((value, NO_CONTENT) for value in (soft_alignment.shape, soft_alignment.aligned, soft_alignment.relatedness)),
        (award_penalty.matched, NO_CONTENT),
        *((getattr(embedding_alignment, name), NO_CONTENT) for name in ("greedy", "optimal", "penalised")),
        *((getattr(embedding_alignment, name), NO_CONTENT) for name in ("chunks", "shape", "unaligned")),
        *((value, DOG) for value in (wordnet_overlap.path, wordnet_overlap.mihalcea, wordnet_overlap.li)),
        *((value, NO_CONTENT) for value in (wordnet_overlap.path, wordnet_overlap.mihalcea, wordnet_overlap.li)),
    ],
    ids=lambda part: part[0] if isinstance(part, tuple) else part.full_name,
)
def test_no_content_words(value, other, training):
    assert_empty(value, other, training)


MANY = [
    *PAIRS[:3],
    *[("red boat", "boats sail"), ("", "sun"), ("old stone house", "stones"), ("fish", "moon")],
    *[("red boat", "red boat hill"), ("sun", "sun fish"), ("moon", "red moon moon")] * 2,
    # Many scripts in one batch need more numbers than a small table of characters holds.
    *[("mow green meadows", "green meadow"), ("Привет, мир", "привет мир"), ("你好世界", "世界你好")],
]


@pytest.mark.parametrize(
    ("value", "module", "limits"),
    [
        (neighbours.common, neighbours, {"_ENTRIES_AT_A_TIME": 10}),
        (sequence.monge_elkan, sequence, {"_CELLS_AT_A_TIME": 2}),
        (translation.bleu, translation_counts, {"_ROWS_AT_A_TIME": 4}),
        (translation.rouge_skip, subsequences, {"_ROWS_AT_A_TIME": 2, "_CELLS_AT_A_TIME": 3}),
        (translation.rouge_weighted, subsequences, {"_ROWS_AT_A_TIME": 2, "_CELLS_AT_A_TIME": 3}),
        (ngram.characters_cosine, ngram, {"_TABLE": 50}),
    ],
    ids=lambda part: getattr(part, "full_name", ""),
)
def test_small_parts_are_the_same(value, module, limits, training, monkeypatch):
    assert_same_in_parts(value, module, limits, training, monkeypatch)
