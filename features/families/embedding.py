"""Sentences as pooled word vectors (Tian et al., 2017; Arora et al., 2017; Wu et al., 2017; Nagoudi et al., 2017).

Most functions exist for both shipped sets of vectors, `word_vectors.SETS`. The learned length of a vector reflects the
importance of its word; the features named ``unit`` use vectors of unit length.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ..arrays.dense_kernels import K11, k11
from ..arrays.ragged import Ragged, ratio, stack
from ..base.feature import PairBatch, feature
from ..base.token_sequences import WORD_CLASSES, Field, content_mask, item_ids, vocabulary, word_classes
from ..lexicon.word_frequencies import Frequencies, information, probabilities, sif
from ..lexicon.word_vectors import Embedded, shipped_vectors
from ..statistics.counts import Idf, LemmaIdf, idf_weights
from ..strings.ngram_overlap import places
from ..word_similarity.vector_pooling import (
    COUNT,
    Directions,
    RelationalDirections,
    cosines,
    cosines_without,
    dots,
    embedded,
    pooled,
    rows_without,
    stored,
    unit,
    weighted_sums,
)

CLASS_WEIGHTS = dict(zip(WORD_CLASSES, (1.0, 0.8, 0.6, 0.4, 0.1), strict=True))
"""Weight of a word by its part of speech. Nagoudi et al. (2017) do not publish theirs."""

_FAR = float("inf")


def _of_words(pairs: PairBatch, name: str) -> Embedded:
    return embedded(pairs, shipped_vectors(name))


def _sums(pairs: PairBatch, vectors: Embedded, weights: Sequence[np.ndarray]) -> np.ndarray:
    # Weighted sums of the vectors of the words of each distinct sentence; one weight for each of its words.
    return weighted_sums(vectors.codes, vocabulary(pairs, "words").ids, weights)


def _kernels(pairs: PairBatch, name: str, field: Field, idf: Idf, kept: np.ndarray | None = None) -> np.ndarray:
    word_vectors = embedded(pairs, shipped_vectors(name), field)
    items, left, right = rows_without(pairs, field, "ecnu", kept)
    items = items.where(word_vectors.known[items.values])
    weight = stored(word_vectors, idf_weights(pairs, field, idf, "ecnu"))
    vectors = pooled(word_vectors.codes, items, weight[items.values])
    return k11(vectors[left], vectors[right])


@feature(*K11, low=-_FAR, high=_FAR, needs=("idf", "distilled"), source="Tian et al. 2017", section="EMB1")
def pooled_distilled(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 of the average, least and greatest coordinates of the word vectors, each multiplied by the word's idf.

    Stop words of ECNU are left out unless that empties a side; words without a vector are always left out. The three
    poolings are joined to one vector, which is not normalised.
    """
    return _kernels(pairs, "distilled", "words", idf)


@feature(*K11, low=-_FAR, high=_FAR, needs=("idf", "relational"), source="Tian et al. 2017", section="EMB1")
def pooled_relational(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 as in `pooled_distilled` of the relational vectors."""
    return _kernels(pairs, "relational", "words", idf)


@feature(
    *K11, low=-_FAR, high=_FAR, level="lexical", needs=("lemma_idf", "distilled"), source="Tian et al. 2017",
    section="EMB2",
)  # fmt: skip
def pooled_distilled_lemmas(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """K11 as in `pooled_distilled` of the lemmas."""
    return _kernels(pairs, "distilled", "lemmas", lemma_idf)


@feature(
    *K11, low=-_FAR, high=_FAR, level="lexical", needs=("lemma_idf", "relational"), source="Tian et al. 2017",
    section="EMB2",
)  # fmt: skip
def pooled_relational_lemmas(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """K11 as in `pooled_distilled` of the relational vectors of the lemmas."""
    return _kernels(pairs, "relational", "lemmas", lemma_idf)


@feature(
    *K11, low=-_FAR, high=_FAR, level="lexical", needs=("idf", "distilled"), source="Tian et al. 2017", section="POS2"
)
def nouns(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """K11 as in `pooled_distilled` of the nouns alone."""
    return _kernels(pairs, "distilled", "words", idf, word_classes(pairs) == WORD_CLASSES.index("noun"))


_MEANS = ("mean", "idf", "sif", "sif_minus_1", "sif_minus_15")


def _means(
    pairs: PairBatch, name: str, idf: Idf, frequencies: Frequencies, directions: Directions, unit_length: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    # Columns of `_MEANS` as rows, and the sums weighted by sif.
    vectors, words = _of_words(pairs, name), vocabulary(pairs, "words")
    length = unit if unit_length else stored
    probability = probabilities(pairs, "words", frequencies)
    weights = np.ones(len(words.items)), idf_weights(pairs, "words", idf, "ecnu"), sif(probability)
    sums = _sums(pairs, vectors, [length(vectors, weight)[words.ids.values] for weight in weights])
    along = directions.of(unit_length)
    plain = cosines(sums[:, pairs.left], sums[:, pairs.right])
    without = cosines_without(sums[2], along, (1, COUNT), pairs.left, pairs.right)
    return np.concatenate([plain, without]), sums[2]


_MEANS_NEED = ("idf", "frequencies", "directions", "distilled")
_RELATIONAL_MEANS_NEED = ("idf", "frequencies", "relational_directions", "relational")


@feature(*_MEANS, low=-1.0, needs=_MEANS_NEED, source="Arora et al. 2017", section="EMB3 EMB5")
def cosine_distilled(pairs: PairBatch, idf: Idf, frequencies: Frequencies, directions: Directions) -> np.ndarray:
    """Cosine of the mean word vectors, plain, by idf and by sif, and less the first 1 and 15 principal directions.

    All words count. The directions are those of the training text, never of the pairs that are scored.
    """
    return _means(pairs, "distilled", idf, frequencies, directions)[0].T


@feature(*_MEANS, low=-1.0, needs=_RELATIONAL_MEANS_NEED, source="Arora et al. 2017", section="EMB3 EMB5")
def cosine_relational(
    pairs: PairBatch, idf: Idf, frequencies: Frequencies, relational_directions: RelationalDirections
) -> np.ndarray:
    """Cosines as in `cosine_distilled` of the relational vectors."""
    return _means(pairs, "relational", idf, frequencies, relational_directions)[0].T


def _unit(pairs: PairBatch, name: str, idf: Idf, frequencies: Frequencies, directions: Directions) -> np.ndarray:
    columns, sums = _means(pairs, name, idf, frequencies, directions, unit_length=True)
    u, v = sums[pairs.left].astype(np.float64), sums[pairs.right].astype(np.float64)
    apart = u - v
    lengths, extents = np.sqrt(dots(sums, sums)), np.abs(sums.astype(np.float64)).sum(axis=1)
    near = [
        ratio(np.abs(apart).sum(axis=1), extents[pairs.left] + extents[pairs.right], 1.0),
        ratio(np.sqrt(dots(apart, apart)), lengths[pairs.left] + lengths[pairs.right], 1.0),
    ]
    return np.column_stack([*columns, *(1.0 - np.minimum(value, 1.0) for value in near)])


@feature(
    *(*_MEANS, "manhattan", "euclidean"), low=-1.0, needs=_MEANS_NEED,
    source="Arora et al. 2017; ours", section="EMB3",
)  # fmt: skip
def unit_distilled(pairs: PairBatch, idf: Idf, frequencies: Frequencies, directions: Directions) -> np.ndarray:
    """Cosines as in `cosine_distilled` of vectors of unit length, and nearness of the sums by sif.

    Nearness is ``1 - |u - v| / (|u| + |v|)`` of the sums, with absolute and with squared differences; 0 where no word
    has a vector.
    """
    return _unit(pairs, "distilled", idf, frequencies, directions)


@feature(
    *(*_MEANS, "manhattan", "euclidean"), low=-1.0, needs=_RELATIONAL_MEANS_NEED,
    source="Arora et al. 2017; ours", section="EMB3",
)  # fmt: skip
def unit_relational(
    pairs: PairBatch, idf: Idf, frequencies: Frequencies, relational_directions: RelationalDirections
) -> np.ndarray:
    """Cosines and nearness as in `unit_distilled` of the relational vectors."""
    return _unit(pairs, "relational", idf, frequencies, relational_directions)


def _cosines(pairs: PairBatch, vectors: Embedded, weights: Sequence[np.ndarray]) -> np.ndarray:
    sums = _sums(pairs, vectors, weights)
    return cosines(sums[:, pairs.left], sums[:, pairs.right])


def _by_information(
    pairs: PairBatch, name: str, frequencies: Frequencies, length: Callable[[Embedded, np.ndarray], np.ndarray]
) -> np.ndarray:
    ids, weight = vocabulary(pairs, "words").ids, information(probabilities(pairs, "words", frequencies))
    vectors = _of_words(pairs, name)
    return _cosines(pairs, vectors, [length(vectors, weight)[ids.values]]).T


@feature("distilled", low=-1.0, needs=("frequencies", "distilled"), source="Wu et al. 2017", section="EMB4")
def by_information(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Cosine of the sums of the word vectors, each multiplied by the information content of its word in English."""
    return _by_information(pairs, "distilled", frequencies, stored)


@feature("cosine", low=-1.0, needs=("frequencies", "relational"), source="Wu et al. 2017", section="EMB4")
def by_information_relational(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Cosine as in `by_information` of the relational vectors."""
    return _by_information(pairs, "relational", frequencies, stored)


@feature("distilled_information", needs=("frequencies", "distilled"), source="Saric et al. 2012", section="KB5")
def latent(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Absolute cosine of the sums of word vectors of unit length by information content in English.

    Saric et al. used vectors of latent semantic analysis.
    """
    return np.abs(_by_information(pairs, "distilled", frequencies, unit))


@feature("plain", "information", needs=("frequencies", "relational"), source="Saric et al. 2012", section="KB5")
def latent_relational(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Absolute cosine as in `latent` of the relational vectors, unweighted and by information content."""
    ids, vectors = vocabulary(pairs, "words").ids, _of_words(pairs, "relational")
    plain = _cosines(pairs, vectors, [unit(vectors, np.ones(len(vectors.norms)))[ids.values]]).T
    return np.abs(np.hstack([plain, _by_information(pairs, "relational", frequencies, unit)]))


@feature(
    "distilled", "distilled_idf", low=-1.0, level="lexical", needs=("idf", "distilled"),
    source="Nagoudi et al. 2017; Ferrero et al. 2017", section="EMB5 CLP3",
)  # fmt: skip
def by_part_of_speech(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Cosine of the sums of the word vectors, each multiplied by `CLASS_WEIGHTS`, without and with the word's idf."""
    ids, weight = vocabulary(pairs, "words").ids, idf_weights(pairs, "words", idf, "ecnu")
    of_class = np.asarray(list(CLASS_WEIGHTS.values()))[word_classes(pairs)]
    vectors = _of_words(pairs, "distilled")
    weights = [of_class * stored(vectors, each)[ids.values] for each in (np.ones(len(weight)), weight)]
    return _cosines(pairs, vectors, weights).T


@feature(
    "noun", "verb", "adjective", low=-1.0, level="lexical", needs=("idf", "distilled"), source="ours", section="EMB5"
)
def classes(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Cosine of the sums of the distilled vectors of unit length by idf, of one class of words at a time.

    0 where a side has no word of the class.
    """
    ids, vectors, kind = vocabulary(pairs, "words").ids, _of_words(pairs, "distilled"), word_classes(pairs)
    weight = unit(vectors, idf_weights(pairs, "words", idf, "ecnu"))[ids.values]
    chosen = [WORD_CLASSES.index(name) for name in ("noun", "verb", "adjective")]
    return _cosines(pairs, vectors, [weight * (kind == code) for code in chosen]).T


_UNMATCHED = ("cosine", "difference", "share_min", "share_max", "reach_min", "reach_max")


def _alone(items: Ragged, other: Ragged, size: int) -> np.ndarray:
    # Mask of the items that are not in the same row on the other side.
    return ~np.isin(items.rows * size + items.values, other.rows * size + other.values)


def _rests(pairs: PairBatch) -> Ragged:
    # Content words, as places among all tokens, whose lemma the other sentence lacks: those of all left sides, then
    # those of all right sides.
    def compute() -> Ragged:
        content, size = content_mask(pairs), len(vocabulary(pairs, "lemmas").items)
        tokens, lemmas = places(pairs), item_ids(pairs, "lemmas")
        sides = zip(tokens, lemmas, lemmas[::-1], strict=True)
        return stack(*(each.where(_alone(items, other, size) & content[each.values]) for each, items, other in sides))

    return pairs.memo("content words without a partner", compute)


@feature(*_UNMATCHED, low=-1.0, level="lexical", needs=("frequencies", "distilled"), source="ours", section="EMB4 ALN7")
def unmatched_distilled(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Comparison of the words that only one sentence has, as sums of vectors of unit length.

    The rest of a sentence is the sum of its content words whose lemma the other lacks, each times its information
    content in English. The columns are the cosine of both rests, 1 where there is no rest; the length of their
    difference over the sum of the lengths of both sentences; the length of a rest over that of its sentence, the
    smaller and the larger; and the cosine of a rest with the whole other sentence, 1 where there is no rest.
    """
    vectors, ids, n = _of_words(pairs, "distilled"), vocabulary(pairs, "words").ids, len(pairs)
    weight = unit(vectors, information(probabilities(pairs, "words", frequencies)))[ids.values] * content_mask(pairs)
    rests = _rests(pairs)
    alone = weighted_sums(vectors.codes, Ragged(ids.values[rests.values], rests.offsets), [weight[rests.values]])[0]
    a, b = alone[:n].astype(np.float64), alone[n:].astype(np.float64)
    (sums,) = _sums(pairs, vectors, [weight])
    whole_a, whole_b = sums[pairs.left], sums[pairs.right]
    size_a, size_b, all_a, all_b = (np.sqrt(dots(each, each)) for each in (a, b, whole_a, whole_b))
    share = np.sort([ratio(size_a, all_a), ratio(size_b, all_b)], axis=0)
    reach = np.sort(
        [np.where(size_a > 0, cosines(a, whole_b), 1.0), np.where(size_b > 0, cosines(b, whole_a), 1.0)], axis=0
    )
    apart = a - b
    columns = [
        np.where((size_a > 0) | (size_b > 0), cosines(a, b), 1.0),
        np.minimum(ratio(np.sqrt(dots(apart, apart)), all_a + all_b), 1.0),
        *np.minimum(share, 1.0),
        *reach,
    ]
    return np.column_stack(columns)
