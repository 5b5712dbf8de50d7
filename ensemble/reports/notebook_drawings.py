"""HTML of results in notebooks: the page of an explanation in a frame, figures of an evaluation as small tables."""

from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch
from typing import NamedTuple

from ..core.explanation import Explanation
from ..evaluation.metrics import Evaluation
from ..evaluation.system_comparison import Comparison
from .bar_tables import Bars
from .evaluation_charts import difference_bars, group_bars, system_bars
from .evaluation_page import evaluation_figures
from .explanation_page import explanation_report
from .html_pages import render

_HEADS, _ROW, _TALLEST = 400, 34, 900
"""Heights in CSS pixels: of all that stands around the rows of an explanation, of a row, and of the largest frame."""


class _Table(NamedTuple):
    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]


@singledispatch
def drawn(value: object) -> str:
    """Return the HTML of a result: an `Explanation`, an `Evaluation` or a `Comparison`; all texts in it are escaped."""
    raise TypeError(f"value must be a result that notebooks draw, got {type(value).__name__}; use its repr")


@drawn.register
def _explanation(value: Explanation) -> str:
    # In a frame, so that the style of the page and that of the notebook do not meet; nothing in it can run.
    page = explanation_report([value], None, "", title="Why the pair has its score", scale=value.scale)
    rows = max(len(value.contributions), max(map(len, value.tokens)) + len(value.differences))
    return render("notebook_frame.html", page=page, height=min(_HEADS + _ROW * rows, _TALLEST))


@drawn.register
def _evaluation(value: Evaluation) -> str:
    tables = [_Table("Evaluation", ("figure", "value", ""), evaluation_figures(value))]
    if value.groups:
        by_group = group_bars(replace(value, groups={"all pairs": value, **value.groups}))
        tables.append(_of_bars("By group", by_group))
    return render("notebook_tables.html", tables=tables)


@drawn.register
def _comparison(value: Comparison) -> str:
    tables = [_of_bars(f"Systems on {value.n:,} pairs", system_bars(value))]
    differences = difference_bars(value)
    if differences.lanes:
        tables.append(_of_bars(f"Difference from {value.reference}", differences))
    return render("notebook_tables.html", tables=tables)


def _of_bars(title: str, laid: Bars) -> _Table:
    # The cells alone: the bars need the style of a page.
    header = [name for place, name in enumerate(laid.header) if place != 1]
    return _Table(title, header, [(lane.name, *lane.cells) for lane in laid.lanes])
