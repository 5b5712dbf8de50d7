"""Scaling of columns before a learner reads them."""

from collections.abc import Callable
from typing import Any

import numpy as np

SCALES = {
    "standard": "mean 0 and standard deviation 1",
    "max_abs": "divided by the largest absolute value (Tian et al., 2017)",
    "log": "log(1 + x), and then as `standard` (Bär et al., 2012)",
    "none": "as it is",
}
"""Scales of columns, by name."""


def signed_log(values: np.ndarray) -> np.ndarray:
    """Return log(1 + x) as Bär et al. (2012), and -log(1 - x) where x is below 0, such as a negative cosine."""
    logs: np.ndarray = np.sign(values) * np.log1p(np.abs(values))
    return logs


def fit_scale(scale: str, values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """Return a function that scales rows of the same columns, shape (m, k), float64, with the scale of `values`."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, StandardScaler

    scalers: dict[str, Any] = {
        "standard": StandardScaler(),
        "max_abs": MaxAbsScaler(),
        "log": make_pipeline(FunctionTransformer(signed_log), StandardScaler()),
        "none": FunctionTransformer(),
    }
    transform: Callable[[np.ndarray], np.ndarray] = scalers[scale].fit(values).transform
    return transform
