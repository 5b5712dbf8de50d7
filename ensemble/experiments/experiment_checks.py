"""Checks of the input of an experiment: members, settings and seeds, gold scores, groups."""

from collections.abc import Collection, Sequence

import numpy as np

from ...features.matrix import FeatureMatrix
from ...models.member import MEMBERS
from ..core.folds import sentence_groups


def checked_members(members: str | Sequence[str], params: Collection[str], seeds: int) -> tuple[str, ...]:
    """Return the names of the members.

    Raises
    ------
    ValueError
        If no member or one member twice is named, `params` has settings of an unknown member, or `seeds` is below 1.
    """
    names = (members,) if isinstance(members, str) else tuple(members)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"members={members!r} must name at least one member, each once")
    unknown = [name for name in params if name not in MEMBERS]
    if unknown:
        raise ValueError(f"params must be for members among {', '.join(MEMBERS)}, got {unknown[0]!r}; correct the name")
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, got {seeds}; give a larger number")
    return names


def checked_gold(y: Sequence[float] | np.ndarray, matrix: FeatureMatrix, name: str) -> np.ndarray:
    """Return the gold scores of the n pairs of a matrix, shape (n,), float64.

    Raises
    ------
    ValueError
        If there are fewer than two scores, not one for each pair, or one is not between 0 and 5; `name` is the
        parameter for the message.
    """
    gold = np.asarray(y, dtype=np.float64)
    if gold.shape != (len(matrix),) or len(gold) < 2:
        raise ValueError(
            f"{name} must have one score for each of {len(matrix)} pairs, at least two, got shape {gold.shape}; "
            "give one score for each pair"
        )
    bad = np.flatnonzero(~((gold >= 0) & (gold <= 5)))
    if len(bad):
        raise ValueError(
            f"scores in {name} must be between 0 and 5, got {gold[bad[0]]} of pair {bad[0]}; rescale the scores"
        )
    return gold


def checked_groups(train: FeatureMatrix, groups: np.ndarray | None) -> np.ndarray:
    """Return the group of each of n training pairs, shape (n,): those given, or one for all pairs linked by a sentence.

    Raises
    ------
    ValueError
        If `groups` is None and the matrix holds no pairs, or there is not one group for each pair.
    """
    if groups is None:
        if train.pairs is None:
            raise ValueError("the matrix must hold its pairs to group them by sentence, got numbers alone; give groups")
        groups = sentence_groups(train.pairs)
    groups = np.asarray(groups)
    if groups.shape != (len(train),):
        raise ValueError(
            f"groups must have one value for each of {len(train)} pairs, got shape {groups.shape}; "
            "give one group for each pair"
        )
    return groups
