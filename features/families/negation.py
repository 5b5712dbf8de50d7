"""Disagreement in negation (Tian et al., 2017)."""

import numpy as np

from ..base.feature import PairBatch, feature
from ..base.token_sequences import vocabulary

# The 18 terms of the ECNU toolkit; the Treebank writes a contracted "not" as "n't". The tokeniser splits "cannot", so
# its "not" counts.
TERMS = frozenset(
    "no cannot not n't none nothing nowhere neither nor nobody hardly scarcely barely never noone fewer less without "
    "rarely".split()
)


def _counts(pairs: PairBatch) -> tuple[np.ndarray, np.ndarray]:
    def compute() -> tuple[np.ndarray, np.ndarray]:
        words = vocabulary(pairs, "words")
        negates = np.fromiter((item in TERMS for item in words.items), dtype=bool, count=len(words.items))
        counts = words.ids.where(negates[words.ids.values]).lengths
        return counts[pairs.left], counts[pairs.right]

    return pairs.memo("negations", compute)


@feature("parity", source="Tian et al. 2017", section="NEG")
def differs(pairs: PairBatch) -> np.ndarray:
    """1 where one of the two sentences holds an odd number of negations and the other an even number, else 0."""
    a, b = _counts(pairs)
    return np.stack([(a + b) % 2], axis=1)


@feature("difference", "total", high=float("inf"), source="ours", section="NEG")
def count(pairs: PairBatch) -> np.ndarray:
    """Absolute difference and sum of the numbers of negations."""
    a, b = _counts(pairs)
    return np.stack([np.abs(a - b), a + b], axis=1)
