"""The directions that the vectors of most sentences share (Arora et al., 2017)."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..arrays.ragged import ratio
from ..lexicon.word_frequencies import Frequencies
from ..lexicon.word_vectors import DIMENSIONS, shipped_vectors
from ..resources.array_layouts import Layout, Numbers
from ..resources.fitted import Resource
from ..sentences import PairBatch, Sentence
from ..token_sequences import vocabulary
from .batch_vectors import embedded
from .vector_pooling import stored, unit, weighted_sums

COUNT = 15
"""Greatest number of directions."""

_LEAST_VALUE = 1e-5  # of the greatest singular value: smaller values are rounding errors


def _layout(vectors: str) -> Layout:
    size = DIMENSIONS[vectors]
    return {
        name: Numbers(np.float32, (f"{name} directions", size), -1.001, 1.001, longest=size)
        for name in ("stored", "unit")
    }


class Directions(Resource):
    """First principal directions of the sif-weighted means of the word vectors of sentences, of the distilled vectors.

    Each array has one unit vector a row, float32: of the vectors as stored, and of vectors of unit length. They come
    from the training text alone.
    """

    name = "directions"
    level = "lexical"  # as `Frequencies`, whose weights these need
    vectors: ClassVar[str] = "distilled"
    tables = (vectors,)
    layout: ClassVar[Layout] = _layout(vectors)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "Directions":
        """Return the directions of distinct sentences: right singular vectors of their means, which are not centred."""
        nothing = np.empty(0, dtype=np.int64)
        pairs = PairBatch(sentences, nothing, nothing)
        words = vocabulary(pairs, "words")
        weight = Frequencies.fit(sentences).sif(words.items)
        vectors = embedded(pairs, shipped_vectors(cls.vectors))
        weights = [length(vectors, weight)[words.ids.values] for length in (stored, unit)]
        sums = weighted_sums(vectors.codes, words.ids, weights)
        means = ratio(sums.astype(np.float64), words.ids.lengths[:, None])
        return cls(dict(zip(("stored", "unit"), map(_principal, means), strict=True)))

    def of(self, unit: bool = False) -> np.ndarray:
        """Return the directions of vectors as stored or of unit length, shape (k, d), the first k of `COUNT`."""
        return self.arrays["unit" if unit else "stored"]


class RelationalDirections(Directions):
    """Directions as of `Directions`, of the relational vectors."""

    name = "relational_directions"
    vectors = "relational"
    tables = (vectors,)
    layout: ClassVar[Layout] = _layout(vectors)


def _principal(means: np.ndarray) -> np.ndarray:
    # The triangle has the same right singular vectors and at most d rows.
    _, values, vectors = np.linalg.svd(np.linalg.qr(means, mode="r"), full_matrices=False)
    directions = vectors[:COUNT][values[:COUNT] > _LEAST_VALUE * values.max(initial=0.0)]
    # The sign is free: the largest coordinate becomes positive.
    largest = np.take_along_axis(directions, np.abs(directions).argmax(axis=1)[:, None], axis=1)
    return np.ascontiguousarray(directions * np.sign(largest), dtype=np.float32)
