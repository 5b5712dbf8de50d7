"""Alignment of the words of sentences with those of their translations, learned from the sentences alone.

IBM model 1 (Brown et al., 1993) in both directions, with the preference for the diagonal of Dyer et al. (2013); pairs
that are likely in both directions are links.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

ROUNDS = 8
DIAGONAL = 1.5
"""How much less likely a link is from the beginning of a sentence to the end of the other: ``exp(-DIAGONAL)``."""

_NULL = 0.1  # the share of an empty word, beside an average word


class Links(NamedTuple):
    """All pairs of words that occur in translations of each other.

    Attributes
    ----------
    pair, i, j
        Number of the sentence pair, and the places of the word and of the English word in it.
    word, english
        Numbers of the words.
    chance
        Probability that one stands for the other, in [0, 1].
    """

    pair: np.ndarray
    i: np.ndarray
    j: np.ndarray
    word: np.ndarray
    english: np.ndarray
    chance: np.ndarray


def align(texts: Sequence[Sequence[int]], english: Sequence[Sequence[int]], rounds: int = ROUNDS) -> Links:
    """Return the links between words of sentences and of their translations, given as numbers of words."""
    sizes = np.asarray([[len(a), len(b)] for a, b in zip(texts, english, strict=True)], dtype=np.int64).reshape(-1, 2)
    count = sizes.prod(axis=1)
    pair = np.repeat(np.arange(len(sizes)), count)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(count) - count, count)
    i, j = within // sizes[pair, 1], within % sizes[pair, 1]
    flat = [np.asarray([item for row in side for item in row], dtype=np.int64) for side in (texts, english)]
    starts = np.cumsum(sizes, axis=0) - sizes
    slots = starts[pair, 0] + i, starts[pair, 1] + j
    word, other = flat[0][slots[0]], flat[1][slots[1]]
    near = np.exp(-DIAGONAL * np.abs((i + 0.5) / sizes[pair, 0] - (j + 0.5) / sizes[pair, 1]))
    _, both = np.unique(word * (other.max(initial=0) + 1) + other, return_inverse=True)
    one = _expect(both, other, slots[0], near, rounds)
    two = _expect(both, word, slots[1], near, rounds)
    return Links(pair, i, j, word, other, np.sqrt(one * two))


def _expect(both: np.ndarray, given: np.ndarray, slot: np.ndarray, near: np.ndarray, rounds: int) -> np.ndarray:
    # Expectation-maximisation for the chance of a word given another; `slot` is the place that is generated.
    chance = np.ones(len(both))
    in_slot = np.bincount(slot, near)[slot]
    for _ in range(rounds):
        weight = chance * near
        total = np.bincount(slot, weight)[slot]
        expected = weight / (total + _NULL * total / np.maximum(np.bincount(slot)[slot], 1) + 1e-12)
        of_pair, of_given = np.bincount(both, expected), np.bincount(given, expected)
        chance = of_pair[both] / (of_given[given] + 0.5)
    return np.where(in_slot > 0, expected, 0.0)
