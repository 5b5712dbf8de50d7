"""Predictive distribution of a score: a conformal predictive system (Vovk et al., 2019) over sources of text.

Residuals of pairs that the members did not see, in units of a deviation that follows the spread of the members, are
pooled so that each source of text counts the same (Dunn, Wasserman and Ramdas, 2023): what is estimated is the
distribution for a pair of another source, not for another pair of the largest one. Neither MAPIE nor crepes, which have
such systems, takes weights of rows or leaves sources out, so it is done here.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .scale import stored_number, stored_numbers

SOFTENINGS = (0.1, 0.2, 0.4, 0.8, 1.6)
"""Constants that are tried beside the spread, on the 0..5 scale; the one with the narrowest intervals is kept."""

LEVELS = (0.0, *(k / 40 for k in range(1, 40)), 1.0)
"""Levels of the stored quantiles."""

MOST_KNOTS = 9
FEWEST = 60
"""There are at most so many knots, and one for so many pairs at least."""

MOST_PARTS = 25
"""Sources are left out in so many parts at most."""

_HIGHEST = 5.0


@dataclass(frozen=True)
class PredictiveDistribution:
    """Quantiles of residuals at knots of the predicted score; an `Uncertainty`.

    Attributes
    ----------
    level
        Nominal coverage of the intervals.
    knots
        Increasing predicted scores, 0..5; between them quantiles and units are interpolated.
    units
        Deviation at each knot, on 0..5; with a softening, per unit of spread plus softening.
    residuals
        At each knot the quantiles of `LEVELS` of gold minus predicted scores, in deviations.
    softening
        Constant added to the spread of the members' scores; None for deviations that do not follow the spread.
    """

    level: float
    knots: tuple[float, ...] = field(repr=False)
    units: tuple[float, ...] = field(repr=False)
    residuals: tuple[tuple[float, ...], ...] = field(repr=False)
    softening: float | None = None

    @classmethod
    def fit(
        cls,
        predicted: np.ndarray,
        gold: np.ndarray,
        level: float = 0.9,
        *,
        spread: np.ndarray | None = None,
        sources: np.ndarray | None = None,
    ) -> "PredictiveDistribution":
        """Fit on predictions that were made out of fold, by members that saw nothing of a pair's source.

        Parameters
        ----------
        predicted, gold
            Shape (n,), 0..5.
        level
            Share of gold scores that the intervals are to cover: of a new source, on average over sources. With 0.9
            they also cover at least 0.8 on nine sources of ten.
        spread
            Shape (n,): how far apart the members' scores are; see `spread_of`.
        sources
            Shape (n,): number of the source of each pair; None if all are of one.
        """
        sources = np.zeros(len(predicted), np.int64) if sources is None else np.unique(sources, return_inverse=True)[1]
        softenings = (None,) if spread is None or not len(predicted) else (None, *SOFTENINGS)
        every = [_Residuals(predicted, gold, sources, spread, softening) for softening in softenings]

        def breadth(residuals: _Residuals) -> float:
            found = residuals.fitted(level)
            low, high = found.ends(predicted, found.deviation(predicted, spread))
            return float(_shares(sources) @ (high - low)) if len(predicted) else 0.0

        return min(every, key=breadth).widened(level)

    def deviation(self, points: np.ndarray, spread: np.ndarray | None = None) -> np.ndarray:
        """Return the deviations of predicted scores; see `Uncertainty`."""
        units = np.interp(points, self.knots, self.units)
        return units if self.softening is None or spread is None else units * (spread + self.softening)

    def ends(self, points: np.ndarray, deviation: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the lower and upper ends: the middle `level` of the distribution; see `Uncertainty`."""
        tail = 0.5 * (1.0 - self.level)
        low, high = (points + deviation * self._quantile(points, at) for at in (tail, 1.0 - tail))
        return np.clip(low, 0.0, points), np.clip(high, points, _HIGHEST)

    def _quantile(self, points: np.ndarray, at: float) -> np.ndarray:
        of_knots = [np.interp(at, LEVELS, residuals) for residuals in self.residuals]
        return np.interp(points, self.knots, of_knots)

    def probability(self, points: np.ndarray, deviation: np.ndarray, at_least: float) -> np.ndarray:
        """Return the probability of a gold score of `at_least` or more; see `Uncertainty`."""
        if at_least <= 0.0:
            return np.ones(len(points))
        with np.errstate(divide="ignore", invalid="ignore"):
            units = (at_least - points) / deviation
        # The share of the distribution below: its quantiles, interpolated between knots, are strictly increasing.
        table = np.asarray(self.residuals)
        right = np.clip(np.searchsorted(self.knots, points), 1, max(len(self.knots) - 1, 1))
        left = right - 1
        right = np.minimum(right, len(self.knots) - 1)
        begin, end = np.asarray(self.knots)[left], np.asarray(self.knots)[right]
        share = np.clip(np.divide(points - begin, end - begin, out=np.zeros_like(points), where=end > begin), 0.0, 1.0)
        quantiles = table[left] * (1.0 - share)[:, None] + table[right] * share[:, None]
        place = np.clip((quantiles < units[:, None]).sum(axis=1), 1, len(LEVELS) - 1)
        rows = np.arange(len(points))
        before, after = quantiles[rows, place - 1], quantiles[rows, place]
        within = np.clip(
            np.divide(units - before, after - before, out=np.zeros_like(units), where=after > before), 0, 1
        )
        levels = np.asarray(LEVELS)
        below = levels[place - 1] + within * (levels[place] - levels[place - 1])
        return np.where(deviation > 0, 1.0 - below, points >= at_least).astype(np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Return the distribution as JSON values."""
        plain = {"level": self.level, "knots": list(self.knots), "units": list(self.units)}
        residuals = {"residuals": [list(row) for row in self.residuals]}
        return plain | residuals | ({} if self.softening is None else {"softening": self.softening})

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "PredictiveDistribution":
        """Return the distribution of `to_dict`; raise ValueError for other facts."""
        try:
            softening = facts.get("softening")
            found = cls(
                stored_number(facts["level"]),
                stored_numbers(facts["knots"]),
                stored_numbers(facts["units"]),
                tuple(stored_numbers(row) for row in facts["residuals"]),
                None if softening is None else stored_number(softening),
            )
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the stored distribution {facts!r:.80} is malformed; train the model again") from error
        lengths = {len(found.knots), len(found.units), len(found.residuals)}
        sound = (
            lengths == {len(found.knots)} != {0}
            and all(len(row) == len(LEVELS) and bool((np.diff(row) >= 0).all()) for row in found.residuals)
            and bool((np.diff(found.knots) > 0).all())
            and min([*found.units, found.softening or 0.0]) >= 0
            and 0 <= found.level <= 1
        )
        if not sound:
            raise ValueError(f"the stored distribution {facts!r:.80} is malformed; train the model again")
        return found


WHOLE_SCALE = PredictiveDistribution(1.0, (2.5,), (_HIGHEST,), (tuple(2.0 * level - 1.0 for level in LEVELS),))
"""Uncertainty of a model without any: its intervals are the whole scale."""


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


class _Residuals:
    # Residuals of n pairs in units that do or do not follow the spread, and distributions of any part of them.

    def __init__(
        self,
        predicted: np.ndarray,
        gold: np.ndarray,
        sources: np.ndarray,
        spread: np.ndarray | None,
        softening: float | None,
    ) -> None:
        self.predicted, self.gold, self.sources, self.softening = predicted, gold, sources, softening
        self.spread = spread
        widths = np.ones(len(predicted)) if spread is None or softening is None else spread + softening
        self.units = (gold - predicted) / widths
        self.widest = _HIGHEST / (softening or 1.0)  # reaches the ends of the scale from anywhere

    def fitted(self, level: float) -> PredictiveDistribution:
        return self._of(np.ones(len(self.predicted), bool), level)

    def widened(self, level: float) -> PredictiveDistribution:
        found = self.fitted(level)
        parts = self.sources % MOST_PARTS
        count = int(parts.max(initial=0)) + 1
        if count < 3:
            return found
        factor = self._widening(level, parts, count)
        return replace(found, units=tuple(unit * factor for unit in found.units))

    def _widening(self, level: float, parts: np.ndarray, count: int) -> float:
        # The least factor with which distributions fitted without a source cover it: on average over sources as often
        # as the level says, and on as many sources as the level says no more than twice as seldom as it allows.
        tail = 0.5 * (1.0 - level)
        reach = np.empty(len(self.predicted))  # by which factor an interval must be stretched to hold its gold score
        for part in range(count):
            held_out = parts == part
            found = self._of(~held_out, level)
            points, gold = self.predicted[held_out], self.gold[held_out]
            deviation = found.deviation(points, None if self.spread is None else self.spread[held_out])
            below, above = (deviation * found._quantile(points, at) for at in (tail, 1.0 - tail))
            away = gold - points
            span = np.where(away < 0, np.maximum(-below, 1e-9), np.maximum(above, 1e-9))
            reach[held_out] = np.abs(away) / span
        order = np.argsort(reach, kind="stable")
        covered = np.cumsum(_shares(self.sources)[order])
        on_average = float(reach[order][min(int(np.searchsorted(covered, level)), len(order) - 1)])
        most = max(2.0 * level - 1.0, 0.0)
        of_parts = sorted(float(np.quantile(reach[parts == part], most)) for part in range(count))
        on_most = of_parts[math.ceil(level * count) - 1]
        return min(max(on_average, on_most), self.widest)

    def _of(self, rows: np.ndarray, level: float) -> PredictiveDistribution:
        predicted, units = self.predicted[rows], self.units[rows]
        weights = _shares(self.sources[rows])
        order = np.argsort(predicted, kind="stable")
        rank = np.empty(len(order))
        rank[order] = np.cumsum(weights[order]) - 0.5 * weights[order]
        count = max(min(MOST_KNOTS, len(predicted) // FEWEST), 1)
        centres = (np.arange(count) + 0.5) / count
        knots, spans, table = [], [], []
        for centre in centres:
            near = weights * np.maximum(1.0 - np.abs(rank - centre) * count, 0.0) if count > 1 else weights
            knots.append(float(near @ predicted / near.sum()) if near.sum() else 2.5)
            unit = float(np.sqrt(near @ units**2 / near.sum())) if near.sum() else 1.0
            spans.append(max(unit, 1e-3))
            table.append(_quantiles(units / spans[-1], near, self.widest / spans[-1]))
        apart = np.append(True, np.diff(knots) > 1e-6)
        kept = [place for place, each in enumerate(apart.tolist()) if each]
        return PredictiveDistribution(
            level,
            tuple(knots[place] for place in kept),
            tuple(spans[place] for place in kept),
            tuple(table[place] for place in kept),
            self.softening,
        )


def _shares(sources: np.ndarray) -> np.ndarray:
    # The weight of each row: every source has the same, and all together 1.
    counts = np.bincount(sources)
    return np.asarray(1.0 / (counts[sources] * np.count_nonzero(counts)))


def _quantiles(units: np.ndarray, weights: np.ndarray, widest: float) -> tuple[float, ...]:
    # As if one more residual, of the weight of an average one, could be anywhere (Vovk et al., 2019).
    kept = weights > 0
    order = np.argsort(units[kept], kind="stable")
    values, shares = units[kept][order], weights[kept][order]
    total = shares.sum()
    size = float(total**2 / (shares @ shares)) if len(shares) else 0.0
    places = (np.cumsum(shares) / total if len(shares) else shares) * size / (size + 1.0)
    ends = np.interp(LEVELS, [0.0, *places, 1.0], [-widest, *values, widest])
    return tuple(np.maximum.accumulate(ends).tolist())
