"""Report of an evaluation: figures, charts and the worst errors of a model on scored pairs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..core.decision import DIFFERENT, SAME, Decision
from ..core.scale import POINTS, Scale
from ..evaluation.binary_metrics import BinaryEvaluation, evaluate_binary
from ..evaluation.metrics import Evaluation, evaluate
from ..evaluation.system_comparison import Comparison
from .evaluation_charts import (
    calibration_chart,
    correlation_matrix,
    coverage_bars,
    difference_bars,
    group_bars,
    residual_chart,
    scatter_chart,
    series_of,
    system_bars,
)
from .html_pages import render, signed
from .label_charts import Calls, calls_by, label_parts, reliability_chart
from .svg_charts import SERIES, shape

WORST = 50
"""Number of the largest errors that are listed."""


def evaluation_report(
    gold: Sequence[float] | np.ndarray,
    predicted: Sequence[float] | np.ndarray,
    low: Sequence[float] | np.ndarray | None = None,
    high: Sequence[float] | np.ndarray | None = None,
    *,
    groups: Sequence[str] | None = None,
    members: Mapping[str, Sequence[float] | np.ndarray] | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    signature: str,
    title: str,
    comparison: Comparison | None = None,
    seed: int = 0,
    scale: Scale = POINTS,
    labels: Scale = POINTS,
    decision: Decision | None = None,
    reasons: Sequence[str | None] | None = None,
) -> str:
    """Return the report of n scored pairs as the text of one HTML file, to be written as UTF-8.

    Its figures are those of `evaluate` for the same arguments. For labels that say yes or no, charts of labels stand in
    the place of those of gold scores.

    Parameters
    ----------
    gold, predicted
        Shape (n,), 0..5, n at least 2.
    low, high
        Ends of the predicted intervals, shape (n,); None for scores without intervals.
    groups
        A label for each pair.
    members
        Scores of each member by its name, shape (n,); the report shows their correlations.
    pairs
        The texts; adds the list of the largest errors.
    signature
        Signature of the model.
    title
        Title of the page, such as the name of the file.
    comparison
        Result of `compare`, for a table of systems.
    seed
        Seed of the bootstrap.
    scale, labels
        Scales of the model and of the labels, from which scores and gold scores were mapped onto 0..5.
    decision, reasons
        For labels that say yes or no: the decision by which pairs are called the same, and the kind of difference that
        keeps each pair apart, as `reasons_of` returns them; without a decision, a pair is called the same from the
        score with the highest F1 on these labels.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite, or there are under two pairs.
    """
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    ends = None if low is None or high is None else (np.asarray(low, np.float64), np.asarray(high, np.float64))
    columns = {"low": low, "high": high, "groups": groups, "pairs": pairs}
    _check(len(x), {**columns, **{f"the member {name!r}": column for name, column in (members or {}).items()}})
    first, last = ends or (None, None)
    evaluation = evaluate(x, y, first, last, groups=groups, seed=seed)
    names = None if groups is None else np.asarray([str(label) for label in groups])
    legend, series = series_of(names, len(x))
    yes_or_no = None
    if labels.binary:
        yes_or_no = _label_facts(x > 0.0, scale.scores(y), scale, decision, reasons, pairs, seed)
    return render(
        "evaluation.html",
        title=title,
        signature=signature,
        figures=[*(yes_or_no["figures"] if yes_or_no else ()), *evaluation_figures(evaluation)],
        labels=yes_or_no,
        mapped=None if scale == labels == POINTS else f"scores on {scale} and labels on {labels}",
        legend=legend,
        shapes=[shape(number, 5.0) for number in range(SERIES + 1)],
        scatter=None if yes_or_no else scatter_chart(x, y, series, evaluation),
        residuals=None if yes_or_no else residual_chart(x, y),
        calibration=None if yes_or_no else calibration_chart(x, y),
        groups=group_bars(evaluation) if evaluation.groups else None,
        weighted_mean=evaluation.weighted_mean,
        alone=len(set(names.tolist())) - len(evaluation.groups) if names is not None else 0,
        coverage=None if ends is None else coverage_bars(x, y, *ends),
        members=correlation_matrix([*members.items(), ("this model", y), ("gold", x)]) if members else None,
        systems=None if comparison is None else system_bars(comparison),
        differences=None if comparison is None else difference_bars(comparison),
        comparison=comparison,
        worst=None if yes_or_no or pairs is None else _worst(x, y, ends, names, pairs),
    )


def _check(n: int, columns: Mapping[str, Sequence[Any] | np.ndarray | None]) -> None:
    for name, column in columns.items():
        if column is not None and len(column) != n:
            raise ValueError(f"{name} has {len(column)} values for {n} pairs; give one value a pair")


def evaluation_figures(evaluation: Evaluation) -> list[tuple[str, str, str]]:
    """Return the figures of an evaluation as texts: name, value and remark of each."""
    interval = f"95 % interval {evaluation.pearson_low:.4f} to {evaluation.pearson_high:.4f}"
    figures = [
        ("Pearson", f"{evaluation.pearson:.4f}", interval),
        ("Spearman", f"{evaluation.spearman:.4f}", "correlation of the ranks"),
        ("RMSE", f"{evaluation.rmse:.3f}", "points on the 0 to 5 scale"),
        ("Within 1", f"{evaluation.within_1:.1%}", "of scores are at most 1 point from gold"),
    ]
    if evaluation.coverage is not None:
        figures.append(("Coverage", f"{evaluation.coverage:.1%}", "of gold scores lie in the predicted interval"))
    return [*figures, ("Pairs", f"{evaluation.n:,}", "with a gold score")]


def _label_facts(
    yes: np.ndarray,
    score: np.ndarray,
    scale: Scale,
    decision: Decision | None,
    reasons: Sequence[str | None] | None,
    pairs: Sequence[tuple[str, str]] | None,
    seed: int,
) -> dict[str, Any]:
    found = evaluate_binary(yes, score, probabilities=scale.binary)
    if decision is not None:
        called = calls_by(decision, scale, score, reasons)
    elif found.threshold is not None:
        note = "which has the highest F1 on these labels: on others F1 is lower"
        called = Calls(
            np.where(score >= found.threshold, SAME, DIFFERENT),
            [(found.threshold, "the same")],
            f"Called same from {scale.text(found.threshold)}, {note}.",
        )
    else:
        called = Calls(np.full(len(score), DIFFERENT), [], "No label is yes, so no pair is called same.")
    return {
        "figures": _binary_figures(found),
        "parts": label_parts(yes, score, called, scale, pairs=pairs, seed=seed),
        "reliability": reliability_chart(found.bands) if found.bands else None,
    }


def _binary_figures(found: BinaryEvaluation) -> list[tuple[str, str, str]]:
    rows = [
        ("AUC", found.auc, "how often a yes scores higher than a no"),
        ("Average precision", found.average_precision, "mean precision over the recalls"),
        ("Log loss", found.log_loss, "of the probabilities"),
        ("Brier score", found.brier, "mean squared error of the probabilities"),
        ("Calibration error", found.calibration_error, "mean distance of probability and share of yes, in ten bands"),
    ]
    return [(name, f"{value:.4f}", text) for name, value, text in rows if value is not None]


def _worst(
    x: np.ndarray,
    y: np.ndarray,
    ends: tuple[np.ndarray, np.ndarray] | None,
    labels: np.ndarray | None,
    pairs: Sequence[tuple[str, str]],
) -> list[dict[str, str]]:
    return [
        {
            "place": f"{k + 1:,}",
            "gold": f"{x[k]:.2f}",
            "predicted": f"{y[k]:.2f}",
            "error": signed(float(y[k] - x[k])),
            "interval": "" if ends is None else f"{ends[0][k]:.2f} to {ends[1][k]:.2f}",
            "group": "" if labels is None else str(labels[k]),
            "a": pairs[k][0],
            "b": pairs[k][1],
        }
        for k in np.argsort(-np.abs(y - x), kind="stable")[:WORST].tolist()
    ]
