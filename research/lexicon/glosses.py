"""Inverted index of the glosses of WordNet 3.0, and the documents that the sentences of a batch find in it.

A document is a synset: its definition, its examples and its words. For each stem of a content word the index has the
documents in which it has the greatest weight by BM25 (Robertson and Zaragoza, 2009), and no text. Weights are whole
numbers, so that their sums are exact in any order.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...features.arrays.joins import chunks, places_among
from ...features.arrays.ragged import Ragged, ratio
from ...features.base.mapped_arrays import map_arrays
from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import vocabulary

FOLDER = Path(__file__).parent / "data" / "glosses"

WEIGHT_BITS = 8
"""A posting is ``document << WEIGHT_BITS | weight``."""

_DOCUMENT_BITS, _IDF_BITS = 20, 8
_COUNTED_BITS = 19  # a weight times a count, of which a text has 2,000 at most
_PLACE_BITS = 24
_AT_A_TIME = 1 << 18  # with at least two to a row, rows fit in the 17 bits that are left


class GlossIndex(NamedTuple):
    """An inverted index of at most ``2**20`` documents.

    Attributes
    ----------
    hashes
        `text_hash` of each stem, ascending.
    idf
        Inverse document frequency of each stem, uint8.
    offsets
        Where the postings of each stem begin, and the last end; int64.
    postings
        The documents of each stem and its weights in them, ascending.
    digest
        Hex digest of the content.
    """

    hashes: np.ndarray
    idf: np.ndarray
    offsets: np.ndarray
    postings: np.ndarray
    digest: str = ""

    def find(self, hashes: np.ndarray) -> np.ndarray:
        """Return the place of each text hash, int64, -1 if it is not listed."""
        return places_among(hashes, self.hashes)


@cache
def gloss_index() -> GlossIndex:
    """Return the index that ships with the package."""
    arrays, digest = map_arrays(FOLDER, "install the package again, or run scripts/make_glosses.py")
    return GlossIndex(arrays["hashes"], arrays["idf"], arrays["offsets"].astype(np.int64), arrays["postings"], digest)


class Found(NamedTuple):
    """The documents that have a stem of a sentence.

    Attributes
    ----------
    documents
        A row a sentence, ascending.
    plain
        Sum of the weights of the sentence's stems in each document, int64.
    by_idf
        The same sum, each weight times the inverse document frequency of the stem.
    """

    documents: Ragged
    plain: np.ndarray
    by_idf: np.ndarray


def documents_found(pairs: PairBatch, index: GlossIndex) -> Found:
    """Return the documents that each distinct sentence of the batch finds by its stems."""
    return pairs.memo(("documents found", index.digest), lambda: _search(pairs, index))


def _search(pairs: PairBatch, index: GlossIndex) -> Found:
    stems, n = vocabulary(pairs, "stems"), len(pairs.sentences)
    place = index.find(stems.hashes)[stems.ids.values]
    # A stem once a sentence, with its count.
    stem, count = np.unique((stems.ids.rows << 32 | place)[place >= 0], return_counts=True)
    row, place = stem >> 32, stem & ((1 << 32) - 1)
    postings = Ragged(index.postings, index.offsets)
    bounds = np.searchsorted(row, np.arange(n + 1))
    sizes = np.diff(np.concatenate([[0], np.cumsum(postings.lengths[place])])[bounds])
    parts = [np.empty((4, 0), dtype=np.int64)]
    for rows in chunks(sizes + 2, _AT_A_TIME):
        part = slice(bounds[rows.start], bounds[rows.stop])
        part_postings = postings.take(place[part])
        # The low bits of sorted keys hold the terms of sums: numpy sorts values several times faster than places.
        key = np.repeat((row[part] - rows.start).astype(np.uint64), part_postings.lengths) << np.uint64(_DOCUMENT_BITS)
        key |= part_postings.values >> np.uint32(WEIGHT_BITS)
        key <<= np.uint64(_COUNTED_BITS + _IDF_BITS)
        weight = (part_postings.values & np.uint32((1 << WEIGHT_BITS) - 1)).astype(np.uint64)
        key |= weight * np.repeat(count[part].astype(np.uint64), part_postings.lengths) << np.uint64(_IDF_BITS)
        key |= np.repeat(index.idf[place[part]], part_postings.lengths)
        key.sort()
        entry = (key >> np.uint64(_COUNTED_BITS + _IDF_BITS)).astype(np.int64)
        counted = (key >> np.uint64(_IDF_BITS)).astype(np.int64) & ((1 << _COUNTED_BITS) - 1)
        by_idf = counted * (key & np.uint64((1 << _IDF_BITS) - 1)).astype(np.int64)
        first = np.flatnonzero(np.diff(entry, prepend=-1))
        if len(first):
            sums = [np.add.reduceat(values, first) for values in (counted, by_idf)]
            entry = entry[first]
            head, document = (entry >> _DOCUMENT_BITS) + rows.start, entry & ((1 << _DOCUMENT_BITS) - 1)
            parts.append(np.stack([head, document, *sums]))
    row, document, plain, by_idf = np.concatenate(parts, axis=1)
    return Found(Ragged(document, np.searchsorted(row, np.arange(n + 1))), plain, by_idf)


class Common(NamedTuple):
    """The documents that both sides of n pairs have, by pair and then by document.

    Attributes
    ----------
    row
        Pair of each document.
    a, b
        Places in the values of the documents of the sentences, one on either side.
    """

    row: np.ndarray
    a: np.ndarray
    b: np.ndarray


def common_documents(documents: Ragged, left: np.ndarray, right: np.ndarray) -> Common:
    """Return the common documents of the rows `left` and `right`, which are in any order without repeats."""
    places = Ragged(np.arange(len(documents.values)), documents.offsets)
    parts = [np.empty((3, 0), dtype=np.int64)]
    for part in chunks(documents.lengths[left] + documents.lengths[right] + 2, _AT_A_TIME):
        a, b = places.take(left[part]), places.take(right[part])
        place = np.concatenate([a.values, b.values])
        key = np.concatenate([a.rows, b.rows]) << _DOCUMENT_BITS | documents.values[place]
        key = key << _PLACE_BITS | np.arange(len(place))
        key.sort()
        entry = key >> _PLACE_BITS
        twice = np.flatnonzero(entry[1:] == entry[:-1])
        first, second = (place[key[at] & ((1 << _PLACE_BITS) - 1)] for at in (twice, twice + 1))
        parts.append(np.stack([(entry[twice] >> _DOCUMENT_BITS) + part.start, first, second]))
    return Common(*np.concatenate(parts, axis=1))


def cosine(documents: Ragged, values: np.ndarray, common: Common, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the cosine of the vectors `values` over documents of both sides, shape (n,); 0 if one is empty."""
    squares = Ragged(values * values, documents.offsets).sums()
    dot = np.bincount(common.row, weights=values[common.a] * values[common.b], minlength=len(left))
    return np.minimum(ratio(dot, np.sqrt(squares[left] * squares[right])), 1.0)
