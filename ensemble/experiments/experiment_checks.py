"""Whether scores and groups fit the pairs of an experiment."""

from collections.abc import Sequence

import numpy as np

from ...features.matrix import FeatureMatrix
from ..core.folds import sentence_groups


def checked_gold(y: Sequence[float] | np.ndarray, matrix: FeatureMatrix, name: str) -> np.ndarray:
    """Return the gold scores of the n pairs of a matrix, shape (n,), float64.

    Raises
    ------
    ValueError
        If there are fewer than two, not one a pair, or one is not on the scale 0..5; `name` says what they are.
    """
    gold = np.asarray(y, dtype=np.float64)
    if gold.shape != (len(matrix),) or len(gold) < 2:
        raise ValueError(f"{name} has shape {gold.shape} for {len(matrix)} pairs; give one score a pair, at least two")
    bad = np.flatnonzero(~((gold >= 0) & (gold <= 5)))
    if len(bad):
        raise ValueError(
            f"score {gold[bad[0]]} of pair {bad[0]} in {name} is not on the scale 0..5; rescale the scores"
        )
    return gold


def checked_groups(train: FeatureMatrix, groups: np.ndarray | None) -> np.ndarray:
    """Return the group of each of n training pairs, shape (n,): as given, or those linked by a sentence.

    Raises
    ------
    ValueError
        If they are neither given nor known, or not one a pair.
    """
    if groups is None:
        if train.pairs is None:
            raise ValueError(
                "the matrix holds numbers alone, so which pairs share a sentence is not known; give groups"
            )
        groups = sentence_groups(train.pairs)
    groups = np.asarray(groups)
    if groups.shape != (len(train),):
        raise ValueError(f"groups has shape {groups.shape} for {len(train)} pairs; give one group a pair")
    return groups
