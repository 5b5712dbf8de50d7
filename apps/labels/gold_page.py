"""Report on gold scores: agreement of annotators, dropped annotators with reasons, and pairs without a score."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...ensemble.reports.bar_tables import Bar, bars
from ...ensemble.reports.html_pages import render

if TYPE_CHECKING:
    from .aggregation import Figures, Gold
    from .screening import Judgement

MOST_ROWS = 500
"""Most pairs without a score that are listed one by one."""


def gold_report(result: "Gold", *, title: str = "Gold scores") -> str:
    """Return the report on gold scores as the text of one HTML file, to be written as UTF-8.

    Parameters
    ----------
    result
        Scores, annotators and pairs as `labelling.gold` returns them.
    title
        Title of the page.
    """
    nan = float("nan")
    grades = [Bar(str(grade), float(n), nan, nan, (f"{n:,}",)) for grade, n in enumerate(result.by_grade())]
    rows = sorted(result.judgements, key=lambda each: (each.kept, -2.0 if each.pearson is None else each.pearson))
    drawn = [Bar(each.annotator, each.pearson or 0.0, nan, nan, _cells(each)) for each in rows]
    header = ("annotator", "correlation with the others kept", "correlation", "kappa", "labels", "decision", "note")
    agreement = [_row("all annotators", result.before), _row("those kept", result.after)]
    return render(
        "gold.html",
        title=title,
        signature="",
        pairs=len(result.pairs),
        agreement=agreement,
        annotators=bars(drawn, header, high=1.0),
        grades=bars(grades, ("grade", "number of pairs", "pairs")),
        left_out=result.left_out[:MOST_ROWS],
        more=max(0, len(result.left_out) - MOST_ROWS),
        settings=result.settings,
    )


def _cells(each: "Judgement") -> tuple[str, ...]:
    kept = "kept" if each.kept else "dropped"
    return _figure(each.pearson), _figure(each.kappa), f"{each.labels:,}", kept, each.note


def _row(name: str, figures: "Figures") -> Sequence[str]:
    numbers = map(_figure, (figures.pearson, figures.alpha_interval, figures.alpha_ordinal))
    return name, f"{figures.annotators:,}", f"{figures.labels:,}", *numbers


def _figure(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"
