"""Scores of runs on a set of pairs, and the runs that do not differ significantly from the best."""

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ...ensemble.evaluation.metrics import pearson, pearson_interval
from ...ensemble.evaluation.published_scores import PublishedTable
from ...ensemble.evaluation.system_comparison import holm, williams
from .system_runs import Outcome

_SAME = 1e-12
"""Largest difference of the correlations of equal scores, up to a linear map."""


@dataclass(frozen=True, eq=False)
class Score:
    """Score of one of our runs on one set.

    Attributes
    ----------
    outcome
        Scores of the run for the pairs.
    pearson, low, high
        Pearson correlation (-1..1) with the ends of its 95 % bootstrap interval; None for a run that failed.
    published
        Published correlation of the rebuilt run, -1..1, or None.
    failure
        Reason for a failure, or None.
    best
        Whether it is our best run of the set; of several the first.
    p_best, p_best_holm
        Two-sided p-value of Williams' test against our best run, and corrected for the number of runs (Holm, 1979);
        None for the best run, for a failed run, and where the test is undefined.
    tied
        Whether it is the best run or does not differ from it significantly at 5 %, uncorrected, as in the table of the
        task.
    """

    outcome: Outcome
    pearson: float | None
    low: float | None
    high: float | None
    published: float | None
    failure: str | None
    best: bool = False
    p_best: float | None = None
    p_best_holm: float | None = None
    tied: bool = False

    @property
    def difference(self) -> float | None:
        """Our correlation minus the published one, -2..2."""
        return None if self.pearson is None or self.published is None else self.pearson - self.published


def scores_of_set(column: str, table: PublishedTable, outcomes: Mapping[str, Outcome], seed: int) -> dict[str, Score]:
    """Return the score of each run on one set."""
    first = next(iter(outcomes))
    scores = {}
    for label, outcome in outcomes.items():
        if not np.array_equal(outcome.gold, outcomes[first].gold):
            raise ValueError(
                f"gold scores of {outcome.set} must be equal in all runs, got different ones for {first!r} and "
                f"{label!r}; run both again"
            )
        named = outcome.system.runs[outcome.run].published.get(table.name)
        printed = None if named is None else table.row(str(named)).values.get(column)
        scores[label] = _score(outcome, None if printed is None else round(printed / 100, 6), seed)
    reached = {label: score.pearson for label, score in scores.items() if score.pearson is not None}
    if not reached:
        return scores
    best = max(reached, key=lambda label: reached[label])
    p = {label: williams_p(scores[label], scores[best]) for label in reached if label != best}
    corrected = dict(zip(p, holm([np.nan if value is None else value for value in p.values()]).tolist(), strict=True))
    scores[best] = replace(scores[best], best=True, tied=True)
    for label, value in p.items():
        tied = value > 0.05 if value is not None else reached[best] - reached[label] < _SAME
        holm_p = None if value is None else corrected[label]
        scores[label] = replace(scores[label], p_best=value, p_best_holm=holm_p, tied=tied)
    return scores


def williams_p(score: Score, other: Score) -> float | None:
    """Return the two-sided p-value of Williams' test of two scores on one set, or None where it is undefined."""
    ours, theirs = score.outcome.scores, other.outcome.scores
    if ours is None or theirs is None or score.pearson is None or other.pearson is None:
        return None
    if np.ptp(ours) == 0 or np.ptp(theirs) == 0:
        return None
    p = williams(score.pearson, other.pearson, pearson(ours, theirs), len(ours))[1]
    return None if np.isnan(p) else p


def williams_of_all(scores: Mapping[str, Score]) -> dict[tuple[str, str], float | None]:
    """Return the p-value of Williams' test of all pairs of runs of a set, corrected for their number (Holm, 1979)."""
    p_values = {(a, b): williams_p(scores[a], scores[b]) for a, b in combinations(scores, 2)}
    corrected = holm([np.nan if p is None else p for p in p_values.values()]).tolist()
    return {key: None if p is None else q for (key, p), q in zip(p_values.items(), corrected, strict=True)}


def _score(outcome: Outcome, published: float | None, seed: int) -> Score:
    gold, values, failure = outcome.gold, outcome.scores, outcome.failure
    if failure is None and values is None:
        failure = "it gave no scores"
    elif failure is None and not np.isfinite(np.asarray(values)).all():
        failure = "not all of its scores are finite numbers"
    if failure is not None or values is None:
        return Score(outcome, None, None, None, published, failure)
    if len(values) != len(gold):
        raise ValueError(
            f"{outcome.label!r} must have {len(gold)} scores for {outcome.set}, got {len(values)}; give one a pair"
        )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # constant scores have correlation 0
        r = pearson(gold, values)
    return Score(outcome, r, *pearson_interval(gold, values, seed), published, None)
