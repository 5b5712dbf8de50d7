"""Random search of the settings of regressors (Bergstra and Bengio, 2012), in folds grouped by sentence."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import joblib
import numpy as np
from scipy.stats import loguniform, randint, uniform
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.metrics import make_scorer
from sklearn.model_selection import ParameterSampler, RandomizedSearchCV

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import REGRESSORS, make_member
from ..core.folds import grouped_folds
from .member_fits import Progress, Tally
from .search_result import Candidate, Search
from .variants import quiet_pearson

Space = Mapping[str, Mapping[str, Any]]
"""A scipy distribution, or a sequence to draw from, for each setting of each regressor."""

SPACE: Space = {
    "rf": {"min_samples_leaf": randint(1, 11), "max_features": uniform(0.05, 0.55)},
    "gbm": {
        "n_estimators": randint(200, 1_001),
        "learning_rate": loguniform(0.01, 0.1),
        "max_depth": randint(2, 9),
        "subsample": uniform(0.3, 0.7),
        "max_features": uniform(0.05, 0.45),
        "min_samples_leaf": randint(2, 51),
    },
    "xgb": {
        "n_estimators": randint(200, 1_201),
        "learning_rate": loguniform(0.01, 0.1),
        "max_depth": randint(2, 9),
        "subsample": uniform(0.3, 0.7),
        "colsample_bytree": uniform(0.1, 0.9),
        "min_child_weight": loguniform(1, 64),
        "reg_lambda": loguniform(0.1, 10),
    },
}
"""The searched settings: those of the files of `models.regressors`, around their values there.

The number of trees in a forest is left out: more trees never hurt.
"""

DIGITS = 3
"""Significant digits of a drawn number: people read it and type it again."""


def search(
    matrix: FeatureMatrix,
    y: Sequence[float] | np.ndarray,
    groups: np.ndarray,
    *,
    members: Sequence[str] = REGRESSORS,
    draws: int = 20,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    space: Space = SPACE,
    seed: int = 0,
    jobs: int | None = None,
    progress: Progress | None = None,
) -> Search:
    """Compare settings of regressors by cross-validation: the mean of the Pearson correlations of five folds."""
    names = [name for name in members if name in space]
    if not names:
        raise ValueError(f"members must name one of {', '.join(space)}, got {', '.join(members)}; add one to search")
    if draws < 1:
        raise ValueError(f"draws must be at least 1, got {draws}; give a larger number")
    folds = grouped_folds(groups)
    if not folds:
        raise ValueError("all pairs are in one group, so they cannot be split into folds; give more pairs")
    searched = _searched(names, space, params or {})
    tally = Tally(progress)
    tally.expect(len(names) * (draws + 1) * len(folds))
    scores = np.asarray(y, dtype=np.float64)
    candidates: list[Candidate] = []
    for name in names:
        default = dict(make_member(name, (params or {}).get(name)).params)
        drawing = _Search(
            _Member(name, random_state=seed),
            {_SETTINGS: _Draw(default, searched[name])},
            n_iter=draws,
            scoring=make_scorer(quiet_pearson),
            n_jobs=jobs,
            refit=False,
            cv=folds,
            random_state=seed,
            error_score="raise",
        )
        drawing.count_fit = tally.step
        candidates += _candidates(name, drawing.fit(matrix.values, scores).cv_results_, len(folds))
    return Search(tuple(candidates), {name: tuple(searched[name]) for name in names})


def _searched(names: Sequence[str], space: Space, fixed: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the distributions of the settings of each regressor that are not fixed."""
    searched = {
        name: {key: value for key, value in space[name].items() if key not in fixed.get(name, {})} for name in names
    }
    for name, distributions in searched.items():
        if not any(hasattr(values, "rvs") or len(values) > 1 for values in distributions.values()):
            raise ValueError(f"every searched setting of {name} is given, so there is nothing to search; give fewer")
    return searched


_SETTINGS = "settings"


class _Member(RegressorMixin, BaseEstimator):
    """Member of the ensemble as a scikit-learn regressor, so that a search compares what training fits."""

    def __init__(self, name: str = "xgb", settings: Mapping[str, Any] | None = None, random_state: int = 0) -> None:
        self.name = name
        self.settings = settings
        self.random_state = random_state

    def fit(self, X: np.ndarray, y: np.ndarray) -> "_Member":
        columns = tuple(map(str, range(X.shape[1])))
        self.fitted_ = make_member(self.name, self.settings, self.random_state, 1).fit(FeatureMatrix(X, columns), y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return self.fitted_.predict(FeatureMatrix(X, tuple(map(str, range(X.shape[1])))))


@dataclass(frozen=True)
class _Draw:
    """Distribution of complete settings: the default, with drawn values in place of its own."""

    default: Mapping[str, Any]
    distributions: Mapping[str, Any]

    def rvs(self, random_state: np.random.RandomState) -> dict[str, Any]:
        return {**self.default, **{key: _one(value, random_state) for key, value in self.distributions.items()}}


class _Search(RandomizedSearchCV):
    """Randomized search that begins with the default, in steps, so that progress can be shown."""

    count_fit: Callable[[], None]

    def _run_search(self, evaluate_candidates: Callable[[list[dict[str, Any]]], Any]) -> None:
        drawn = ParameterSampler(self.param_distributions, self.n_iter, random_state=self.random_state)
        candidates = [{_SETTINGS: dict(self.param_distributions[_SETTINGS].default)}, *drawn]
        step = math.ceil(joblib.effective_n_jobs(self.n_jobs) / len(self.cv))
        for start in range(0, len(candidates), step):
            batch = candidates[start : start + step]
            evaluate_candidates(batch)
            for _ in range(len(batch) * len(self.cv)):
                self.count_fit()


def _one(distribution: Any, random_state: np.random.RandomState) -> Any:
    if hasattr(distribution, "rvs"):
        value = distribution.rvs(random_state=random_state)
    else:
        value = distribution[random_state.randint(len(distribution))]
    value = value.item() if isinstance(value, np.generic) else value
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value


def _candidates(member: str, results: Mapping[str, Any], folds: int) -> list[Candidate]:
    scores = np.column_stack([results[f"split{k}_test_score"] for k in range(folds)])
    seconds = (results["mean_fit_time"] + results["mean_score_time"]) * folds
    rank = np.empty(len(scores), dtype=np.int64)
    rank[np.argsort(-scores.mean(axis=1), kind="stable")] = np.arange(1, len(scores) + 1)
    return [
        Candidate(member, params[_SETTINGS], k == 0, tuple(scores[k].tolist()), int(rank[k]), float(seconds[k]))
        for k, params in enumerate(results["params"])
    ]
