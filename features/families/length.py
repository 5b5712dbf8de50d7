"""Lengths in tokens and characters (Saric et al., 2012; Al-Natsheh et al., 2017)."""

import numpy as np

from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import stop_mask, vocabulary


def _sides(pairs: PairBatch, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return values[pairs.left].astype(np.float64), values[pairs.right].astype(np.float64)


def _sizes(pairs: PairBatch) -> list[tuple[np.ndarray, np.ndarray]]:
    words = vocabulary(pairs, "words").ids
    characters = np.asarray([len(sentence.text) for sentence in pairs.sentences], dtype=np.int64)
    sizes = words.lengths, words.where(~stop_mask(pairs, "ecnu")).lengths, characters
    return [_sides(pairs, size) for size in sizes]


_COLUMNS = ("min", "max", "difference", "log_min", "log_max", "log_ratio")
_SIZES = ("tokens", "content", "characters")


@feature(
    *(f"{unit}_{column}" for unit in _SIZES for column in _COLUMNS), high=float("inf"),
    source="Al-Natsheh et al. 2017; ours",
)  # fmt: skip
def size(pairs: PairBatch) -> np.ndarray:
    """Smaller and larger length, absolute difference, and the logarithms of 1 + length and their absolute difference.

    Counted in tokens, in tokens other than stop words of ECNU, and in characters.
    """
    columns = []
    for a, b in _sizes(pairs):
        low, high = np.minimum(a, b), np.maximum(a, b)
        columns += [low, high, high - low, np.log1p(low), np.log1p(high), np.log1p(high) - np.log1p(low)]
    return np.stack(columns, axis=1)


@feature(*_SIZES, source="Saric et al. 2012", section="KB4")
def relative_difference(pairs: PairBatch) -> np.ndarray:
    """Absolute difference of the lengths over the larger one; 0 if both are 0."""
    return np.stack([ratio(np.abs(a - b), np.maximum(a, b)) for a, b in _sizes(pairs)], axis=1)


@feature("difference", "min", source="ours")
def variety(pairs: PairBatch) -> np.ndarray:
    """Distinct words over words of each side: absolute difference and the smaller of the two; 1 for an empty text."""
    ids = vocabulary(pairs, "words").ids
    key = np.sort(ids.rows * (ids.values.max(initial=0) + 1) + ids.values)
    new = np.ones(len(key), dtype=bool)
    new[1:] = key[1:] != key[:-1]
    # Rows stand in the same places once sorted.
    types = ids.where(new).lengths
    a, b = _sides(pairs, ratio(types, ids.lengths, 1.0))
    return np.stack([np.abs(a - b), np.minimum(a, b)], axis=1)
