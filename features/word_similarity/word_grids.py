"""Grids of the distinct words of both sentences of each pair, for a whole batch in bounded memory."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, mix, offsets_of
from ..base.sentences import PairBatch
from ..base.token_sequences import content_mask, token_ids, vocabulary, word_classes
from ..statistics.counts import LemmaIdf, idf_weights

CELLS_AT_A_TIME = 1 << 19
"""So many, or those of one row, are in memory at once; a cell takes some 50 bytes."""

NUMBER = 5
"""The class of a cardinal number among `Terms.classes`."""

_SHIFT = 32
_LOW = (1 << _SHIFT) - 1


class Terms(NamedTuple):
    """The distinct words of a batch, in an order that follows from the words alone."""

    words: np.ndarray  # indices into ``vocabulary(pairs, "words")``
    lemmas: np.ndarray  # indices into ``vocabulary(pairs, "lemmas")``
    classes: np.ndarray  # indices into `WORD_CLASSES`; `NUMBER` for words tagged as numbers
    of_token: np.ndarray  # term of each token of each distinct sentence, flat


def terms(pairs: PairBatch) -> Terms:
    """Return the distinct (lower-case word, lemma, word class) of a batch of the level ``lexical`` or above."""

    def compute() -> Terms:
        words, lemmas = vocabulary(pairs, "words"), vocabulary(pairs, "lemmas")
        tags = chain.from_iterable(sentence.tags for sentence in pairs.sentences)
        numbers = np.fromiter(map("CD".__eq__, tags), dtype=bool, count=len(words.ids.values))
        classes = np.where(numbers, NUMBER, word_classes(pairs)).astype(np.int64)
        size = max(len(lemmas.items), 1)
        keys, of_token = np.unique((words.ids.values * size + lemmas.ids.values) * 8 + classes, return_inverse=True)
        word, lemma, kind = keys // 8 // size, keys // 8 % size, keys % 8
        order = np.argsort(mix(words.hashes[word] + mix(lemmas.hashes[lemma] + mix(kind.astype(np.uint64)))))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        return Terms(word[order], lemma[order], kind[order], rank[of_token])

    return pairs.memo("terms", compute)


def idf_of_terms(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Return the smooth idf of the lemma of each term."""
    return idf_weights(pairs, "lemmas", lemma_idf)[terms(pairs).lemmas]


class Cells(NamedTuple):
    """Some cells of a `Grid`, row by row.

    Attributes
    ----------
    row
        Row of the grid of each cell.
    i, j
        Places in the values of ``grid.a`` and ``grid.b``.
    codes
        The distinct unordered pairs of terms among the cells, in order; see `terms_of`.
    which
        For each cell its entry in `codes`.
    """

    row: np.ndarray
    i: np.ndarray
    j: np.ndarray
    codes: np.ndarray
    which: np.ndarray


def terms_of(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the two terms of each code, the smaller one first."""
    return codes >> _SHIFT, codes & _LOW


@dataclass(frozen=True)
class Grid:
    """The distinct terms of both sides of every pair, group by group; cells join terms of the same group.

    Attributes
    ----------
    name
        Name of the tokens; different grids of a batch have different names.
    groups
        Number of groups of tokens. Row ``pair * groups + group`` stands for one group of one pair.
    a, b
        For each row the distinct terms of either side, in order.
    count_a, count_b
        Number of occurrences of each, parallel to the values of `a` and `b`, float64.
    place_a, place_b
        Place in the values of `a` and `b` of each token of ``token_ids(pairs).a`` and ``.b``; -1 for omitted tokens.
    """

    name: str
    groups: int
    a: Ragged
    b: Ragged
    count_a: np.ndarray
    count_b: np.ndarray
    place_a: np.ndarray
    place_b: np.ndarray

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.a.offsets) - 1

    def sums(self, values_a: np.ndarray, values_b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the sum of each row of values parallel to those of `a` and of `b`."""
        return Ragged(values_a, self.a.offsets).sums(), Ragged(values_b, self.b.offsets).sums()

    def weigh(self, weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the weight of each entry of `a` and of `b`, repeats counted, from that of each term."""
        return weight[self.a.values] * self.count_a, weight[self.b.values] * self.count_b

    @property
    def counted(self) -> tuple[tuple[Ragged, np.ndarray], tuple[Ragged, np.ndarray]]:
        """Terms and counts of either side."""
        return (self.a, self.count_a), (self.b, self.count_b)

    @cached_property
    def sizes(self) -> tuple[np.ndarray, np.ndarray]:
        """Tokens of each row on either side, float64."""
        return self.sums(self.count_a, self.count_b)

    @cached_property
    def starts(self) -> tuple[np.ndarray, np.ndarray]:
        """For each entry of `a` and of `b` its first token among those of the grid sorted by entry, int64."""
        return offsets_of(self.count_a), offsets_of(self.count_b)

    def __iter__(self) -> Iterator[Cells]:
        """Yield the cells of some rows at a time; a single part is cached."""
        if self._whole is not None:
            yield self._whole
            return
        reach = np.cumsum(self.a.lengths * self.b.lengths)
        start = 0
        while start < len(self):
            done = int(reach[start - 1]) if start else 0
            stop = max(int(np.searchsorted(reach, done + CELLS_AT_A_TIME, side="right")), start + 1)
            yield self._cells(start, stop)
            start = stop

    @cached_property
    def _whole(self) -> Cells | None:
        fits = int((self.a.lengths * self.b.lengths).sum()) <= CELLS_AT_A_TIME
        return self._cells(0, len(self)) if fits else None

    def _cells(self, start: int, stop: int) -> Cells:
        i = np.arange(self.a.offsets[start], self.a.offsets[stop])
        row = np.repeat(np.arange(start, stop), self.a.lengths[start:stop])
        lengths = self.b.lengths[row]
        offsets = offsets_of(lengths)
        j = np.arange(offsets[-1]) + np.repeat(self.b.offsets[row] - offsets[:-1], lengths)
        i, row = np.repeat(i, lengths), np.repeat(row, lengths)
        x, y = self.a.values[i], self.b.values[j]
        codes, which = np.unique(np.minimum(x, y) << _SHIFT | np.maximum(x, y), return_inverse=True)
        return Cells(row, i, j, codes, which)


def make_grid(pairs: PairBatch, name: str, group: np.ndarray, groups: int) -> Grid:
    """Return the grid of the tokens of a batch."""
    of_token = terms(pairs).of_token
    tokens = vocabulary(pairs, "words").ids
    size = len(terms(pairs).words)
    kept = group >= 0
    keys = (tokens.rows[kept] * groups + group[kept]) * size + of_token[kept]
    distinct, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    entry = np.full(len(group), -1)
    entry[kept] = where
    rows = len(pairs.sentences) * groups
    starts = np.searchsorted(distinct, np.arange(rows + 1) * size)
    entries = Ragged(np.arange(len(distinct)), starts)
    sides = []
    for sentences, ids in zip((pairs.left, pairs.right), token_ids(pairs), strict=True):
        side_entries = entries.take((sentences[:, None] * groups + np.arange(groups)).ravel())
        # The entries of a sentence are neighbours: place and entry differ by the same number for all its groups.
        shift = side_entries.offsets[:-1:groups] - starts[sentences * groups]
        token_entry = entry[ids.values]
        place = np.where(token_entry >= 0, token_entry + np.repeat(shift, ids.lengths), -1)
        sides.append(
            (
                Ragged(distinct[side_entries.values] % max(size, 1), side_entries.offsets),
                counts[side_entries.values] * 1.0,
                place,
            )
        )
    (a, count_a, place_a), (b, count_b, place_b) = sides
    return Grid(name, groups, a, b, count_a, count_b, place_a, place_b)


def content_grid(pairs: PairBatch) -> Grid:
    """Return the grid of the content words of a batch, all in one group."""
    return pairs.memo("content grid", lambda: make_grid(pairs, "content", content_mask(pairs).astype(np.int64) - 1, 1))
