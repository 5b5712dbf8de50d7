"""Common runs and edits of two sequences, given as strings of one character an item (Tian et al., 2017)."""

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein, Postfix, Prefix
from rapidfuzz.process import cpdist

from ..arrays.ragged import ratio
from .string_tiling import longest_runs

RUNS = ("prefix", "suffix", "substring", "subsequence")
"""Column names of `run_shares`."""


def sizes(strings: list[str]) -> np.ndarray:
    """Return the length of each string, shape (n,), float64."""
    return np.fromiter(map(len, strings), dtype=np.float64, count=len(strings))


def run_shares(a: list[str], b: list[str]) -> np.ndarray:
    """Return longest common prefix, suffix, substring and subsequence over the shorter length, shape (n, 4).

    All are 0 where a side is empty.
    """
    shorter = np.minimum(sizes(a), sizes(b))
    prefix, suffix, subsequence = (
        cpdist(a, b, scorer=kind.similarity, dtype=np.float64) for kind in (Prefix, Postfix, LCSseq)
    )
    runs = (prefix, suffix, longest_runs(a, b), subsequence)
    return np.stack([ratio(value, shorter) for value in runs], axis=1)


def edit_shares(a: list[str], b: list[str]) -> np.ndarray:
    """Return two views of the Levenshtein distance, shape (n, 2).

    The distance over the shorter length, which counts as 1 if it is 0; and one minus the distance over the longer
    length, 1 where both sides are empty.
    """
    size_a, size_b = sizes(a), sizes(b)
    edits = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.float64)
    distance = edits / np.maximum(np.minimum(size_a, size_b), 1)
    return np.stack([distance, 1 - ratio(edits, np.maximum(size_a, size_b))], axis=1)
