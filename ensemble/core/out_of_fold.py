"""Out-of-fold scores: those that members give to pairs that they did not see, and the fits on them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import joblib
import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import Member, scores_of_member
from .combination import Combination, Rule
from .folds import grouped_folds
from .predictive_distribution import WHOLE_SCALE, PredictiveDistribution, spread_of
from .uncertainty import Uncertainty, VennAbers, logistic_curve


def out_of_fold(
    matrix: FeatureMatrix,
    gold: np.ndarray,
    groups: np.ndarray,
    members: Sequence[Member],
    n_jobs: int | None = None,
    sources: Sequence[int] | np.ndarray = (),
) -> np.ndarray | None:
    """Return the score of each row by members that saw no pair of its group, shape (n, m); None for a single group."""
    folds = [
        (np.append(train, len(groups) + np.flatnonzero(np.isin(sources, train))), held_out)
        for train, held_out in grouped_folds(groups)
    ]
    if not folds:
        return None
    tasks = [(k, *fold) for k in range(len(members)) for fold in folds]
    of_tasks = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(_held_out_scores)(
            replace(cast(Any, members[k]), n_jobs=1), read_by(members[k], matrix), gold, train, held_out
        )
        for k, train, held_out in tasks
    )
    predicted = np.empty((len(groups), len(members)))
    for (k, _, held_out), scores in zip(tasks, of_tasks, strict=True):
        predicted[held_out, k] = scores
    return predicted


def fit_on_unseen(
    member_scores: np.ndarray,
    gold: np.ndarray,
    groups: np.ndarray,
    rule: Rule,
    *,
    calibrate: bool,
    level: float | None,
    averaged: Sequence[bool] = (),
    sources: np.ndarray | None = None,
    binary: bool = False,
) -> tuple[Combination, Uncertainty]:
    """Return the combination and the uncertainty, fitted on out-of-fold scores."""
    if binary:
        combination = Combination.fit(rule, member_scores, gold, groups, calibrate=False, averaged=averaged)
        knots, values = logistic_curve(combination.apply(member_scores, clip=False), gold)
        combination = replace(combination, knots=knots, values=values)
        return combination, VennAbers.fit(combination.apply(member_scores), gold, level or 1.0)
    combination = Combination.fit(rule, member_scores, gold, groups, calibrate=calibrate, averaged=averaged)
    if level is None:
        return combination, WHOLE_SCALE
    spread = spread_of(member_scores[:, combination.counted(member_scores.shape[1])])
    combined = combination.apply(member_scores)
    return combination, PredictiveDistribution.fit(combined, gold, level, spread=spread, sources=sources)


def read_by(member: Member, matrix: FeatureMatrix) -> FeatureMatrix:
    """Return the part of a matrix that a member reads, to be sent to another process."""
    if member.reads_columns:
        return FeatureMatrix(matrix.values, matrix.columns)
    return FeatureMatrix(np.empty((len(matrix), 0), dtype=np.float32), (), matrix.pairs)


def _held_out_scores(
    member: Member, matrix: FeatureMatrix, gold: np.ndarray, train: np.ndarray, held_out: np.ndarray
) -> np.ndarray:
    return scores_of_member(member.fit(matrix.take(train), gold[train]), matrix.take(held_out))
