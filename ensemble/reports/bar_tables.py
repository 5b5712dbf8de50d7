"""Tables with bars, placed by percentages, so that they fit any width and their texts keep their size on a phone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .svg_charts import apart, labelled, span, ticks

_LANE, _CHARACTER = 152, 7.2
"""Least width of a lane of bars, as in report.css, and the width of a character below it, in pixels."""


@dataclass(frozen=True)
class Bar:
    """Bar from zero to ``value``, with the interval ``low..high`` (NaN where there is none) and further cells.

    A ``note`` stands below the bar.
    """

    name: str
    value: float
    low: float
    high: float
    cells: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Lane:
    """Bar in its place; positions are percentages of the width of the lane, None for an unknown interval."""

    name: str
    start: float
    width: float
    down: bool
    interval: tuple[float, float] | None
    cells: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class Bars:
    """Table of bars that share an axis: header, place of zero, ticks with their texts, and lanes."""

    header: tuple[str, ...]
    zero: float
    ticks: list[tuple[float, str]]
    lanes: list[Lane]


def bars(rows: Sequence[Bar], header: Sequence[str], low: float = 0.0, high: float = 0.0) -> Bars:
    """Lay out bars on an axis that holds zero, ``low..high`` and every end.

    Parameters
    ----------
    rows
        The bars from the top down.
    header
        Titles of the names, the bars and each of the further cells.
    low, high
        Least range of the axis.
    """
    first, last = span((end for row in rows for end in (row.value, row.low, row.high)), min(low, 0.0), max(high, 0.0))
    if last - first < 1e-12:
        last = first + 1.0

    def place(value: float) -> float:
        return round(100 * (value - first) / (last - first), 2)

    lanes = []
    for row in rows:
        value = row.value if math.isfinite(row.value) else 0.0
        start, end = sorted((place(0.0), place(value)))
        known = math.isfinite(row.low) and math.isfinite(row.high)
        interval = (place(row.low), place(row.high)) if known else None
        lanes.append(Lane(row.name, start, round(end - start, 2), value < 0, interval, row.cells, row.note))
    marks = ticks(first, last)
    about = 5
    # In the narrowest lane of a wide screen; on a phone every second text is hidden.
    while about > 1 and len(apart(labelled(marks), _LANE / (last - first), _CHARACTER)) < len(marks):
        about -= 1
        marks = ticks(first, last, about)
    return Bars(tuple(header), place(0.0), [(place(mark), text) for mark, text in labelled(marks)], lanes)
