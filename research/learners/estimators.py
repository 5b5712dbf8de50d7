"""Estimators that scikit-learn does not have as such, in its interface; only fitting imports this module."""

import inspect
import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression

from ...features.matrix import FeatureMatrix
from ...models.member import make_member

HIGHEST = 5.0


class GradedLogistic(RegressorMixin, BaseEstimator):
    """A sigmoid of a weighted sum, fitted to g / 5 by cross-entropy; it predicts 5 times the sigmoid.

    Each row counts twice: as a positive of weight g / 5 and as a negative of weight 1 - g / 5.

    Parameters
    ----------
    penalty
        ``l1`` or ``l2``.
    C
        Inverse strength of the penalty, as in `sklearn.linear_model.LogisticRegression`.
    random_state
        Seed of the solver for ``l1``.
    """

    def __init__(self, penalty: str = "l2", C: float = 1.0, random_state: int | None = 0) -> None:
        self.penalty = penalty
        self.C = C
        self.random_state = random_state

    def fit(self, values: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "GradedLogistic":
        """Fit on values of shape (n, k) and scores of shape (n,).

        Raises
        ------
        ValueError
            If a score is outside 0..5, or the penalty is unknown.
        """
        if not ((y >= 0) & (y <= HIGHEST)).all():
            outside = y[(y < 0) | (y > HIGHEST)][0]
            raise ValueError(f"logistic regression needs scores on 0..5, not {outside:g}; rescale them")
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        share = y / HIGHEST
        self.model_ = LogisticRegression(C=self.C, random_state=self.random_state, **self._solver())
        labels = np.repeat([1, 0], len(y))
        doubled = np.concatenate([weights * share, weights * (1 - share)])
        self.model_.fit(np.concatenate([values, values]), labels, sample_weight=doubled)
        return self

    def _solver(self) -> dict[str, Any]:
        if self.penalty not in ("l1", "l2"):
            raise ValueError(f"penalty {self.penalty!r} is unknown; logistic regression has l1 and l2")
        lasso = self.penalty == "l1"
        # liblinear punishes the intercept as well, the less the more that is scaled.
        solver: dict[str, Any] = (
            {"solver": "liblinear", "tol": 1e-3, "intercept_scaling": 100.0}
            if lasso
            else {"solver": "lbfgs", "tol": 1e-6}
        )
        # From 1.8 on, scikit-learn has the penalty said by `l1_ratio` alone, and warns of the older word.
        newer = inspect.signature(LogisticRegression).parameters["l1_ratio"].default is not None
        return {**solver, "max_iter": 10_000, **({"l1_ratio": float(lasso)} if newer else {"penalty": self.penalty})}

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the score of each row, 0..5, shape (n, k) to (n,)."""
        scores: np.ndarray = HIGHEST * self.model_.predict_proba(values)[:, 1]
        return scores


class GradeMixture(RegressorMixin, BaseEstimator):
    """A mixture of one Gaussian a rounded grade, 0..5, with one covariance, shrunk; it predicts the expected grade.

    Linear discriminant analysis is this mixture (Maharjan et al., 2017, name it and give no detail).

    Parameters
    ----------
    shrinkage
        ``auto`` for that of Ledoit and Wolf (2004), or how far the covariance is shrunk, 0..1.
    """

    def __init__(self, shrinkage: str | float = "auto") -> None:
        self.shrinkage = shrinkage

    def fit(self, values: np.ndarray, y: np.ndarray) -> "GradeMixture":
        """Fit on values of shape (n, k) and scores of shape (n,).

        Raises
        ------
        ValueError
            If fewer than two grades occur.
        """
        grades = np.clip(np.floor(y + 0.5), 0, HIGHEST).astype(int)
        if len(np.unique(grades)) < 2:
            raise ValueError(f"every score rounds to {grades[0]}; a mixture of grades needs at least two of them")
        self.model_ = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=self.shrinkage)
        with warnings.catch_warnings():
            # A grade of one pair adds nothing to the covariance, as it should.
            warnings.filterwarnings("ignore", message="Only one sample available", category=UserWarning)
            self.model_.fit(values, grades)
        return self

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the expected grade of each row, 0..5, shape (n, k) to (n,)."""
        scores: np.ndarray = self.model_.predict_proba(values) @ self.model_.classes_.astype(np.float64)
        return scores


class Multiple(RegressorMixin, BaseEstimator):
    """One column times a number; it learns nothing.

    Parameters
    ----------
    times
        The number.
    """

    def __init__(self, times: float = HIGHEST) -> None:
        self.times = times

    def fit(self, values: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "Multiple":
        """Return itself."""
        return self

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the only column of the values, shape (n, 1), times the number, shape (n,)."""
        scores: np.ndarray = values[:, 0] * self.times
        return scores


class Trees:
    """A regressor of the ensemble that reads arrays.

    Parameters
    ----------
    name
        ``rf``, ``gbm`` or ``xgb``.
    settings
        Settings of the library, and ``defaults``: ``tuned`` or ``library``, which tells what the others are.
    random_state, n_jobs
        As for the regressor.
    """

    def __init__(self, name: str, settings: Mapping[str, Any], random_state: int | None, n_jobs: int | None) -> None:
        given = dict(settings)
        defaults = given.pop("defaults", "tuned")
        if defaults not in ("tuned", "library"):
            raise ValueError(f"the defaults of {name} are tuned or library, not {defaults!r}")
        regressor: Any = make_member(name, given, random_state, n_jobs)
        self.regressor = regressor if defaults == "tuned" else replace(regressor, params=given)

    def fit(self, values: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "Trees":
        """Fit on values of shape (n, k) and scores of shape (n,)."""
        self.regressor = self.regressor.fit(_matrix(values), y, sample_weight)
        return self

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the score of each row, shape (n, k) to (n,)."""
        scores: np.ndarray = self.regressor.predict(_matrix(values))
        return scores


def _matrix(values: np.ndarray) -> FeatureMatrix:
    return FeatureMatrix(values.astype(np.float32), tuple(map(str, range(values.shape[1]))))
