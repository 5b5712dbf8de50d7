"""User-supplied word vectors, pooled and matched; ``--vectors`` names them and no model stores them.

The measures are those of Tian et al. (2017), Arora et al. (2017) and Zhang et al. (2020) on any set of vectors. The
family is in no set, because a model that has it needs the same vectors wherever it is loaded; ``docs/vectors.md``.
"""

import numpy as np

from ..arrays.dense_kernels import K11, k11
from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import vocabulary
from ..lexicon.word_frequencies import Frequencies, probabilities, sif
from ..pipeline.user_supplied import UserVectors
from ..statistics.counts import Idf, idf_weights
from ..word_similarity.vector_pooling import cosines, embedded, pooled, rows_without, stored, weighted_sums
from ..word_similarity.word_cosines import best_cosines, word_grid


@feature(
    "plain", "idf", "sif",
    low=-1.0, needs=("idf", "frequencies", "user_vectors"), source="Arora et al. 2017", section="EMB3",
)  # fmt: skip
def cosine(pairs: PairBatch, idf: Idf, frequencies: Frequencies, user_vectors: UserVectors) -> np.ndarray:
    """Cosine of the means of the vectors of all words: unweighted, by idf, by smooth inverse frequency.

    0 where a sentence has no word with a vector.
    """
    words, vectors = vocabulary(pairs, "words"), embedded(pairs, user_vectors.vectors)
    rarity = sif(probabilities(pairs, "words", frequencies))
    weights = np.ones(len(words.items)), idf_weights(pairs, "words", idf, "ecnu"), rarity
    sums = weighted_sums(vectors.codes, words.ids, [stored(vectors, weight)[words.ids.values] for weight in weights])
    return cosines(sums[:, pairs.left], sums[:, pairs.right]).T


@feature("min", "max", "mean", needs=("idf", "user_vectors"), source="Zhang et al. 2020", section="EMB7")
def match(pairs: PairBatch, idf: Idf, user_vectors: UserVectors) -> np.ndarray:
    """Average over the content words of a sentence, by idf, of the best cosine to a word of the other sentence."""
    grid, bests = word_grid(pairs), best_cosines(pairs, user_vectors.vectors)
    weight = idf_weights(pairs, "words", idf)
    sides = []
    for side, best in zip(grid.sides, bests, strict=True):
        weights = weight[side.words.values] * side.times * side.content
        # Rounding can lift a weighted average above 1.
        sides.append(np.minimum(ratio(side.sums(weights * best), side.sums(weights)), 1.0))
    a, b = sides
    return np.stack([np.minimum(a, b), np.maximum(a, b), (a + b) / 2], axis=1)


@feature(*K11, low=-np.inf, high=np.inf, needs=("idf", "user_vectors"), source="Tian et al. 2017", section="EMB1")
def kernels(pairs: PairBatch, idf: Idf, user_vectors: UserVectors) -> np.ndarray:
    """K11 of the average, least and greatest coordinates of the vectors of the words, each multiplied by its idf.

    Stop words are left out unless that empties a side, and words without a vector are always left out. The vectors are
    not normalised.
    """
    words, word_vectors = vocabulary(pairs, "words"), embedded(pairs, user_vectors.vectors)
    rows = rows_without(pairs, "words", "ecnu", word_vectors.known[words.ids.values])
    weight = stored(word_vectors, idf_weights(pairs, "words", idf, "ecnu"))
    vectors = pooled(word_vectors.codes, rows.items, weight[rows.items.values])
    return k11(vectors[rows.left], vectors[rows.right])
