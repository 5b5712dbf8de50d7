"""Embedding-based scorers: a cosine of sentence vectors, brought onto the scale by an increasing curve.

Tian et al. (2017) average such scorers with their regressors. A cosine alone orders texts of unknown kinds nearly as
well as a regressor on hundreds of columns, and errs elsewhere.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from ..features.pipeline.matrix import FeatureMatrix
from .member import settings_of
from .monotone_curve import monotone_curve
from .npz import pack_arrays, unpack_arrays


@dataclass(frozen=True, eq=False)
class EmbeddingScorer:
    """Score by one column, with a curve once it is fitted; a `models.member.Member`.

    Attributes
    ----------
    name
        Name of the member.
    params
        Its setting: ``column``, the name of the column.
    knots, values
        Increasing values of the column, and the scores there, shape (k,); between them scores are interpolated.
    mean
        Mean score of the training pairs.
    """

    suffix: ClassVar[str] = ".npz"
    reads_columns: ClassVar[bool] = True
    averaged: ClassVar[bool] = False
    corrects: ClassVar[bool] = False
    level: ClassVar[str] = "tokens"
    libraries: ClassVar[tuple[str, ...]] = ()
    tables: ClassVar[tuple[str, ...]] = ()

    name: str
    params: Mapping[str, Any]
    random_state: int | None = 0
    n_jobs: int | None = None
    knots: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    values: np.ndarray = field(default_factory=lambda: np.empty(0), repr=False)
    mean: float = 0.0

    def with_settings(
        self, params: Mapping[str, Any] | None = None, random_state: int | None = 0, n_jobs: int | None = None
    ) -> "EmbeddingScorer":
        """Return this scorer, unfitted, with another setting; see `Member.with_settings`."""
        return EmbeddingScorer(self.name, settings_of(self.name, self.params, params), random_state, n_jobs)

    def fit(self, matrix: FeatureMatrix, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "EmbeddingScorer":
        """Return the scorer with a curve through n pairs and their scores, shape (n,); see `Member.fit`.

        Raises
        ------
        ValueError
            If the matrix lacks the column, or there are too few pairs for a curve.
        """
        column = self.params["column"]
        if column not in matrix.columns:
            raise ValueError(f"features must hold {column}, which the member {self.name} reads; add it to them")
        cosines, y = self._cosines(matrix), np.asarray(y, dtype=np.float64)
        knots, values = monotone_curve(cosines, y, sample_weight)
        if not len(knots):
            raise ValueError(
                f"the member {self.name} must have at least 100 pairs that differ in {column}, got {len(y)}; give "
                "more, or leave it out"
            )
        return replace(self, knots=knots, values=values, mean=float(np.average(y, weights=sample_weight)))

    def _cosines(self, matrix: FeatureMatrix) -> np.ndarray:
        return matrix.reorder((self.params["column"],))[:, 0].astype(np.float64)

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        if not len(self.knots):
            raise ValueError(f"the member {self.name!r} is not fitted; call `fit` first")
        return np.interp(self._cosines(matrix), self.knots, self.values)

    def contributions(self, matrix: FeatureMatrix) -> tuple[float, dict[str, np.ndarray]]:
        """Return the mean score, and the points of the family of the column; see `Member.contributions`."""
        return self.mean, {self.params["column"].partition(".")[0]: self.predict(matrix) - self.mean}

    def to_bytes(self) -> bytes:
        """Return the curve as a file, which `from_bytes` reads."""
        return pack_arrays({"knots": self.knots, "values": self.values, "mean": np.asarray([self.mean])})

    def from_bytes(
        self, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None = None
    ) -> "EmbeddingScorer":
        """Return the fitted scorer that `to_bytes` wrote.

        Raises
        ------
        ValueError
            If the file is damaged, or the model has no such column.
        """
        params = settings_of(self.name, self.params, params)
        try:
            arrays = unpack_arrays(data, names=("knots", "values", "mean"))
            knots, values, mean = (np.asarray(arrays[name], dtype=np.float64) for name in ("knots", "values", "mean"))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the file of member {self.name!r} cannot be used: {error}") from error
        sound = (
            knots.shape == values.shape == (len(knots),)
            and len(knots) >= 2
            and mean.shape == (1,)
            and all(np.isfinite(each).all() for each in (knots, values, mean))
            and (np.diff(knots) > 0).all()
            and (np.diff(values) >= 0).all()
        )
        if not sound or params["column"] not in columns:
            raise ValueError(f"the file of member {self.name!r} must hold an increasing curve of a column of the model")
        return replace(self, params=params, knots=knots, values=values, mean=float(mean[0]))


SCORERS = {
    "word_cosine": EmbeddingScorer("word_cosine", {"column": "embedding.cosine_distilled.mean"}),
    "sentence_cosine": EmbeddingScorer("sentence_cosine", {"column": "contextual.cosine.vectors"}),
}
"""The scorers, unfitted, by name."""
