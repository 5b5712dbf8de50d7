"""The three regressors on the feature matrix: a random forest, gradient boosting and XGBoost (Tian et al., 2017).

A library is imported only to fit. What is kept is its trees as arrays, so a regressor predicts the same to the last bit
just fitted and after it was stored and read.
"""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ...features.matrix import FeatureMatrix
from ..npz import pack_arrays, unpack_arrays
from .attribution import contributions
from .conversion import from_boosting, from_forest, from_xgboost
from .tree_arrays import TreeEnsemble

HYPERPARAMETERS: dict[str, dict[str, Any]] = {
    "rf": {"n_estimators": 200, "min_samples_leaf": 3, "max_features": 0.35},
    "gbm": {
        "n_estimators": 600,
        "learning_rate": 0.02,
        "max_depth": 6,
        "subsample": 0.5,
        "max_features": 0.2,
        "min_samples_leaf": 25,
    },
    "xgb": {
        "n_estimators": 800,
        "learning_rate": 0.02,
        "max_depth": 5,
        "subsample": 0.5,
        "colsample_bytree": 0.4,
        "min_child_weight": 16,
        "reg_lambda": 1.0,
    },
}
"""Settings of each regressor by its name, in the words of its library's scikit-learn interface.

The best of `benchmarks/tune_regressors.py`: five-fold cross-validation on STS Benchmark train, grouped by sentence.
"""

_OURS = (
    "random_state",
    "n_jobs",
    "verbose",
    "verbosity",
    "warm_start",
    "init",
    "objective",
    "loss",
    "booster",
    "callbacks",
)


@dataclass(frozen=True, eq=False)
class Regressor:
    """A regressor, with trees once it is fitted.

    Attributes
    ----------
    name
        ``rf``, ``gbm`` or ``xgb``.
    params
        Settings in the words of the library, as JSON values.
    random_state
        Seed; the same seed, matrix and scores give the same trees.
    n_jobs
        Processor cores to fit the forest on; it does not change a tree. Boosting fits one tree after the other, and
        XGBoost always runs on one core, because it does not promise the same sums of gradients on several.
    columns
        The k columns that the trees read, in order.
    trees
        What is kept of the fitted model, or None.
    """

    suffix: ClassVar[str] = ".npz"
    reads_columns: ClassVar[bool] = True
    tables: ClassVar[tuple[str, ...]] = ()

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    n_jobs: int | None = None
    columns: tuple[str, ...] = ()
    trees: TreeEnsemble | None = None

    @classmethod
    def make(
        cls, name: str, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> "Regressor":
        """Return an unfitted regressor with settings that differ from `HYPERPARAMETERS`.

        Raises
        ------
        ValueError
            If the name is unknown.
        """
        if name not in HYPERPARAMETERS:
            raise ValueError(f"regressor {name!r} is unknown; the regressors are {', '.join(HYPERPARAMETERS)}")
        return cls(name, {**HYPERPARAMETERS[name], **(params or {})}, random_state, n_jobs)

    def __post_init__(self) -> None:
        if self.trees is not None and self.trees.width != len(self.columns):
            raise ValueError(f"the trees of {self.name} read {self.trees.width} columns, not {len(self.columns)}")

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "Regressor":
        """Return the regressor fitted on scores.

        Parameters
        ----------
        matrix
            n pairs.
        y
            Shape (n,), scores on 0..5.
        sample_weight
            Shape (n,), positive; default all equal.

        Raises
        ------
        ValueError
            If the shapes differ, a number is not finite, or the library does not know a setting.
        """
        weights = np.ones(len(matrix)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        for what, array in (("scores", y), ("weights", weights)):
            if array.shape != (len(matrix),) or not np.isfinite(array).all():
                raise ValueError(f"{what} must be {len(matrix)} finite numbers, one a row; got the shape {array.shape}")
        if not np.isfinite(matrix.values).all():
            raise ValueError("the matrix holds a value that is not finite; features must be finite")
        trees = _FITS[self.name](self, matrix.values, y, weights)
        return replace(self, columns=matrix.columns, trees=trees)

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each row, shape (n,), float64, on 0..5 but not clipped to it.

        Raises
        ------
        ValueError
            If the regressor is not fitted, or the matrix lacks a column or holds a value that is not finite.
        """
        return self._fitted().predict(matrix.reorder(self.columns))

    def contributions(self, matrix: FeatureMatrix) -> tuple[float, dict[str, np.ndarray]]:
        """Return the mean score over the training pairs, and what each family of columns adds to the score of each row.

        The mean plus what n rows get from all families, arrays of shape (n,), is what `predict` returns, to 1e-12; see
        `attribution.contributions`.

        Raises
        ------
        ValueError
            As for `predict`, and if the regressor was fitted before trees kept what this needs.
        """
        families = [column.partition(".")[0] for column in self.columns]
        names = {name: k for k, name in enumerate(dict.fromkeys(families))}
        groups = np.asarray([names[family] for family in families], dtype=np.int64)
        base, added = contributions(self._fitted(), matrix.reorder(self.columns), groups)
        return base, {name: added[:, k] for name, k in names.items()}

    def to_bytes(self) -> bytes:
        """Return the trees as a file, which `from_bytes` reads; the same bytes for the same trees."""
        return pack_arrays(self._fitted().to_arrays())

    @classmethod
    def from_bytes(
        cls, name: str, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None
    ) -> "Regressor":
        """Return the fitted regressor that `to_bytes` wrote.

        Raises
        ------
        ValueError
            If the file is damaged, or its trees do not fit the columns.
        """
        try:
            trees = TreeEnsemble.from_arrays(unpack_arrays(data))
        except ValueError as error:
            raise ValueError(f"the file of member {name!r} cannot be used: {error}") from error
        return cls(name, dict(params or {}), columns=tuple(columns), trees=trees)

    def _fitted(self) -> TreeEnsemble:
        if self.trees is None:
            raise ValueError(f"the regressor {self.name!r} is not fitted; call `fit` first")
        return self.trees

    def _settings(self, estimator: type) -> dict[str, Any]:
        known = [key for key in inspect.signature(estimator).parameters if key not in (*_OURS, "kwargs")]
        unknown = [key for key in self.params if key not in known]
        if unknown:
            raise ValueError(f"{self.name} has no setting {unknown[0]!r} here; it has {', '.join(known)}")
        return dict(self.params)


def _fit_forest(regressor: Regressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    from sklearn.ensemble import RandomForestRegressor

    settings = regressor._settings(RandomForestRegressor)
    forest = RandomForestRegressor(**settings, random_state=regressor.random_state, n_jobs=regressor.n_jobs)
    return from_forest(forest.fit(values, y, sample_weight=weights))


def _fit_boosting(regressor: Regressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    from sklearn.ensemble import GradientBoostingRegressor

    settings = regressor._settings(GradientBoostingRegressor)
    boosting = GradientBoostingRegressor(**settings, random_state=regressor.random_state)
    return from_boosting(boosting.fit(values, y, sample_weight=weights))


def _fit_xgboost(regressor: Regressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    from xgboost import XGBModel, XGBRegressor

    # XGBRegressor takes any word, so a misspelt setting would go unnoticed: its parent spells out the known ones.
    settings = regressor._settings(XGBModel)
    model = XGBRegressor(**settings, objective="reg:squarederror", random_state=regressor.random_state, n_jobs=1)
    return from_xgboost(model.fit(values, y, sample_weight=weights).get_booster())


_FITS = {"rf": _fit_forest, "gbm": _fit_boosting, "xgb": _fit_xgboost}
