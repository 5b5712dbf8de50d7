"""Tasks as a spreadsheet for each annotator, and answers read from completed spreadsheets."""

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
"""Columns of a sheet."""

# Spreadsheet programs read a cell that starts with one of these as a formula.
_FORMULA = ("=", "+", "-", "@", "\t")


def sheet_csv(items: Sequence[Item]) -> str:
    """Return a sheet: one row for each pair, with empty columns ``annotator`` and ``label``.

    It begins with a byte order mark, by which spreadsheet programs recognise UTF-8. An apostrophe stands before a
    sentence that they would read as a formula; sentences are never read back from a sheet.
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

    The column ``annotator`` names the annotator; if it is empty, the file name does. A column ``seconds`` is optional.

    Raises
    ------
    TableError
        If a column is missing, or a label is not a number from 0 to 5; the message names the row.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableError(f"{path} must be UTF-8; save the sheet as CSV in UTF-8") from None
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
            reason = str(error) if "label" in str(error) else f"the position must be a number, got {row['position']!r}"
            raise TableError(f"{where}: {reason}; correct it or leave the label empty") from None
        annotator = str(row.get("annotator") or "").strip() or Path(path).stem
        answers.append(Answer(annotator, str(row["task"]).strip(), position, value, _seconds(row), where))
    return answers, empty


def _rows(text: str, path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    missing_columns = [name for name in ("task", "position", "label") if name not in (reader.fieldnames or ())]
    if missing_columns:
        raise TableError(
            f"{path} must have the column {missing_columns[0]!r}; use a sheet of `samewise label export --format csv`"
        )
    try:
        for row in reader:
            if any(value for value in row.values()):
                yield reader.line_num, row
    except csv.Error as error:
        raise TableError(f"line {reader.line_num} of {path} must be CSV: {error}; save the sheet again") from None


def _seconds(row: dict[str, Any]) -> float | None:
    try:
        return float(row["seconds"])
    except (KeyError, TypeError, ValueError):
        return None
