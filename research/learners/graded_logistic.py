"""Logistic regression on graded labels, by cross-entropy (Henderson et al., 2017)."""

import inspect
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import LogisticRegression

HIGHEST = 5.0


class GradedLogistic(RegressorMixin, BaseEstimator):
    """A sigmoid of a weighted sum, fitted to g / 5 by cross-entropy; it predicts 5 times the sigmoid."""

    def __init__(self, penalty: str = "l2", C: float = 1.0, random_state: int | None = 0) -> None:
        self.penalty = penalty
        self.C = C
        self.random_state = random_state

    def fit(self, values: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "GradedLogistic":
        """Fit on values of shape (n, k) and scores of shape (n,)."""
        if not ((y >= 0) & (y <= HIGHEST)).all():
            outside = y[(y < 0) | (y > HIGHEST)][0]
            raise ValueError(f"scores must be between 0 and 5, got {outside:g}; rescale them")
        weights = np.ones(len(y)) if sample_weight is None else sample_weight
        share = y / HIGHEST
        self.model_ = LogisticRegression(C=self.C, random_state=self.random_state, **self._solver())
        labels = np.repeat([1, 0], len(y))
        doubled = np.concatenate([weights * share, weights * (1 - share)])
        self.model_.fit(np.concatenate([values, values]), labels, sample_weight=doubled)
        return self

    def _solver(self) -> dict[str, Any]:
        if self.penalty not in ("l1", "l2"):
            raise ValueError(f"penalty must be l1 or l2, got {self.penalty!r}; choose one of them")
        lasso = self.penalty == "l1"
        # liblinear penalises the intercept too; a larger scaling weakens that.
        solver: dict[str, Any] = (
            {"solver": "liblinear", "tol": 1e-3, "intercept_scaling": 100.0}
            if lasso
            else {"solver": "lbfgs", "tol": 1e-6}
        )
        # From 1.8 on, scikit-learn sets the penalty by `l1_ratio` alone and deprecates `penalty`.
        newer = inspect.signature(LogisticRegression).parameters["l1_ratio"].default is not None
        return {**solver, "max_iter": 10_000, **({"l1_ratio": float(lasso)} if newer else {"penalty": self.penalty})}

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the score of each row, 0..5, shape (n, k) to (n,)."""
        scores: np.ndarray = HIGHEST * self.model_.predict_proba(values)[:, 1]
        return scores
