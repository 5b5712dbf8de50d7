"""Lexical relations of content words without a link (Ganitkevitch et al., 2013; Miller, 1995).

Two sentences differ in meaning if one has an antonym or a coordinate term of a word of the other (guitar and piano).
"""

from collections.abc import Iterator

import numpy as np

from ...features.alignment.coverage import covered
from ...features.arrays.ragged import ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import WORD_CLASSES, vocabulary
from ...features.lexicon.sense_similarity import word_similarity
from ...features.statistics.counts import LemmaIdf
from ...features.word_similarity.lexical_similarity import (
    RELATEDNESS,
    paraphrased,
    similarities,
    wordnet_of,
    wordnet_words,
)
from ...features.word_similarity.word_grids import NUMBER, Cells, Grid, content_grid, idf_of_terms, terms, terms_of

NONE, ANTONYM, HYPERNYM, COORDINATE, NUMBERS = range(5)
"""Codes of the relations that `relations` returns."""

_NOUN, _VERB, _ADJECTIVE = (WORD_CLASSES.index(name) for name in ("noun", "verb", "adjective"))
_SIBLINGS = 0.33  # below the path similarity of synsets under one hypernym, 1/3
_DIRECT = 0.5  # the path similarity of a synset and its hypernym, the greatest relatedness by that relation


def relations(pairs: PairBatch, x: np.ndarray, y: np.ndarray, relatedness: np.ndarray) -> np.ndarray:
    """Return the relation of each pair of terms, shape (n,), int8.

    Coordinate terms are unrelated words of one class with senses that share a hypernym: nouns, verbs, and adjectives by
    the nouns of the same name (red and blue). `NUMBERS` stands for two different numbers.

    Parameters
    ----------
    pairs
        A batch of the level ``lexical`` or above.
    x, y
        Its `word_grids.terms` to compare.
    relatedness
        Their `lexical_similarity.RELATEDNESS`.
    """
    batch_terms, wn, words = terms(pairs), wordnet_of(pairs), wordnet_words(pairs)
    kind, other = batch_terms.classes[x], batch_terms.classes[y]
    same_kind, unrelated = kind == other, relatedness == 0
    codes = np.full(len(x), NONE, dtype=np.int8)
    codes[same_kind & unrelated & (kind == NUMBER)] = NUMBERS
    codes[coordinates(pairs, x, y) & unrelated] = COORDINATE
    codes[(relatedness > 0) & (relatedness <= _DIRECT)] = HYPERNYM
    codes[wn.antonyms(words[x], words[y]) & unrelated] = ANTONYM
    return codes


def coordinates(pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return a mask of the pairs of terms with senses that share a hypernym; it includes many related words."""
    batch_terms, wn, words = terms(pairs), wordnet_of(pairs), wordnet_words(pairs)
    kind, hashes = batch_terms.classes, vocabulary(pairs, "lemmas").hashes[batch_terms.lemmas]
    as_nouns = np.where(kind == _ADJECTIVE, wn.hashed_word_ids(hashes, np.full(len(kind), _NOUN)), words)
    fit = (kind[x] == kind[y]) & np.isin(kind[x], (_NOUN, _VERB, _ADJECTIVE))
    used = np.flatnonzero(fit & (as_nouns[x] >= 0) & (as_nouns[y] >= 0))
    u, v = as_nouns[x[used]], as_nouns[y[used]]
    near = word_similarity(wn, "path", u, v) > _SIBLINGS
    # The path similarity adds a root above all verbs, under which verbs without a hypernym look like siblings.
    near[near] = word_similarity(wn, "res", u[near], v[near]) > 0
    shared = np.zeros(len(x), dtype=bool)
    shared[used[near]] = True
    return shared


def _leftover(pairs: PairBatch) -> Iterator[tuple[Cells, np.ndarray, np.ndarray]]:
    # Some cells at a time: the cells, the indices of those whose words both have no link, and their relations.
    grid = content_grid(pairs)
    free_a, free_b = unlinked(pairs, grid)
    for cells, values in similarities(pairs, grid, RELATEDNESS):
        left = np.flatnonzero((free_a[cells.i] > 0) & (free_b[cells.j] > 0))
        codes, first, which = np.unique(cells.which[left], return_index=True, return_inverse=True)
        yield cells, left, relations(pairs, *terms_of(cells.codes[codes]), values[left[first]])[which]


@feature(
    "antonyms", "hypernyms", "coordinates", "numbers", high=np.inf, level="parsed", needs=("wordnet", "paraphrases"),
    source="ours", section="KB11",
)  # fmt: skip
def pairs_of_words(pairs: PairBatch) -> np.ndarray:
    """Count the pairs of content words without a link by relation; two different numbers are a relation too."""
    counts = np.zeros((len(pairs), NUMBERS + 1))
    for cells, left, kinds in _leftover(pairs):
        np.add.at(counts, (cells.row[left], kinds), 1)
    return counts[:, ANTONYM:]


@feature(
    *("antonyms", "hypernyms", "coordinates", "numbers"), level="parsed",
    needs=("lemma_idf", "wordnet", "paraphrases"), source="ours", section="KB11",
)  # fmt: skip
def mass(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Share of the idf of the content words of both sentences that belongs to pairs as in `pairs_of_words`."""
    grid, free = content_grid(pairs), unlinked(pairs, content_grid(pairs))
    weights = grid.weigh(idf_of_terms(pairs, lemma_idf))
    marks = [np.zeros((NUMBERS + 1, len(weight)), dtype=bool) for weight in weights]
    for cells, left, kinds in _leftover(pairs):
        for mark, place in zip(marks, (cells.i, cells.j), strict=True):
            mark[kinds, place[left]] = True
    shares = [weight * left / count for weight, left, (_, count) in zip(weights, free, grid.counted, strict=True)]
    whole_a, whole_b = grid.sums(*weights)
    columns = []
    for kind in range(ANTONYM, NUMBERS + 1):
        a, b = grid.sums(*(share * mark[kind] for share, mark in zip(shares, marks, strict=True)))
        columns.append(ratio(a + b, whole_a + whole_b))
    return np.minimum(np.stack(columns, axis=1), 1.0)


@feature("share", level="parsed", needs=("wordnet", "paraphrases"), source="Ganitkevitch et al. 2013", section="KB11")
def paraphrase(pairs: PairBatch) -> np.ndarray:
    """Share of the content words without a link for which the paraphrase table lists a word of the other sentence."""
    grid, free = content_grid(pairs), unlinked(pairs, content_grid(pairs))
    listed = [np.zeros(len(left), dtype=bool) for left in free]
    for cells in grid:
        for left, mark, place in zip(free, listed, (cells.i, cells.j), strict=True):
            asked = np.flatnonzero(left[place] > 0)
            codes, which = np.unique(cells.which[asked], return_inverse=True)
            mark[place[asked[paraphrased(pairs, *terms_of(cells.codes[codes]))[which]]]] = True
    listed_a, listed_b = grid.sums(*(left * mark for left, mark in zip(free, listed, strict=True)))
    free_a, free_b = grid.sums(*free)
    return ratio(listed_a + listed_b, free_a + free_b)[:, None]


def unlinked(pairs: PairBatch, grid: Grid) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of tokens of each entry of ``grid.a`` and ``grid.b`` without a link of the word aligner."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        free = []
        for cover, place, side in zip(covered(pairs), (grid.place_a, grid.place_b), (grid.a, grid.b), strict=True):
            kept = place >= 0
            free.append(np.bincount(place[kept], weights=1 - cover[kept], minlength=len(side.values)))
        return free[0], free[1]

    return pairs.memo(("unlinked", grid.name), compute)
