"""Choice of a threshold whose risk is controlled, also among the answers that are given.

Each threshold of a fixed grid is a hypothesis, tested by the exact binomial test (Clopper and Pearson, 1934). They are
tested in a fixed sequence from the strictest on, as Learn then Test does (Angelopoulos et al., 2025), but from several
starts that share the chance of error, because the strictest thresholds have too few pairs to pass. A start hands its
unused share on to the next one (the fallback procedure; Wiens and Dmitrienko, 2005).

The starts follow from how many pairs each threshold has, never from labels. For labelled pairs that are drawn like
those to be decided, the chance that any accepted threshold breaks the bound is then at most 1 - confidence, provided
that a higher score never means more errors. Without that it holds for pairs with the same scores as the labelled ones.

Where no threshold keeps a bound, all answers that chance lets through are wrong, however few they are. So the tests are
made with a chance of error that is `CAUTION` times smaller than asked for: at a confidence of 95 %, one draw of labels
in 1,000. Of the answers given, 9 in 10 then keep the bound wherever one draw of labels in 100 gets an answer.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from .decision import Curve, Rule
from .scale import Scale

CAUTION = 50
"""Factor by which the chance of a wrong answer is smaller than 1 - confidence, where an answer may be refused."""

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
    """Counts of labelled pairs at each threshold of the grid, arrays of shape (`STEPS` + 1,)."""

    thresholds: np.ndarray  # increasing, from the lowest score to the highest
    called: np.ndarray  # pairs with at least this score that no difference keeps apart
    false: np.ndarray  # those of them that are not the same
    below: np.ndarray  # pairs with a lower score, also those that a difference keeps apart
    missed: np.ndarray  # those of them that are the same
    pairs: int
    positives: int  # pairs that are the same

    @classmethod
    def of(cls, scores: np.ndarray, same: np.ndarray, scale: Scale, apart: np.ndarray | None = None) -> "Tally":
        """Count n pairs by score, by whether they are labelled the same, and by whether a difference keeps them apart.

        All but the scale are of shape (n,); no pair is kept apart if that is not said.
        """
        thresholds = np.round(np.linspace(scale.low, scale.high, STEPS + 1), 10)
        below, missed = _lower(scores, thresholds), _lower(scores[same], thresholds)
        free = np.ones(len(scores), dtype=bool) if apart is None else ~apart
        called = free.sum() - _lower(scores[free], thresholds)
        false = (free & ~same).sum() - _lower(scores[free & ~same], thresholds)
        return cls(thresholds, called, false, below, missed, len(scores), int(same.sum()))

    def check(self) -> None:
        """Raise ValueError if all labels are alike."""
        if self.positives in (0, self.pairs):
            what = "the same" if self.positives else "different"
            raise ValueError(
                f"labelled pairs must include pairs that are the same and pairs that are not, got {self.pairs:,} pairs "
                f"that are all {what}; name another --same-from, or label others"
            )

    @property
    def unfound(self) -> np.ndarray:
        """Pairs that are the same and are not called so, shape (`STEPS` + 1,)."""
        return np.asarray(self.positives - (self.called - self.false))

    def costs(self, ratio: float) -> np.ndarray:
        """Return the mean cost of a pair at each threshold, in missed pairs, of which a false one costs `ratio`."""
        return np.asarray((ratio * self.false + self.unfound) / self.pairs)

    def cheapest(self, ratio: float) -> float:
        """Return the threshold with the least cost; of several, the one in the middle."""
        costs = self.costs(ratio)
        return float(self.thresholds[_middle(np.flatnonzero(costs == costs.min()))])

    def curve(self, confidence: float, *chosen: float | None) -> Curve:
        """Return the results at some thresholds, the chosen ones among them."""
        changes = np.flatnonzero(np.diff(self.called, prepend=-1))
        places = changes[np.unique(np.linspace(0, len(changes) - 1, _ROWS_OF_CURVE).round().astype(np.int64))]
        wanted = np.isin(self.thresholds, [each for each in chosen if each is not None])
        places = np.union1d(places, np.flatnonzero(wanted))
        called, false = self.called[places], self.false[places]
        bounds = upper_bounds(false, called, confidence)
        columns = (self.thresholds[places], called, false, bounds, (called - false) / max(self.positives, 1))
        return Curve(*(tuple(column.astype(np.float64).tolist()) for column in columns))


def _lower(scores: np.ndarray, thresholds: np.ndarray) -> np.ndarray:
    return np.searchsorted(np.sort(scores), thresholds, side="left")


def choose_thresholds(tally: Tally, rule: Rule, confidence: float, share: float = 1.0, top: bool = False) -> Thresholds:
    """Return the thresholds that a rule asks for.

    Parameters
    ----------
    tally
        Counts of the labelled pairs.
    rule, confidence
        Demand, and the confidence, between 0 and 1, with which it is to be met.
    share
        Share, 0..1, of the chance of error that this choice has for the pairs called same, if it is one of several.
    top
        For the rule ``cost``, whether the threshold is the highest score instead of the one with the least cost.

    Raises
    ------
    ValueError
        If no threshold is shown to meet the demand.
    """
    if not 0.0 < confidence < 1.0:
        raise ValueError(f"confidence must be between 0 % and 100 %, got {100 * confidence:g} %; 95 % is usual")
    chance = (1.0 - confidence) / CAUTION
    if rule.kind == "max_false":
        safe_same = _safe_same(tally, rule.value, 1.0 - share * chance)
        if not safe_same.any():
            raise ValueError(_refusal_of_same(tally, rule.value, 1.0 - share * chance))
        found = Thresholds(float(tally.thresholds[safe_same][0]), None)
    elif rule.kind == "recall":
        found = _with_recall(tally, rule.value, 1.0 - share * (1.0 - confidence))
        safe_same = tally.thresholds == found.same_from
    else:
        found = _with_least_cost(tally, rule.value, top)
        safe_same = tally.thresholds == found.same_from
    if rule.max_missed is None:
        return found if rule.kind == "max_false" else found._replace(different_below=found.same_from)
    safe_different = safe_thresholds(tally.missed, tally.below, rule.max_missed, 1.0 - chance)
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
    passed = upper_bounds(tally.unfound, count, confidence) <= 1.0 - recall
    if not passed.any():
        raise ValueError(
            f"a recall of {100 * recall:g} % needs at least {pairs_needed(1.0 - recall, confidence)} labelled pairs "
            f"that are the same, all of them found, got {tally.positives}; label more"
        )
    return Thresholds(float(tally.thresholds[passed][-1]), None)


def _with_least_cost(tally: Tally, ratio: float, top: bool) -> Thresholds:
    costs = tally.costs(ratio)
    place = STEPS if top else int(np.flatnonzero(tally.thresholds == tally.cheapest(ratio))[0])
    # Resampled pairs, as counts of the cells between thresholds: those that are the same, and those that are not, and
    # in two cells more those that a difference keeps apart.
    positives = np.append(-np.diff(tally.called - tally.false, append=0), tally.unfound[0])
    negatives = np.append(-np.diff(tally.false, append=0), tally.pairs - tally.positives - tally.false[0])
    shares = np.concatenate([positives, negatives]) / tally.pairs
    drawn = np.random.default_rng(0).multinomial(tally.pairs, shares, _RESAMPLES)
    same, other = drawn[:, : len(positives)], drawn[:, len(positives) : -1]
    missed = same[:, -1:] + np.cumsum(same[:, :-1], axis=1) - same[:, :-1]
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
    return (
        f"at most {100 * bound:g} % of the pairs called same may be false, got no threshold for which "
        f"{tally.pairs:,} labelled pairs, {tally.positives:,} of them the same, make that sure enough; label more, for "
        f"it takes at least {pairs_needed(bound, confidence):,} pairs called same, none of them false"
    )
