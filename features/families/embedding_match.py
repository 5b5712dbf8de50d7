"""Soft matching of words by word vectors: the value of a word is its best cosine to a word of the other sentence.

This is BERTScore (Zhang et al., 2020) with static word vectors, averaged as in Mihalcea et al. (2006).
"""

import numpy as np

from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..lexicon.word_frequencies import Frequencies, information, probabilities, sif
from ..lexicon.word_vectors import shipped_vectors
from ..statistics.counts import Idf, idf_weights
from ..word_similarity.word_cosines import Side, best_cosines, word_grid

FAR, NEAR = 0.35, 0.5
"""Limits of the best cosine: a word below the limit has no partner."""

COLUMNS = (
    "min", "max", "mean", "content_min", "content_max", "content_mean", "plain", "information", "far", "near",
    "lowest_min", "lowest_max", "rarest_min", "rarest_max", "alone",
)  # fmt: skip


def _of_first(side: Side, best: np.ndarray, weight: np.ndarray, mask: np.ndarray, nothing: float) -> np.ndarray:
    # Best cosine of the masked word with the greatest weight in each row; the least one if weights are equal.
    rows = side.words.rows[mask]
    order = np.lexsort((best[mask], -weight[mask], rows))
    rows = rows[order]
    first = np.flatnonzero(np.diff(rows, prepend=-1))
    values = np.full(len(side.words.offsets) - 1, nothing)
    values[rows[first]] = best[mask][order[first]]
    return values


def _lowest(side: Side, best: np.ndarray) -> np.ndarray:
    lowest = np.ones(len(side.words.offsets) - 1)
    np.minimum.at(lowest, side.words.rows[side.content], best[side.content])
    return lowest


def _means(pairs: PairBatch, bests: tuple[np.ndarray, np.ndarray], weight: np.ndarray, content: bool) -> np.ndarray:
    # Smaller, greater and mean of the weighted averages of either side, shape (n, 3).
    grid = word_grid(pairs)
    sides = []
    for side, best in zip(grid.sides, bests, strict=True):
        weights = weight[side.words.values] * side.times * (side.content if content else 1.0)
        # Rounding can lift a weighted average above 1.
        sides.append(np.minimum(ratio(side.sums(weights * best), side.sums(weights)), 1.0))
    a, b = sides
    return np.stack([np.minimum(a, b), np.maximum(a, b), (a + b) / 2], axis=1)


@feature(*COLUMNS, needs=("idf", "frequencies", "distilled"), source="Zhang et al. 2020", section="EMB7")
def distilled(pairs: PairBatch, idf: Idf, frequencies: Frequencies) -> np.ndarray:
    """Fifteen statistics of the best cosines of words by the distilled vectors.

    ``min``, ``max``, ``mean``: average of the best cosine over the words of either sentence by smooth inverse
    frequency; ``content_``: over the content words by idf; ``plain``, ``information``: the mean of both sentences with
    content words weighted equally, or by information content; ``far``, ``near``: share of the idf of content words
    whose best cosine is below `FAR` or `NEAR`; ``lowest_``: least best cosine of a content word of either sentence;
    ``rarest_``: best cosine of its content word of the greatest idf; ``alone``: the lesser best cosine of either
    sentence's rarest content word that the other sentence lacks, 1 if it lacks none.
    """
    grid, bests = word_grid(pairs), best_cosines(pairs, shipped_vectors("distilled"))
    weight, probability = idf_weights(pairs, "words", idf), probabilities(pairs, "words", frequencies)
    halves = list(zip(grid.sides, bests, strict=True))
    empty = (grid.a.words.lengths == 0) | (grid.b.words.lengths == 0)

    def below(limit: float) -> np.ndarray:
        missed, total = np.zeros((2, len(pairs)))
        for side, best in halves:
            weights = weight[side.words.values] * side.times * side.content
            missed, total = missed + side.sums(weights * (best < limit)), total + side.sums(weights)
        return ratio(missed, total)

    lowest = [np.where(empty, 0.0, _lowest(side, best)) for side, best in halves]
    rarest = [_of_first(side, best, weight[side.words.values], side.content, 0.0) for side, best in halves]
    alone = [_of_first(side, best, weight[side.words.values], side.content & (best < 1), 1.0) for side, best in halves]
    return np.column_stack(
        [
            _means(pairs, bests, sif(probability), content=False),
            _means(pairs, bests, weight, content=True),
            _means(pairs, bests, np.ones(len(weight)), content=True)[:, 2],
            _means(pairs, bests, information(probability), content=True)[:, 2],
            below(FAR),
            below(NEAR),
            np.minimum(*lowest),
            np.maximum(*lowest),
            np.minimum(*rarest),
            np.maximum(*rarest),
            np.where(empty, 0.0, np.minimum(*alone)),
        ]
    )


@feature(
    "min", "max", "total", "far", high=np.inf, needs=("idf", "distilled"), source="Zhang et al. 2020", section="EMB7"
)
def distilled_loss(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Sum over content words of idf times one minus the best cosine; sum of the idf of the words below `FAR`.

    These are amounts, not shares: the smaller, the greater and the sum of both sentences, by the distilled vectors.
    """
    grid, bests = word_grid(pairs), best_cosines(pairs, shipped_vectors("distilled"))
    weight = idf_weights(pairs, "words", idf)
    lost, far = [], []
    for side, best in zip(grid.sides, bests, strict=True):
        weights = weight[side.words.values] * side.times * side.content
        lost.append(side.sums(weights * (1 - best)))
        far.append(side.sums(weights * (best < FAR)))
    return np.stack([np.minimum(*lost), np.maximum(*lost), lost[0] + lost[1], far[0] + far[1]], axis=1)
