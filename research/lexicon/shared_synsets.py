"""Synsets of WordNet that the words of two sentences share, and the unification of synonyms across them."""

from typing import NamedTuple

import numpy as np

from ...features.arrays.joins import ITEM_BITS
from ...features.arrays.ragged import Ragged
from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import Sides, vocabulary, word_classes
from ...features.strings.ngram_overlap import places, ranking
from ...features.word_similarity.lexical_similarity import wordnet_of, wordnet_words
from ...features.word_similarity.word_grids import terms

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


_SENSES_AT_A_TIME = 1 << 20
_SYNSET_BITS = 32


def unified(pairs: PairBatch) -> Sides:
    """Return the synonym class of each lemma of both sides of every pair, the stop words of ECNU removed."""

    def compute() -> Sides:
        a, b = places(pairs, "ecnu")
        listed = vocabulary(pairs, "lemmas")
        tokens = listed.ids.values
        net = wordnet_of(pairs)
        words = net.hashed_word_ids(listed.hashes[tokens], word_classes(pairs).astype(np.int64))
        words, word = np.unique(words, return_inverse=True)
        senses = net.senses(words)
        lemma = ranking(listed.hashes)[1][tokens]
        count = senses.lengths[word]
        load = np.cumsum(sum(Ragged(count[side.values], side.offsets).sums() for side in (a, b)))
        cuts = np.flatnonzero(np.diff(load // _SENSES_AT_A_TIME)) + 1
        parts = [
            _classes(a.take(rows), b.take(rows), lemma, senses, word) for rows in np.split(np.arange(len(pairs)), cuts)
        ]
        left, right = (np.concatenate(values) for values in zip(*parts, strict=True))
        return Sides(Ragged(left, a.offsets), Ragged(right, b.offsets))

    return pairs.memo("synonym classes", compute)


def _classes(
    a: Ragged, b: Ragged, lemma: np.ndarray, senses: Ragged, word: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    # A node is a distinct lemma of a pair; nodes are numbered by pair and then by the rank of the lemma.
    token = np.concatenate([a.values, b.values])
    row = np.concatenate([a.rows, b.rows])
    nodes, node = np.unique(row << ITEM_BITS | lemma[token], return_inverse=True)
    synset = senses.take(word[token])
    entry = synset.rows
    label = _connect(len(nodes), row[entry] << _SYNSET_BITS | synset.values, node[entry], entry >= len(a.values))
    classes = nodes[label[node]] & ((1 << ITEM_BITS) - 1)
    return classes[: len(a.values)], classes[len(a.values) :]


def _connect(n: int, key: np.ndarray, node: np.ndarray, right: np.ndarray) -> np.ndarray:
    # Least node that each node is linked with in any number of steps. Entries with one key are a synset of a pair,
    # which links their nodes if both sides have some.
    label = np.arange(n)
    order = np.argsort(key)
    key, node, right = key[order], node[order], right[order]
    starts = np.flatnonzero(np.diff(key, prepend=-1))
    if not len(starts):
        return label
    lengths = np.diff(starts, append=len(key))
    least, most = np.minimum.reduceat(node, starts), np.maximum.reduceat(node, starts)
    both = np.logical_or.reduceat(right, starts) & ~np.logical_and.reduceat(right, starts)
    linking = both & (least < most)
    node, lengths = node[np.repeat(linking, lengths)], lengths[linking]
    if not len(lengths):
        return label
    starts = np.cumsum(lengths) - lengths
    while True:
        smallest = np.repeat(np.minimum.reduceat(label[node], starts), lengths)
        if (smallest == label[node]).all():
            return label
        np.minimum.at(label, node, smallest)
