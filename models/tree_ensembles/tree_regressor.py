"""A regressor whose fitted model is kept as trees in arrays.

A library is imported only to fit. Only its trees are kept, so a regressor predicts the same, to the last bit, right
after fitting and after it was stored and read.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from .tree_arrays import LEAF, TreeEnsemble

_NOT_TUNED = (
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
    "kwargs",
)
"""Arguments of the libraries' estimators that are not settings of a member."""


FEWEST_COLUMNS = 6
"""Columns that a split reads by default, at least, if there are as many."""


def columns_of_split(share: float, columns: int) -> int:
    """Return how many of the columns a split reads: a share that suits hundreds would leave one of a dozen."""
    return max(int(share * columns), min(columns, FEWEST_COLUMNS))


@dataclass(frozen=True, eq=False)
class TreeRegressor:
    """A regressor on columns, with trees once it is fitted; a `models.member.Member`.

    Attributes
    ----------
    name
        Name of the member.
    params
        Settings in the words of the library, as JSON values. Those of the shipped regressors are the best of
        `benchmarks/tune_regressors.py`, those of rf and gbm then made faster (docs/notebook.md).
    fit_trees
        Function of this regressor, values of shape (n, k), scores of shape (n,) and weights of shape (n,) that returns
        the fitted trees. It imports the library itself.
    random_state
        Seed; the same seed, matrix and scores give the same trees.
    n_jobs
        Processor cores to fit on; they do not change a tree.
    columns
        The k columns that the trees read, in order.
    trees
        Trees of the fitted model, or None.
    libraries
        Libraries of an extra without which it cannot be fitted.
    """

    suffix: ClassVar[str] = ".npz"
    reads_columns: ClassVar[bool] = True
    averaged: ClassVar[bool] = True
    corrects: ClassVar[bool] = False
    level: ClassVar[str] = "tokens"
    tables: ClassVar[tuple[str, ...]] = ()

    name: str
    params: Mapping[str, Any]
    fit_trees: Callable[["TreeRegressor", np.ndarray, np.ndarray, np.ndarray], TreeEnsemble]
    random_state: int | None = 0
    n_jobs: int | None = None
    columns: tuple[str, ...] = field(default=(), repr=False)
    trees: TreeEnsemble | None = field(default=None, repr=False)
    libraries: tuple[str, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if self.trees is not None and self.trees.width != len(self.columns):
            raise ValueError(f"the trees of {self.name} read {self.trees.width} columns, not {len(self.columns)}")

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> "TreeRegressor":
        """Return this regressor, unfitted, with some settings replaced; unknown ones are refused by `fit`."""
        settings = {**self.params, **(params or {})}
        return TreeRegressor(self.name, settings, self.fit_trees, random_state, n_jobs, libraries=self.libraries)

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "TreeRegressor":
        """Return the regressor fitted on scores.

        Parameters
        ----------
        matrix
            n pairs.
        y
            Shape (n,), scores on 0..5.
        sample_weight
            Shape (n,), positive; all equal by default.

        Raises
        ------
        ValueError
            If the shapes differ, a number is not finite, or the library does not know a setting.
        """
        weights = np.ones(len(matrix)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        y = np.asarray(y, dtype=np.float64)
        for what, array in (("scores", y), ("weights", weights)):
            if array.shape != (len(matrix),) or not np.isfinite(array).all():
                raise ValueError(f"{what} must be {len(matrix)} finite numbers, one a row, got the shape {array.shape}")
        if not np.isfinite(matrix.values).all():
            raise ValueError("the matrix holds a value that is not finite; features must be finite")
        return replace(self, columns=matrix.columns, trees=self.fit_trees(self, matrix.values, y, weights))

    def settings_for(self, estimator: type) -> dict[str, Any]:
        """Return the settings as arguments of a library's estimator.

        Raises
        ------
        ValueError
            If the estimator has no argument of that name, or the argument is not a setting.
        """
        valid = [key for key in inspect.signature(estimator).parameters if key not in _NOT_TUNED]
        unknown = [key for key in self.params if key not in valid]
        if unknown:
            raise ValueError(f"{self.name} has no setting {unknown[0]!r} here; it has {', '.join(valid)}")
        return dict(self.params)

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each row, shape (n,), float64, on 0..5 but not clipped to it.

        Raises
        ------
        ValueError
            If the regressor is not fitted, or the matrix lacks a column or holds a value that is not finite.
        """
        return self._fitted().predict(matrix.reorder(self.columns))

    def contributions(self, matrix: FeatureMatrix) -> tuple[float, dict[str, np.ndarray]]:
        """Return the points that each family of columns adds to the score of each row; see `Member.contributions`."""
        from .attribution import contributions

        families = [column.partition(".")[0] for column in self.columns]
        numbers = {family: k for k, family in enumerate(dict.fromkeys(families))}
        groups = np.asarray([numbers[family] for family in families], dtype=np.int64)
        base, points = contributions(self._fitted(), matrix.reorder(self.columns), groups)
        return base, {family: points[:, k] for family, k in numbers.items()}

    def columns_of_splits(self) -> list[str]:
        """Return the column that each split of the trees reads."""
        read = self._fitted().feature
        return [self.columns[place] for place in read[read != LEAF].tolist()]

    def to_bytes(self) -> bytes:
        """Return the trees as a file, which `from_bytes` reads; the same bytes for the same trees."""
        return self._fitted().packed

    def from_bytes(
        self, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None
    ) -> "TreeRegressor":
        """Return the fitted regressor that `to_bytes` wrote.

        Raises
        ------
        ValueError
            If the file is damaged, or its trees do not fit the columns.
        """
        try:
            trees = TreeEnsemble.unpacked(data)
        except ValueError as error:
            raise ValueError(f"the file of member {self.name!r} cannot be used: {error}") from error
        return replace(self, params=dict(params or {}), columns=tuple(columns), trees=trees)

    def _fitted(self) -> TreeEnsemble:
        if self.trees is None:
            raise ValueError(f"the regressor {self.name!r} is not fitted; call `fit` first")
        return self.trees
