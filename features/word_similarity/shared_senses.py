"""How alike the senses of words are: how likely two words mean the same synset of WordNet.

A word means each of its synsets as often as it does in WordNet's counts of tagged text, one added to every count. Two
words are as alike as the Bhattacharyya coefficient of these distributions: 1 for one word, for synonyms the more, the
commoner the sense that they share is for both.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged
from ..lexicon.wordnet import wordnet
from ..sentences import PairBatch
from .lexical_similarity import wordnet_words
from .word_grids import terms

_BITS = 32


class _Synonyms(NamedTuple):
    # Of each term its place among the known words of the batch, -1 for an unknown one; the ordered pairs of places
    # that share a synset, as sorted codes, and how alike they are.
    place: np.ndarray
    codes: np.ndarray
    values: np.ndarray


def _synonyms(pairs: PairBatch) -> _Synonyms:
    def compute() -> _Synonyms:
        words, place = np.unique(wordnet_words(pairs), return_inverse=True)
        known = words >= 0
        senses, counts = wordnet().senses(words[known]), wordnet().sense_counts(words[known])
        times = counts.values + 1.0
        root = np.sqrt(times / Ragged(times, counts.offsets).sums()[senses.rows])
        order = np.lexsort((senses.rows, senses.values))
        synset, word, root = senses.values[order], senses.rows[order], root[order]
        # Every entry with all entries of its synset. A pair adds its synsets in their order, alike in every batch.
        first = np.diff(synset, prepend=-1) != 0
        group = Ragged(np.arange(len(synset)), np.append(np.flatnonzero(first), len(synset)))
        facing = group.take(np.cumsum(first) - 1)
        one, other = facing.rows, facing.values
        codes, which = np.unique(word[one].astype(np.int64) << _BITS | word[other], return_inverse=True)
        values = np.bincount(which, weights=root[one] * root[other], minlength=len(codes))
        return _Synonyms(place - np.count_nonzero(~known), codes, np.minimum(values, 1.0))

    return pairs.memo("synonyms by sense", compute)


def sense_similarity(pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return how likely two terms mean the same, in [0, 1]; 1 for equal lemmas, 0 for words without a synset in common.

    Parameters
    ----------
    pairs
        A batch of the level ``lexical`` or above.
    x, y
        Two of its `grids.terms` each.
    """
    every, found = terms(pairs), _synonyms(pairs)
    u, v = found.place[x].astype(np.int64), found.place[y].astype(np.int64)
    sought = u << _BITS | v
    place = np.searchsorted(found.codes, sought)
    hit = (np.append(found.codes, -1)[place] == sought) & (u >= 0) & (v >= 0)
    values: np.ndarray = np.where(hit, np.append(found.values, 0.0)[place], 0.0)
    values[every.lemmas[x] == every.lemmas[y]] = 1.0
    return values
