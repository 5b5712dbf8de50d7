"""Alignment of the words of one part of speech or of one kind of named entity (Al-Natsheh et al., 2017).

Words are compared by `word_similarity.RELATEDNESS`, where the system had the cosine of word vectors.
"""

from collections.abc import Mapping
from itertools import chain, repeat

import numpy as np

from .arrays.ragged import Ragged, ratio
from .base import PairBatch, feature
from .comparison.grids import Grid, content_grid, make_grid
from .comparison.word_similarity import RELATEDNESS, Measure, best, similarities
from .pairs import Sentence

LEAST = 0.01
"""Pairs of words that are less related are not aligned."""

NEITHER = 0.5
"""`reached` where neither sentence has a word of the class: between words without a partner and words with one, as the
mean score of such pairs is for most classes on STS Benchmark train."""

PARTS_OF_SPEECH: Mapping[str, tuple[str, ...]] = {
    "noun": ("NN", "NNS"),
    "proper_noun": ("NNP", "NNPS"),
    "verb": ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ"),
    "adjective": ("JJ", "JJR", "JJS"),
    "adverb": ("RB", "RBR", "RBS", "WRB"),
    "number": ("CD",),
    "pronoun": ("PRP", "PRP$", "WP", "WP$", "EX"),
    "adposition": ("IN", "TO", "RP"),
    "auxiliary": ("MD",),
}
"""Universal parts of speech and their Penn Treebank tags.

Classes whose words are the same in almost any two sentences (determiners, conjunctions, punctuation, symbols) are left
out: their scores correlate with those of STS Benchmark train by less than 0.12, and most by less than 0.05."""

ENTITIES: Mapping[str, tuple[str, ...]] = {
    "person": ("PERSON",),
    "organisation": ("ORG",),
    "place": ("GPE", "LOC", "FAC"),
    "date": ("DATE", "TIME"),
    "number": ("CARDINAL", "ORDINAL", "QUANTITY", "MONEY", "PERCENT"),
}
"""Classes of named entities and their labels."""


def _index(classes: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    return {label: k for k, labels in enumerate(classes.values()) for label in labels}


def scores(pairs: PairBatch, grid: Grid, measure: Measure, distinct: bool = False) -> np.ndarray:
    """Return how well the words of each row of a grid are aligned, in [0, 1].

    In the sentence with fewer words each takes its most similar word of the other; of several that take the same one
    the best stays. The score is the mean similarity of what stays, 0 if nothing does. Sentences of equal length are
    aligned both ways and the two scores averaged.

    Parameters
    ----------
    pairs, grid, measure
        As in `word_similarity.similarities`.
    distinct
        Take the mean of the distinct similarities instead, as the authors' code does.
    """
    best_a, best_b = best(pairs, grid, measure)
    partner_a, partner_b = (np.full(len(top), -1) for top in (best_a, best_b))
    for cells, values in similarities(pairs, grid, measure):
        # Cells come in order of their places, so what is written last, from behind, is the first of equal partners.
        for top, own, other, partner in ((best_a, cells.i, cells.j, partner_a), (best_b, cells.j, cells.i, partner_b)):
            found = np.flatnonzero((values == top[own]) & (values >= LEAST))[::-1]
            partner[own[found]] = other[found]
    there = _mean_claim(best_a, partner_a, grid.b, distinct)
    back = _mean_claim(best_b, partner_b, grid.a, distinct)
    size_a, size_b = grid.sizes
    return np.select([size_a < size_b, size_a > size_b], [there, back], (there + back) / 2)


def _mean_claim(top: np.ndarray, partner: np.ndarray, other: Ragged, distinct: bool) -> np.ndarray:
    claim = np.zeros(len(other.values))
    claims = partner >= 0
    np.maximum.at(claim, partner[claims], top[claims])
    rows, kept = other.rows[claim > 0], claim[claim > 0]
    if distinct:
        rows, kept = np.unique(np.stack([rows, kept]), axis=1)
        rows = rows.astype(np.int64)
    n = len(other.offsets) - 1
    return ratio(np.bincount(rows, weights=kept, minlength=n), np.bincount(rows, minlength=n))


def _tag_groups(pairs: PairBatch) -> np.ndarray:
    index = _index(PARTS_OF_SPEECH)
    tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
    return np.fromiter(map(index.get, tags, repeat(-1)), dtype=np.int64)


def _entity_groups(sentence: Sentence) -> list[int]:
    index = _index(ENTITIES)
    groups = [-1] * len(sentence.tokens)
    for start, end, label in sentence.entities:
        groups[start:end] = [index.get(label, -1)] * (end - start)
    return groups


def _parts(pairs: PairBatch) -> Grid:
    return make_grid(pairs, "parts of speech", _tag_groups(pairs), len(PARTS_OF_SPEECH))


def _entities(pairs: PairBatch) -> Grid:
    groups = chain.from_iterable(map(_entity_groups, pairs.sentences))
    return make_grid(pairs, "entities", np.fromiter(groups, dtype=np.int64), len(ENTITIES))


def _by_group(pairs: PairBatch, grid: Grid, values: np.ndarray) -> np.ndarray:
    return values.reshape(len(pairs), grid.groups)


def reached(pairs: PairBatch, grid: Grid, measure: Measure) -> np.ndarray:
    """Return the mean best similarity of all words of each row of a grid, in [0, 1]; `NEITHER` if it has none."""
    best_a, best_b = best(pairs, grid, measure)
    top_a, top_b = grid.sums(best_a * grid.count_a, best_b * grid.count_b)
    size_a, size_b = grid.sizes
    return ratio(top_a + top_b, size_a + size_b, NEITHER)


@feature("all", *PARTS_OF_SPEECH, level="lexical", source="Al-Natsheh et al. 2017", section="POS5")
def part_of_speech(pairs: PairBatch) -> np.ndarray:
    """Alignment score of the content words, and of the words of each part of speech; 0 where a sentence has none."""
    grid = _parts(pairs)
    parts = _by_group(pairs, grid, scores(pairs, grid, RELATEDNESS))
    return np.column_stack([scores(pairs, content_grid(pairs), RELATEDNESS), parts])


@feature(*ENTITIES, level="parsed", source="Al-Natsheh et al. 2017", section="POS5")
def entity(pairs: PairBatch) -> np.ndarray:
    """Alignment score of the words in named entities of each class; 0 where a sentence has none."""
    grid = _entities(pairs)
    return _by_group(pairs, grid, scores(pairs, grid, RELATEDNESS))


@feature("all", *PARTS_OF_SPEECH, level="lexical", source="ours", section="POS5")
def part_of_speech_reach(pairs: PairBatch) -> np.ndarray:
    """Mean best relatedness of the same words of both sentences, those without a partner counting 0."""
    grid = _parts(pairs)
    parts = _by_group(pairs, grid, reached(pairs, grid, RELATEDNESS))
    return np.column_stack([reached(pairs, content_grid(pairs), RELATEDNESS), parts])


@feature(*ENTITIES, level="parsed", source="ours", section="POS5")
def entity_reach(pairs: PairBatch) -> np.ndarray:
    """Mean best relatedness of the words in named entities of both sentences, class by class; `NEITHER` without any."""
    grid = _entities(pairs)
    return _by_group(pairs, grid, reached(pairs, grid, RELATEDNESS))
