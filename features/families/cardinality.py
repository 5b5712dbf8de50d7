"""Soft cardinality: number of words, where words of similar spelling count in part (Jimenez et al., 2012).

The count of a word is its idf over the sum of its squared similarities to all words of the sentence, itself included.
The similarity of two words is the Dice coefficient of their sets of character 2- and 3-grams, with the ends of words
marked.
"""

import numpy as np

from ..arrays.joins import among, distinct
from ..arrays.ragged import Ragged, offsets_of, ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import Field, characters, vocabulary
from ..statistics.counts import Idf, LemmaIdf
from ..strings.ngram_overlap import union

POWER = 2
STOPS = "ecnu"

_BEGIN, _END = 0x110000, 0x110001  # beyond the last code point
_BITS = np.uint64(21)  # bits of a code point
_COMPARED_AT_A_TIME = 1 << 20


def qgrams(words: tuple[str, ...]) -> Ragged:
    """Return the distinct 2- and 3-grams of each word between two end marks, numbered in order."""
    plain = characters(list(words))
    lengths = plain.lengths + 2
    offsets = offsets_of(lengths)
    codes = np.full(offsets[-1], _BEGIN, dtype=np.uint64)
    codes[offsets[1:] - 1] = _END
    inside = np.ones(len(codes), dtype=bool)
    inside[offsets[:-1]] = inside[offsets[1:] - 1] = False
    codes[inside] = plain.values
    row = np.repeat(np.arange(len(words)), lengths)
    left = np.repeat(offsets[1:], lengths) - np.arange(len(codes))
    two = codes[:-1] << _BITS | codes[1:]
    three = two[:-1] << _BITS | codes[2:]
    grams = np.concatenate([two[left[:-1] >= 2], three[left[:-2] >= 3]])
    row = np.concatenate([row[:-1][left[:-1] >= 2], row[:-2][left[:-2] >= 3]])
    distinct_grams, number = np.unique(grams, return_inverse=True)
    keys = distinct(row * len(distinct_grams) + number)
    row, number = keys // max(len(distinct_grams), 1), keys % max(len(distinct_grams), 1)
    return Ragged(number, offsets_of(np.bincount(row, minlength=len(words))))


def _common(grams: Ragged, row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    # Pairs of entries of one row that share a q-gram, in order, and the number of q-grams that they share. Row, q-gram
    # and entry are packed into one number, which sorts several times as fast as three numbers.
    low, middle = len(row).bit_length(), int(grams.values.max(initial=0)).bit_length()
    entry = grams.rows
    key = (row[entry] << (low + middle)) | (grams.values << low) | entry
    key.sort()
    group, entry = key >> low, key & ((1 << low) - 1)
    keys = [np.empty(0, dtype=np.int64)]
    start, lag = np.flatnonzero(group[1:] == group[:-1]), 1
    while len(start):
        keys.append(entry[start] << 32 | entry[start + lag])
        lag += 1
        start = start[: np.searchsorted(start, len(key) - lag)]
        start = start[group[start] == group[start + lag]]
    return np.unique(np.concatenate(keys), return_counts=True)


class _SimilarItems:
    # Entries of a union, and the pairs of entries of one row with a similarity above 0.
    def __init__(self, pairs: PairBatch, field: Field) -> None:
        self.union = union(pairs, field)
        grams = qgrams(vocabulary(pairs, field).items)
        repeated = grams.where(np.bincount(grams.values)[grams.values] > 1)
        row, item = self.union.row, self.union.item
        begins = np.searchsorted(row, np.arange(len(pairs) + 1))
        reach = np.concatenate([[0], np.cumsum(np.diff(begins) ** 2)])
        similar, shared = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
        start = 0
        while start < len(pairs):
            stop = max(int(np.searchsorted(reach, reach[start] + _COMPARED_AT_A_TIME, side="right")) - 1, start + 1)
            cut = slice(begins[start], begins[stop])
            keys, counts = _common(repeated.take(item[cut]), row[cut] - start)
            similar.append(keys + (begins[start] << 32 | begins[start]))
            shared.append(counts)
            start = stop
        size = grams.lengths[item]
        self.first, self.second = np.concatenate(similar) >> 32, np.concatenate(similar) & 0xFFFFFFFF
        self.strength = (2 * np.concatenate(shared) / (size[self.first] + size[self.second])) ** POWER

    def cardinality(self, mask: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Return the soft cardinality of the entries of each row where `mask` is true."""
        crowd = 1.0 + np.bincount(self.first, weights=self.strength * mask[self.second], minlength=len(mask))
        crowd += np.bincount(self.second, weights=self.strength * mask[self.first], minlength=len(mask))
        return self.union.total(mask, weight / crowd)


def _columns(pairs: PairBatch, field: Field, weights: np.ndarray) -> np.ndarray:
    similar = pairs.memo(("similar items", field), lambda: _SimilarItems(pairs, field))
    shared_items = similar.union
    weight = weights[shared_items.item]
    columns = []
    # Masks over the union of all items: the items of either side that remain once the stop words are removed.
    some = union(pairs, field, STOPS)
    size = len(vocabulary(pairs, field).items)
    ids, kept = shared_items.row * size + shared_items.item, some.row * size + some.item
    masks = among(ids, np.sort(kept[some.in_a])), among(ids, np.sort(kept[some.in_b]))
    for in_a, in_b in ((shared_items.in_a, shared_items.in_b), masks):
        a, b, either = (similar.cardinality(mask, weight) for mask in (in_a, in_b, in_a | in_b))
        shared = np.maximum(a + b - either, 0.0)
        columns += [ratio(2 * shared, a + b), ratio(shared, np.minimum(a, b))]
    # Adding a word that is similar to many others can lower a soft cardinality, so a share can exceed 1.
    return np.minimum(np.stack(columns, axis=1), 1.0)


_COLUMNS = ("kept", "kept_cover", "removed", "removed_cover")


@feature(*_COLUMNS, needs=("idf",), source="Jimenez et al. 2012", section="KB9")
def words(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Soft cardinality of the shared part over the mean of both sides and over the smaller; stop words kept or removed.

    The shared part is ``|A|' + |B|' - |A or B|'``. Over the mean it is the similarity of the paper for ``alpha = 0.5``
    and ``b = 0``.
    """
    return _columns(pairs, "words", idf.smooth("words", vocabulary(pairs, "words").items))


@feature(*_COLUMNS, level="lexical", needs=("lemma_idf",), source="Jimenez et al. 2012", section="KB9")
def lemmas(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Soft cardinalities as in `words` of the lemmas."""
    return _columns(pairs, "lemmas", lemma_idf.smooth("lemmas", vocabulary(pairs, "lemmas").items))
