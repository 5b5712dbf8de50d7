"""Charts and tables of scores against labels that say yes or no: curves, scores by label, and the worst errors."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from markupsafe import Markup

from ..core.decision import SAME, UNSURE, Decision
from ..core.scale import Scale
from ..evaluation.label_curves import LEVELS, LabelErrors, Share, label_curves, label_errors
from .evaluation_charts import Chart
from .svg_charts import Frame, area, columns, curve, identity, limit, line

WORST = 25
"""Number of the worst pairs that are listed on each side."""

_BANDS = 20
_MOST_POINTS = 400
"""Points of a curve from which some are left out of the drawing."""

_UNIT = (0.0, 1.0)
_SHOWN = ("mean_probability", "share_yes")


class Calls(NamedTuple):
    """Names that n pairs are given: ``same``, ``unsure`` or ``different``."""

    words: np.ndarray  # shape (n,)
    limits: Sequence[tuple[float, str]]  # scores that decide, with their names
    rule: str  # in a sentence
    reasons: Sequence[str | None] | None = None  # kind of difference that keeps the texts of a pair apart


def calls_by(decision: Decision, scale: Scale, score: np.ndarray, reasons: Sequence[str | None] | None) -> Calls:
    """Return how a decision calls n pairs; scores, reasons and errors as for `Decision.decide`."""
    ends = [(decision.different_below, "unsure"), (decision.same_from, "the same")]
    if decision.different_below == decision.same_from:
        ends = ends[1:]
    same, below = (None if end is None else scale.text(end) for end in (decision.same_from, decision.different_below))
    first = "No pair is called same" if same is None else f"Called same from {same}"
    second = "no pair is called different" if below is None else f"called different below {below}"
    apart = f". A difference in {', '.join(decision.keep_apart)} makes a pair unsure" if decision.keep_apart else ""
    limits = [(end, name) for end, name in ends if end is not None]
    return Calls(decision.decide(score, reasons), limits, f"{first}, {second}{apart}.", reasons)


class LabelParts(NamedTuple):
    """Part of a page on scores and labels: charts, errors, and the worst pairs on each side with a heading."""

    curves: list[tuple[str, str, Chart]]  # heading, one line on it, chart; none where labels are all the same
    histogram: Chart
    calls: str  # how pairs are called
    counts: list[tuple[str, ...]]  # a row a call: pairs, labelled yes, labelled no
    shares: list[tuple[str, str, str]]
    worst: list[tuple[str, list[dict[str, str]]]]


def label_parts(
    yes: np.ndarray,
    score: np.ndarray,
    calls: Calls,
    scale: Scale,
    *,
    pairs: Sequence[tuple[str, str]] | None = None,
    seed: int = 0,
) -> LabelParts:
    """Return the charts and tables of n pairs.

    Parameters
    ----------
    yes, score
        Shape (n,): whether the label is yes, and the score.
    calls
        How the pairs are called.
    scale
        Scale of the scores.
    pairs
        The texts, for the worst pairs.
    seed
        Seed of the bootstrap.
    """
    errors = label_errors(yes, calls.words, seed)
    rows = [(name, f"{sum(pair):,}", *(f"{count:,}" for count in pair)) for name, pair in errors.counts.items()]
    return LabelParts(
        curves=_curves(yes, score, seed) if 0 < yes.sum() < len(yes) else [],
        histogram=_histogram(yes, score, scale, calls.limits),
        calls=calls.rule,
        counts=[row for row in rows if row[0] != "unsure" or row[1] != "0"],
        shares=_shares(errors),
        worst=[] if pairs is None else _worst(yes, score, calls, scale, pairs),
    )


def _curves(yes: np.ndarray, score: np.ndarray, seed: int) -> list[tuple[str, str, Chart]]:
    found = label_curves(yes, score, seed)
    share, average = float(yes.mean()), found.average_precision_ends
    roc = Frame(_UNIT, _UNIT, "share of the no called yes", "share of the yes found")
    precision = Frame(_UNIT, _UNIT, "share of the yes found (recall)", "precision")
    flat = line(precision, _UNIT, (share, share), "identity")
    return [
        (
            "ROC curve",
            "Each point is a threshold. On the dashed line, scores say nothing about labels. Shaded: the 95 % "
            f"interval, which is {found.auc_ends[0]:.4f} to {found.auc_ends[1]:.4f} for the area under the curve.",
            _curve(roc, found.false_positives, found.true_positives, found.true_positive_ends, identity(roc)),
        ),
        (
            "Precision and recall",
            f"On the dashed line, scores say nothing about labels: {share:.1%} are yes. Shaded: the 95 % interval, "
            f"which is {average[0]:.4f} to {average[1]:.4f} for the average precision.",
            _curve(precision, found.recall[::-1], found.precision[::-1], found.precision_ends, flat),
        ),
    ]


def _curve(frame: Frame, x: np.ndarray, y: np.ndarray, ends: np.ndarray, under: Markup) -> Chart:
    kept = np.unique(np.linspace(0, len(x) - 1, _MOST_POINTS).astype(int))
    low, high = ends.tolist()
    drawn = [area(frame, LEVELS.tolist(), low, high), under, line(frame, x[kept].tolist(), y[kept].tolist())]
    rows = []
    for level in np.linspace(0.1, 0.9, 9).round(1).tolist():
        place = int(np.abs(LEVELS - level).argmin())
        rows.append((f"{level:.0%}", f"{_height(x, y, level):.1%}", f"{low[place]:.1%} to {high[place]:.1%}"))
    label = f"{frame.y_label} by {frame.x_label}; table below"
    return Chart(frame.draw(drawn, label.capitalize()), (frame.x_label, frame.y_label, "95 % interval"), rows)


def _height(x: np.ndarray, y: np.ndarray, at: float) -> float:
    # Of the curve at a place: between two points of the ROC curve on a straight line, in the other at the next point.
    if y[0] == 0.0 and x[0] == 0.0:
        return float(np.interp(at, x, y))
    return float(y[min(int(np.searchsorted(x, at - 1e-12)), len(y) - 1)])


def _histogram(yes: np.ndarray, score: np.ndarray, scale: Scale, limits: Sequence[tuple[float, str]]) -> Chart:
    edges = np.linspace(scale.low, scale.high, _BANDS + 1)
    counts = [np.histogram(np.clip(score[part], scale.low, scale.high), edges)[0].tolist() for part in (yes, ~yes)]
    ends = edges.tolist()
    frame = Frame((ends[0], ends[-1]), (0.0, max(5.0, *counts[0], *counts[1])), scale.title, "pairs")
    drawn = [*columns(frame, counts[0], ends, "box", 0, 2), *columns(frame, counts[1], ends, "down", 1, 2)]
    drawn += [limit(frame, at, name, row) for row, (at, name) in enumerate(limits)]
    rows = [
        (f"{scale.text(first)} to {scale.text(last)}", f"{a:,}", f"{b:,}")
        for first, last, a, b in zip(ends, ends[1:], *counts, strict=False)
    ]
    svg = frame.draw(drawn, f"Pairs by {scale.title} and label; table below")
    return Chart(svg, (scale.title, "labelled yes", "labelled no"), rows)


def reliability_chart(bands: Sequence[Mapping[str, Any]]) -> Chart:
    """Return the share of yes by band of the probability; see `BinaryEvaluation.bands`."""
    frame = Frame(_UNIT, _UNIT, "mean probability", "share labelled yes")
    full = [band for band in bands if band["n"]]
    x, y = ([float(band[key]) for band in full] for key in ("mean_probability", "share_yes"))
    drawn = [identity(frame), *curve(frame, x, y, y, y)]
    rows = [
        (band["band"], f"{band['n']:,}", *("" if band[key] is None else f"{band[key]:.3f}" for key in _SHOWN))
        for band in bands
    ]
    svg = frame.draw(drawn, "Share labelled yes by band of the probability; table below")
    return Chart(svg, ("probability", "n", "mean probability", "share labelled yes"), rows)


def _shares(errors: LabelErrors) -> list[tuple[str, str, str]]:
    rows = (
        ("Precision", errors.precision, "of those called same are labelled yes"),
        ("Recall", errors.recall, "of those labelled yes are called same"),
        ("F1", errors.f1, "harmonic mean of the two"),
    )
    return [(name, *_share_texts(share, note)) for name, share, note in rows]


def _share_texts(share: Share, note: str) -> tuple[str, str]:
    if share.value is None or share.low is None or share.high is None:
        return "none", "there is no pair to share"
    return f"{share.value:.1%}", f"{note}; 95 % interval {share.low:.1%} to {share.high:.1%}"


def _worst(
    yes: np.ndarray,
    score: np.ndarray,
    calls: Calls,
    scale: Scale,
    pairs: Sequence[tuple[str, str]],
) -> list[tuple[str, list[dict[str, str]]]]:
    sides: list[tuple[str, np.ndarray, Callable[[np.ndarray], np.ndarray]]] = [
        ("Called the same, labelled no: the highest scores first", ~yes & (calls.words == SAME), np.negative),
        ("Not called the same, labelled yes: the lowest scores first", yes & (calls.words != SAME), np.positive),
    ]
    listed = []
    for heading, wrong, order in sides:
        rows = np.flatnonzero(wrong)
        rows = rows[np.argsort(order(score[rows]), kind="stable")][:WORST]
        listed.append((heading, [_row(k, score, calls, scale, pairs[k]) for k in rows.tolist()]))
    return listed


def _row(k: int, score: np.ndarray, calls: Calls, scale: Scale, pair: tuple[str, str]) -> dict[str, str]:
    # A difference decides where the score alone would not have made the pair unsure or different.
    reason = calls.reasons[k] if calls.reasons is not None and calls.words[k] == UNSURE else None
    facts = {"call": str(calls.words[k]), "reason": reason or "", "a": pair[0], "b": pair[1]}
    return {**facts, "place": f"{k + 1:,}", "score": scale.text(float(score[k]))}
