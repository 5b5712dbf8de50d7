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
from .target import Target
from .uncertainty import Uncertainty, VennAbers, logistic_curve


def out_of_fold(
    matrix: FeatureMatrix,
    target: Target,
    groups: np.ndarray,
    members: Sequence[Member],
    n_jobs: int | None = None,
    origins: Sequence[int] | np.ndarray = (),
) -> np.ndarray | None:
    """Return the score of each row by members that saw no pair of its group, shape (n, m); None for a single group.

    Rows beyond those of `groups` were made from the rows `origins`, and are fitted on where these are.
    """
    folds = [
        (np.append(train, len(groups) + np.flatnonzero(np.isin(origins, train))), held_out)
        for train, held_out in grouped_folds(groups)
    ]
    if not folds:
        return None
    columns = FeatureMatrix(matrix.values, matrix.columns)
    removed = joblib.Parallel(n_jobs=n_jobs)(joblib.delayed(target.removed)(columns, train) for train, _ in folds)
    tasks = [(k, fold) for k in range(len(members)) for fold in range(len(folds))]
    of_tasks = joblib.Parallel(n_jobs=n_jobs)(
        joblib.delayed(_held_out_scores)(
            replace(cast(Any, members[k]), n_jobs=1), read_by(members[k], matrix), target, *folds[fold], removed[fold]
        )
        for k, fold in tasks
    )
    predicted = np.empty((len(groups), len(members)))
    for (k, fold), scores in zip(tasks, of_tasks, strict=True):
        predicted[folds[fold][1], k] = scores
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
    removed: np.ndarray | float = 0.0,
    weights: np.ndarray | None = None,
    relative: np.ndarray | None = None,
) -> tuple[Combination, Uncertainty]:
    """Return the combination and the uncertainty, fitted on out-of-fold scores.

    The combination is fitted on scores from which the points `removed` are taken. The uncertainty is fitted on scores
    as they are, without `relative` ones: a score of a new source has a level too.
    """
    if binary:
        combination = Combination.fit(rule, member_scores, gold, groups, calibrate=False, averaged=averaged)
        knots, values = logistic_curve(combination.apply(member_scores, clip=False), gold)
        combination = replace(combination, knots=knots, values=values)
        return combination, VennAbers.fit(combination.apply(member_scores), gold, level or 1.0)
    combination = Combination.fit(
        rule, member_scores, gold - removed, groups, calibrate=calibrate, averaged=averaged, weights=weights
    )
    if level is None:
        return combination, WHOLE_SCALE
    people = np.ones(len(gold), bool) if relative is None else ~relative
    member_scores, gold = member_scores[people], gold[people]
    spread = spread_of(member_scores[:, combination.counted(member_scores.shape[1])])
    own = None if sources is None else sources[people]
    return combination, PredictiveDistribution.fit(
        combination.apply(member_scores), gold, level, spread=spread, sources=own
    )


def read_by(member: Member, matrix: FeatureMatrix) -> FeatureMatrix:
    """Return the part of a matrix that a member reads, to be sent to another process."""
    if member.reads_columns:
        return FeatureMatrix(matrix.values, matrix.columns)
    return FeatureMatrix(np.empty((len(matrix), 0), dtype=np.float32), (), matrix.pairs)


def _held_out_scores(
    member: Member, matrix: FeatureMatrix, target: Target, train: np.ndarray, held_out: np.ndarray, removed: np.ndarray
) -> np.ndarray:
    return scores_of_member(target.fit(member, matrix, train, removed), matrix.take(held_out))
