"""Adaptation of a fitted model to user-supplied labels: scale, bias and intervals, with the same members.

Several changes are tried, and the best in cross-validation is taken: none, a constant, a line, new weights of the
members, points by columns or by a summary of each pair, an increasing curve. Each leans towards the model as it was, so
that ten labels move it little. The rule that a larger change must be better by a standard error gained 12.0 % with 50
labels, not 12.9 %, on sources left out, before there were points by columns.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.linear_correction import LinearCorrection
from .combination import Combination
from .folds import grouped_folds
from .predictive_distribution import PredictiveDistribution, spread_of
from .summary_correction import SummaryCorrection
from .uncertainty import Uncertainty, VennAbers, curve_of_logits, logistic_curve, logistic_weights

LEAN = 4.0
"""Strength of the pull towards the model as it was, in labels."""

SUMMARY_PULL = 60.0
"""Strength of the pull to 0 of the weights of a summary, where labels are scores.

Of 9 to 200, on eight sources and two profiles, with 20 labels: beside new weights of the members, 60 costs 0.4 % of the
error on average, and gains 2 % where a summary tells most; 9 costs 2.6 % and gains 4 %.
"""

FOLDS = 10

FEWEST_FOR_CURVE = 100
"""Fewest labels for an increasing curve."""

_ENDS = (-5.0, 10.0)  # beyond any combined score; a curve needs a value there


class Change(NamedTuple):
    """Change of a model that was tried."""

    # ``nothing``, ``constant``, ``line``, ``members``, ``columns``, ``summary``, ``curve`` or ``probability``
    name: str
    # Mean error on labels that it was not fitted on: squared, on 0..5, or log loss for labels yes and no.
    error: float
    standard_error: float  # of the mean difference of that error from the least change's


class Labelled(NamedTuple):
    """Labelled pairs as a model sees them."""

    scores: np.ndarray  # of its members, shape (n, m)
    matrix: FeatureMatrix  # the columns that they read, shape (n, k); none for a model of networks alone
    gold: np.ndarray  # the labels, shape (n,), 0..5
    groups: np.ndarray  # shape (n,): groups of pairs that share a sentence; see `sentence_groups`
    summary: FeatureMatrix | None = None  # by which points may be added, as `summary_correction.summary_of` returns it

    def take(self, rows: np.ndarray) -> "Labelled":
        """Return some of the pairs."""
        summary = None if self.summary is None else self.summary.take(rows)
        return Labelled(self.scores[rows], self.matrix.take(rows), self.gold[rows], self.groups[rows], summary)


class CorrectedCombination(NamedTuple):
    """A combination of the members' scores, and a correction that it adds to them, if any."""

    combination: Combination
    correction: LinearCorrection | None = None

    def apply(self, pairs: Labelled) -> np.ndarray:
        """Return the score of each pair, shape (n,), 0..5."""
        if self.correction is None:
            return self.combination.apply(pairs.scores)
        read = pairs.matrix if self.correction.reads_columns or pairs.summary is None else pairs.summary
        return self.combination.apply(np.column_stack([pairs.scores, self.correction.predict(read)]))


@dataclass(frozen=True)
class Adaptation:
    """Combination and uncertainty, adapted to labels.

    Attributes
    ----------
    corrected, uncertainty
        Adapted combination and uncertainty.
    chosen
        Name of the change.
    tried
        All changes, the least first.
    measure
        ``squared error`` or ``log loss``.
    """

    corrected: CorrectedCombination
    uncertainty: Uncertainty
    chosen: str
    tried: tuple[Change, ...]
    measure: str


Fit = Callable[[Combination, Labelled], CorrectedCombination]


def adapted(combination: Combination, uncertainty: Uncertainty, pairs: Labelled) -> Adaptation:
    """Return the change that is best in cross-validation on labels; ValueError if all pairs are of one group."""
    changes = {name: change for name, change in _CHANGES.items() if _fits(name, combination, pairs)}
    predicted = _held_out(changes, combination, pairs)
    errors = {name: (scores - pairs.gold) ** 2 for name, scores in predicted.items()}
    chosen = _best(errors)
    stretch = _stretch(uncertainty, predicted[chosen], pairs.gold, spread_of(pairs.scores))
    rule = changes[chosen](combination, pairs)
    return Adaptation(rule, stretched(uncertainty, stretch), chosen, _tried(errors), "squared error")


def _fits(name: str, combination: Combination, pairs: Labelled) -> bool:
    if name in ("members", "columns", "summary") and combination.knots:
        return False  # weights under a curve would have to be searched for
    if name in ("columns", "summary"):
        return bool(pairs.matrix.columns) if name == "columns" else pairs.summary is not None
    return name != "curve" or len(pairs.gold) >= FEWEST_FOR_CURVE


def adapted_to_yes_and_no(combination: Combination, binary: bool, pairs: Labelled) -> Adaptation:
    """Return a rule that gives probabilities of yes, and their uncertainty."""
    changes: dict[str, Fit] = ({"nothing": _unchanged} if binary else {}) | {"probability": _probability}
    changes |= {} if pairs.summary is None else {"summary": _probability_by_summary}
    predicted = _held_out(changes, combination, pairs)
    errors = {name: _log_loss(scores, pairs.gold) for name, scores in predicted.items()}
    chosen = _best(errors)
    rule = changes[chosen](combination, pairs)
    return Adaptation(rule, VennAbers.fit(predicted[chosen], pairs.gold), chosen, _tried(errors), "log loss")


def _log_loss(points: np.ndarray, gold: np.ndarray) -> np.ndarray:
    yes = np.clip(points / 5.0, 1e-6, 1.0 - 1e-6)
    return -np.log(np.where(gold > 0, yes, 1.0 - yes))


def _held_out(changes: dict[str, Fit], combination: Combination, pairs: Labelled) -> dict[str, np.ndarray]:
    # The scores that each change gives to labelled pairs on which it was not fitted.
    folds = grouped_folds(pairs.groups, FOLDS)
    if not folds:
        raise ValueError("labels must be of pairs that do not all share sentences, got one group; label other pairs")
    predicted = {name: np.empty(len(pairs.gold)) for name in changes}
    for train, held_out in folds:
        fitted_on, judged = pairs.take(train), pairs.take(held_out)
        for name, change in changes.items():
            predicted[name][held_out] = change(combination, fitted_on).apply(judged)
    return predicted


def _best(errors: dict[str, np.ndarray]) -> str:
    return min(errors, key=lambda name: float(errors[name].mean()))  # of equal ones the least


def _tried(errors: dict[str, np.ndarray]) -> tuple[Change, ...]:
    least = next(iter(errors.values()))
    return tuple(Change(name, float(each.mean()), _standard_error(least - each)) for name, each in errors.items())


def stretched(uncertainty: Uncertainty, factor: float) -> Uncertainty:
    """Return an uncertainty whose deviations are larger by a factor."""
    if isinstance(uncertainty, PredictiveDistribution):
        return replace(uncertainty, units=tuple(unit * factor for unit in uncertainty.units))
    return uncertainty


def _standard_error(values: np.ndarray) -> float:
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else float("inf")


def _stretch(uncertainty: Uncertainty, points: np.ndarray, gold: np.ndarray, spread: np.ndarray) -> float:
    # By how much intervals must be stretched to hold the share of labels that they promise (split conformal
    # prediction); as they are where there are too few labels to tell.
    deviation = uncertainty.deviation(points, spread)
    # The ends for deviations so small that the scale does not cut them, brought back to size.
    small, inside = 1e-3, np.clip(points, 0.1, 4.9)
    low, high = uncertainty.ends(inside, deviation * small)
    low, high = points - (inside - low) / small, points + (high - inside) / small
    away = gold - points
    span = np.where(away < 0, points - low, high - points)
    reach = np.abs(away) / np.maximum(span, 1e-9)
    rank = int(np.ceil((len(reach) + 1) * uncertainty.level))
    return float(np.clip(np.sort(reach)[rank - 1], 0.2, 5.0)) if 0 < rank <= len(reach) else 1.0


def _unchanged(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    return CorrectedCombination(combination)


def _constant(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    wrong = pairs.gold - combination.apply(pairs.scores)
    return CorrectedCombination(_straight(combination, 1.0, float(wrong.sum() / (len(wrong) + LEAN))))


def _line(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    # Ridge regression towards slope 1 and the constant above; a unit of slope costs as one of the scale's standard
    # deviation, 1.5.
    score, gold = combination.apply(pairs.scores), pairs.gold
    centre, level = score.mean(), gold.mean()
    pull = LEAN * 1.5**2
    slope = (float((score - centre) @ (gold - level)) + pull) / (float(((score - centre) ** 2).sum()) + pull)
    slope = max(slope, 0.0)
    share = len(gold) / (len(gold) + LEAN)
    offset = share * (level - slope * centre) + (1.0 - share) * (1.0 - slope) * centre
    return CorrectedCombination(_straight(combination, slope, float(offset)))


def _members(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    return CorrectedCombination(_reweighted(combination, pairs, np.empty((len(pairs.gold), 0))))


def _reweighted(combination: Combination, pairs: Labelled, units: np.ndarray) -> Combination:
    # A stack of the members and of other columns: ridge regression with non-negative weights towards those before.
    from scipy.optimize import nnls

    scores, gold = np.column_stack([pairs.scores, units]), pairs.gold
    members, others = pairs.scores.shape[1], units.shape[1]
    before, centre = np.append(combination.weights_of(members), np.zeros(others)), scores.mean(axis=0)
    pull = np.sqrt(np.repeat([LEAN * 1.5**2, SUMMARY_PULL], [members, others]))
    rows = np.vstack([scores - centre, np.diag(pull)])
    weights, _ = nnls(rows, np.append(gold - gold.mean(), pull * before))
    share = len(gold) / (len(gold) + LEAN)
    fitted, kept = gold.mean() - centre @ weights, combination.offset + centre @ (before - weights)
    return Combination("stack", tuple(weights.tolist()), float(share * fitted + (1.0 - share) * kept))


def _columns(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    plain = _members(combination, pairs).combination
    correction = LinearCorrection().fit(pairs.matrix, pairs.gold - plain.apply(pairs.scores))
    # The mean error is in the combination's own constant already.
    return CorrectedCombination(replace(plain, weights=(*plain.weights, 1.0)), replace(correction, constant=0.0))


def _summary(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    correction, units = _scaled_summary(pairs)
    found = _reweighted(combination, pairs, units)
    return _with_summary(correction, np.asarray(found.weights), found.offset, pairs.scores.shape[1])


def _scaled_summary(pairs: Labelled) -> tuple[SummaryCorrection, np.ndarray]:
    if pairs.summary is None:
        raise ValueError("labelled pairs must have a summary, got None; give that of `summary_of`")
    correction = SummaryCorrection().scaled_to(pairs.summary)
    return correction, correction.units(pairs.summary)


def _with_summary(
    correction: SummaryCorrection, weights: np.ndarray, offset: float, members: int
) -> CorrectedCombination:
    combination, points = Combination("stack", tuple(weights[:members].tolist()), offset), weights[members:]
    if not points.any():
        return CorrectedCombination(combination)  # there is no summary to read
    return CorrectedCombination(
        replace(combination, weights=(*combination.weights, 1.0)), replace(correction, weights=points)
    )


def _curve(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    from sklearn.isotonic import isotonic_regression

    line, gold = _line(combination, pairs).combination, pairs.gold
    score = line.apply(pairs.scores)
    parts = np.array_split(np.argsort(score, kind="stable"), max(len(gold) // 50, 2))
    x = np.asarray([score[part].mean() for part in parts])
    # Each mean leans towards the line.
    shares = [len(part) / (len(part) + LEAN) for part in parts]
    means = [share * gold[part].mean() + (1 - share) * at for share, part, at in zip(shares, parts, x, strict=True)]
    y = isotonic_regression(means, sample_weight=[len(part) for part in parts])
    apart = np.append(True, np.diff(x) > 1e-6)
    x, y = x[apart], y[apart]
    first, last = min(_ENDS[0], float(x[0]) - 1.0), max(_ENDS[1], float(x[-1]) + 1.0)
    knots, values = [first, *x, last], [y[0] - x[0] + first, *y, y[-1] - x[-1] + last]
    return CorrectedCombination(line.then(np.asarray(knots), np.asarray(values)))


def _straight(combination: Combination, slope: float, offset: float) -> Combination:
    ends = np.asarray(_ENDS)
    if combination.knots or combination.rule == "mean":
        return combination.then(ends, slope * ends + offset)
    weights = tuple(slope * weight for weight in combination.weights)
    return replace(combination, weights=weights, offset=slope * combination.offset + offset)


def _probability(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    # Over the members' scores alone where the curve before was one to probabilities.
    plain = replace(combination, knots=(), values=())
    knots, values = logistic_curve(plain.apply(pairs.scores, clip=False), pairs.gold)
    return CorrectedCombination(replace(plain, knots=knots, values=values))


def _probability_by_summary(combination: Combination, pairs: Labelled) -> CorrectedCombination:
    # The weighted sum is the logit: the members keep the weights that they have to each other.
    correction, units = _scaled_summary(pairs)
    plain = replace(combination, knots=(), values=())
    before = np.asarray(plain.weights_of(pairs.scores.shape[1]))
    totals = plain.apply(pairs.scores, clip=False)
    centre, spread = float(totals.mean()), float(totals.std()) or 1.0
    weights, constant = logistic_weights(np.column_stack([(totals - centre) / spread, units]), pairs.gold, LEAN)
    slope = weights[0] / spread
    offset = constant + slope * (plain.offset - centre)
    rule = _with_summary(correction, np.append(slope * before, weights[1:]), float(offset), len(before))
    logits = pairs.scores @ (slope * before) + units @ weights[1:] + offset
    knots, values = curve_of_logits(logits)
    return rule._replace(combination=replace(rule.combination, knots=knots, values=values))


_CHANGES: dict[str, Fit] = {
    "nothing": _unchanged,
    "constant": _constant,
    "line": _line,
    "members": _members,
    "columns": _columns,
    "summary": _summary,
    "curve": _curve,
}
