"""A mixture of one Gaussian a rounded grade (Maharjan et al., 2017)."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

HIGHEST = 5.0


class GradeMixture(RegressorMixin, BaseEstimator):
    """A mixture of one Gaussian a rounded grade, 0..5, with one shrunk covariance; it predicts the expected grade."""

    def __init__(self, shrinkage: str | float = "auto") -> None:
        self.shrinkage = shrinkage

    def fit(self, values: np.ndarray, y: np.ndarray) -> "GradeMixture":
        """Fit on values of shape (n, k) and scores of shape (n,)."""
        grades = np.clip(np.floor(y + 0.5), 0, HIGHEST).astype(int)
        if len(np.unique(grades)) < 2:
            raise ValueError(
                f"scores must round to at least two grades, got only {grades[0]}; add pairs of other grades"
            )
        self.model_ = LinearDiscriminantAnalysis(solver="lsqr", shrinkage=self.shrinkage)
        with warnings.catch_warnings():
            # A grade of one pair correctly adds nothing to the covariance.
            warnings.filterwarnings("ignore", message="Only one sample available", category=UserWarning)
            self.model_.fit(values, grades)
        return self

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the expected grade of each row, 0..5, shape (n, k) to (n,)."""
        scores: np.ndarray = self.model_.predict_proba(values) @ self.model_.classes_.astype(np.float64)
        return scores
