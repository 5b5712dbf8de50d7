"""Vectors of sentences by the shipped sentence encoder (Reimers and Gurevych, 2019)."""

import numpy as np

from ..base.feature import PairBatch, feature
from ..encoders import encoder_measures as measures
from ..encoders.encoder_measures import EncoderDirections, centred, coordinates
from ..encoders.sentence_encoder import shipped_encoder
from ..statistics.counts import Idf
from ..word_similarity.vector_pooling import cosines, dots


@feature(*measures.COSINES, low=-1.0, needs=("idf", "encoder"), source="Reimers and Gurevych 2019", section="EMB3")
def cosine(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Cosine of the vectors of the sentences, and of other vectors from the states of their words.

    ``vectors``: the sentence vectors of the encoder; ``idf``, ``content``: sums of the states of all words and of
    content words, each of unit length times its idf. 0 where a sentence has no word.
    """
    return measures.sentence_cosines(pairs, shipped_encoder(), idf)


@feature(*measures.DISTANCES, high=2.0, needs=("encoder",), source="Reimers and Gurevych 2019", section="EMB3")
def distance(pairs: PairBatch) -> np.ndarray:
    """Distances of the unit vectors of the sentences; Manhattan over the root of their dimension."""
    return measures.distances(pairs, shipped_encoder())


@feature(
    "centred", "minus_1", "whitened",
    low=-1.0, needs=("encoder_directions", "encoder"), source="Mu and Viswanath 2018; Su et al. 2021", section="EMB3",
)  # fmt: skip
def isotropic(pairs: PairBatch, encoder_directions: EncoderDirections) -> np.ndarray:
    """Cosine of the vectors less their mean, also less their first principal direction, and whitened.

    A whitened vector has the first 128 principal coordinates over their standard deviation. Mean, directions and
    deviations are those of the training text. 0 where the vector of a side is zero.
    """
    plain, along = centred(pairs, encoder_directions), coordinates(pairs, encoder_directions)
    left, right = pairs.left, pairs.right
    square, between = dots(plain, plain), dots(plain[left], plain[right])
    first = along[:, :1].sum(axis=1)
    rest = square - first * first
    rest = np.where(rest > 1e-9, rest, 0.0)
    less = between - first[left] * first[right]
    white = along / np.where(encoder_directions.arrays["spread"] > 0, encoder_directions.arrays["spread"], 1.0)
    return np.stack(
        [_cosine(between, square, left, right), _cosine(less, rest, left, right), cosines(white[left], white[right])],
        axis=1,
    )


def _cosine(between: np.ndarray, square: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    below = np.sqrt(square[left] * square[right])
    return np.clip(np.where(below > 0, between / np.where(below > 0, below, 1.0), 0.0), -1.0, 1.0)
