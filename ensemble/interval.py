"""Prediction intervals by conformal prediction within bands of the score (Mondrian; Boström and Johansson, 2020)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class ConformalInterval:
    """Half-widths by band of the predicted score.

    Attributes
    ----------
    level
        The nominal coverage, 0..1.
    edges
        Increasing upper edges of all bands but the last.
    widths
        One half-width a band, on the 0..5 scale; 5 where there was too little data to say more.
    """

    level: float
    edges: tuple[float, ...]
    widths: tuple[float, ...]

    @classmethod
    def fit(cls, predicted: np.ndarray, gold: np.ndarray, level: float = 0.9, bands: int = 8) -> "ConformalInterval":
        """Fit half-widths on predictions that were made out of fold.

        Parameters
        ----------
        predicted, gold
            Shape (n,), 0..5.
        level
            The share of gold scores that the interval is to cover.
        bands
            Number of bands of equally many predictions; fewer when a band would hold under 30.
        """
        bands = max(min(bands, len(predicted) // 30), 1)
        edges = np.unique(np.quantile(predicted, np.arange(1, bands) / bands)) if len(predicted) else np.empty(0)
        band = np.searchsorted(edges, predicted, side="right")
        residual = np.abs(predicted - gold)
        widths = [_quantile(residual[band == k], level) for k in range(len(edges) + 1)]
        return cls(level, tuple(float(edge) for edge in edges), tuple(widths))

    def apply(self, score: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper ends for scores of shape (n,), within 0..5."""
        width = np.asarray(self.widths)[np.searchsorted(np.asarray(self.edges), score, side="right")]
        return np.maximum(score - width, 0.0), np.minimum(score + width, 5.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as JSON values."""
        return {"level": self.level, "edges": list(self.edges), "widths": list(self.widths)}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "ConformalInterval":
        """Return the interval of `to_dict`.

        Raises
        ------
        ValueError
            If the facts are not those of an interval.
        """
        try:
            made = cls(float(facts["level"]), tuple(map(float, facts["edges"])), tuple(map(float, facts["widths"])))
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the stored interval {facts!r} is malformed; train the model again") from error
        values = np.asarray([made.level, *made.edges, *made.widths])
        increasing = bool(np.all(np.diff(made.edges) > 0))
        if not (np.isfinite(values).all() and increasing and min(made.widths, default=-1) >= 0):
            raise ValueError(f"the stored interval {facts!r} is malformed; train the model again")
        if len(made.widths) != len(made.edges) + 1:
            raise ValueError(
                f"the stored interval has {len(made.widths)} widths for {len(made.edges)} edges; train again"
            )
        return made


def _quantile(residual: np.ndarray, level: float) -> float:
    # The (n + 1) of split conformal prediction: with too few residuals no finite width covers the level.
    rank = int(np.ceil((len(residual) + 1) * level))
    return float(np.sort(residual)[rank - 1]) if rank <= len(residual) else 5.0
