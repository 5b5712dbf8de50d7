"""Contract of a model's uncertainty: a distribution of the score that people give a pair."""

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from .prediction import Prediction, ruled
from .predictive_distribution import PredictiveDistribution
from .probability_calibration import VennAbers
from .scale import POINTS


class Uncertainty(Protocol):
    """Distribution of gold scores around predicted ones, all on 0..5.

    Attributes
    ----------
    level
        Nominal coverage of the intervals, 0..1; 1 for intervals that are the whole scale.
    """

    @property
    def level(self) -> float: ...  # noqa: D102

    def deviation(self, points: np.ndarray, spread: np.ndarray | None = None) -> np.ndarray:
        """Return about the standard deviation of gold scores, shape (n,), for predictions and their members' spread."""
        ...

    def ends(self, points: np.ndarray, deviation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper ends of the intervals, within 0..5, shape (n,); the predictions are inside."""
        ...

    def probability(self, points: np.ndarray, deviation: np.ndarray, at_least: float) -> np.ndarray:
        """Return the probability of a gold score of `at_least` or more, 0..1, shape (n,)."""
        ...

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution as JSON values."""
        ...


def stored_uncertainty(facts: Mapping[str, Any]) -> Uncertainty:
    """Return what `Uncertainty.to_dict` wrote.

    Raises
    ------
    ValueError
        If the facts are not those of an uncertainty.
    """
    kind = VennAbers if "upper" in facts else PredictiveDistribution
    return kind.from_dict(facts)


def probability_of(uncertainty: Uncertainty, prediction: Prediction, at_least: float) -> np.ndarray:
    """Return the probability that people give each pair `at_least` or more; see `Model.probability`."""
    scale = prediction.scale
    if not scale.low <= at_least <= scale.high:
        raise ValueError(
            f"the score that is asked about must be from {scale.low:g} to {scale.high:g}, got {at_least}; give one on "
            "the scale of the model"
        )
    points, least = scale.points(prediction.score), float(scale.points(np.asarray(at_least)))
    deviation = prediction.deviation / (scale.high - scale.low) * POINTS.high
    found = uncertainty.probability(points, deviation, least)
    # Pairs scored by rule have no distribution.
    return np.where(ruled(prediction.flags), points >= least, found).astype(np.float64)
