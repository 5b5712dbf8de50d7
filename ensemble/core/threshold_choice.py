"""Choice of a threshold whose risk is controlled.

Each threshold of a fixed grid is a hypothesis, tested by the exact binomial test (Clopper and Pearson, 1934). They are
tested in a fixed sequence from the strictest on, as Learn then Test does (Angelopoulos et al., 2025), but from several
starts that share the chance of error, because the strictest thresholds have too few pairs to pass. A start hands its
unused share on to the next one (the fallback procedure; Wiens and Dmitrienko, 2005).

The starts follow from how many pairs each threshold has, never from labels. For labelled pairs that are drawn like
those to be decided, the chance that any accepted threshold breaks the bound is then at most 1 - confidence, provided
that a higher score never means more errors. Without that it holds for pairs with the same scores as the labelled ones.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .decision import Curve, Rule
from .scale import Scale

MOST_STARTS = 4
"""Most starts of a sequence."""


def upper_bounds(wrong: np.ndarray, count: np.ndarray, confidence: float) -> np.ndarray:
    """Return the upper ends of one-sided intervals of shares (Clopper and Pearson, 1934)."""
    from scipy.stats import beta

    right = np.maximum(count - wrong, 1)  # any number where all are wrong: the end is 1 then
    return np.where(wrong < count, beta.ppf(confidence, wrong + 1, right), 1.0)


def pairs_needed(bound: float, confidence: float) -> int:
    """Return the fewest pairs, without an error among them, that show a share of errors of at most `bound`, 0..1."""
    return math.ceil(math.log(1.0 - confidence) / math.log1p(-bound))


def safe_thresholds(wrong: np.ndarray, count: np.ndarray, bound: float, confidence: float) -> np.ndarray:
    """Return whether the share of errors of each threshold is shown to be within a bound."""
    from scipy.special import bdtr

    chances = bdtr(wrong, count, bound)  # of so few errors, or fewer, if their share were just the bound
    starts = _starts(count, bound, confidence)
    accepted, wealth = np.zeros(len(count), bool), 0.0
    for place in range(len(count)):
        wealth += (1.0 - confidence) / len(starts) * starts.count(place) if starts else 0.0
        accepted[place] = count[place] > 0 and chances[place] <= wealth
        wealth = wealth if accepted[place] else 0.0
    return accepted


def _starts(count: np.ndarray, bound: float, confidence: float) -> list[int]:
    # The first could pass without an error, the last has a third of all pairs; each has at least twice those before.
    total = int(count[-1]) if len(count) else 0
    for number in range(MOST_STARTS, 0, -1):
        fewest = pairs_needed(bound, 1.0 - (1.0 - confidence) / number)
        if number == 1 or fewest << (number - 1) <= total / 3:
            sizes = np.geomspace(fewest, max(total / 3, fewest), number) if number > 1 else [fewest]
            return [place for place in np.searchsorted(count, sizes).tolist() if place < len(count)]
    raise AssertionError("unreachable")


STEPS = 500
"""Steps of the grid from the lowest to the highest score: 0.01 on 0..5. Fixed, for it must not follow from labels."""

_ROWS_OF_CURVE = 48
_RESAMPLES = 1000
_ENDS = (0.025, 0.975)


class Thresholds(NamedTuple):
    """Chosen thresholds.

    Attributes
    ----------
    same_from, different_below
        As of a `Decision`.
    cost
        For the rule ``cost``: the cost of a pair at the threshold, in missed pairs; None otherwise.
    cost_ends, threshold_ends
        Ends of the bootstrap intervals of the cost at this threshold, and of the best threshold.
    """

    same_from: float | None
    different_below: float | None
    cost: float | None = None
    cost_ends: tuple[float, float] | None = None
    threshold_ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Tally:
    """Counts of labelled pairs at each threshold of the grid, all of shape (`STEPS` + 1,)."""

    thresholds: np.ndarray  # increasing, from the lowest score to the highest
    called: np.ndarray  # pairs with at least this score
    false: np.ndarray  # those of them that are not the same
    below: np.ndarray  # pairs with a lower score
    missed: np.ndarray  # those of them that are the same

    @classmethod
    def of(cls, scores: np.ndarray, same: np.ndarray, scale: Scale) -> "Tally":
        """Count n pairs by score and by whether they are labelled the same; ValueError if all labels are alike."""
        if same.all() or not same.any():
            what = "different" if not same.any() else "the same"
            raise ValueError(
                f"labelled pairs must include pairs that are the same and pairs that are not, got {len(same):,} pairs "
                f"that are all {what}; name another --same-from, or label others"
            )
        thresholds = np.round(np.linspace(scale.low, scale.high, STEPS + 1), 10)
        order = np.argsort(scores, kind="stable")
        below = np.searchsorted(scores[order], thresholds, side="left")
        missed = np.append(0, np.cumsum(same[order]))[below]
        called = len(scores) - below
        return cls(thresholds, called, called - (int(same.sum()) - missed), below, missed)

    @property
    def positives(self) -> int:
        """Number of pairs that are the same."""
        return int(self.called[0] - self.false[0])

    @property
    def pairs(self) -> int:
        """Number of pairs."""
        return int(self.called[0])

    def curve(self, confidence: float, *chosen: float | None) -> Curve:
        """Return the results at some thresholds, the chosen ones among them."""
        changes = np.flatnonzero(np.diff(self.called, prepend=-1))
        places = changes[np.unique(np.linspace(0, len(changes) - 1, _ROWS_OF_CURVE).round().astype(np.int64))]
        wanted = np.isin(self.thresholds, [each for each in chosen if each is not None])
        places = np.union1d(places, np.flatnonzero(wanted))
        called, false = self.called[places], self.false[places]
        bounds = upper_bounds(false, called, confidence)
        columns = (self.thresholds[places], called, false, bounds, (called - false) / self.positives)
        return Curve(*(tuple(column.astype(np.float64).tolist()) for column in columns))


def choose_thresholds(tally: Tally, rule: Rule, confidence: float) -> Thresholds:
    """Return the thresholds that a rule asks for."""
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 % and 100 %, got {100 * confidence:g} %; 95 % is usual")
    if rule.kind == "max_false":
        safe_same = _safe_same(tally, rule.value, confidence)
        if not safe_same.any():
            raise ValueError(_refusal_of_same(tally, rule.value, confidence))
        found = Thresholds(float(tally.thresholds[safe_same][0]), None)
    elif rule.kind == "recall":
        found = _with_recall(tally, rule.value, confidence)
        safe_same = tally.thresholds == found.same_from
    else:
        found = _with_least_cost(tally, rule.value)
        safe_same = tally.thresholds == found.same_from
    if rule.max_missed is None:
        return found if rule.kind == "max_false" else found._replace(different_below=found.same_from)
    safe_different = safe_thresholds(tally.missed, tally.below, rule.max_missed, confidence)
    return _joined(tally, found, safe_same, safe_different)


def _safe_same(tally: Tally, bound: float, confidence: float) -> np.ndarray:
    return safe_thresholds(tally.false[::-1], tally.called[::-1], bound, confidence)[::-1]


def _joined(tally: Tally, found: Thresholds, safe_same: np.ndarray, safe_different: np.ndarray) -> Thresholds:
    # Where the two would overlap, the best threshold that both sides allow decides every pair.
    both = np.flatnonzero(safe_same & safe_different)
    if len(both):
        wrong = (tally.false + tally.missed)[both]
        best = float(tally.thresholds[_middle(both[wrong == wrong.min()])])
        return found._replace(same_from=best, different_below=best)
    below = tally.thresholds[safe_different & (tally.thresholds <= found.same_from)]
    return found._replace(different_below=float(below[-1]) if len(below) else None)


def _middle(places: np.ndarray) -> int:
    return int(places[len(places) // 2])


def _with_recall(tally: Tally, recall: float, confidence: float) -> Thresholds:
    # The share of missed pairs rises with the threshold, so the thresholds that pass are the lowest ones.
    count = np.full(len(tally.thresholds), tally.positives)
    passed = upper_bounds(tally.missed, count, confidence) <= 1.0 - recall
    if not passed.any():
        raise ValueError(
            f"a recall of {100 * recall:g} % needs at least {pairs_needed(1.0 - recall, confidence)} labelled pairs "
            f"that are the same to be shown with confidence {100 * confidence:g} %, got {tally.positives}; label more"
        )
    return Thresholds(float(tally.thresholds[passed][-1]), None)


def _with_least_cost(tally: Tally, ratio: float) -> Thresholds:
    costs = (ratio * tally.false + tally.missed) / tally.pairs
    place = _middle(np.flatnonzero(costs == costs.min()))
    # Resampled pairs, as counts of the cells between thresholds: those that are the same, and those that are not.
    positives = -np.diff(tally.called - tally.false, append=0)
    negatives = -np.diff(tally.false, append=0)
    shares = np.concatenate([positives, negatives]) / tally.pairs
    drawn = np.random.default_rng(0).multinomial(tally.pairs, shares, _RESAMPLES)
    same, other = drawn[:, : len(positives)], drawn[:, len(positives) :]
    missed = np.cumsum(same, axis=1) - same
    false = other.sum(axis=1, keepdims=True) - (np.cumsum(other, axis=1) - other)
    resampled = (ratio * false + missed) / tally.pairs
    cost_ends = np.quantile(resampled[:, place], _ENDS).tolist()
    # Often several thresholds in a row cost the same: the interval goes from the lowest to the highest.
    lowest, highest = resampled.argmin(axis=1), STEPS - resampled[:, ::-1].argmin(axis=1)
    ends = [
        float(np.quantile(tally.thresholds[best], level)) for best, level in zip((lowest, highest), _ENDS, strict=True)
    ]
    return Thresholds(float(tally.thresholds[place]), None, float(costs[place]), tuple(cost_ends), (ends[0], ends[1]))


def _refusal_of_same(tally: Tally, bound: float, confidence: float) -> str:
    least = next((share for share in _SHARES if share > bound and _safe_same(tally, share, confidence).any()), None)
    offer = "ask for the least cost" if least is None else f"ask for at most {100 * least:g} %, which can be shown"
    return (
        f"the share of false pairs must be shown to be at most {100 * bound:g} % with confidence {100 * confidence:g} "
        f"%, got no threshold that does on {tally.pairs:,} labelled pairs, {tally.positives:,} of them the same; label "
        f"more, for it takes {pairs_needed(bound, confidence):,} pairs called same without a false one at least, or "
        f"{offer}"
    )


_SHARES = [k / 1000 for k in (*range(1, 10), *range(10, 100, 5), *range(100, 1000, 10))]
"""Shares of false pairs that a refusal offers."""
