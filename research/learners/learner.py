"""Learners that map columns to scores, by name, and the choice of their settings."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any, Protocol, Self

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import REGRESSORS
from .column_scaling import SCALES, fit_scale
from .learner_kinds import KINDS

FOLDS = 5
"""Number of folds of whole groups of pairs for the choice of settings."""


class Learner(Protocol):
    """A map from columns to scores; fitting returns a new one."""

    def fit(
        self,
        matrix: FeatureMatrix,
        y: np.ndarray,
        sample_weight: np.ndarray | None = None,
        groups: np.ndarray | None = None,
    ) -> Self:
        """Return the learner fitted on n pairs and their scores, shape (n,), 0..5; see `ColumnLearner.fit`."""
        ...

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        ...


LEARNERS: Mapping[str, str] = {name: kind.about for name, kind in KINDS.items()}
"""Description of each learner, by name."""

_STOPS = ("lasso_lars", "mlp")
"""Learners that stop before convergence by design: at columns that repeat others, or after a number of passes."""

_OURS = ("random_state", "n_jobs", "verbose", "warm_start", "copy_X")
"""Settings of the library that users of a learner cannot change."""


def make_learner(
    name: str, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
) -> "ColumnLearner":
    """Return an unfitted learner by name.

    Parameters
    ----------
    name
        One of `LEARNERS`.
    params
        Settings in the words of scikit-learn or XGBoost. ``scale``, for any learner but `identity`, is one of
        `SCALES`. ``defaults``, for `rf`, `gbm` and `xgb`, is the source of the settings that are not given: ``tuned``
        (default; the settings of `samewise.models.regressors`) or ``library``.
    random_state
        Seed; the same seed gives the same predictions, bit by bit.
    n_jobs
        Processor cores to fit on.

    Raises
    ------
    ValueError
        If the name or the scale is unknown.
    """
    if name not in KINDS:
        raise ValueError(f"learner must be one of {', '.join(KINDS)}, got {name!r}; choose one of them")
    learner = ColumnLearner(name, dict(params or {}), random_state, n_jobs)
    if learner.scale not in SCALES:
        raise ValueError(f"scale must be one of {', '.join(SCALES)}, got {learner.scale!r}; choose one of them")
    if name == "identity" and "scale" in learner.params:
        raise ValueError(
            "identity has no setting 'scale', because it multiplies its column by `times` alone; leave it out"
        )
    return learner


@dataclass(frozen=True, eq=False)
class ColumnLearner:
    """A learner, with a model once it is fitted.

    Attributes
    ----------
    name
        One of `LEARNERS`.
    params
        Its settings; see `make_learner`.
    random_state, n_jobs
        Seed, and processor cores to fit on.
    columns
        The k columns that it reads, in order.
    chosen
        The settings that cross-validation chose.
    transform, model
        Scaling of the columns and fitted estimator; None before fitting.
    """

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    n_jobs: int | None = None
    columns: tuple[str, ...] = ()
    chosen: Mapping[str, Any] = field(default_factory=dict)
    transform: Callable[[np.ndarray], np.ndarray] | None = None
    model: Any = None

    @property
    def scale(self) -> str:
        """Scaling of the columns, one of `SCALES`."""
        return str(self.params.get("scale", KINDS[self.name].scale))

    def fit(
        self,
        matrix: FeatureMatrix,
        y: np.ndarray,
        sample_weight: np.ndarray | None = None,
        groups: np.ndarray | None = None,
    ) -> "ColumnLearner":
        """Return the learner fitted on scores.

        Cross-validation over whole groups chooses the settings that are not given, by the least squared error. All
        pairs determine the scale of the columns.

        Parameters
        ----------
        matrix
            n pairs, k columns.
        y
            Shape (n,), scores on 0..5.
        sample_weight
            Shape (n,), 0 or more; default all equal. A pair of weight 0 is left out.
        groups
            Shape (n,): pairs that share a sentence have one number; default each pair its own.

        Raises
        ------
        ValueError
            If the shapes differ, a number is not finite, a setting is unknown, the learner takes no weights or only one
            column and gets more, or there are too few groups to choose settings.
        """
        kind = KINDS[self.name]
        if not matrix.columns or (kind.single and len(matrix.columns) != 1):
            rule = f"{'exactly' if kind.single else 'at least'} one column for {self.name}"
            raise ValueError(f"matrix must have {rule}, got {len(matrix.columns)}; select columns first")
        scores = _numbers("scores", y, len(matrix))
        weights = _numbers("weights", np.ones(len(matrix)) if sample_weight is None else sample_weight, len(matrix))
        numbers = np.arange(len(matrix)) if groups is None else np.asarray(groups)
        if numbers.shape != (len(matrix),):
            raise ValueError(
                f"groups must be {len(matrix)} numbers, got an array of shape {numbers.shape}; give one a row"
            )
        if (weights < 0).any() or not (weights > 0).any():
            ends = f"{weights.min(initial=0):g} to {weights.max(initial=0):g}"
            raise ValueError(f"weights must be 0 or more and include one above 0, got {ends}; give each row a weight")
        rows = weights > 0
        values = _finite(matrix.values)[rows]
        transform = fit_scale(self.scale, values)
        fitted, chosen = self._chosen(transform(values), scores[rows], weights[rows], numbers[rows])
        return replace(self, columns=matrix.columns, chosen=chosen, transform=transform, model=fitted)

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each row, shape (n,), float64, on 0..5 but not clipped to it.

        Raises
        ------
        ValueError
            If the learner is not fitted, or the matrix lacks a column or holds a value that is not finite.
        """
        if self.transform is None:
            raise ValueError(f"the learner {self.name!r} is not fitted; call `fit` first")
        if not len(matrix):
            return np.empty(0)
        values = _finite(matrix.reorder(self.columns))
        return np.asarray(self.model.predict(self.transform(values)), dtype=np.float64)

    def _chosen(
        self, values: np.ndarray, y: np.ndarray, weights: np.ndarray, groups: np.ndarray
    ) -> tuple[Any, dict[str, Any]]:
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.model_selection import GridSearchCV

        kind = KINDS[self.name]
        estimator = self._estimator()
        weighted = self._weighted(estimator, weights)
        grid = {
            setting: list(tried(values) if callable(tried) else tried)
            for setting, tried in kind.grid.items()
            if setting not in self.params
        }
        with warnings.catch_warnings():
            if self.name in _STOPS:
                warnings.simplefilter("ignore", ConvergenceWarning)
            if grid:
                rows = self._searched(groups)
                search = GridSearchCV(
                    estimator,
                    grid,
                    scoring="neg_mean_squared_error",
                    cv=self._folds(groups[rows], tuple(grid)),
                    refit=False,
                    n_jobs=self.n_jobs,
                    error_score="raise",
                )
                search.fit(values[rows], y[rows], **{key: array[rows] for key, array in weighted.items()})
                estimator.set_params(**search.best_params_)
            return estimator.fit(values, y, **weighted), search.best_params_ if grid else {}

    def _estimator(self) -> Any:
        kind = KINDS[self.name]
        given = {setting: value for setting, value in self.params.items() if setting != "scale"}
        module, _, name = kind.home.partition(":")
        constructor = getattr(import_module(module, __package__), name)
        if self.name in REGRESSORS:
            return constructor(self.name, given, self.random_state, self.n_jobs)
        estimator = constructor()
        settings = [setting for setting in estimator.get_params() if setting not in (*kind.fixed, *_OURS)]
        unknown = [setting for setting in given if setting not in settings]
        if unknown:
            choices = f"must be one of {', '.join(settings)}" if settings else "cannot be given"
            raise ValueError(f"setting of {self.name} {choices}, got {unknown[0]!r}; correct or remove it")
        seed = {"random_state": self.random_state} if "random_state" in estimator.get_params() else {}
        return estimator.set_params(**kind.fixed, **seed, **{**kind.defaults, **given})

    def _weighted(self, estimator: Any, weights: np.ndarray) -> dict[str, np.ndarray]:
        from sklearn.utils.validation import has_fit_parameter

        if (weights == 1).all():
            return {}
        if not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(
                f"{self.name} takes no weights other than 0 and 1; choose another learner or leave out the weights"
            )
        return {"sample_weight": weights}

    def _searched(self, groups: np.ndarray) -> np.ndarray:
        most = KINDS[self.name].searched
        if most is None or len(groups) <= most:
            return np.arange(len(groups))
        _, of_row, sizes = np.unique(groups, return_inverse=True, return_counts=True)
        order = np.random.default_rng(self.random_state).permutation(len(sizes))
        taken = order[np.cumsum(sizes[order]) <= most]
        return np.flatnonzero(np.isin(of_row, taken)) if len(taken) >= FOLDS else np.arange(len(groups))

    def _folds(self, groups: np.ndarray, settings: tuple[str, ...]) -> list[tuple[np.ndarray, np.ndarray]]:
        from sklearn.model_selection import GroupKFold

        distinct = len(np.unique(groups))
        if distinct < 2:
            raise ValueError(
                f"{self.name} chooses {', '.join(settings)} by cross-validation, which needs at least two groups of "
                f"pairs, got {distinct}; give more pairs or these settings"
            )
        return list(GroupKFold(min(FOLDS, distinct)).split(groups, groups=groups))


def _numbers(what: str, given: np.ndarray, size: int) -> np.ndarray:
    array = np.asarray(given, dtype=np.float64)
    if array.shape != (size,) or not np.isfinite(array).all():
        raise ValueError(f"{what} must be {size} finite numbers, got an array of shape {array.shape}; give one a row")
    return array


def _finite(values: np.ndarray) -> np.ndarray:
    if not np.isfinite(values).all():
        raise ValueError("features must be finite, got a value that is not finite; correct or remove its row")
    return values.astype(np.float64, order="C")
