"""Charts of an evaluation, each with the numbers that it shows."""

import math
import warnings
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from markupsafe import Markup

from ..evaluation.calibration import coverage_by_band
from ..evaluation.metrics import Evaluation, pearson
from ..evaluation.system_comparison import Comparison
from .bar_tables import Bar, Bars, bars
from .html_pages import signed
from .svg_charts import SERIES, Frame, boxes, curve, identity, scatter, span

_BANDS = np.arange(1.0, 5.0)
_STEPS = np.arange(0.5, 5.0, 0.5)
_AGREEMENT = ("Pearson", "interval", "RMSE", "within 1", "n")


class Chart(NamedTuple):
    """Drawing, and the table of its numbers."""

    svg: Markup
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def series_of(labels: np.ndarray | None, n: int) -> tuple[list[tuple[int, str]], np.ndarray]:
    """Return the legend and the series of each pair: the largest groups have their own, the others share the last."""
    if labels is None:
        return [], np.zeros(n, dtype=np.intp)
    names, counts = np.unique(labels, return_counts=True)
    ordered = names[np.argsort(-counts, kind="stable")].tolist()
    # With one group more than there are marks, the last group keeps the shared mark.
    place = {name: min(k, SERIES) for k, name in enumerate(ordered)}
    shared = len(ordered) - SERIES
    legend = [(place[name], name) for name in ordered[:SERIES]]
    if shared > 0:
        legend.append((SERIES, ordered[SERIES] if shared == 1 else f"{shared} smaller groups"))
    return legend, np.asarray([place[label] for label in labels.tolist()])


def scatter_chart(x: np.ndarray, y: np.ndarray, series: np.ndarray, evaluation: Evaluation) -> Markup:
    """Return the chart of predicted against gold scores, with a mark for each pair."""
    both = span([*x.tolist(), *y.tolist()], 0.0, 5.0)
    frame = Frame(both, both, "gold", "predicted")
    correlation = f"their Pearson correlation is {evaluation.pearson:.4f}"
    label = f"Predicted against gold scores of {evaluation.n:,} pairs; {correlation}"
    return frame.draw([*scatter(frame, x, y, series), identity(frame)], label)


def residual_chart(x: np.ndarray, y: np.ndarray) -> Chart:
    """Return boxes of the errors, predicted minus gold, by band of the gold score."""
    error, band = y - x, np.searchsorted(_BANDS, x, side="right")
    rows: list[tuple[str, ...]] = []
    drawn: list[tuple[float, list[float], float]] = []
    for k in range(len(_BANDS) + 1):
        part = error[band == k]
        if not len(part):
            rows.append((f"{k}-{k + 1}", "0", "", "", "", ""))
            continue
        five = np.quantile(part, [0.05, 0.25, 0.5, 0.75, 0.95]).tolist()
        drawn.append((k + 0.5, five, float(part.mean())))
        spread = f"{signed(five[1])} to {signed(five[3])}", f"{signed(five[0])} to {signed(five[4])}"
        rows.append((f"{k}-{k + 1}", f"{len(part):,}", signed(drawn[-1][2]), signed(five[2]), *spread))
    least, most = span([end for _, five, _ in drawn for end in five], -1.0, 1.0)
    margin = 0.05 * (most - least)
    frame = Frame((0.0, 5.0), (least - margin, most + margin), "band of gold", "predicted minus gold")
    labels = [(k + 0.5, f"{k}-{k + 1}") for k in range(5)]
    svg = frame.draw(boxes(frame, drawn), "Errors by band of the gold score; table below", labels)
    return Chart(svg, ("band of gold", "n", "mean", "median", "middle half", "middle 90 %"), rows)


def calibration_chart(x: np.ndarray, y: np.ndarray) -> Chart:
    """Return the mean gold score by band of the predicted one, with its 95 % interval (normal approximation)."""
    band = np.searchsorted(_STEPS, y, side="right")
    points: list[tuple[float, float, float, float]] = []
    rows: list[tuple[str, ...]] = []
    for k in range(len(_STEPS) + 1):
        mask = band == k
        name, n = f"{k / 2:.1f}-{k / 2 + 0.5:.1f}", int(mask.sum())
        if not n:
            rows.append((name, "0", "", "", ""))
            continue
        mean, at = float(x[mask].mean()), float(y[mask].mean())
        half = 1.96 * float(x[mask].std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
        points.append((at, mean, *((mean, mean) if math.isnan(half) else (mean - half, mean + half))))
        interval = "" if math.isnan(half) else f"{mean - half:.2f} to {mean + half:.2f}"
        rows.append((name, f"{n:,}", f"{at:.2f}", f"{mean:.2f}", interval))
    across, up, first, last = zip(*points, strict=True)
    frame = Frame(span(across, 0.0, 5.0), span([*first, *last], 0.0, 5.0), "mean predicted", "mean gold")
    drawn = frame.draw(
        [identity(frame), *curve(frame, across, up, first, last)],
        "Mean gold score by band of the predicted one; table below",
    )
    return Chart(drawn, ("band of predicted", "n", "mean predicted", "mean gold", "95 % interval of the mean"), rows)


def group_bars(evaluation: Evaluation) -> Bars:
    """Return the Pearson correlation of each group."""
    rows = [
        Bar(name, each.pearson, each.pearson_low, each.pearson_high, _agreement(each))
        for name, each in evaluation.groups.items()
    ]
    return bars(rows, ("group", "Pearson with 95 % interval", *_AGREEMENT), high=1.0)


def _agreement(each: Evaluation) -> tuple[str, ...]:
    interval = f"{each.pearson_low:.4f} to {each.pearson_high:.4f}"
    return f"{each.pearson:.4f}", interval, f"{each.rmse:.3f}", f"{each.within_1:.1%}", f"{each.n:,}"


def coverage_bars(x: np.ndarray, y: np.ndarray, low: np.ndarray, high: np.ndarray) -> Bars:
    """Return the coverage of the intervals by band of the predicted score."""
    rows = []
    for row in coverage_by_band(x, y, low, high):
        cells = (f"{row['coverage']:.1%}", f"{row['mean_width']:.2f}") if row["n"] else ("", "")
        value = math.nan if row["coverage"] is None else row["coverage"]
        rows.append(Bar(row["band"], 100 * value, math.nan, math.nan, (*cells, f"{row['n']:,}")))
    return bars(rows, ("band of predicted", "gold inside the interval, %", "coverage", "mean width", "n"), high=100.0)


def correlation_matrix(
    columns: Sequence[tuple[str, Sequence[float] | np.ndarray]],
) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return the correlation matrix: for each name its row, a shade 0..9 and a text for each cell."""
    values = [np.asarray(column, dtype=np.float64) for _, column in columns]
    rows = []
    for (name, _), left in zip(columns, values, strict=True):
        cells = []
        for right in values:
            if np.ptp(left) == 0 or np.ptp(right) == 0:
                cells.append((0, "none"))
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                r = pearson(left, right)
            cells.append((min(9, max(0, int((r - 0.5) * 20))), f"{r:.3f}"))
        rows.append((name, cells))
    return rows


def system_bars(comparison: Comparison) -> Bars:
    """Return the Pearson correlation of each system."""
    rows = [
        Bar(row.system, each.pearson, each.pearson_low, each.pearson_high, _agreement(each))
        for row in comparison.rows
        for each in [row.evaluation]
    ]
    return bars(rows, ("system", "Pearson with 95 % interval", *_AGREEMENT), high=1.0)


def difference_bars(comparison: Comparison) -> Bars:
    """Return the difference of each system from the reference."""
    rows = []
    for row in comparison.rows:
        if (difference := row.difference) is not None:
            interval = f"{signed(difference.low, 4)} to {signed(difference.high, 4)}"
            cells = (signed(difference.value, 4), interval, p_text(difference.p_holm))
            rows.append(Bar(row.system, difference.value, difference.low, difference.high, cells))
    header = ("system", "difference with 95 % interval", "difference", "interval", "Williams p (Holm)")
    return bars(rows, header)


def p_text(p: float | None) -> str:
    """Return a p-value as text; empty where there is none."""
    if p is None or math.isnan(p):
        return ""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"
