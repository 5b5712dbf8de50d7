"""Unification of synonyms across two sentences, after Tian et al. (2017).

Their scan from left to right rewrites a lemma of one sentence to its first synonym in the other, so it depends on the
order of the sentences. Here lemmas that share a synset of WordNet across the sentences are linked, and all lemmas that
links connect, in one or more steps, are one class, which does not depend on the order.
"""

import numpy as np

from ..arrays.joins import ITEM_BITS
from ..arrays.ragged import Ragged
from ..base.sentences import PairBatch
from ..base.token_sequences import Sides, vocabulary, word_classes
from ..strings.ngram_overlap import places, ranking
from .lexical_similarity import wordnet_of

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
