"""Measures of one system on one table, as facts that `samewise evaluate` prints and a report shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..core.scale import POINTS, Scale
from .aggregates import aggregates, primary, sizes_of
from .binary_metrics import BinaryEvaluation, evaluate_binary
from .calibration import calibration, coverage_by_band, interval_facts
from .metrics import Evaluation, evaluate, evaluate_groups, weighted_pearson
from .ranking import ranking


@dataclass(frozen=True)
class Scored:
    """Pairs with gold scores, and the scores of a system.

    Attributes
    ----------
    pairs
        n pairs of texts.
    gold, score
        Shape (n,), 0..5.
    low, high
        Ends of the predicted intervals, shape (n,); None for a system without intervals.
    flags
        The flags of each pair; empty for a system without flags.
    level
        The share of gold scores that the intervals are meant to hold; None without intervals.
    scale
        Scale on which the system answers.
    labels
        Scale of the labels that the gold scores were made from.
    """

    pairs: Sequence[tuple[str, str]]
    gold: np.ndarray
    score: np.ndarray
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    flags: Sequence[Sequence[str]] = ()
    level: float | None = None
    scale: Scale = POINTS
    labels: Scale = POINTS

    def take(self, rows: np.ndarray) -> "Scored":
        """Return the pairs where a mask of shape (n,) holds."""
        chosen = np.flatnonzero(rows).tolist()
        low, high = (None if side is None else side[rows] for side in (self.low, self.high))
        flags = [self.flags[k] for k in chosen] if self.flags else ()
        pairs, gold, score = [self.pairs[k] for k in chosen], self.gold[rows], self.score[rows]
        return replace(self, pairs=pairs, gold=gold, score=score, low=low, high=high, flags=flags)

    @property
    def binary(self) -> BinaryEvaluation | None:
        """Figures for yes/no labels, None for others; for probabilities where the system gives them."""
        if not self.labels.binary:
            return None
        answers = self.scale.scores(self.score)
        return evaluate_binary(self.gold > 0.0, answers, probabilities=self.scale.binary)


@dataclass(frozen=True)
class Wanted:
    """Measures that are wanted beside the correlations, RMSE, within-1 rate and coverage.

    Attributes
    ----------
    ranking
        Kendall's tau, nCG, nDCG and F1.
    thresholds
        The scores from which pairs are called similar in F1, by gold score; see `ranking.ranking`.
    calibration
        Calibration of scores and intervals.
    bands
        Coverage of the intervals by band of the score.
    aggregates
        ALL, ALLnrm and the means, for each grouping.
    weights
        Confidence in each pair, shape (n,), for the confidence-weighted Pearson correlation.
    tracks
        The track of SemEval-2017 Task 1 of each pair, for its averages.
    worst
        Number of the largest errors that are listed.
    """

    ranking: bool = False
    thresholds: Mapping[float, float] | None = None
    calibration: bool = False
    bands: bool = False
    aggregates: bool = False
    weights: np.ndarray | None = None
    tracks: Sequence[str] | None = None
    worst: int = 0


@dataclass(frozen=True)
class Grouping:
    """Figures of the pairs by group."""

    groups: dict[str, Evaluation]  # of two pairs or more
    more: dict[str, dict[str, Any]]  # other measures of the same groups, as plain JSON
    weighted_mean: float | None  # of the groups' Pearson correlations, by size; None without groups of two pairs
    left_out: tuple[str, ...]  # the groups of one pair, which have no correlation
    aggregates: dict[str, float | None] = field(default_factory=dict)  # plain JSON; empty if not wanted

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        groups = {name: {**group.as_dict(), **self.more[name]} for name, group in self.groups.items()}
        facts: dict[str, Any] = {"groups": groups, "weighted_mean": self.weighted_mean}
        return {**facts, "left_out": list(self.left_out), **self.aggregates}


@dataclass(frozen=True)
class Assessment:
    """The measures of a system, of all pairs and for each grouping by its name."""

    scored: Scored
    evaluation: Evaluation
    groupings: dict[str, Grouping]
    # Other measures of all pairs, as plain JSON: those of ``ranking``, ``calibration``, ``interval``, ``bands``,
    # ``confidence_pearson``, ``primary`` and ``worst`` that were wanted; ``binary``, if labels say yes or no.
    more: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values; ``groups`` are those of the first grouping, ``groupings`` holds all."""
        facts = self.evaluation.as_dict()
        groupings = {name: grouping.as_dict() for name, grouping in self.groupings.items()}
        if groupings:
            first = next(iter(groupings.values()))
            facts |= {"groups": first["groups"], "weighted_mean": first["weighted_mean"]}
        # One plain grouping has nothing that `groups` lacks.
        if len(groupings) > 1 or any(grouping.left_out or grouping.aggregates for grouping in self.groupings.values()):
            facts["groupings"] = groupings
        scales = {"scale": str(self.scored.scale), "labels": str(self.scored.labels)}
        return {**facts, **self.more, **(scales if set(scales.values()) != {str(POINTS)} else {})}


def assess(
    scored: Scored,
    groupings: Mapping[str, Sequence[str]] | None = None,
    wanted: Wanted | None = None,
    seed: int = 0,
) -> Assessment:
    """Measure a system.

    Parameters
    ----------
    scored
        The pairs and their scores, two or more.
    groupings
        The label of each pair, by the name of the grouping.
    wanted
        Measures beside those of `metrics.evaluate`; none if None.
    seed
        Seed of the bootstrap.

    Raises
    ------
    ValueError
        As `metrics.evaluate`, or if labels, weights or tracks do not fit the pairs.
    """
    wanted = wanted or Wanted()
    overall = evaluate(scored.gold, scored.score, scored.low, scored.high, seed=seed)
    by = dict(groupings or {})
    if wanted.tracks is not None:
        by["track"] = wanted.tracks
    figures = {name: _grouping(scored, labels, wanted, seed) for name, labels in by.items()}
    more = _more(scored, wanted, wanted.weights)
    if wanted.tracks is not None:
        more["primary"] = primary({name: group.pearson for name, group in figures["track"].groups.items()})
    if wanted.worst:
        more["worst"] = worst_errors(scored, wanted.worst)
    return Assessment(scored, overall, figures, more)


def worst_errors(scored: Scored, n: int) -> list[dict[str, Any]]:
    """Return the n pairs whose scores are farthest from gold, the farthest first, as plain JSON."""
    error = np.asarray(scored.score) - np.asarray(scored.gold)
    rows = []
    for k in np.argsort(-np.abs(error), kind="stable")[:n].tolist():
        a, b = scored.pairs[k]
        row = {"row": k + 1, "a": a, "b": b, "gold": float(scored.gold[k]), "score": float(scored.score[k])}
        low, high = (None if side is None else float(side[k]) for side in (scored.low, scored.high))
        flags = list(scored.flags[k]) if scored.flags else []
        rows.append({**row, "low": low, "high": high, "error": float(error[k]), "flags": flags})
    return rows


def _grouping(scored: Scored, labels: Sequence[str], wanted: Wanted, seed: int) -> Grouping:
    groups = evaluate_groups(scored.gold, scored.score, labels, scored.low, scored.high, seed)
    names = np.asarray([str(label) for label in labels])
    more = {}
    for name in groups:
        mask = names == name
        more[name] = _more(scored.take(mask), wanted, None if wanted.weights is None else wanted.weights[mask])
    sizes = sum(group.n for group in groups.values())
    mean = sum(group.n * group.pearson for group in groups.values()) / sizes if sizes else None
    left_out = tuple(name for name, n in sizes_of(labels).items() if n == 1)
    averages: dict[str, float | None] = {}
    if wanted.aggregates:
        correlations = {name: (group.n, group.pearson) for name, group in groups.items()}
        averages = aggregates(scored.gold, scored.score, labels, correlations).as_dict()
    return Grouping(groups, more, mean, left_out, averages)


def _more(scored: Scored, wanted: Wanted, weights: np.ndarray | None) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    gold, score, low, high = scored.gold, scored.score, scored.low, scored.high
    if weights is not None:
        # A group may have no weight at all.
        facts["confidence_pearson"] = weighted_pearson(gold, score, weights) if weights.any() else None
    if wanted.ranking:
        facts["ranking"] = ranking(gold, score, wanted.thresholds)
    if wanted.calibration:
        facts["calibration"] = calibration(gold, score)
    if low is not None and high is not None:
        if wanted.calibration and scored.level is not None:
            facts["interval"] = interval_facts(gold, low, high, scored.level)
        if wanted.bands:
            facts["bands"] = coverage_by_band(gold, score, low, high)
    binary = scored.binary
    return facts if binary is None else {**facts, "binary": binary.as_dict()}
