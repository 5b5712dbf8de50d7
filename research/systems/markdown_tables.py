"""The scoreboard as Markdown: our rebuilds beside the published runs, the stand-ins, and a ranking of all."""

import re
from collections.abc import Iterable, Sequence

from ...ensemble.evaluation.published_scores import PublishedRow
from ...ensemble.reports.html_pages import signed
from .scoreboard import Group, Line, Result, Scoreboard

_SPECIAL = re.compile(r"[\\`*\[\]<>|~&$#!]|(?<![^\W_])_|_(?![^\W_])")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")
_LACKS = "lacks (instead)"
_WORDS = ("run", _LACKS, "published as", "set", "expected", "ours is", "note", "source")
"""Columns of words; the other columns hold numbers."""
_WIDE = 2
"""Largest number of sets with published scores beside ours; with more sets they stand under ours."""

_LEGEND = """\
All figures are 100 times the Pearson correlation, with the 95 % bootstrap interval beside it or in brackets.
**Bold**: our best run of a set, and those of ours that do not differ from it significantly (Williams' test, two-sided,
p > .05, not corrected for their number), as in the table of the task. A difference is ours less the published one.

Runs with the same score for every pair share a row. It says what they **lack**: what the publication names and the run
does not read, with what it reads instead in brackets. A *faithful* rebuild lacks nothing. A *partial* one goes the
published way to the score, with something replaced or left out. In a *stand-in* the part that makes the score is
replaced, so that the figure is one of the replacement and says nothing about the published system."""

_STAND_INS = "The figures are those of the replacements. They are not part of the ranking."


def markdown(board: Scoreboard) -> str:
    """Return a scoreboard as Markdown; texts from the file of a system are escaped."""
    parts = [_LEGEND]
    if board.signature:
        parts.append(f"Run with: {text(board.signature)}")
    for group in board.groups:
        parts += [f"## {group.title}", group.tally]
        parts += [_ours(group, group.rebuilds)] if group.rebuilds else []
        if group.stand_ins:
            parts += [f"### {group.title}: stand-ins", _STAND_INS, _ours(group, group.stand_ins)]
        parts += [f"### {group.title}: all published rows and our rebuilds", _ranking(group)]
    parts += _bands(board)
    parts += _remarks(board)
    minutes = max(1, round(board.seconds / 60))
    parts.append(f"All fits took about {minutes:,} min, those that runs share counted for each.")
    return "\n\n".join(parts) + "\n"


def text(value: str) -> str:
    """Return a text as one line of Markdown in which no character is markup."""
    return _SPECIAL.sub(r"\\\g<0>", " ".join(_CONTROL.sub(" ", value).split()))


def _ours(group: Group, results: Sequence[Result]) -> str:
    return _beside(group, results) if len(group.columns) <= _WIDE else _under(group, results)


def _beside(group: Group, results: Sequence[Result]) -> str:
    """Return one row a result, with the published figures and the differences for each set."""
    header = ["run", _LACKS, "published as"]
    for column in group.columns:
        header += [group.heading(column), "95 % interval", "published", "difference"]
    rows = []
    for result in results:
        published = [line for line in result.lines if line.published is not None]
        row = [text(result.label), text(result.lacks)]
        row.append("; ".join(text(line.published.label) for line in published if line.published is not None))
        for column in group.columns:
            printed = [_printed(group, line.published, column) for line in published]
            row += [_score(result.line, column), _interval(result.line, column), _listed(printed)]
            row.append(_listed([_difference(line, column) for line in published]))
        rows.append(row)
    return _table(header, rows)


def _under(group: Group, results: Sequence[Result]) -> str:
    """Return one row a result, followed by a row of the published scores of each of its runs that has some."""
    header = ["run", _LACKS, *map(group.heading, group.columns)]
    rows = []
    for result in results:
        cells = ((_score(result.line, column), _interval(result.line, column)) for column in group.columns)
        scores = [f"{score} ({ends})" if ends else score for score, ends in cells]
        rows.append([text(result.label), text(result.lacks), *scores])
        for line in result.lines:
            if line.published is None:
                continue
            row = [f"published: {text(line.published.label)}", ""]
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
    columns = group.columns
    beside = {line.published.label for line in group.lines if line.published is not None}
    if len(columns) > _WIDE and all(row.label in beside for row in printed):
        # The table of our runs has all the other figures.
        columns = (group.key,)
    rows = []
    for entry in entries:
        if isinstance(entry, PublishedRow):
            late = " \\*" if entry.corrected else ""
            row = [text(entry.label) + late, *(_printed(group, entry, column) for column in columns)]
        else:
            row = [f"samewise: {text(entry.label)}", *(_score(entry.line, column) for column in columns)]
        origin = text(entry.origin) if isinstance(entry, PublishedRow) else ""
        rows.append([*row, origin] if several else row)
    header = ["run", *map(group.heading, columns), *(["source"] if several else [])]
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


def _listed(figures: Sequence[str]) -> str:
    """Return the figures of several published rows, in their order; nothing if none has a figure."""
    return "; ".join(figure or "\u2013" for figure in figures) if any(figures) else ""


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    rule = ["---" if name in _WORDS else "---:" for name in header]
    return "\n".join(f"| {' | '.join(row)} |" for row in (header, rule, *rows))
