"""Combination of the members' scores: their mean (Tian et al., 2017), or a stack of them (Breiman, 1996).

Either may be calibrated, so that a score is the mean gold score of pairs with these scores of the members.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ...models.monotone_curve import monotone_curve
from .folds import grouped_folds
from .scale import stored_number, stored_numbers

Rule = Literal["mean", "stack"]
RULES: tuple[Rule, ...] = ("mean", "stack")

PENALTIES = (1e-3, 1e-2, 1e-1, 1.0)
"""Strengths of the ridge that are tried, as shares of the members' variance over all pairs."""

CLOSEST = 1e-10
"""Least distance of two knots of a stored calibration, so that its slopes stay finite; fitted ones are 1e-9 apart."""


@dataclass(frozen=True)
class Combination:
    """Rule that makes one score from those of m members.

    Attributes
    ----------
    rule
        ``mean`` or ``stack``.
    weights, offset
        Of a stack: one non-negative weight a member, and a constant added to the weighted sum. A mean has no weights.
    knots, values
        The calibration: an increasing curve through these points; none for a mean without calibration.
    """

    rule: Rule = "mean"
    weights: tuple[float, ...] = ()
    offset: float = 0.0
    knots: tuple[float, ...] = ()
    values: tuple[float, ...] = ()

    @classmethod
    def fit(
        cls,
        rule: Rule,
        member_scores: np.ndarray,
        gold: np.ndarray,
        groups: np.ndarray,
        *,
        calibrate: bool = True,
        averaged: Sequence[bool] = (),
        weights: np.ndarray | None = None,
    ) -> "Combination":
        """Fit on scores that were made out of fold.

        Parameters
        ----------
        rule
            ``mean`` or ``stack``: ridge regression with non-negative weights, as strong as is best in cross-validation.
        member_scores
            Shape (n, m).
        gold, groups
            Shape (n,): the scores, 0..5, and the groups of pairs that share a sentence; see `sentence_groups`.
        calibrate
            Whether to fit the calibration.
        averaged
            For each member whether it belongs to those that enter a stack as their plain mean, with one weight; none
            do if empty.
        weights
            Shape (n,), positive: how much each pair counts in a stack; all count the same if None.
        """
        combination = cls()
        if rule == "stack":
            parts = _parts(averaged or [False] * member_scores.shape[1])
            means = member_scores @ parts
            counts = np.ones(len(gold)) if weights is None else weights / weights.mean()
            slopes, offset = _ridge(means, gold, counts, _penalty(means, gold, counts, groups))
            combination = cls("stack", tuple((parts @ slopes).tolist()), offset)
        if not calibrate:
            return combination
        knots, values = monotone_curve(combination.apply(member_scores, clip=False), gold, weights)
        return replace(combination, knots=tuple(knots.tolist()), values=tuple(values.tolist()))

    def apply(self, member_scores: np.ndarray, clip: bool = True) -> np.ndarray:
        """Return one score a pair, shape (n, m) to (n,), clipped to 0..5 unless `clip` is False."""
        # Added member by member: numpy's own sum may add in another order for another shape.
        count = member_scores.shape[1]
        total = np.full(len(member_scores), self.offset)
        for k in range(count):
            total += member_scores[:, k] * (self.weights[k] if self.weights else 1.0)
        if not self.weights:
            total /= count
        total = self.calibrated(total)
        return np.clip(total, 0.0, 5.0) if clip else total

    def calibrated(self, total: np.ndarray) -> np.ndarray:
        """Return calibrated weighted sums of the members' scores; the sums themselves if there is no calibration."""
        return np.interp(total, self.knots, self.values) if self.knots else total

    def then(self, knots: np.ndarray, values: np.ndarray) -> "Combination":
        """Return the combination followed by a curve from increasing scores of this one to non-decreasing scores."""
        if self.knots:
            # Points of either curve; those of the second where the first one has their scores.
            reached = np.unique(self.values, return_index=True)
            inside = (knots > reached[0][0]) & (knots < reached[0][-1])
            back = np.interp(knots[inside], reached[0], np.asarray(self.knots)[reached[1]])
            at = np.unique(np.concatenate([self.knots, back]))
            at = at[np.append(True, np.diff(at) > 1e-9)]
            knots, values = at, np.interp(self.calibrated(at), knots, values)
        return replace(self, knots=tuple(knots.tolist()), values=tuple(np.maximum.accumulate(values).tolist()))

    def weights_of(self, members: int) -> tuple[float, ...]:
        """Return the weight of each member; weights need not sum to 1."""
        return self.weights or (1.0 / members,) * members

    def shares(self, member_scores: np.ndarray) -> np.ndarray:
        """Return the share of each member in the variance of the weighted sum, shape (m,); they sum to 1.

        A weight alone says little where members agree, or spread their scores less.
        """
        parts = member_scores * np.asarray(self.weights_of(member_scores.shape[1]))
        total = parts.sum(axis=1)
        spread = float(((total - total.mean()) ** 2).sum())
        return (parts - parts.mean(axis=0)).T @ (total - total.mean()) / spread if spread else np.zeros(parts.shape[1])

    def counted(self, members: int) -> list[bool]:
        """Return whether each member has a weight; if none has, all members count."""
        counted = [weight > 0 for weight in self.weights_of(members)]
        return counted if any(counted) else [True] * members

    def of_members(self, kept: Sequence[bool]) -> "Combination":
        """Return the combination of the members that are kept; the weights of the others must be 0."""
        weights = tuple(weight for weight, keep in zip(self.weights, kept, strict=True) if keep) if self.weights else ()
        return replace(self, weights=weights)

    def to_dict(self) -> dict[str, Any]:
        """Return the combination as JSON values."""
        return {
            "rule": self.rule,
            "weights": list(self.weights),
            "offset": self.offset,
            "knots": list(self.knots),
            "values": list(self.values),
        }

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any], members: int) -> "Combination":
        """Return the combination of `to_dict`, of this number of members; raise ValueError for other facts."""
        try:
            weights, knots, values = (stored_numbers(facts[key]) for key in ("weights", "knots", "values"))
            combination = cls(facts["rule"], weights, stored_number(facts["offset"]), knots, values)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"the stored combination {facts!r:.80} is malformed; train the model again") from error
        sound = (
            combination.rule in RULES
            and len(combination.weights) == (members if combination.rule == "stack" else 0)
            and min(combination.weights, default=0.0) >= 0
            and len(combination.knots) == len(combination.values) != 1
            and bool((np.diff(combination.knots) >= CLOSEST).all() and (np.diff(combination.values) >= 0).all())
        )
        if not sound:
            raise ValueError(
                f"the stored combination {facts!r:.80} does not fit {members} members; train the model again"
            )
        return combination


def _parts(averaged: Sequence[bool]) -> np.ndarray:
    # Shape (members, parts): the share of each member in each part; the mean is one part, any other member another.
    together = np.asarray(averaged, dtype=bool)
    alone = np.eye(len(together))[:, ~together]
    return np.column_stack([together / together.sum(), alone]) if together.any() else alone


def _ridge(scores: np.ndarray, gold: np.ndarray, counts: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    # Non-negative least squares with rows for the penalty: exact, where a descent stops at a tolerance.
    from scipy.optimize import nnls

    centre, level = np.average(scores, axis=0, weights=counts), np.average(gold, weights=counts)
    roots = np.sqrt(counts)
    centred = (scores - centre) * roots[:, None]
    strength = np.sqrt(penalty * float((centred**2).sum(axis=0).mean()))
    width = scores.shape[1]
    rows = np.vstack([centred, strength * np.eye(width)])
    weights, _ = nnls(rows, np.append((gold - level) * roots, np.zeros(width)))
    return weights, float(level - centre @ weights)


def _penalty(scores: np.ndarray, gold: np.ndarray, counts: np.ndarray, groups: np.ndarray) -> float:
    folds = grouped_folds(groups)

    def error(penalty: float) -> float:
        total = 0.0
        for train, held_out in folds:
            weights, offset = _ridge(scores[train], gold[train], counts[train], penalty)
            wrong = scores[held_out] @ weights + offset - gold[held_out]
            total += float((counts[held_out] * wrong**2).sum())
        return total

    return min(PENALTIES, key=error)
