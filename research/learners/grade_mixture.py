"""A mixture of one Gaussian a rounded grade (Maharjan et al., 2017)."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

HIGHEST = 5.0


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
