"""Cosine of every distinct word of one sentence of a pair and every word of the other, by word vectors.

It does not need a tagger. The vectors are whole numbers, so that inner products are exact in any order of their sum and
can be matrix products: 7 microseconds a pair of STS Benchmark train at 256 coordinates.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays.joins import chunks
from ..arrays.ragged import Ragged, offsets_of
from ..base.sentences import PairBatch
from ..base.token_sequences import Field, content_mask, vocabulary
from ..lexicon.word_vectors import WordVectors, shipped_vectors
from .vector_pooling import embedded
from .word_grids import terms

CELLS_AT_A_TIME = 1 << 20
"""Greatest number of cells in memory, unless one pair has more; a cell takes about 40 bytes."""

_ROWS_AT_A_TIME = 1 << 9  # half a megabyte of 256 coordinates: what is gathered stays near


class Side(NamedTuple):
    """The distinct words of one side of n pairs."""

    words: Ragged  # indices into ``vocabulary(pairs, "words")``, in an order that follows from the words alone
    times: np.ndarray  # occurrences in the sentence, float64
    content: np.ndarray  # mask of the content words; all words if a sentence has none

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of the values of the words of each row, shape (n,), float64."""
        return Ragged(values, self.words.offsets).sums()


class Cells(NamedTuple):
    """The cells of consecutive pairs of a `WordGrid`, pair by pair, by `i` and then by `j`."""

    i: np.ndarray  # place of the word in the values of ``grid.a.words``
    j: np.ndarray  # place of the word in the values of ``grid.b.words``
    turned: np.ndarray  # the order of the cells by `j` and then by `i`


@dataclass(frozen=True)
class WordGrid:
    """Distinct words of both sides of every pair: tokens with a letter or a digit, in lower case."""

    a: Side
    b: Side

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.a.words.offsets) - 1

    @property
    def sides(self) -> tuple[Side, Side]:
        """Both sides."""
        return self.a, self.b

    @cached_property
    def sizes(self) -> np.ndarray:
        """Number of cells of each pair, shape (n,)."""
        return self.a.words.lengths * self.b.words.lengths

    @cached_property
    def parts(self) -> list[tuple[int, int]]:
        """First pair of each part that is in memory at once, and the one after its last."""
        return [(part.start, part.stop) for part in chunks(self.sizes, CELLS_AT_A_TIME)]

    def cells(self, start: int, stop: int) -> Cells:
        """Return the cells of some pairs."""
        a, b = self.a.words.offsets, self.b.words.offsets
        lengths_a, lengths_b = np.diff(a[start : stop + 1]), np.diff(b[start : stop + 1])
        per_a, per_b = np.repeat(lengths_b, lengths_a), np.repeat(lengths_a, lengths_b)
        begins_a, begins_b = offsets_of(per_a), offsets_of(per_b)
        i = np.repeat(np.arange(a[start], a[stop]), per_a)
        j = np.arange(begins_a[-1]) + np.repeat(np.repeat(b[start:stop], lengths_a) - begins_a[:-1], per_a)
        # By columns: the cell of the first word of `a`, and one row of the pair further for each word of `a`.
        first = begins_a[np.repeat(a[start:stop] - a[start], lengths_b)] + (
            np.arange(b[start], b[stop]) - np.repeat(b[start:stop], lengths_b)
        )
        step = np.arange(begins_b[-1]) - np.repeat(begins_b[:-1], per_b)
        turned = np.repeat(first, per_b) + step * np.repeat(np.repeat(lengths_b, lengths_b), per_b)
        return Cells(i, j, turned)


def word_grid(pairs: PairBatch) -> WordGrid:
    """Return the grid of a batch; the same for every set of vectors."""

    def compute() -> WordGrid:
        vocab = vocabulary(pairs, "words")
        size = max(len(vocab.items), 1)
        order = np.argsort(vocab.hashes, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        holds = np.fromiter((any(map(str.isalnum, item)) for item in vocab.items), bool, len(vocab.items))
        kept = holds[vocab.ids.values]
        keys = vocab.ids.rows[kept] * size + rank[vocab.ids.values[kept]]
        distinct, count = np.unique(keys, return_counts=True)
        words = order[distinct % size]
        starts = np.searchsorted(distinct, np.arange(len(pairs.sentences) + 1) * size)
        listed = np.zeros(size, dtype=bool)
        listed[vocab.ids.values[content_mask(pairs)]] = True
        content = listed[words]
        some = Ragged(content, starts).sums() > 0
        content |= ~some[np.repeat(np.arange(len(some)), np.diff(starts))]
        entries = Ragged(np.arange(len(words)), starts)
        sides = []
        for sentences in (pairs.left, pairs.right):
            side_entries = entries.take(sentences)
            values = side_entries.values
            sides.append(
                Side(Ragged(words[values], side_entries.offsets), count[values].astype(np.float64), content[values])
            )
        return WordGrid(*sides)

    return pairs.memo("word grid", compute)


class CosinePart(NamedTuple):
    """Cosines of consecutive pairs, ``start`` to before ``stop``."""

    start: int
    stop: int
    cells: Cells
    values: np.ndarray  # cosine of the words of each cell, in [-1, 1], float32


def cosines(pairs: PairBatch, vectors: WordVectors) -> Iterator[CosinePart]:
    """Yield the cosines of the words of every pair, part by part; a single part is cached.

    Equal words have the cosine 1, and different ones 0 if either has no vector.
    """
    grid = word_grid(pairs)
    if len(grid.parts) == 1:
        yield pairs.memo(("cosines", vectors.digest), lambda: _part(pairs, grid, vectors, *grid.parts[0]))
        return
    for start, stop in grid.parts:
        yield _part(pairs, grid, vectors, start, stop)


def _part(pairs: PairBatch, grid: WordGrid, vectors: WordVectors, start: int, stop: int) -> CosinePart:
    word_vectors = embedded(pairs, vectors)
    a, b = grid.a.words, grid.b.words
    if len(grid.parts) == 1:
        cells = pairs.memo("word cells", lambda: grid.cells(start, stop))
    else:
        cells = grid.cells(start, stop)
    values = np.empty(len(cells.i), dtype=np.float32)
    begins_a, begins_b = a.offsets[start : stop + 1].tolist(), b.offsets[start : stop + 1].tolist()
    done = 0
    for k in range(stop - start):
        u, v = a.values[begins_a[k] : begins_a[k + 1]], b.values[begins_b[k] : begins_b[k + 1]]
        size = len(u) * len(v)
        if size:
            out = values[done : done + size].reshape(len(u), len(v))
            np.matmul(word_vectors.codes.take(u, axis=0), word_vectors.codes.take(v, axis=0).T, out=out)
            done += size
    norms = np.where(word_vectors.norms > 0, word_vectors.norms, 1.0).astype(np.float32)
    x, y = a.values[cells.i], b.values[cells.j]
    values /= norms[x] * norms[y]
    np.clip(values, -1.0, 1.0, out=values)
    values[x == y] = 1.0
    return CosinePart(start, stop, cells, values)


def segment_max(values: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the greatest value of each of consecutive segments, 0 if it is negative or the segment empty."""
    greatest = np.zeros(len(lengths), dtype=values.dtype)
    some = lengths > 0
    if some.any():
        greatest[some] = np.maximum.reduceat(values, offsets_of(lengths[some])[:-1])
    return np.maximum(greatest, 0)


def best_cosines(pairs: PairBatch, vectors: WordVectors) -> tuple[np.ndarray, np.ndarray]:
    """Return the best cosine of each value of ``word_grid(pairs).a.words`` and ``.b.words`` in the other sentence.

    In [0, 1], float64; 0 if no cosine is positive or the other sentence has no words.
    """

    def compute() -> tuple[np.ndarray, np.ndarray]:
        grid = word_grid(pairs)
        a, b = grid.a.words, grid.b.words
        best_a, best_b = np.zeros(len(a.values)), np.zeros(len(b.values))
        for part in cosines(pairs, vectors):
            for best, side, facing, values in (
                (best_a, a, b, part.values),
                (best_b, b, a, part.values[part.cells.turned]),
            ):
                lengths = np.repeat(facing.lengths[part.start : part.stop], side.lengths[part.start : part.stop])
                best[side.offsets[part.start] : side.offsets[part.stop]] = segment_max(values, lengths)
        return best_a, best_b

    return pairs.memo(("best cosines", vectors.digest), compute)


def cosine(pairs: PairBatch, vectors: WordVectors, field: Field, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the cosine of items ``x[k]`` and ``y[k]`` of ``vocabulary(pairs, field)``, shape (n,), float64.

    1 for an item and itself, 0 if either has no vector.
    """
    item_vectors = embedded(pairs, vectors, field)
    values = np.empty(len(x))
    for start in range(0, len(x), _ROWS_AT_A_TIME):
        part = slice(start, start + _ROWS_AT_A_TIME)
        values[part] = np.einsum(
            "ij,ij->i", item_vectors.codes.take(x[part], axis=0), item_vectors.codes.take(y[part], axis=0)
        )
    norms = np.where(item_vectors.norms > 0, item_vectors.norms, 1.0)
    values = np.clip(values / (norms[x] * norms[y]), -1.0, 1.0)
    values[x == y] = 1.0
    return values


@dataclass(frozen=True)
class CosineMeasure:
    """Cosine of the words of `terms`, 0 if it is negative; a `lexical_similarity.Measure`.

    Parameters
    ----------
    vectors
        One of `word_vectors.SETS`.
    """

    vectors: str

    def __call__(self, pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the similarity of terms."""
        words = terms(pairs).words
        return np.maximum(cosine(pairs, shipped_vectors(self.vectors), "words", words[x], words[y]), 0.0)
