"""Input of a pair network: each sentence as the vectors of its first words."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...features.arrays.joins import places_among
from ...features.arrays.ragged import Ragged, mix
from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import vocabulary
from ...features.lexicon.word_vectors import quantised, shipped_vectors
from ...features.statistics.counts import Idf
from ...features.word_similarity.vector_pooling import embedded

UNKNOWN = 0.25
"""A word without a vector gets one drawn from -0.25 to 0.25 (Tian et al., 2017), here by its hash: always the same."""

LARGEST_WEIGHT = 1e6
"""Greatest factor of a vector in a file; those that are fitted are below 100."""

_STEP = np.uint64(0x9E3779B97F4A7C15)  # of splitmix64 (Steele et al., 2014)


class Words(NamedTuple):
    """The sentences of a batch as rows of a table of vectors.

    Attributes
    ----------
    vectors
        Shape (1 + v, d), float32: zeros, which fill up short sentences, and one row a distinct word.
    ids
        For each distinct sentence the rows of its words; none for an empty one.
    """

    vectors: np.ndarray
    ids: Ragged

    @property
    def lengths(self) -> np.ndarray:
        """Words of each sentence, shape (m,), at least 1: an empty sentence is read as one word, a vector of zeros."""
        return np.maximum(self.ids.lengths, 1)

    def padded(self, sentences: np.ndarray, width: int) -> np.ndarray:
        """Return rows of `vectors` for some sentences, shape (len(sentences), width), filled up with 0."""
        steps = np.arange(width)
        inside = steps < self.ids.lengths[sentences][:, None]
        places = np.where(inside, self.ids.offsets[sentences][:, None] + steps, len(self.ids.values))
        rows: np.ndarray = np.append(self.ids.values, 0)[places]
        return rows


@dataclass(frozen=True, eq=False)
class WordTable:
    """The vectors with which a network reads words; of the training words it holds hashes alone.

    Attributes
    ----------
    start
        Name of the shipped vectors from which training begins, and which all but the trained words have.
    hashes, weights
        Shape (v,), uint64, ascending, and float32: the `token_sequences.text_hash` of each word, and the factor of its
        start vector.
    weight
        Factor of the start vector of any other word.
    trained
        Shape (t,), uint64, ascending: the hashes of the words whose vectors were trained.
    codes, scales
        Shapes (t, d), int8, and (t,), float32: these vectors are ``codes * scales[:, None]``.
    """

    start: str
    hashes: np.ndarray
    weights: np.ndarray
    weight: float
    trained: np.ndarray
    codes: np.ndarray
    scales: np.ndarray

    def __post_init__(self) -> None:
        kinds = [array.dtype for array in (self.hashes, self.weights, self.trained, self.codes, self.scales)]
        if kinds != [np.uint64, np.float32, np.uint64, np.int8, np.float32]:
            raise ValueError(f"its tables of words have the types {', '.join(map(str, kinds))}")
        dimension = shipped_vectors(self.start).dimension
        shapes = [self.weights.shape, self.codes.shape, self.scales.shape]
        if shapes != [self.hashes.shape, (len(self.trained), dimension), self.trained.shape] or self.hashes.ndim != 1:
            raise ValueError(f"its tables of words have the shapes {shapes} for {self.start!r} vectors of {dimension}")
        if not all((np.abs(numbers) <= LARGEST_WEIGHT).all() for numbers in (self.weights, self.weight, self.scales)):
            raise ValueError(f"its tables of words hold a number that is not finite or above {LARGEST_WEIGHT:.0e}")
        if any((hashes[1:] <= hashes[:-1]).any() for hashes in (self.hashes, self.trained)):
            raise ValueError("its tables of words are not in order")

    @classmethod
    def fit(cls, pairs: PairBatch, start: str, scale: float, idf: bool) -> "WordTable":
        """Return the untrained table for pairs.

        Parameters
        ----------
        pairs
            The training pairs.
        start
            Name of shipped vectors.
        scale
            Factor of all vectors.
        idf
            Whether each is also multiplied by `Idf.ecnu` of its word (Tian et al., 2017).
        """
        hashes, weights, weight = np.empty(0, dtype=np.uint64), np.empty(0, dtype=np.float32), float(scale)
        if idf:
            words = vocabulary(pairs, "words")
            order = np.argsort(words.hashes)
            rarity = Idf.fit(pairs.sentences).ecnu("words", words.items)
            hashes, weights = words.hashes[order], (scale * rarity[order]).astype(np.float32)
            weight *= float(np.log10(len(pairs.sentences)))
        codes = np.empty((0, shipped_vectors(start).dimension), dtype=np.int8)
        nothing = np.empty(0, dtype=np.uint64)
        return cls(start, hashes, weights, weight, nothing, codes, np.empty(0, dtype=np.float32))

    def train(self, hashes: np.ndarray, vectors: np.ndarray) -> "WordTable":
        """Return the table with trained vectors, shape (t, d), of words in any order."""
        order = np.argsort(hashes)
        codes, scales = quantised(vectors[order])
        return replace(self, trained=hashes[order], codes=codes.astype(np.int8), scales=scales.astype(np.float32))

    def read(self, pairs: PairBatch, most: int) -> Words:
        """Return the sentences of pairs, cut after a number of words."""
        words = vocabulary(pairs, "words")
        embedding = embedded(pairs, shipped_vectors(self.start))
        vectors = np.zeros((1 + len(words.items), embedding.codes.shape[1]), dtype=np.float32)
        values = vectors[1:]
        values[:] = embedding.values
        values[~embedding.known] = _drawn(words.hashes[~embedding.known], values.shape[1])
        values *= np.append(self.weights, np.float32(self.weight))[places_among(words.hashes, self.hashes), None]
        places = places_among(words.hashes, self.trained)
        seen = places >= 0
        values[seen] = self.codes[places[seen]] * self.scales[places[seen], None]
        ids = words.ids
        first = np.arange(len(ids.values)) - np.repeat(ids.offsets[:-1], ids.lengths) < most
        kept = ids.where(first)
        return Words(vectors, Ragged(kept.values + 1, kept.offsets))

    def to_arrays(self) -> dict[str, np.ndarray]:
        """Return the table as arrays of numbers, without the name of the start vectors."""
        return {name: np.asarray(getattr(self, name)) for name in ARRAYS}

    @classmethod
    def from_arrays(cls, start: str, arrays: Mapping[str, np.ndarray]) -> "WordTable":
        """Return the table that `to_arrays` gave.

        Raises
        ------
        ValueError
            If an array is missing, or the arrays do not fit together.
        """
        missing = [name for name in ARRAYS if name not in arrays]
        if missing or arrays["weight"].shape != ():
            raise ValueError(f"it has no {', '.join(missing) or 'single weight'}")
        hashes, weights, weight, trained, codes, scales = (arrays[name] for name in ARRAYS)
        return cls(start, hashes, weights, float(weight), trained, codes, scales)


ARRAYS = ("hashes", "weights", "weight", "trained", "codes", "scales")


def _drawn(hashes: np.ndarray, dimension: int) -> np.ndarray:
    # Not numpy's generators, whose numbers may change from version to version.
    bits = mix(hashes[:, None] + np.arange(1, dimension + 1, dtype=np.uint64) * _STEP) >> np.uint64(40)
    return ((bits / 2.0**23 - 1) * UNKNOWN).astype(np.float32)
