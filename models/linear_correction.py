"""A linear correction of a model's score by its columns: ridge regression on few labels (Hoerl and Kennard, 1970).

It cannot be trained with other members: `ensemble.core.adaptation` fits it on the errors of a model, and adds it to
the members' weighted sum.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np

from ..features.pipeline.matrix import FeatureMatrix
from .member import need_equal_weights, settings_of
from .npz import pack_arrays, unpack_arrays

SETTINGS: dict[str, Any] = {"penalty": 3.0}
"""The settings and their defaults; ``penalty`` is the strength of the ridge.

Chosen on 25 sources that were left out in turn, on which 1.5 to 6 differ by 0.2 % of the error with 50 labels.
"""

_LEAST_WIDTH = 1e-6  # of a column that varies
_FARTHEST = 3.0  # standard deviations from the mean to which values are clipped


@dataclass(frozen=True, eq=False)
class LinearCorrection:
    """Points to add to a score, with weights once it is fitted; a `models.member.Member`."""

    suffix: ClassVar[str] = ".npz"
    reads_columns: ClassVar[bool] = True
    averaged: ClassVar[bool] = False
    corrects: ClassVar[bool] = True
    level: ClassVar[str] = "tokens"
    libraries: ClassVar[tuple[str, ...]] = ()
    tables: ClassVar[tuple[str, ...]] = ()

    name: str = "correction"
    params: Mapping[str, Any] = field(default_factory=lambda: SETTINGS)
    random_state: int | None = 0
    n_jobs: int | None = None
    columns: tuple[str, ...] = field(default=(), repr=False)  # those it reads
    centre: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)  # means over the labelled pairs
    width: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)  # standard deviations
    weights: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)  # points for one `width`
    constant: float = 0.0  # points for every pair

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> Self:
        """Return this correction, unfitted, with some settings replaced; see `Member.with_settings`."""
        return type(self)(self.name, settings_of(self.name, SETTINGS, params), random_state, n_jobs)

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> Self:
        """Return the correction fitted on n pairs and the points to add to their scores, shape (n,).

        Raises
        ------
        ValueError
            If pairs are weighted.
        """
        need_equal_weights(self.name, sample_weight)
        unweighted = self.scaled_to(matrix)
        units = unweighted.units(matrix)
        units = units * (units.std(axis=0) > _LEAST_WIDTH)
        units -= units.mean(axis=0)
        # As many equations as pairs, of which there are fewer than columns.
        products = units @ units.T / max(units.shape[1], 1)
        constant = float(np.mean(y))
        shares = np.linalg.solve(products + self.params["penalty"] * np.eye(len(units)), y - constant)
        return replace(unweighted, weights=units.T @ shares / max(units.shape[1], 1), constant=constant)

    def scaled_to(self, matrix: FeatureMatrix) -> Self:
        """Return a correction that reads these columns, by their means and deviations over these pairs; no points."""
        values = matrix.values.astype(np.float64)
        width = values.std(axis=0)
        width = np.where(width > _LEAST_WIDTH, width, 1.0)
        return replace(self, columns=matrix.columns, centre=values.mean(axis=0), width=width, weights=0.0 * width)

    def units(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return its columns of n pairs in deviations from their means, shape (n, k), clipped."""
        values = matrix.reorder(self.columns).astype(np.float64)
        return np.clip((values - self.centre) / self.width, -_FARTHEST, _FARTHEST)

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the points to add to the score of each pair, shape (n,), float64."""
        points = self._points(matrix)
        total = np.full(len(matrix), self.constant)
        for column in range(points.shape[1]):  # one by one: numpy's own sum may add in another order for another shape
            total += points[:, column]
        return total

    def _points(self, matrix: FeatureMatrix) -> np.ndarray:
        return self.units(matrix) * self.weights

    def contributions(self, matrix: FeatureMatrix) -> tuple[float, dict[str, np.ndarray]]:
        """Return the constant, and the points of each family of columns; see `Member.contributions`."""
        points = self._points(matrix)
        families: dict[str, np.ndarray] = {}
        for place, column in enumerate(self.columns):
            family = column.partition(".")[0]
            families[family] = families.get(family, np.zeros(len(matrix))) + points[:, place]
        return self.constant, families

    def to_bytes(self) -> bytes:
        """Return the arrays as a file, which `from_bytes` reads."""
        arrays = {"centre": self.centre, "width": self.width, "weights": self.weights}
        return pack_arrays({**arrays, "constant": np.asarray([self.constant])})

    def from_bytes(self, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None) -> Self:
        """Return the fitted correction that `to_bytes` wrote."""
        names = ("centre", "width", "weights", "constant")
        try:
            arrays = unpack_arrays(data, names=names)
            centre, width, weights, constant = (arrays[name] for name in names)
        except (KeyError, ValueError) as error:
            raise ValueError(f"the file of member {self.name!r} cannot be used: {error}") from error
        shapes = {each.shape for each in (centre, width, weights)} == {(len(columns),)} and constant.shape == (1,)
        if not shapes or any(each.dtype != np.float64 for each in arrays.values()):
            raise ValueError(f"the file of member {self.name!r} does not fit the {len(columns)} columns of the model")
        sizes = max(float(np.abs(each).max(initial=0.0)) for each in (weights, constant))
        if not (all(np.isfinite(each).all() for each in arrays.values()) and (width > 0).all() and sizes <= 100.0):
            raise ValueError(f"the points of member {self.name!r} must be finite and up to 100; do not use this model")
        return replace(
            self,
            params=settings_of(self.name, SETTINGS, params),
            columns=tuple(columns),
            centre=centre,
            width=width,
            weights=weights,
            constant=float(constant[0]),
        )


REGRESSOR = LinearCorrection()
"""The correction, unfitted."""
