"""Mean, principal directions and spread of the vectors of sentences."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..resources.array_layouts import Layout, Numbers
from ..resources.fitted import Resource
from ..sentences import PairBatch, Sentence
from .contextual_words import encodings
from .sentence_encoder import DIMENSION, shipped_encoder

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
