"""HTML report of a scoreboard: our runs of the published systems with intervals, beside the published scores."""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow.csv
import pyarrow.parquet

from ...ensemble.evaluation.published_scores import PublishedRow
from ...ensemble.reports.bar_tables import Bar, Bars, Lane, bars
from ...ensemble.reports.html_pages import render, signed
from .markdown_tables import markdown
from .run_scores import Score, williams_of_all
from .scoreboard import Group, Line, Result, Scoreboard

COMPARED = 15
"""Number of the best runs of a set that are compared with each other; a larger matrix is unreadable."""

_FEW = 2
"""Largest number of sets with open charts; with more sets the charts of a table are folded."""

_HEADER = ("run", "Pearson \u00d7 100", "ours", "95 % interval", "published", "difference", "p", "p (Holm)")
_SUMMARY = ("run", "Pearson \u00d7 100", "ours", "published", "difference")


class Place(NamedTuple):
    """A result in a chart.

    Attributes
    ----------
    lane
        Its lane.
    published
        Place of the published score in percent; None unless exactly one is published.
    label, rows, lacks
        Its runs, the published rows that they rebuild, and what they lack.
    tied
        Whether it does not differ from the best significantly.
    """

    lane: Lane
    published: float | None
    label: str
    rows: str
    lacks: str
    tied: bool


class Chart(NamedTuple):
    """Chart of results on one set: the axis, the results from the best down, and the tests of the best."""

    heading: str
    n: int
    axis: Bars
    places: list[Place]
    matrix: list[tuple[str, list[tuple[str, str]]]]


def systems_report(board: Scoreboard, *, title: str = "Published systems, rebuilt") -> str:
    """Return the report of a scoreboard as the text of one HTML file, to be written as UTF-8."""
    return render(
        "systems.html",
        title=title,
        signature=board.signature,
        figures=_figures(board),
        groups=[_section(group) for group in board.groups],
        bands=[
            (check.label, _set(board, check.band.table, check.band.column), f"{check.value:.2f}", *_expected(check))
            for check in board.bands
        ],
        remarks=board.remarks,
        systems=[(system.name, system.title, system.citation) for system in board.systems],
        times=[(group.title, line.label, f"{line.seconds:,.0f}") for group in board.groups for line in group.lines],
        compared=COMPARED,
    )


def _expected(check: Any) -> tuple[str, str, str]:
    return check.band.expected, check.verdict, check.band.note


def _set(board: Scoreboard, table: str, column: str) -> str:
    group = next(group for group in board.groups if group.table.name == table)
    return f"{group.title} {group.heading(column)}"


def _figures(board: Scoreboard) -> list[tuple[str, str, str]]:
    """Return our best rebuild of each table, and the number of runs."""
    figures = []
    for group in board.groups:
        reached = [(value, one) for one in group.rebuilds if (value := one.line.value(group.key)) is not None]
        if reached:
            value, best = max(reached, key=lambda entry: entry[0])
            figures.append((f"{group.title} {group.heading(group.key)}", f"{100 * value:.2f}", f"best: {best.label}"))
    runs = {line.label: line.failure for group in board.groups for line in group.lines}
    failed = sum(failure is not None for failure in runs.values())
    return [*figures, ("Runs", f"{len(runs):,}", f"of {len(board.systems):,} systems; {failed:,} failed")]


def _section(group: Group) -> dict[str, Any]:
    entries = group.ranking()
    rows = [row for row in entries if isinstance(row, PublishedRow)]
    origins = dict.fromkeys(row.origin for row in rows)
    several = len(origins) > 1
    return {
        "name": group.table.name,
        "title": group.title,
        "tally": group.tally,
        "folded": len(group.sets) > _FEW,
        "summary": _chart(group, group.key, group.rebuilds) if group.key in group.summaries else None,
        "charts": [_chart(group, column, group.rebuilds) for column in group.sets],
        "stand_ins": [_chart(group, column, group.stand_ins) for column in group.sets if group.stand_ins],
        "header": ["run", *map(group.heading, group.columns), *(["source"] if several else [])],
        "ranking": [_ranked(group, entry, several) for entry in entries],
        "source": next(iter(origins)) if len(origins) == 1 else "",
        "late": any(row.corrected for row in rows),
        "remark": group.table.remark,
    }


def _ranked(group: Group, entry: Result | PublishedRow, several: bool) -> dict[str, Any]:
    """Return a row of the ranking: its name, the flag of our runs, and its cells with their marks."""
    cells = []
    if isinstance(entry, PublishedRow):
        for column in group.columns:
            value = entry.values.get(column)
            cells.append(("" if value is None else f"{value:.{group.table.decimals}f}", False))
        name = f"{entry.label} *" if entry.corrected else entry.label
        return {"name": name, "ours": False, "cells": cells, "source": entry.origin if several else None}
    for column in group.columns:
        value = entry.line.value(column)
        tied = column in entry.line.scores and entry.line.scores[column].tied
        cells.append(("" if value is None else f"{100 * value:.2f}", tied))
    return {"name": entry.label, "ours": True, "cells": cells, "source": "" if several else None}


def _chart(group: Group, column: str, results: Sequence[Result]) -> Chart | None:
    """Return the chart of results on a set, or of a summary, which has neither intervals nor tests; None for none."""
    drawn = [one for one in results if column in one.line.scores or column in one.line.summaries]
    if not drawn:
        return None
    drawn.sort(key=lambda one: -math.inf if (value := one.line.value(column)) is None else value, reverse=True)
    published = [_published(one, column) for one in drawn]
    lanes = [_bar(group, one.line, column, list(rows.values())) for one, rows in zip(drawn, published, strict=True)]
    # Published scores become bars too, which places them on the same axis.
    marks = [Bar("", next(iter(rows.values()), math.nan), math.nan, math.nan, ()) for rows in published]
    axis = bars([*lanes, *marks], _HEADER if column in group.sets else _SUMMARY, high=100.0)
    places = []
    for one, rows, lane, mark in zip(drawn, published, axis.lanes, axis.lanes[len(drawn) :], strict=False):
        place = mark.start + (0 if mark.down else mark.width) if len(rows) == 1 else None
        tied = column in one.line.scores and one.line.scores[column].tied
        places.append(Place(lane, place, one.label, "; ".join(rows), one.lacks, tied))
    scores = {one.label: one.line.scores[column] for one in drawn if column in one.line.scores}
    sets = (column,) if column in group.sets else group.sets
    n = sum(len(drawn[0].line.scores[name].outcome.gold) for name in sets)
    return Chart(group.heading(column), n, axis, places, _matrix(scores))


def _published(result: Result, column: str) -> dict[str, float]:
    """Return the published figures of a column by the row that has them."""
    rows = (line.published for line in result.lines if line.published is not None)
    return {row.label: row.values[column] for row in rows if column in row.values}


def _bar(group: Group, line: Line, column: str, published: Sequence[float]) -> Bar:
    value, score = line.value(column), line.scores.get(column)
    printed = "; ".join(f"{one:.{group.table.decimals}f}" for one in published)
    if value is None:
        return Bar(line.label, math.nan, math.nan, math.nan, ("failed", "", printed, "", "", ""))
    figure, difference = f"{100 * value:.2f}", "; ".join(signed(100 * value - one) for one in published)
    if score is None:
        return Bar(line.label, 100 * value, math.nan, math.nan, (figure, printed, difference))
    low, high = _percent(score.low), _percent(score.high)
    cells = (figure, f"{low:.2f} to {high:.2f}", printed, difference, _short(score.p_best), _short(score.p_best_holm))
    return Bar(line.label, 100 * value, low, high, cells)


def _matrix(scores: dict[str, Score]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the cells of each of the best runs with their classes: p above the diagonal, differences below it."""
    best = {label: score for label, score in scores.items() if score.pearson is not None}
    best = dict(list(best.items())[:COMPARED])
    tests = williams_of_all(best)
    rows = []
    for label, score in best.items():
        cells = []
        for other in best:
            if other == label:
                cells.append(("", ""))
            elif (label, other) in tests:
                p = tests[label, other]
                cells.append(("shade3" if p is not None and p > 0.05 else "", _short(p)))
            else:
                cells.append(("", signed(_percent(score.pearson) - _percent(best[other].pearson))))
        rows.append((label, cells))
    return rows if len(rows) > 1 else []


def _short(p: float | None) -> str:
    return "" if p is None else "< .001" if p < 0.001 else f"{p:.3f}".lstrip("0") if p < 0.9995 else "1"


def _percent(value: float | None) -> float:
    return math.nan if value is None else 100 * value


FILES = ("results.parquet", "results.csv", "scoreboard.md", "scoreboard.html")
"""Files that `write_scoreboard` writes, replacing those of an earlier run."""


def write_scoreboard(board: Scoreboard, folder: str | Path) -> tuple[Path, ...]:
    """Write ``results.parquet``, ``results.csv``, ``scoreboard.md`` and ``scoreboard.html``; return their paths."""
    paths = tuple(Path(folder) / name for name in FILES)
    paths[0].parent.mkdir(parents=True, exist_ok=True)
    table = board.to_table()
    pyarrow.parquet.write_table(table, paths[0])
    pyarrow.csv.write_csv(table, paths[1])
    texts = f"# Scoreboard\n\n{markdown(board)}", systems_report(board)
    for path, text in zip(paths[2:], texts, strict=True):
        path.write_text(text, encoding="utf-8", newline="\n")
    return paths
