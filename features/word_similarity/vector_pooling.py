"""Vectors of sentences: sums of word vectors, without their common directions.

A vector of a sentence is added word by word in its own order, so it is the same bits in every batch. Rows are taken
longest first and advance together, one word of each at a time: that keeps the arrays long and the memory small.
"""

from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, ratio, stack
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import Field, emptied, stop_mask, vocabulary
from ..lexicon.word_frequencies import Frequencies
from ..lexicon.word_vectors import DIMENSIONS, Embedded, WordVectors, shipped_vectors
from ..statistics.fitted import Layout, Numbers, Resource


def embedded(pairs: PairBatch, vectors: WordVectors, field: Field = "words") -> Embedded:
    """Return the vectors of ``vocabulary(pairs, field).items``, in that order."""

    def compute() -> Embedded:
        items = vocabulary(pairs, field)
        return vectors.embed(items.items, items.hashes)

    return pairs.memo(("word vectors", vectors.digest, field), compute)


_ROWS_AT_A_TIME = 1 << 8
_LEAST = 1e-5  # share of the squared length of a vector below which its rest is a rounding error


class Rows(NamedTuple):
    """Rows of items, and the rows on either side of n pairs."""

    items: Ragged
    left: np.ndarray
    right: np.ndarray


def rows_without(pairs: PairBatch, field: Field, stops: str, kept: np.ndarray | None = None) -> Rows:
    """Return the distinct rows of `item_ids`, without stop words unless that empties a side.

    Parameters
    ----------
    pairs
        The batch.
    field
        Sequence of the sentences.
    stops
        Name of the stop list.
    kept
        Whether to keep each token of each distinct sentence, flat.
    """
    ids, content = vocabulary(pairs, field).ids, ~stop_mask(pairs, stops)
    kept_ids = ids if kept is None else ids.where(kept)
    both = stack(kept_ids, ids.where(content if kept is None else content & kept))
    shift = np.where(emptied(pairs, stops), 0, len(pairs.sentences))
    used, place = np.unique(np.concatenate([pairs.left + shift, pairs.right + shift]), return_inverse=True)
    return Rows(both.take(used), place[: len(pairs)], place[len(pairs) :])


def _layers(rows: Ragged) -> Iterator[tuple[np.ndarray, list[np.ndarray]]]:
    # Some rows at a time, longest first, with the places of their first items, of their second items, and so on.
    lengths = rows.lengths
    order = np.argsort(-lengths, kind="stable")
    for start in range(0, len(order), _ROWS_AT_A_TIME):
        part = order[start : start + _ROWS_AT_A_TIME]
        begin, length = rows.offsets[part], lengths[part]
        longer = np.searchsorted(-length, -np.arange(length[0]), side="left")
        yield part, [begin[:count] + k for k, count in enumerate(longer.tolist())]


def weighted_sums(codes: np.ndarray, rows: Ragged, weights: Sequence[np.ndarray]) -> np.ndarray:
    """Return the sums of the vectors of each row, weighted in k ways.

    Parameters
    ----------
    codes
        Vectors of m items, shape (m, d), float32.
    rows
        n rows of indices into `codes`.
    weights
        k arrays, each with one weight for each value of `rows`.

    Returns
    -------
    np.ndarray
        Shape (k, n, d), float32.
    """
    total = np.zeros((len(weights), len(rows.offsets) - 1, codes.shape[1]), dtype=np.float32)
    factors = np.stack(weights).astype(np.float32)[:, :, None]
    for part, layers in _layers(rows):
        sums = np.zeros((len(weights), len(part), codes.shape[1]), dtype=np.float32)
        for places in layers:
            vectors = codes[rows.values[places]]
            for k in range(len(weights)):
                sums[k, : len(places)] += vectors * factors[k, places]
        total[:, part] = sums
    return total


def pooled(codes: np.ndarray, rows: Ragged, weight: np.ndarray) -> np.ndarray:
    """Return average, least and greatest of each coordinate of the weighted vectors of each row, concatenated.

    Parameters
    ----------
    codes
        Vectors of m items, shape (m, d), float32.
    rows
        n rows of indices into `codes`.
    weight
        One for each value of `rows`.

    Returns
    -------
    np.ndarray
        Shape (n, 3d), float32; zeros for an empty row.
    """
    d, lengths = codes.shape[1], rows.lengths
    result = np.zeros((len(lengths), 3 * d), dtype=np.float32)
    factor = weight.astype(np.float32)[:, None]
    for part, layers in _layers(rows):
        for k, places in enumerate(layers):
            vectors = codes[rows.values[places]] * factor[places]
            if k == 0:
                total, least, greatest = vectors.copy(), vectors.copy(), vectors
            else:
                count = len(places)
                total[:count] += vectors
                np.minimum(least[:count], vectors, out=least[:count])
                np.maximum(greatest[:count], vectors, out=greatest[:count])
        if layers:
            some = part[: len(layers[0])]
            total /= lengths[some, None].astype(np.float32)
            result[some] = np.concatenate([total, least, greatest], axis=1)
    return result


def stored(vectors: Embedded, weight: np.ndarray) -> np.ndarray:
    """Return the factor of the codes of each item that gives its vector the weight `weight`."""
    return weight * vectors.scales


def unit(vectors: Embedded, weight: np.ndarray) -> np.ndarray:
    """Return the factor of the codes of each item by which its vector has the length `weight`."""
    return ratio(weight, vectors.norms)


def dots(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the inner product of the rows of two arrays of shape (..., n, d), shape (..., n), float64."""
    # Not a sum in float64 of float32 products: numpy would cast it in pieces that do not end with the rows.
    return np.multiply(u, v, dtype=np.float64).sum(axis=-1)


def cosines(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the cosine of the rows of two arrays of shape (..., n, d), shape (..., n); 0 where one is all zero."""
    return _cosine(dots(u, v), dots(u, u), dots(v, v))


def _cosine(dot: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.clip(ratio(dot, np.sqrt(left * right)), -1.0, 1.0)


def cosines_without(
    sums: np.ndarray, directions: np.ndarray, counts: Sequence[int], left: np.ndarray, right: np.ndarray
) -> np.ndarray:
    """Return the cosine of pairs of rows without their components along the first directions."""
    along = [dots(sums, direction) for direction in directions[: max(counts)]]
    square, dot = dots(sums, sums), dots(sums[left], sums[right])
    columns = []
    for count in counts:
        rest, between = square.copy(), dot.copy()
        for part in along[:count]:
            rest -= part * part
            between -= part[left] * part[right]
        rest = np.where(rest > _LEAST * square, rest, 0.0)
        columns.append(_cosine(between, rest[left], rest[right]))
    return np.stack(columns)


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
