"""Kinds of learners: class, settings, and the settings that cross-validation chooses."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

SEARCHED = 2_000
"""Largest number of pairs for the choice of the settings of `svr`: the time of a fit grows with its square."""

Candidates = tuple[Any, ...] | Callable[[np.ndarray], tuple[float, ...]]


class Kind(NamedTuple):
    """A learner.

    `about` describes it; `home` is its class. `fixed` are settings that users cannot change, `defaults` those that
    differ from the library's, and `grid` the candidates of cross-validation on at most `searched` pairs. `single`
    learners read one column.
    """

    about: str
    scale: str
    home: str
    fixed: Mapping[str, Any] = {}
    defaults: Mapping[str, Any] = {}
    grid: Mapping[str, Candidates] = {}
    single: bool = False
    searched: int | None = None


def _widths(values: np.ndarray) -> tuple[float, ...]:
    variance = values.var()
    scale = 1.0 / (values.shape[1] * variance) if variance > 0 else 1.0
    return tuple(float(scale * times) for times in (1 / 16, 1 / 4, 1.0))


_ALPHAS = tuple(10.0**k for k in range(-2, 5))

KINDS = {
    "rf": Kind("a random forest (Breiman, 2001)", "none", ".array_regressor:ArrayRegressor"),
    "gbm": Kind("gradient boosting of regression trees (Friedman, 2001)", "none", ".array_regressor:ArrayRegressor"),
    "xgb": Kind("gradient boosting by XGBoost (Chen and Guestrin, 2016)", "none", ".array_regressor:ArrayRegressor"),
    "linear": Kind("ordinary least squares", "standard", "sklearn.linear_model:LinearRegression"),
    "ridge": Kind(
        "ridge regression (Hoerl and Kennard, 1970)", "standard", "sklearn.linear_model:Ridge", grid={"alpha": _ALPHAS}
    ),
    "non_negative_ridge": Kind(
        "ridge regression without negative weights, for stacks (Breiman, 1996)",
        "standard",
        "sklearn.linear_model:Ridge",
        {"positive": True, "tol": 1e-10},
        grid={"alpha": _ALPHAS},
    ),
    "lasso_lars": Kind(
        "the lasso, by least-angle regression (Efron et al., 2004)",
        "standard",
        "sklearn.linear_model:LassoLars",
        grid={"alpha": tuple(10.0 ** (k / 2) for k in range(-8, 1))},
    ),
    "svr": Kind(
        "support vector regression with a Gaussian kernel (Drucker et al., 1997)",
        "standard",
        "sklearn.svm:SVR",
        {"kernel": "rbf", "cache_size": 500},
        grid={"C": (0.5, 2.0, 8.0), "gamma": _widths, "epsilon": (0.1, 0.4)},
        searched=SEARCHED,
    ),
    "linear_svr": Kind(
        "support vector regression with a linear kernel (Drucker et al., 1997)",
        "standard",
        "sklearn.svm:SVR",
        {"kernel": "linear", "cache_size": 500},
        {"C": 1.0, "epsilon": 0.1},
    ),
    "logistic": Kind(
        "logistic regression on graded labels, by cross-entropy (Henderson et al., 2017)",
        "standard",
        ".graded_logistic:GradedLogistic",
        grid={"C": tuple(10.0**k for k in range(-3, 1))},
    ),
    "mlp": Kind(
        "a multi-layer perceptron with early stopping on a tenth of the pairs (Rumelhart et al., 1986)",
        "standard",
        "sklearn.neural_network:MLPRegressor",
        defaults={"early_stopping": True},
    ),
    "model_tree": Kind(
        "a regression tree with linear models in its leaves (Quinlan, 1992)",
        "standard",
        ".model_tree:ModelTree",
        grid={"max_depth": (1, 2, 3), "alpha": (1.0, 10.0, 100.0)},
    ),
    "gaussian_mixture": Kind(
        "one Gaussian a rounded grade, one shrunk covariance, the expected grade (Maharjan et al., 2017)",
        "standard",
        ".grade_mixture:GradeMixture",
    ),
    "isotonic": Kind(
        "one column, mapped by a non-decreasing curve (Barlow et al., 1972)",
        "none",
        "sklearn.isotonic:IsotonicRegression",
        {"out_of_bounds": "clip"},
        single=True,
    ),
    "identity": Kind(
        "one column times a number, 5 by default, without learning",
        "none",
        ".column_multiple:Multiple",
        single=True,
    ),
}
"""The learners by name."""
