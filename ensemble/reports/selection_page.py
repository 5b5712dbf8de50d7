"""Report of simulated selection: learning curves of several methods that choose the pairs to be labelled."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from .html_pages import check_rows, render, signed
from .learning_curve_page import ticks_apart
from .svg_charts import SERIES, Frame, shape

_KEYS = ("method", "n", "pearson", "low", "high", "delta", "delta_low", "delta_high")


def selection_report(
    rows: Sequence[Mapping[str, Any]],
    *,
    signature: str | Mapping[str, Any] = "",
    title: str = "Which pairs to have labelled",
) -> str:
    """Return the report of a simulation as the text of one HTML file, to be written as UTF-8.

    Parameters
    ----------
    rows
        One mapping for each method and number of labels: ``method``, ``n``, ``pearson``, ``low``, ``high``, and the
        difference from random choice ``delta``, ``delta_low``, ``delta_high``, each None where there is none. At most
        `svg_charts.SERIES` methods.
    signature
        Signature of the model, or facts of the experiment by their names.
    title
        Title of the page.

    Raises
    ------
    ValueError
        If there is no row, a row lacks a key, or there are too many methods.
    """
    check_rows(rows, _KEYS)
    methods = list(dict.fromkeys(str(row["method"]) for row in rows))
    if len(methods) > SERIES:
        raise ValueError(f"a chart must have at most {SERIES} methods, got {len(methods)}; leave some out")
    sizes = sorted({int(row["n"]) for row in rows})
    x = [math.log10(size) for size in sizes]
    edge = max(0.05, 0.05 * (x[-1] - x[0]))
    figures = [float(row["pearson"]) for row in rows]
    margin = max(0.005, 0.08 * (max(figures) - min(figures)))
    frame = Frame(
        (x[0] - edge, x[-1] + edge), (min(figures) - margin, max(figures) + margin), "labels (log scale)", "Pearson"
    )
    drawn = [_line(frame, k, [row for row in rows if row["method"] == name]) for k, name in enumerate(methods)]
    label = "Pearson correlation by number of labels for each way to choose them; table below"
    table = [
        (
            f"{row['n']:,} {row['method']}",
            f"{row['pearson']:.4f}",
            f"{row['low']:.4f} to {row['high']:.4f}",
            *_to_random(row),
        )
        for row in sorted(rows, key=lambda row: (int(row["n"]), methods.index(str(row["method"]))))
    ]
    legend = [(k, name, Markup(shape(k, 5.0))) for k, name in enumerate(methods)]
    chart = frame.draw(drawn, label, ticks_apart(x, sizes))
    return render("selection.html", title=title, signature=signature, chart=chart, legend=legend, rows=table)


def _to_random(row: Mapping[str, Any]) -> tuple[str, str]:
    if row["delta"] is None:
        return "", ""
    ends = "" if row["delta_low"] is None else f"{signed(row['delta_low'], 4)} to {signed(row['delta_high'], 4)}"
    return signed(row["delta"], 4), ends


def _line(frame: Frame, series: int, rows: Sequence[Mapping[str, Any]]) -> Markup:
    places = [frame.at(math.log10(row["n"]), row["pearson"]) for row in sorted(rows, key=lambda row: int(row["n"]))]
    line = Markup('<path class="trace series{}" stroke-width="1.5" d="M{}"/>').format(
        series, "L".join(f"{a:g} {b:g}" for a, b in places)
    )
    marks = "".join(f"M{a:g} {b:g}{shape(series, 3.5)}" for a, b in places)
    return line + Markup('<g class="marks series{}"><path d="{}"/></g>').format(series, Markup(marks))
