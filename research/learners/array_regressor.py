"""The regressors of the ensemble on plain arrays."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import make_member


class ArrayRegressor:
    """A regressor of the ensemble that reads arrays."""

    def __init__(self, name: str, settings: Mapping[str, Any], random_state: int | None, n_jobs: int | None) -> None:
        given = dict(settings)
        defaults = given.pop("defaults", "tuned")
        if defaults not in ("tuned", "library"):
            raise ValueError(f"defaults of {name} must be tuned or library, got {defaults!r}; choose one of them")
        regressor: Any = make_member(name, given, random_state, n_jobs)
        self.regressor = regressor if defaults == "tuned" else replace(regressor, params=given)

    def fit(self, values: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "ArrayRegressor":
        """Fit on values of shape (n, k) and scores of shape (n,)."""
        self.regressor = self.regressor.fit(_matrix(values), y, sample_weight)
        return self

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the score of each row, shape (n, k) to (n,)."""
        scores: np.ndarray = self.regressor.predict(_matrix(values))
        return scores


def _matrix(values: np.ndarray) -> FeatureMatrix:
    return FeatureMatrix(values.astype(np.float32), tuple(map(str, range(values.shape[1]))))
