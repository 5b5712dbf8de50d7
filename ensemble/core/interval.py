"""Intervals of models fitted before there were predictive distributions: half-widths by band of the score.

They come from conformal prediction within the bands (Mondrian; Boström and Johansson, 2020).

Where members disagree the interval is wider: residuals are taken in units of the members' spread (Papadopoulos et al.,
2011), softened by a constant, so that members which happen to agree do not make it vanish.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np

from .stored_numbers import stored_number, stored_numbers


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
        One half-width a band: on the 0..5 scale, where 5 stands for too little data, or with a softening
        in units of spread plus softening.
    softening
        Constant added to the spread of the members' scores; None for widths that do not follow the spread.
    """

    level: float
    edges: tuple[float, ...]
    widths: tuple[float, ...]
    softening: float | None = None

    def deviation(self, points: np.ndarray, spread: np.ndarray | None = None) -> np.ndarray:
        """Return the standard deviation of a normal distribution with such intervals; see `Uncertainty`."""
        width = np.asarray(self.widths)[np.searchsorted(np.asarray(self.edges), points, side="right")]
        if self.softening is not None and spread is not None:
            width = width * (spread + self.softening)
        return np.asarray(width / self._deviations)

    @property
    def _deviations(self) -> float:
        # Half-width of the interval in standard deviations; of one that covers everything, one.
        return NormalDist().inv_cdf(0.5 + 0.5 * self.level) if 0.0 < self.level < 1.0 else 1.0

    def ends(self, points: np.ndarray, deviation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper ends; see `Uncertainty`."""
        width = deviation * self._deviations
        return np.maximum(points - width, 0.0), np.minimum(points + width, 5.0)

    def probability(self, points: np.ndarray, deviation: np.ndarray, at_least: float) -> np.ndarray:
        """Return the normal probability of a gold score of `at_least` or more; see `Uncertainty`."""
        from scipy.special import ndtr

        with np.errstate(divide="ignore", invalid="ignore"):
            units = (points - at_least) / deviation
        return np.where(deviation > 0, ndtr(units), points >= at_least).astype(np.float64)

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


WHOLE_SCALE = ConformalInterval(1.0, (), (5.0,))
"""Interval of a model without any: the whole scale."""


def spread_of(member_scores: np.ndarray) -> np.ndarray:
    """Return the standard deviation of the scores of m members on each pair, 0..2.5, shape (n, m) to (n,).

    Scores beyond the ends of the scale count as at the ends, where all members agree.
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
