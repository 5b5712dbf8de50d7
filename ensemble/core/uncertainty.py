"""Contract of a model's uncertainty: a distribution of the score that people give a pair.

Probabilities: a logistic curve makes scores probabilities (Platt, 1999), and a Venn-Abers predictor gives the two ends
of the probability (Vovk, Petej and Fedorova, 2015): those of isotonic regressions in which the pair is added with
either label. Its curves are stored at fixed scores, so that a model file holds numbers alone.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from .prediction import Prediction, ruled
from .predictive_distribution import PredictiveDistribution
from .scale import POINTS, stored_number, stored_numbers

_KNOTS = 41

_HIGHEST = 5.0


def logistic_curve(totals: np.ndarray, points: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return increasing sums of members' scores, and for each the probability of yes on 0..5: the knots of a curve.

    Parameters
    ----------
    totals
        Shape (n,): combined scores of members that did not see the pair.
    points
        Shape (n,): 5 for yes, 0 for no.
    """
    centre, spread = float(totals.mean()), float(totals.std()) or 1.0
    (slope,), offset = logistic_weights(((totals - centre) / spread)[:, None], points, least=1e-3)
    return curve_of_logits(totals, slope / spread, offset - slope * centre / spread)


def curve_of_logits(
    totals: np.ndarray, slope: float = 1.0, offset: float = 0.0
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the knots of `logistic_curve` over the range of n sums, whose logits of yes are on a line."""
    from scipy.special import expit

    knots = np.linspace(totals.min() - 1.0, totals.max() + 1.0, _KNOTS)
    return tuple(knots.tolist()), tuple((_HIGHEST * expit(slope * knots + offset)).tolist())


def logistic_weights(
    units: np.ndarray, points: np.ndarray, penalty: float = 0.0, least: float = 0.0
) -> tuple[np.ndarray, float]:
    """Return the weights and the constant of a logistic regression with a squared penalty.

    Parameters
    ----------
    units
        Columns of n pairs, shape (n, k), each with a mean of about 0 and a deviation of about 1.
    points
        Shape (n,): 5 for yes, 0 for no.
    penalty
        Strength of the penalty on weights, in labels.
    least
        Least value of a weight.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    yes = points > 0
    # Platt's targets: a little less than certain, so that separated labels give a finite slope.
    targets = np.where(yes, (yes.sum() + 1) / (yes.sum() + 2), 1 / ((~yes).sum() + 2))
    columns = np.column_stack([units, np.ones(len(units))])
    pulls = np.append(np.full(units.shape[1], penalty), 0.0)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        logits = columns @ weights
        value = float(np.logaddexp(0.0, logits).sum() - targets @ logits + 0.5 * pulls @ weights**2)
        return value, (expit(logits) - targets) @ columns + pulls * weights

    start = np.eye(len(pulls))[0]  # the first column is the score
    found = minimize(loss, start, jac=True, bounds=[(least, None)] * units.shape[1] + [(None, None)]).x
    return found[:-1], float(found[-1])


@dataclass(frozen=True)
class VennAbers:
    """Ends of the probability of yes, as curves over it; an `Uncertainty` of a model with labels yes and no.

    Attributes
    ----------
    level
        Nominal coverage that was asked for. Nothing depends on it: labels are 0 and 1, and cover no interval.
    knots
        Increasing predictions, the probability of yes on 0..5.
    lower, upper
        At each knot the probability, on 0..5, if the label of such a pair were no, and if it were yes.
    """

    level: float
    knots: tuple[float, ...] = field(repr=False)
    lower: tuple[float, ...] = field(repr=False)
    upper: tuple[float, ...] = field(repr=False)

    @classmethod
    def fit(cls, predicted: np.ndarray, points: np.ndarray, level: float = 0.9) -> "VennAbers":
        """Fit on predictions for n pairs that the members did not see, 0..5, and their labels, 0 or 5."""
        knots = np.unique(np.quantile(predicted, np.linspace(0, 1, _KNOTS)))
        knots = knots[np.append(True, np.diff(knots) > 1e-9)]
        ends = [[_isotonic_at(predicted, points, knot, label) for knot in knots] for label in (0.0, _HIGHEST)]
        return cls(level, tuple(knots.tolist()), tuple(ends[0]), tuple(ends[1]))

    def deviation(self, points: np.ndarray, spread: np.ndarray | None = None) -> np.ndarray:
        """Return the standard deviation of a label, on 0..5, whatever the spread of members; see `Uncertainty`."""
        return np.sqrt(points * (_HIGHEST - points))

    def ends(self, points: np.ndarray, deviation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the probability; see `Uncertainty`."""
        low, high = (np.interp(points, self.knots, curve) for curve in (self.lower, self.upper))
        return np.clip(low, 0.0, points), np.clip(high, points, _HIGHEST)

    def probability(self, points: np.ndarray, deviation: np.ndarray, at_least: float) -> np.ndarray:
        """Return the probability of yes, or 1 if `at_least` is 0; see `Uncertainty`."""
        return points / _HIGHEST if at_least > 0 else np.ones(len(points))

    def to_dict(self) -> dict[str, Any]:
        """Return the curves as JSON values."""
        curves = {"knots": list(self.knots), "lower": list(self.lower), "upper": list(self.upper)}
        return {"level": self.level, **curves}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "VennAbers":
        """Return the curves of `to_dict`; raise ValueError for other facts."""
        try:
            curves = (stored_numbers(facts[key]) for key in ("knots", "lower", "upper"))
            found = cls(stored_number(facts["level"]), *curves)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the stored probabilities {facts!r:.80} are malformed; train the model again") from error
        of_one_length = 0 < len(found.knots) == len(found.lower) == len(found.upper)
        if not (of_one_length and 0 <= found.level <= 1 and (np.diff(found.knots) > 0).all()):
            raise ValueError(f"the stored probabilities {facts!r:.80} are malformed; train the model again")
        return found


def _isotonic_at(predicted: np.ndarray, points: np.ndarray, at: float, label: float) -> float:
    # The isotonic regression of the labels and one more pair, at the prediction of that pair.
    from sklearn.isotonic import IsotonicRegression

    return float(IsotonicRegression().fit(np.append(predicted, at), np.append(points, label)).predict([at])[0])


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
    """Return what `Uncertainty.to_dict` wrote."""
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
