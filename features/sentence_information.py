"""How much of what two sentences say is the same, by information content over WordNet (Wu et al., 2017).

The information of a set of concepts counts what they have in common once. The published sum over all subsets grows
exponentially; adding concepts from shallow to deep, each counting what its ancestors in the set do not tell already,
takes time linear in the number of ancestors and gives the same on a tree.
"""

from collections.abc import Iterable
from itertools import chain
from typing import NamedTuple

import numpy as np

from .arrays.ragged import Ragged, ratio
from .base import PairBatch, feature
from .lexicon.frequencies import Frequencies
from .lexicon.wordnet import WordNet, wordnet
from .views import stop_mask, vocabulary, word_classes

LEAF = 0.5
"""Weight of adjectives, adverbs and words that WordNet lacks, which stand in no hierarchy; chosen on train."""

HIERARCHY = (0, 1)
"""Nouns and verbs, the classes of `views.WORD_CLASSES` that have hypernyms."""


class _Concepts(NamedTuple):
    """What a sentence speaks of: senses by word in WordNet's hierarchy, and information by lemma of the other words."""

    senses: dict[int, tuple[int, ...]]
    every: frozenset[int]
    leaves: dict[str, float]


class _Hierarchy:
    """Concepts by depth, and their ancestors by information, for the words of one batch."""

    def __init__(self, net: WordNet, synsets: np.ndarray) -> None:
        information = net.information_content("words")
        rows = net.ancestors(synsets).synsets
        order = np.lexsort((rows.values, -information[rows.values], rows.rows))
        above = np.split(rows.values[order], rows.offsets[1:-1])
        self.above = dict(zip(synsets.tolist(), map(np.ndarray.tolist, above), strict=True)) if len(synsets) else {}
        self.depth = dict(zip(synsets.tolist(), net.max_depth[synsets].tolist(), strict=True))
        known = np.unique(rows.values)
        self.information = dict(zip(known.tolist(), information[known].tolist(), strict=True))
        self._totals: dict[frozenset[int], float] = {}

    def total(self, concepts: frozenset[int]) -> float:
        """Return the information of a set of concepts in nats, what they share counting once."""
        found = self._totals.get(concepts)
        if found is None:
            found, told = 0.0, set[int]()
            for concept in sorted(concepts, key=lambda one: (self.depth[one], one)):
                above = self.above[concept]
                shared = next((self.information[one] for one in above if one in told), 0.0)
                found += max(0.0, self.information[concept] - shared)
                told.update(above)
            self._totals[concepts] = found
        return found


def _concepts(pairs: PairBatch, frequencies: Frequencies) -> list[_Concepts]:
    net = wordnet()
    lemmas, classes = vocabulary(pairs, "lemmas"), word_classes(pairs)
    holds = np.fromiter((any(map(str.isalnum, item)) for item in lemmas.items), dtype=bool, count=len(lemmas.items))
    ids = lemmas.ids.values
    kept = holds[ids] & ~stop_mask(pairs, "ecnu")
    words = np.where(np.isin(classes, HIERARCHY), net.hashed_word_ids(lemmas.hashes[ids], classes), -1)
    information = frequencies.information(lemmas.items).tolist()
    distinct = np.unique(words[kept & (words >= 0)])
    rows = net.senses(distinct)
    senses = dict(zip(distinct.tolist(), map(tuple, _lists(rows)), strict=True))
    found = []
    for place, word in zip(_lists(Ragged(ids, lemmas.ids.offsets).where(kept)),
                           _lists(Ragged(words, lemmas.ids.offsets).where(kept)), strict=True):  # fmt: skip
        of_words = {one: senses[one] for one in word if one >= 0}
        leaves = {lemmas.items[item]: information[item] for item, one in zip(place, word, strict=True) if one < 0}
        found.append(_Concepts(of_words, frozenset(chain.from_iterable(of_words.values())), leaves))
    return found


def _lists(rows: Ragged) -> list[list[int]]:
    values, ends = rows.values.tolist(), rows.offsets.tolist()
    return [values[start:end] for start, end in zip(ends[:-1], ends[1:], strict=True)]


def _chosen(one: _Concepts, other: _Concepts) -> frozenset[int]:
    """Return the sense of each word: its first that a word of the other sentence has too, else its first.

    The sense that shares most information with the other sentence, as the authors may have chosen, makes unrelated
    words alike: the score then correlates with those of STS Benchmark train by 0.65 instead of 0.67.
    """
    return frozenset(
        senses[0] if word in other.senses else next((sense for sense in senses if sense in other.every), senses[0])
        for word, senses in one.senses.items()
    )


def _of_leaves(information: Iterable[float]) -> float:
    # In order of size, so that the sum does not depend on the order of the words.
    return LEAF * sum(sorted(information))


def _amounts(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Return the information of either sentence and of both together, shape (n, 3)."""

    def compute() -> np.ndarray:
        concepts = _concepts(pairs, frequencies)
        facing = [(concepts[i], concepts[j]) for i, j in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)]
        senses = [(_chosen(a, b), _chosen(b, a)) for a, b in facing]
        distinct = np.unique(np.fromiter(chain.from_iterable(of_a | of_b for of_a, of_b in senses), dtype=np.int64))
        hierarchy = _Hierarchy(wordnet(), distinct)
        amounts = np.empty((len(pairs), 3))
        for row, ((a, b), (of_a, of_b)) in enumerate(zip(facing, senses, strict=True)):
            leaves = (a.leaves, b.leaves, {**a.leaves, **b.leaves})
            for k, (of_k, rest) in enumerate(zip((of_a, of_b, of_a | of_b), leaves, strict=True)):
                amounts[row, k] = hierarchy.total(of_k) + _of_leaves(rest.values())
        return amounts

    return pairs.memo(("sentence information", frequencies.digest), compute)


@feature("ratio", "dice", level="lexical", needs=("frequencies",), source="Wu et al. 2017")
def overlap(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Information that the sentences share, over that of both together and over the mean of the two; 0 without any."""
    a, b, both = _amounts(pairs, frequencies).T
    shared = np.maximum(a + b - both, 0.0)
    return np.stack([np.minimum(ratio(shared, both), 1.0), np.minimum(ratio(2 * shared, a + b), 1.0)], axis=1)


@feature(
    "shared", "alone_min", "alone_max", high=np.inf, level="lexical", needs=("frequencies",), source="Wu et al. 2017"
)
def amount(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Information in nats that the sentences share, and that one of them has alone."""
    a, b, both = _amounts(pairs, frequencies).T
    alone = np.maximum(both - b, 0.0), np.maximum(both - a, 0.0)
    return np.stack([np.maximum(a + b - both, 0.0), np.minimum(*alone), np.maximum(*alone)], axis=1)
