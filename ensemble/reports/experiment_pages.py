"""Pages of an ablation and of a learning curve."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .evaluation_charts import p_text
from .html_pages import check_rows, part_name, render, signed
from .svg_charts import Bar, Frame, bars, curve

if TYPE_CHECKING:
    from ..experiments import Agreement


_DWARFS = 4
"""Ratio to the next bar from which a bar is left out of the second chart."""

_KEYS = ("name", "delta", "low", "high", "p_holm")


def ablation_report(
    rows: Sequence[Mapping[str, Any]],
    *,
    change: str = "left out",
    signature: str | Mapping[str, Any] = "",
    title: str = "What each part of the model adds",
    agreement: "Agreement | None" = None,
    sides: tuple[str, str] = ("here", "in the other"),
) -> str:
    """Return the report of an ablation as the text of one HTML file, to be written as UTF-8.

    Parameters
    ----------
    rows
        One mapping a part: ``name`` (a family or member is shown by its title), ``delta`` (Pearson after the change
        less Pearson of the whole, -2..2), ``low`` and ``high`` (ends of its 95 % interval, NaN where there is none) and
        ``p_holm`` (0..1, None or NaN where there is none).
    change
        Change of the part: ``left out``, ``alone``, ``added`` or ``shuffled``.
    signature
        Signature of the model, or facts of the experiment by their names.
    title
        Title of the page.
    agreement
        Ranks of the parts in this ablation and in another, to be shown side by side.
    sides
        Names of the two ablations of the agreement.

    Raises
    ------
    ValueError
        If there is no row, or a row lacks a key.
    """
    check_rows(rows, _KEYS)
    header = (change, "delta with 95 % interval", "delta", "interval", "p (Holm)")
    all_bars = bars([_bar(row) for row in rows], header)
    large, rest = _dwarfing(rows)
    near = bars([_bar(row) for row in rest], header) if large else None
    return render(
        "ablation.html",
        title=title,
        signature=signature,
        change=change,
        bars=all_bars,
        near=near,
        large=large,
        agreement=agreement,
        sides=sides,
    )


def _dwarfing(rows: Sequence[Mapping[str, Any]]) -> tuple[list[str], list[Mapping[str, Any]]]:
    # Beside a bar that is many times as long, other bars look like zero.
    ordered = sorted(rows, key=lambda row: -abs(float(row["delta"])))
    sizes = [abs(float(row["delta"])) for row in ordered]
    count = next((k for k in range(len(sizes) - 1) if not sizes[k] > _DWARFS * sizes[k + 1]), 0)
    large = [str(row["name"]) for row in ordered[:count]]
    return large, [row for row in rows if not any(row is one for one in ordered[:count])]


def _bar(row: Mapping[str, Any]) -> Bar:
    delta, low, high = (float(row[key]) for key in ("delta", "low", "high"))
    interval = f"{signed(low, 4)} to {signed(high, 4)}" if math.isfinite(low + high) else ""
    cells = (signed(delta, 4), interval, p_text(row["p_holm"]))
    name = str(row["name"])
    shown = part_name(name)
    return Bar(shown.title, delta, low, high, cells, shown.note(name))


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
