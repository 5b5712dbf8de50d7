"""Measures of two encodings, and the common directions that they leave out."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..arrays.ragged import Ragged, ratio
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import vocabulary
from ..statistics.counts import Idf, idf_weights
from ..statistics.fitted import Layout, Numbers, Resource
from ..word_similarity.vector_pooling import cosines, weighted_sums
from .contextual_words import Side, encodings, matched, word_states
from .sentence_encoder import DIMENSION, SentenceEncoder, shipped_encoder

COUNT = 128
"""Greatest number of directions kept. Alone, the cosine of the first 32, 64, 128 and 256
whitened coordinates correlates with the scores of STS Benchmark train by 0.774, 0.819, 0.835 and 0.830."""

_LEAST = 1e-5  # of the greatest spread: smaller values are rounding errors
_STEPS = 2.0**15  # products of 384 such whole numbers are exact in float64


class EncoderDirections(Resource):
    """Mean, principal directions and spread along them of the vectors of sentences by the shipped encoder.

    ``mean`` has shape (d,), ``directions`` shape (k, d) with a unit vector a row, ``spread`` shape (k,), the standard
    deviation along each. They come from the training text alone.
    """

    name = "encoder_directions"
    layout: ClassVar[Layout] = {
        "mean": Numbers(np.float32, (DIMENSION,), -1.001, 1.001),
        "directions": Numbers(np.float32, ("directions", DIMENSION), -1.001, 1.001, longest=DIMENSION),
        "spread": Numbers(np.float32, ("directions",), 0, 1.001),
    }
    tables = ("encoder",)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "EncoderDirections":
        """Return the principal components of distinct sentences."""
        vectors = shipped_encoder().vectors([sentence.text for sentence in sentences]).astype(np.float64)
        mean = vectors.sum(axis=0) / max(len(vectors), 1)
        # The triangle has the same right singular vectors and at most d rows.
        _, values, directions = np.linalg.svd(np.linalg.qr(vectors - mean, mode="r"), full_matrices=False)
        kept = values[:COUNT] > _LEAST * max(values.max(initial=0.0), _LEAST)
        directions = directions[:COUNT][kept]
        # The sign is free: the largest coordinate becomes positive.
        largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=1)[:, None], axis=1)
        arrays = {"mean": mean, "directions": directions * np.sign(largest), "spread": values[:COUNT][kept]}
        arrays["spread"] = arrays["spread"] / max(len(vectors), 1) ** 0.5
        return cls({name: np.ascontiguousarray(value, dtype=np.float32) for name, value in arrays.items()})


def centred(pairs: PairBatch, directions: EncoderDirections) -> np.ndarray:
    """Return the vectors of the distinct sentences less the mean, shape (sentences, d), float64."""
    key = ("centred encodings", directions.digest)
    return pairs.memo(
        key, lambda: encodings(pairs, shipped_encoder()).vectors - directions.arrays["mean"].astype(np.float64)
    )


def coordinates(pairs: PairBatch, directions: EncoderDirections) -> np.ndarray:
    """Return the centred vectors of the distinct sentences along each direction, shape (sentences, k), float64."""

    def compute() -> np.ndarray:
        # In whole numbers, so that a matrix product is exact whatever the order of its sums.
        steps = [np.rint(values * _STEPS) for values in (centred(pairs, directions), directions.arrays["directions"])]
        return steps[0] @ steps[1].T.astype(np.float64) / _STEPS**2

    return pairs.memo(("encoder coordinates", directions.digest), compute)


FAR, NEAR = 0.5, 0.75
"""Cosines below which a word counts as without a partner."""

COSINES = ("vectors", "idf", "content")
"""The columns of `sentence_cosines`."""

DISTANCES = ("euclidean", "manhattan", "chebyshev")
"""The columns of `distances`."""

MATCH = (
    "min", "max", "mean", "content_min", "content_max", "content_mean", "plain", "far", "near", "mutual",
    "lowest_min", "lowest_max", "rarest_min", "rarest_max", "alone", "lost_min", "lost_max",
)  # fmt: skip
"""The columns of `match`."""


def sentence_cosines(pairs: PairBatch, encoder: SentenceEncoder, idf: Idf) -> np.ndarray:
    """Return three cosines of sentences, shape (n, 3); 0 where a side has no word with a state."""
    states, sides = word_states(pairs, encoder), matched(pairs, encoder)
    weight = idf_weights(pairs, "words", idf)[vocabulary(pairs, "words").ids.values[states.tokens]] / states.lengths
    content = np.zeros(len(weight))
    for side in sides:
        content[side.words.values] = side.content
    rows = Ragged(np.arange(len(weight)), states.offsets)
    pooled = [encodings(pairs, encoder).vectors, *weighted_sums(states.codes, rows, [weight, weight * content])]
    return np.stack([cosines(vectors[pairs.left], vectors[pairs.right]) for vectors in pooled], axis=1)


def distances(pairs: PairBatch, encoder: SentenceEncoder) -> np.ndarray:
    """Return Euclidean, Manhattan and Chebyshev distance of the unit vectors, shape (n, 3), each at most 2."""
    vectors = encodings(pairs, encoder).vectors
    apart = np.abs(vectors[pairs.left].astype(np.float64) - vectors[pairs.right])
    columns = [np.sqrt((apart * apart).sum(axis=1)), apart.sum(axis=1) / vectors.shape[1] ** 0.5, apart.max(axis=1)]
    return np.minimum(np.stack(columns, axis=1), 2.0)


def _of_first(side: Side, weight: np.ndarray, mask: np.ndarray, nothing: float) -> np.ndarray:
    # The best cosine of the weightiest masked word of each row, the least of equally weighty ones.
    rows = side.words.rows[mask]
    order = np.lexsort((side.best[mask], -weight[mask], rows))
    first = np.flatnonzero(np.diff(rows[order], prepend=-1))
    values = np.full(len(side.words.offsets) - 1, nothing)
    values[rows[order][first]] = side.best[mask][order[first]]
    return values


def match(pairs: PairBatch, encoder: SentenceEncoder, idf: Idf) -> np.ndarray:
    """Return the facts `MATCH` about the best cosines of words in context, shape (n, 17) (Zhang et al., 2020).

    ``min``, ``max``, ``mean``: average of the best cosine over the words of either sentence by idf, precision and
    recall of BERTScore; ``content_``: over the content words; ``plain``: the mean of both sentences with equal weights
    of content words; ``far``, ``near``: share of the idf of content words whose best cosine is below `FAR` or `NEAR`;
    ``mutual``: share of the idf of words that are the best partner of their best partner; ``lowest_``: least best
    cosine of a content word of either sentence; ``rarest_``: best cosine of its content word of the greatest idf;
    ``alone``: the smaller best cosine of the content words of the greatest idf below `NEAR`, 1 if there is none;
    ``lost_``: sum of the idf of the content words of either sentence, each times 1 less its best cosine.
    """
    states, sides = word_states(pairs, encoder), matched(pairs, encoder)
    of_state = idf_weights(pairs, "words", idf)[vocabulary(pairs, "words").ids.values[states.tokens]]
    return match_of(sides, of_state)


def match_of(sides: tuple[Side, Side], of_state: np.ndarray) -> np.ndarray:
    """Return the facts of `match` for matched words, given the weight of each word with a state."""
    weights = [of_state[side.words.values] for side in sides]
    empty = (sides[0].words.lengths == 0) | (sides[1].words.lengths == 0)

    def means(*weights_by_side: np.ndarray) -> list[np.ndarray]:
        # The two sums are rounded separately: the ratio could exceed 1.
        a, b = (
            np.minimum(ratio(side.sums(weight * side.best), side.sums(weight)), 1.0)
            for side, weight in zip(sides, weights_by_side, strict=True)
        )
        return [np.minimum(a, b), np.maximum(a, b), (a + b) / 2]

    content = [weight * side.content for side, weight in zip(sides, weights, strict=True)]
    total = sides[0].sums(content[0]) + sides[1].sums(content[1])

    def share(*masks: np.ndarray) -> np.ndarray:
        a, b = (side.sums(weight * mask) for side, weight, mask in zip(sides, content, masks, strict=True))
        return np.minimum(ratio(a + b, total), 1.0)

    def either(*both: np.ndarray) -> list[np.ndarray]:
        return [np.minimum(*both), np.maximum(*both)]

    lowest = []
    for side in sides:
        least = np.ones(len(empty))
        np.minimum.at(least, side.words.rows[side.content], side.best[side.content])
        lowest.append(np.where(empty, 0.0, least))
    rarest = [_of_first(side, weight, side.content, 0.0) for side, weight in zip(sides, weights, strict=True)]
    alone = [
        _of_first(side, weight, side.content & (side.best < NEAR), 1.0)
        for side, weight in zip(sides, weights, strict=True)
    ]
    lost = [side.sums(weight * (1 - side.best)) for side, weight in zip(sides, content, strict=True)]
    columns = [
        *means(*weights),
        *means(*content),
        means(*(side.content * 1.0 for side in sides))[2],
        share(*(side.best < FAR for side in sides)),
        share(*(side.best < NEAR for side in sides)),
        share(*(side.mutual for side in sides)),
        *either(*lowest),
        *either(*rarest),
        np.where(empty, 0.0, np.minimum(*alone)),
        *either(*lost),
    ]
    return np.stack(columns, axis=1)
