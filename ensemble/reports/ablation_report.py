"""The report of an ablation: how much a figure changes when a part of the model is left out."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .bars import Bar, bars
from .evaluation_charts import p_text
from .pages import render, signed

_KEYS = ("name", "delta", "low", "high", "p_holm")


def ablation_report(
    rows: Sequence[Mapping[str, Any]],
    *,
    change: str = "left out",
    signature: str = "",
    title: str = "What each part of the model adds",
) -> str:
    """Return the report of an ablation as the text of one HTML file, to be written as UTF-8.

    Parameters
    ----------
    rows
        One mapping a part: ``name``, ``delta`` (Pearson after the change less Pearson of the whole, -2..2), ``low`` and
        ``high`` (ends of its 95 % interval, NaN where there is none) and ``p_holm`` (0..1, None or NaN where there is
        none).
    change
        What was done with the part.
    signature, title
        What the model is, and what was measured.

    Raises
    ------
    ValueError
        If there is no row, or one lacks a key.
    """
    check_rows(rows, _KEYS)
    laid = bars([_bar(row) for row in rows], (change, "delta with 95 % interval", "delta", "interval", "p (Holm)"))
    return render("ablation.html", title=title, signature=signature, bars=laid)


def check_rows(rows: Sequence[Mapping[str, Any]], keys: Sequence[str]) -> None:
    """Refuse a report without rows or with a row that lacks a key, with ValueError."""
    if not rows:
        raise ValueError("there is nothing to report; give one row or more")
    for k, row in enumerate(rows):
        for key in keys:
            if key not in row:
                raise ValueError(f"row {k} of the report has no {key!r}; its keys are {', '.join(keys)}")


def _bar(row: Mapping[str, Any]) -> Bar:
    delta, low, high = (float(row[key]) for key in ("delta", "low", "high"))
    interval = f"{signed(low, 4)} to {signed(high, 4)}" if math.isfinite(low + high) else ""
    return Bar(str(row["name"]), delta, low, high, (signed(delta, 4), interval, p_text(row["p_holm"])))
