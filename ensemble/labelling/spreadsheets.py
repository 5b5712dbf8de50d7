"""Tasks as sheets to fill in, one a person, and the sheets filled in."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..tables.table_errors import TableError
from .annotations import label_of
from .task_answers import Answer
from .tasks import Item

SHEET = ("annotator", "task", "position", "sentence1", "sentence2", "label")
"""The columns of a sheet."""

# What programs take for a formula at the start of a cell.
_FORMULA = ("=", "+", "-", "@", "\t")


def sheet_csv(items: Sequence[Item]) -> str:
    """Return a sheet: a row a pair, the columns ``annotator`` and ``label`` empty.

    It begins with a byte order mark, by which spreadsheet programs know UTF-8. A sentence that they would take for a
    formula has an apostrophe before it; sentences are never read back from a sheet.
    """
    text = io.StringIO(newline="")
    text.write("\ufeff")
    writer = csv.writer(text)
    writer.writerow(SHEET)
    for item in items:
        writer.writerow(["", item.task, item.position, *map(_plain, item.shown), ""])
    return text.getvalue()


def _plain(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def read_sheet(path: str) -> tuple[list[Answer], int]:
    """Read a sheet, with commas, semicolons or tabs; return the answers, and the number of rows without a label.

    The column ``annotator`` tells who answered, or the name of the file where it is empty. A column ``seconds`` is
    read where there is one.

    Raises
    ------
    TableError
        If a column is missing, or a label is no number from 0 to 5; the message names the row.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError(f"{path} is not UTF-8; save the sheet as CSV in UTF-8") from None
    answers: list[Answer] = []
    empty = 0
    for line, row in _rows(text, path):
        label = str(row["label"] or "").strip().replace(",", ".")
        if not label:
            empty += 1
            continue
        where = f"line {line} of {path}"
        try:
            value, position = label_of(label), int(str(row["position"] or ""))
        except ValueError as error:
            told = str(error) if "label" in str(error) else f"the position {row['position']!r} is no number"
            raise TableError(f"{where}: {told}; correct it or leave the label empty") from None
        annotator = str(row.get("annotator") or "").strip() or Path(path).stem
        answers.append(Answer(annotator, str(row["task"]).strip(), position, value, _seconds(row), where))
    return answers, empty


def _rows(text: str, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    absent = next((name for name in ("task", "position", "label") if name not in (reader.fieldnames or ())), None)
    if absent is not None:
        raise TableError(f"{path} has no column {absent!r}; use a sheet of `samewise label export --format csv`")
    try:
        for row in reader:
            if any(value for value in row.values()):
                yield reader.line_num, row
    except csv.Error as error:
        raise TableError(f"line {reader.line_num} of {path} is not CSV: {error}; save the sheet again") from None


def _seconds(row: dict[str, Any]) -> float | None:
    try:
        return float(row["seconds"])
    except (KeyError, TypeError, ValueError):
        return None
