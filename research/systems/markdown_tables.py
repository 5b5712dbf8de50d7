"""The scoreboard as Markdown: our runs beside the published ones, then all published rows with ours among them."""

import re
from collections.abc import Iterable, Sequence

from ...ensemble.evaluation.published_scores import PublishedRow
from ...ensemble.reports.html_pages import signed
from .scoreboard import Group, Line, Scoreboard

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$#!]|(?<![^\W_])_|_(?![^\W_])")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_WORDS = ("run", "published as", "set", "expected", "ours is", "note", "source")
"""Columns of words; the other columns hold numbers."""
_WIDE = 2
"""Largest number of sets with published scores beside ours; with more sets they stand under ours."""

_LEGEND = """\
All figures are 100 times the Pearson correlation, with the 95 % bootstrap interval beside it or in brackets.
**Bold**: our best run of a set, and those of ours that do not differ from it significantly (Williams' test, two-sided,
p > .05, not corrected for their number), as in the table of the task. A difference is ours less the published one."""


def markdown(board: Scoreboard) -> str:
    """Return a scoreboard as Markdown; texts from the file of a system are escaped."""
    parts = [_LEGEND]
    if board.signature:
        parts.append(f"Run with: {text(board.signature)}")
    for group in board.groups:
        parts += [f"## {group.title}", _ours(group)]
        parts += [f"### {group.title}: all published rows and our runs", _ranking(group)]
    parts += _bands(board)
    parts += _remarks(board)
    minutes = max(1, round(board.seconds / 60))
    parts.append(f"All fits took about {minutes:,} min, those that runs share counted for each.")
    return "\n\n".join(parts) + "\n"


def text(value: str) -> str:
    """Return a text as one line of Markdown in which no character is markup."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(_CONTROL.sub(" ", value).split()))


def _ours(group: Group) -> str:
    return _beside(group) if len(group.columns) <= _WIDE else _under(group)


def _beside(group: Group) -> str:
    """Return one row a run, with the published figure and the difference for each set."""
    header = ["run", "published as"]
    for column in group.columns:
        header += [group.heading(column), "95 % interval", "published", "difference"]
    rows = []
    for line in group.lines:
        row = [_name(line), "" if line.published is None else text(line.published.label)]
        for column in group.columns:
            row += [_score(line, column), _interval(line, column), _printed(group, line.published, column)]
            row.append(_difference(line, column))
        rows.append(row)
    return _table(header, rows)


def _under(group: Group) -> str:
    """Return one row a run, followed by a row of its published scores if there are any."""
    header = ["run", *map(group.heading, group.columns)]
    rows = []
    for line in group.lines:
        cells = ((_score(line, column), _interval(line, column)) for column in group.columns)
        rows.append([_name(line), *(f"{score} ({ends})" if ends else score for score, ends in cells)])
        if line.published is not None:
            row = [f"published: {text(line.published.label)}"]
            for column in group.columns:
                printed, difference = _printed(group, line.published, column), _difference(line, column)
                row.append(f"{printed}; {difference}" if difference else printed)
            rows.append(row)
    return _table(header, rows)


def _ranking(group: Group) -> str:
    entries = group.ranking()
    printed = [entry for entry in entries if isinstance(entry, PublishedRow)]
    origins = list(dict.fromkeys(row.origin for row in printed))
    several = len(origins) > 1
    rows = []
    for entry in entries:
        if isinstance(entry, PublishedRow):
            late = " \\*" if entry.corrected else ""
            row = [text(entry.label) + late, *(_printed(group, entry, column) for column in group.columns)]
        else:
            row = [f"samewise: {_name(entry)}", *(_score(entry, column) for column in group.columns)]
        origin = text(entry.origin) if isinstance(entry, PublishedRow) else ""
        rows.append([*row, origin] if several else row)
    header = ["run", *map(group.heading, group.columns), *(["source"] if several else [])]
    remarks = [f"Source: {text(origins[0])}."] if len(origins) == 1 else []
    remarks += ["\\* corrected or late."] if any(row.corrected for row in printed) else []
    remarks += [text(group.table.remark)] if group.table.remark else []
    return "\n\n".join([_table(header, rows), " ".join(remarks)][: 1 + bool(remarks)])


def _bands(board: Scoreboard) -> list[str]:
    groups = {group.table.name: group for group in board.groups}
    rows = [
        [
            text(check.label),
            f"{groups[check.band.table].title} {groups[check.band.table].heading(check.band.column)}",
            f"{check.value:.2f}",
            check.band.expected,
            check.verdict,
            check.band.note,
        ]
        for check in board.bands
    ]
    return ["## What was expected", _table(["run", "set", "ours", "expected", "ours is", "note"], rows)] if rows else []


def _remarks(board: Scoreboard) -> list[str]:
    systems = {system.name: f"{system.title}. {system.citation}" for system in board.systems}
    parts = []
    for title, remarks in (*board.remarks.items(), ("Systems", systems)):
        parts += [f"## {title}", "\n".join(f"- {text(name)}: {text(value)}" for name, value in remarks.items())]
    return parts


def _name(line: Line) -> str:
    return text(line.label) + (" \u2020" if line.outcome.stand_ins else "")


def _score(line: Line, column: str) -> str:
    value = line.value(column)
    if value is None:
        return "failed" if column in line.scores else ""
    shown = f"{100 * value:.2f}"
    return f"**{shown}**" if column in line.scores and line.scores[column].tied else shown


def _interval(line: Line, column: str) -> str:
    score = line.scores.get(column)
    if score is None or score.low is None or score.high is None:
        return ""
    return f"{100 * score.low:.2f} to {100 * score.high:.2f}"


def _printed(group: Group, row: PublishedRow | None, column: str) -> str:
    return "" if row is None or column not in row.values else f"{row.values[column]:.{group.table.decimals}f}"


def _difference(line: Line, column: str) -> str:
    value, row = line.value(column), line.published
    return "" if value is None or row is None or column not in row.values else signed(100 * value - row.values[column])


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---" if name in _WORDS else "---:" for name in header]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))
