"""Sentence similarity from word similarity in WordNet (Li et al., 2006; Mihalcea et al., 2006; Saric et al., 2012)."""

import numpy as np

from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..lexicon.word_frequencies import Frequencies, probabilities
from ..statistics.counts import LemmaIdf
from ..word_similarity.lexical_similarity import Measure, WordNetMeasure, best, similarities, wordnet_similarities
from ..word_similarity.word_grids import Grid, content_grid, idf_of_terms, terms, terms_of

LI = WordNetMeasure("li")
PATH = WordNetMeasure("path")
LEAST = 0.2
"""Similarities of words up to this value count as 0 (Li et al., 2006)."""

BROWN = 1_014_312
"""Words of the Brown corpus, by whose counts Li et al. (2006) weigh words."""


def _weights_of_best(
    pairs: PairBatch, grid: Grid, measure: Measure, weight: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    # Weight of the most similar term of the other side for each entry; the greatest one if similarities are equal.
    best_a, best_b = best(pairs, grid, measure)
    weight_a, weight_b = np.zeros(len(best_a)), np.zeros(len(best_b))
    for cells, values in similarities(pairs, grid, measure):
        top = values == best_a[cells.i]
        np.maximum.at(weight_a, cells.i[top], weight[grid.b.values[cells.j[top]]])
        top = values == best_b[cells.j]
        np.maximum.at(weight_b, cells.j[top], weight[grid.a.values[cells.i[top]]])
    return weight_a, weight_b


def joint_cosine(pairs: PairBatch, measure: Measure, weight: np.ndarray, least: float = 0.0) -> np.ndarray:
    """Return the cosine of two vectors over the joint content words of each pair, shape (n,) (Li et al., 2006)."""
    # The coordinate of a word is 1 if the sentence holds it, else its greatest similarity to a word of the sentence, or
    # 0 up to `least`. It is multiplied by the weights of both words.
    grid, n = content_grid(pairs), len(pairs)
    tops, facing = best(pairs, grid, measure), _weights_of_best(pairs, grid, measure, weight)
    squares, lent, dots = [], [], []
    a, b = (side.rows * len(weight) + side.values for side, _ in grid.counted)
    shared = np.isin(a, b), np.isin(b, a)
    for (side, _), in_both, top, other in zip(grid.counted, shared, tops, facing, strict=True):
        one, rows = weight[side.values], side.rows
        mine, theirs = one * one, np.where(top > least, top, 0.0) * one * other
        # A word of both sentences is one joint word: each side adds half of its product.
        squares.append(np.bincount(rows, weights=mine * mine, minlength=n))
        lent.append(np.bincount(rows, weights=np.where(in_both, 0.0, theirs * theirs), minlength=n))
        dots.append(np.bincount(rows, weights=np.where(in_both, mine * mine / 2, mine * theirs), minlength=n))
    lengths = np.sqrt(squares[0] + lent[1]) * np.sqrt(squares[1] + lent[0])
    return np.minimum(ratio(dots[0] + dots[1], lengths), 1.0)


@feature("plain", "weighted", level="lexical", needs=("frequencies", "wordnet"), source="Li et al. 2006", section="KB1")
def li(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Cosine of the vectors of similarities over the joint content words, plain and weighted by information.

    The paper takes the weights from the Brown corpus; here they come from `frequencies`. Word order is left out, as in
    Tian et al. (2017).
    """
    # ``1 - ln(n + 1) / ln(N + 1)`` of each term, where n is the expected count of its lemma in a corpus of N words.
    shares = probabilities(pairs, "lemmas", frequencies)[terms(pairs).lemmas]
    weight = 1.0 - np.log(shares * BROWN + 1) / np.log(BROWN + 1)
    columns = [joint_cosine(pairs, LI, one, LEAST) for one in (np.ones(len(weight)), weight)]
    return np.stack(columns, axis=1)


@feature("f1", level="lexical", needs=("wordnet",), source="Saric et al. 2012", section="KB2")
def path(pairs: PairBatch) -> np.ndarray:
    """Harmonic mean of the average best path similarity of the content words of either sentence."""
    grid = content_grid(pairs)
    best_a, best_b = best(pairs, grid, PATH)
    sums = grid.sums(best_a * grid.count_a, best_b * grid.count_b)
    a, b = (ratio(*side) for side in zip(sums, grid.sizes, strict=True))
    return ratio(2 * (a * b), a + b)[:, None]


@feature(
    "res", "lin", "jcn", level="lexical", needs=("lemma_idf", "wordnet"), source="Mihalcea et al. 2006", section="KB7"
)
def mihalcea(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Mean over both sentences of the average best similarity of the content words, weighted by idf."""
    grid, names = content_grid(pairs), ("res", "lin", "jcn")
    # Nouns and verbs by WordNet, other words by identity alone; information content from the frequencies of words.
    tops = [np.zeros((len(names), len(side.values))) for side, _ in grid.counted]
    for cells in grid:
        values = wordnet_similarities(pairs, names, *terms_of(cells.codes), classes=(0, 1), information="words")
        for top, places in zip(tops, (cells.i, cells.j), strict=True):
            for best_of, value in zip(top, values, strict=True):
                np.maximum.at(best_of, places, value[cells.which])
    weights = grid.weigh(idf_of_terms(pairs, lemma_idf))
    whole = grid.sums(*weights)
    columns = []
    for reached in zip(*tops, strict=True):
        sums = grid.sums(*(top * weight for top, weight in zip(reached, weights, strict=True)))
        a, b = (ratio(*side) for side in zip(sums, whole, strict=True))
        columns.append((a + b) / 2)
    return np.minimum(np.stack(columns, axis=1), 1.0)
