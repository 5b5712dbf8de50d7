"""Report of a learning curve: correlation of models trained on more and more pairs."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .html_pages import check_rows, render
from .svg_charts import Frame, curve

_CURVE_KEYS = ("n", "pearson", "low", "high")


def learning_curve_report(
    rows: Sequence[Mapping[str, Any]],
    *,
    signature: str | Mapping[str, Any] = "",
    title: str = "What more training pairs add",
) -> str:
    """Return the report of a learning curve as the text of one HTML file, to be written as UTF-8.

    Parameters
    ----------
    rows
        One mapping a training size: ``n`` (pairs, at least 1), ``pearson`` (-1..1), ``low`` and ``high`` (ends of its
        95 % interval).
    signature
        Signature of the model, or facts of the experiment by their names.
    title
        Title of the page.

    Raises
    ------
    ValueError
        If there is no row, a row lacks a key, or a size is below 1.
    """
    check_rows(rows, _CURVE_KEYS)
    ordered = sorted(rows, key=lambda row: int(row["n"]))
    if int(ordered[0]["n"]) < 1:
        raise ValueError(f"training sizes must be 1 or more, got {ordered[0]['n']}; give sizes of 1 or more")
    sizes = [int(row["n"]) for row in ordered]
    values, low, high = ([float(row[key]) for row in ordered] for key in _CURVE_KEYS[1:])
    # The axis grows by factors: the tenth thousand of pairs adds less than the first.
    x = [math.log10(size) for size in sizes]
    edge = max(0.05, 0.05 * (x[-1] - x[0]))
    margin = max(0.005, 0.08 * (max(high) - min(low)))
    frame = Frame(
        (x[0] - edge, x[-1] + edge), (min(low) - margin, max(high) + margin), "training pairs (log scale)", "Pearson"
    )
    label = "Pearson correlation by number of training pairs; table below"
    drawn = frame.draw(curve(frame, x, values, low, high), label, _ticks_apart(x, sizes))
    table = [
        (f"{n:,}", f"{r:.4f}", f"{first:.4f} to {last:.4f}")
        for n, r, first, last in zip(sizes, values, low, high, strict=True)
    ]
    return render("learning_curve.html", title=title, signature=signature, chart=drawn, rows=table)


def _ticks_apart(x: Sequence[float], sizes: Sequence[int]) -> list[tuple[float, str]]:
    """Return the ticks, from the largest size down, without those whose texts would touch."""
    least = 0.14 * max(0.1, x[-1] - x[0])
    kept: list[tuple[float, str]] = []
    for place, size in zip(reversed(x), reversed(sizes), strict=True):
        if not kept or kept[-1][0] - place >= least:
            kept.append((place, f"{size:,}"))
    return kept
