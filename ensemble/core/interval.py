"""Prediction intervals by conformal prediction within bands of the score (Mondrian; Boström and Johansson, 2020).

Where members disagree the interval is wider: residuals are taken in units of the members' spread (Papadopoulos et al.,
2011), softened by a constant, so that members which happen to agree do not make it vanish.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from .stored_numbers import stored_number, stored_numbers

SOFTENINGS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Constants that are tried beside the spread, on the 0..5 scale; the one with the narrowest intervals is kept."""


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
        One half-width a band: on the 0..5 scale, where 5 says that there was too little data to say more, or with a
        softening in units of spread plus softening.
    softening
        What is added to the spread of the members' scores; None for widths that do not follow the spread.
    """

    level: float
    edges: tuple[float, ...]
    widths: tuple[float, ...]
    softening: float | None = None

    @classmethod
    def fit(
        cls,
        predicted: np.ndarray,
        gold: np.ndarray,
        level: float = 0.9,
        bands: int = 8,
        spread: np.ndarray | None = None,
    ) -> "ConformalInterval":
        """Fit half-widths on predictions that were interval out of fold.

        Parameters
        ----------
        predicted, gold
            Shape (n,), 0..5.
        level
            The share of gold scores that the interval is to cover.
        bands
            Number of bands of equally many predictions; fewer when a band would hold under 30.
        spread
            Shape (n,): how far apart the members' scores are; see `spread_of`.
        """
        bands = max(min(bands, len(predicted) // 30), 1)
        edges = np.unique(np.quantile(predicted, np.arange(1, bands) / bands)) if len(predicted) else np.empty(0)
        band = np.searchsorted(edges, predicted, side="right")
        residual = np.abs(predicted - gold)
        candidates = [cls._one(level, edges, band, residual, None, None)]
        if spread is not None and len(predicted):
            candidates += [cls._one(level, edges, band, residual, spread, softening) for softening in SOFTENINGS]

        def breadth(interval: "ConformalInterval") -> float:
            low, high = interval.apply(predicted, spread)
            return float((high - low).mean()) if len(predicted) else 0.0

        return min(candidates, key=breadth)

    @classmethod
    def _one(
        cls,
        level: float,
        edges: np.ndarray,
        band: np.ndarray,
        residual: np.ndarray,
        spread: np.ndarray | None,
        softening: float | None,
    ) -> "ConformalInterval":
        units = residual if spread is None or softening is None else residual / (spread + softening)
        most = 5.0 if softening is None else 5.0 / softening
        widths = [_quantile(units[band == k], level, most) for k in range(len(edges) + 1)]
        return cls(level, tuple(edges.tolist()), tuple(widths), softening)

    def apply(self, score: np.ndarray, spread: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper ends, within 0..5, for scores and the spread of their members, shape (n,)."""
        width = np.asarray(self.widths)[np.searchsorted(np.asarray(self.edges), score, side="right")]
        if self.softening is not None and spread is not None:
            width = width * (spread + self.softening)
        return np.maximum(score - width, 0.0), np.minimum(score + width, 5.0)

    def to_dict(self) -> dict[str, Any]:
        """Return the interval as JSON values."""
        plain = {"level": self.level, "edges": list(self.edges), "widths": list(self.widths)}
        return plain if self.softening is None else {**plain, "softening": self.softening}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "ConformalInterval":
        """Return the interval of `to_dict`.

        Raises
        ------
        ValueError
            If the facts are not those of an interval.
        """
        try:
            softening = facts.get("softening")
            interval = cls(
                stored_number(facts["level"]),
                stored_numbers(facts["edges"]),
                stored_numbers(facts["widths"]),
                None if softening is None else stored_number(softening),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the stored interval {facts!r:.80} is malformed; train the model again") from error
        increasing = bool(np.all(np.diff(interval.edges) > 0))
        positive = min([*interval.widths, interval.softening or 0.0]) >= 0 and 0 <= interval.level <= 1
        if not (increasing and interval.widths and positive):
            raise ValueError(f"the stored interval {facts!r:.80} is malformed; train the model again")
        if len(interval.widths) != len(interval.edges) + 1:
            raise ValueError(
                f"the stored interval has {len(interval.widths)} widths for {len(interval.edges)} edges; train again"
            )
        return interval


def spread_of(member_scores: np.ndarray) -> np.ndarray:
    """Return the standard deviation of the scores of m members on each pair, 0..2.5, shape (n, m) to (n,).

    Scores beyond the ends of the scale count as at the ends, where every member agrees on what is meant.
    """
    scores = np.clip(member_scores, 0.0, 5.0)
    # Member by member, as in `Combination.apply`.
    total, squares = np.zeros(len(scores)), np.zeros(len(scores))
    for k in range(scores.shape[1]):
        total += scores[:, k]
        squares += scores[:, k] ** 2
    mean = total / scores.shape[1]
    deviation: np.ndarray = np.sqrt(np.maximum(squares / scores.shape[1] - mean**2, 0.0))
    return deviation


def _quantile(residual: np.ndarray, level: float, most: float) -> float:
    # The (n + 1) of split conformal prediction: with too few residuals no finite width covers the level.
    rank = int(np.ceil((len(residual) + 1) * level))
    return float(np.sort(residual)[rank - 1]) if rank <= len(residual) else most
