"""Alignment of content words by how related they are (Maharjan et al., 2017; Henderson et al., 2017).

The relatedness is that of `word_similarity.RELATEDNESS`, where the systems had the cosine of word vectors.
"""

import numpy as np

from .aligning.coverage import content, coverage
from .arrays.ragged import Ragged, offsets_of, ratio
from .base import PairBatch, feature
from .comparison.grids import content_grid, idf_of_terms, terms, unlinked
from .comparison.word_similarity import RELATEDNESS, Links, best, one_to_one, similarities
from .resources import LemmaIdf
from .views import vocabulary

THRESHOLD = 0.5
"""The least relatedness of words that are linked one to one: a word and its direct hypernym are."""


@feature("min", "max", "mean", level="lexical", needs=("lemma_idf",), source="Mihalcea et al. 2006", section="KB7")
def relatedness(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Average over the content words of a sentence, by idf, of the best relatedness to one of the other sentence."""
    grid, weight = content_grid(pairs), idf_of_terms(pairs, lemma_idf)
    best_a, best_b = best(pairs, grid, RELATEDNESS)
    weight_a, weight_b = grid.weigh(weight)
    reached, every = grid.sums(weight_a * best_a, weight_b * best_b), grid.sums(weight_a, weight_b)
    a, b = (ratio(*side) for side in zip(reached, every, strict=True))
    return np.stack([np.minimum(a, b), np.maximum(a, b), (a + b) / 2], axis=1)


@feature("both", "min", "max", "harmonic", level="parsed", needs=("lemma_idf",), source="ours", section="ALN3")
def soft_coverage(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Share of the idf of the content words that is linked; words without a link count their best relatedness.

    Best among the content words of the other sentence that have no link either.
    """
    grid, weight = content_grid(pairs), idf_of_terms(pairs, lemma_idf)
    linked = coverage(pairs, weight[terms(pairs).of_token] * content(pairs))
    free_a, free_b = unlinked(pairs, grid)
    best_a, best_b = np.zeros(len(free_a)), np.zeros(len(free_b))
    for cells, values in similarities(pairs, grid, RELATEDNESS):
        both = (free_a[cells.i] > 0) & (free_b[cells.j] > 0)
        np.maximum.at(best_a, cells.i[both], values[both])
        np.maximum.at(best_b, cells.j[both], values[both])
    soft_a, soft_b = grid.sums(weight[grid.a.values] * free_a * best_a, weight[grid.b.values] * free_b * best_b)
    soft_a, soft_b = soft_a + linked.linked_a, soft_b + linked.linked_b
    a, b = ratio(soft_a, linked.all_a), ratio(soft_b, linked.all_b)
    both = ratio(soft_a + soft_b, linked.all_a + linked.all_b)
    columns = [both, np.minimum(a, b), np.maximum(a, b), ratio(2 * (a * b), a + b)]
    return np.minimum(np.stack(columns, axis=1), 1.0)


def _links(pairs: PairBatch) -> Links:
    return one_to_one(pairs, content_grid(pairs), RELATEDNESS, THRESHOLD)


@feature("plain", "idf", level="lexical", needs=("lemma_idf",), source="Maharjan et al. 2017", section="ALN6")
def aligned(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Sum of the relatedness of content words linked one to one over the mean number of words, plain and by idf.

    The links are greedy; `word_similarity.one_to_one` tells why.
    """
    grid, found, n = content_grid(pairs), _links(pairs), len(pairs)
    size_a, size_b = grid.sizes
    plain = ratio(2 * np.bincount(found.row, weights=found.value, minlength=n), size_a + size_b)
    weight = idf_of_terms(pairs, lemma_idf)
    tokens = vocabulary(pairs, "lemmas").ids.offsets
    of_token = terms(pairs).of_token
    u, v = (
        weight[of_token[tokens[sentences[found.row]] + places]]
        for sentences, places in ((pairs.left, found.i), (pairs.right, found.j))
    )
    whole_a, whole_b = grid.sums(*grid.weigh(weight))
    by_idf = ratio(np.bincount(found.row, weights=found.value * (u + v), minlength=n), whole_a + whole_b)
    return np.minimum(np.stack([plain, by_idf], axis=1), 1.0)


@feature(
    "links", "share", "near", "mean", "least", "deviation", "unaligned_min", "unaligned_max", "best_min", "best_max",
    "lowest", "quartile", "median", "best_deviation", "crossing", "drift",
    high=np.inf, level="lexical", source="Henderson et al. 2017", section="ALN10",
)  # fmt: skip
def shape(pairs: PairBatch) -> np.ndarray:
    """Sixteen facts about the one-to-one links of content words; which sixteen the authors used is not published.

    Number of links; share of the words linked; sum of the relatedness of the links as in `aligned`, near ones counting
    more; its mean, least and standard deviation; words without a link in either sentence; mean best relatedness of
    either sentence; least, lower quartile, median and deviation of the best relatedness of all words; share of the
    neighbouring links that cross; mean distance between linked words, their places as shares of the sentences.
    """
    grid, found, n = content_grid(pairs), _links(pairs), len(pairs)
    size_a, size_b = grid.sizes
    lengths = vocabulary(pairs, "words").ids.lengths.astype(np.float64)
    apart = np.abs((found.i + 0.5) / lengths[pairs.left][found.row] - (found.j + 0.5) / lengths[pairs.right][found.row])
    count = np.bincount(found.row, minlength=n).astype(np.float64)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(found.row, weights=values, minlength=n)

    mean = ratio(total(found.value), count)
    least = np.ones(n)
    np.minimum.at(least, found.row, found.value)
    return np.column_stack(
        [
            count,
            ratio(2 * count, size_a + size_b),
            ratio(2 * total(found.value * (1 - apart)), size_a + size_b),
            mean,
            np.where(count > 0, least, 0.0),
            np.sqrt(ratio(total((found.value - mean[found.row]) ** 2), count)),
            np.minimum(size_a, size_b) - count,
            np.maximum(size_a, size_b) - count,
            _best_of_words(pairs),
            _crossing(found, count),
            ratio(total(apart), count),
        ]
    )


def _best_of_words(pairs: PairBatch) -> np.ndarray:
    # Smaller and greater mean of either sentence; least, lower quartile, median and deviation of both together.
    grid, n = content_grid(pairs), len(pairs)
    best_a, best_b = best(pairs, grid, RELATEDNESS)
    sums = grid.sums(best_a * grid.count_a, best_b * grid.count_b)
    means = [ratio(top, size) for top, size in zip(sums, grid.sizes, strict=True)]
    rows = np.concatenate([np.repeat(side.rows, count.astype(np.int64)) for side, count in grid.counted])
    values = np.concatenate(
        [np.repeat(one, count.astype(np.int64)) for one, (_, count) in zip((best_a, best_b), grid.counted, strict=True)]
    )
    values = values[np.lexsort((values, rows))]
    size = np.bincount(rows, minlength=n)
    every = Ragged(values, offsets_of(size))
    padded = np.append(values, 0.0)
    columns = [padded[every.offsets[:-1] + (np.maximum(size - 1, 0) * part) // 4] for part in (0, 1, 2)]
    middle = ratio(every.sums(), size)
    spread = np.sqrt(ratio(Ragged((values - middle[every.rows]) ** 2, every.offsets).sums(), size))
    columns = [np.where(size > 0, column, 0.0) for column in columns]
    return np.column_stack([np.minimum(*means), np.maximum(*means), *columns, spread])


def _crossing(found: Links, count: np.ndarray) -> np.ndarray:
    # Walked by the places in one sentence, then in the other, and averaged.
    crossing = np.zeros(len(count))
    for first, second in ((found.i, found.j), (found.j, found.i)):
        walk = np.lexsort((first, found.row))
        back = (np.diff(second[walk]) < 0) & (np.diff(found.row[walk]) == 0)
        crossing += np.bincount(found.row[walk][1:][back], minlength=len(count))
    return ratio(crossing / 2, np.maximum(count - 1, 0))
