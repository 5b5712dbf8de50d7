"""Similarity of the senses of two words: the likelihood that they mean the same synset of WordNet.

A word means each of its synsets as often as in WordNet's counts of tagged text, one added to every count. The
similarity of two words is the Bhattacharyya coefficient of these distributions: 1 for equal words, and for synonyms the
greater, the commoner their shared sense is for both.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged
from ..base.sentences import PairBatch
from .lexical_similarity import wordnet_of, wordnet_words
from .word_grids import terms

_BITS = 32


class _Synonyms(NamedTuple):
    # By term, its place among the known words of the batch, -1 for an unknown one; ordered pairs of places that share a
    # synset, as sorted codes, and their similarity.
    place: np.ndarray
    codes: np.ndarray
    values: np.ndarray


def _synonyms(pairs: PairBatch) -> _Synonyms:
    def compute() -> _Synonyms:
        words, place = np.unique(wordnet_words(pairs), return_inverse=True)
        is_known = words >= 0
        net = wordnet_of(pairs)
        senses, counts = net.senses(words[is_known]), net.sense_counts(words[is_known])
        times = counts.values + 1.0
        root = np.sqrt(times / Ragged(times, counts.offsets).sums()[senses.rows])
        order = np.lexsort((senses.rows, senses.values))
        synset, word, root = senses.values[order], senses.rows[order], root[order]
        # Every entry with all entries of its synset. A pair adds its synsets in order, the same in every batch.
        first = np.diff(synset, prepend=-1) != 0
        group = Ragged(np.arange(len(synset)), np.append(np.flatnonzero(first), len(synset)))
        facing = group.take(np.cumsum(first) - 1)
        left, right = facing.rows, facing.values
        codes, which = np.unique(word[left].astype(np.int64) << _BITS | word[right], return_inverse=True)
        values = np.bincount(which, weights=root[left] * root[right], minlength=len(codes))
        return _Synonyms(place - np.count_nonzero(~is_known), codes, np.minimum(values, 1.0))

    return pairs.memo("synonyms by sense", compute)


def sense_similarity(pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the similarity of two terms, in [0, 1]; 1 for equal lemmas, 0 for words without a common synset."""
    batch_terms, synonyms = terms(pairs), _synonyms(pairs)
    u, v = synonyms.place[x].astype(np.int64), synonyms.place[y].astype(np.int64)
    sought = u << _BITS | v
    place = np.searchsorted(synonyms.codes, sought)
    hit = (np.append(synonyms.codes, -1)[place] == sought) & (u >= 0) & (v >= 0)
    values: np.ndarray = np.where(hit, np.append(synonyms.values, 0.0)[place], 0.0)
    values[batch_terms.lemmas[x] == batch_terms.lemmas[y]] = 1.0
    return values
