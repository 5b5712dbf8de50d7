"""Spreadsheets in the making: archives of XML whose sheet is written row by row; the same rows give the same bytes."""

import zipfile
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from .arrow_rows import AS_WORDS, is_marked, text_values, value_text
from .sheets import MOST_ROWS, Cell
from .table_reader import TableError

MOST_CELLS = 1 << 14
"""Columns of a sheet: what spreadsheet programs show."""

_FIRST_DAY = date(1900, 3, 1)
"""First day that all programs count alike: for Excel, 1900 was a leap year."""


class SheetLayout(NamedTuple):
    """Parts of a spreadsheet.

    Attributes
    ----------
    title
        The name of the format in messages.
    parts
        The content of each part but the sheet by its name, in order.
    sheet
        The name of the part with the sheet.
    above, below
        What stands above and below the rows in it.
    row
        Returns the row of a number from 1 as XML; None if the format cannot hold a cell of it.
    stored
        Parts that are not compressed.
    """

    title: str
    parts: Mapping[str, str]
    sheet: str
    above: str
    below: str
    row: Callable[[int, Sequence[Cell]], str | None]
    stored: Sequence[str] = ()


class SheetWriter:
    """A spreadsheet in the making."""

    def __init__(self, file: BinaryIO, schema: pa.Schema, *, layout: SheetLayout) -> None:
        if len(schema.names) > MOST_CELLS:
            raise TableError(
                f"{layout.title} must have at most {MOST_CELLS:,} columns, got {len(schema.names):,}; write another "
                "format"
            )
        heading = layout.row(1, schema.names)
        if heading is None:
            broken = next(name for name in schema.names if layout.row(1, [name]) is None)
            raise TableError(
                f"{layout.title} cannot hold the column name {broken!r}; rename it or write another format"
            )
        self._layout = layout
        self._rows = 1
        self._archive = zipfile.ZipFile(file, "w")
        for name, content in layout.parts.items():
            self._archive.writestr(_part(name, name not in layout.stored), content)
        self._sheet = self._archive.open(_part(layout.sheet), "w", force_zip64=True)
        self._sheet.write((layout.above + heading).encode())

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out."""
        columns = [_cells(column, field) for column, field in zip(batch.columns, batch.schema, strict=True)]
        lines = []
        unwritten = []
        for position, cells in enumerate(zip(*columns, strict=True)):
            line = None if self._rows == MOST_ROWS else self._layout.row(self._rows + 1, cells)
            if line is None:
                unwritten.append(position)
                continue
            lines.append(line)
            self._rows += 1
        self._sheet.write("".join(lines).encode())
        return unwritten

    def close(self, complete: bool) -> None:
        """End the file."""
        self._sheet.write(self._layout.below.encode())
        self._sheet.close()
        self._archive.close()


def _part(name: str, packed: bool = True) -> zipfile.ZipInfo:
    part = zipfile.ZipInfo(name)  # without it, the time of writing would be kept
    part.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
    return part


def _cells(column: pa.Array, field: pa.Field) -> list[Cell]:
    """Return numbers, days and truth values as they are, as far as a spreadsheet can hold them; the rest as text."""
    if is_marked(field, AS_WORDS):
        return [" ".join(words) for words in column.to_pylist()]
    kind = column.type
    if pa.types.is_date(kind) or (pa.types.is_timestamp(kind) and kind.tz is None and kind.unit != "ns"):
        return [value if _is_countable(value) else str(value) for value in column.to_pylist()]
    return [_cell(value) for value in text_values(column)]


def _is_countable(value: Any) -> bool:
    return value is None or (value.date() if hasattr(value, "date") else value) >= _FIRST_DAY


def _cell(value: Any) -> Cell:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) <= 2**53:
        return value
    if isinstance(value, float) and isfinite(value):
        return value
    return value_text(value)
