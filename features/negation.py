"""Disagreement in negation (Tian et al., 2017)."""

from collections.abc import Sequence

from .base import AnalysedPair, feature

# The 18 terms of the ECNU toolkit; "n't" is how the Treebank writes a contracted "not".
TERMS = frozenset(
    "no cannot not n't none nothing nowhere neither nor nobody hardly scarcely barely never noone fewer less without "
    "rarely".split()
)


def _count(words: Sequence[str]) -> int:
    # "can not" of the tokeniser's split "cannot" is counted by its "not".
    return sum(word in TERMS for word in words)


@feature("parity", source="Tian et al. 2017")
def differs(pairs: Sequence[AnalysedPair]) -> list[list[float]]:
    """1 where one of the two sentences holds an odd number of negations and the other an even number, else 0."""
    return [[float((_count(a.words) - _count(b.words)) % 2)] for a, b in pairs]


@feature("difference", "total", high=float("inf"), source="ours")
def count(pairs: Sequence[AnalysedPair]) -> list[list[float]]:
    """Absolute difference and sum of the numbers of negations."""
    counts = [(_count(a.words), _count(b.words)) for a, b in pairs]
    return [[abs(i - j), i + j] for i, j in counts]
