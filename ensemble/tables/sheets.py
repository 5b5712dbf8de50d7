"""Sheets of spreadsheets: rows of typed cells, read as chunks."""

import zipfile
from collections.abc import Callable, Generator, Iterator, Sequence
from datetime import date, datetime, time
from typing import Any, TypeAlias

import pyarrow as pa

from .table_format import TableFile
from .table_reader import (
    MOST_COLUMNS,
    Chunk,
    MisreadError,
    MissingColumnError,
    TableError,
    TableReader,
    id_column,
    text_columns,
)
from .text_rows import Reject, Row, column_names, grouped, json_text, title_above

Cell: TypeAlias = str | bool | int | float | date | datetime | None
"""Value of a cell; None for an empty one."""

MOST_ROWS = 1 << 20
"""Rows of a sheet: what spreadsheet programs show."""

_FREE_BYTES, _MOST_BYTES = 1 << 28, 100
"""Bytes that any file may unpack to, and those that a longer one may unpack to for each of its own.

Sheets unpack to five to twenty times their size; a bomb unpacks to a thousand times.
"""


class ErrorCell(str):
    """Error of a formula, such as ``#N/A``."""


def open_archive(file: TableFile) -> zipfile.ZipFile:
    """Return the archive that a spreadsheet is.

    Raises
    ------
    TableError
        If it is none, or would unpack to more than fits a spreadsheet of its size.
    """
    try:
        archive = zipfile.ZipFile(file.stream)
    except zipfile.BadZipFile as error:
        raise damaged(file, error) from error
    packed = file.stream.seek(0, 2)
    unpacked = sum(part.file_size for part in archive.infolist())  # more than that is never read of a part
    if unpacked > max(_FREE_BYTES, _MOST_BYTES * packed):
        raise TableError(
            f"{file.name} must unpack to at most {_MOST_BYTES} times its size, got {unpacked:,} bytes of {packed:,}; "
            "save it as CSV"
        )
    return archive


def damaged(file: TableFile, error: Exception) -> TableError:
    """Return the error of a file that is not in its format, or only in part."""
    text = str(error).partition("\n")[0][:200] or type(error).__name__
    reason = text if text.isprintable() else ascii(text)[1:-1]
    return TableError(f"{file.name} cannot be read as {file.format.title}: {reason}; save it again")


def chosen_sheet(file: TableFile, sheets: Sequence[str]) -> int:
    """Return the place of the sheet to read: that of the user, by name or number from 1, or the first.

    Raises
    ------
    TableError
        If there is none.
    """
    wanted = file.text.get("sheet")
    if wanted is None and sheets:
        return 0
    if wanted in sheets:
        return sheets.index(wanted)
    if wanted is not None and wanted.isdecimal() and 1 <= int(wanted) <= len(sheets):
        return int(wanted) - 1
    raise TableError(f"{file.name} has no sheet {wanted or '1'!r}; its sheets are: {', '.join(sheets)}")


def cell_text(cell: Cell) -> str:
    """Return the text of a cell; that of an empty one is empty."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return str(cell).upper()
    return str(_day(cell) or cell)


def _day(cell: Cell) -> date | None:
    """Return the date of a cell that has one and no time of day."""
    if isinstance(cell, datetime):
        return cell.date() if cell.time() == time() else None
    return cell if isinstance(cell, date) else None


def _kind(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "bool"
    if isinstance(cell, int):
        return "int" if abs(cell) <= 2**53 else "text"  # a spreadsheet has no longer ones
    if isinstance(cell, float):
        return "float"
    if isinstance(cell, date):
        return "date" if _day(cell) else "time"
    return "text"


_TYPES: tuple[tuple[set[str], pa.DataType], ...] = (
    (set(), pa.string()),
    ({"bool"}, pa.bool_()),
    ({"int"}, pa.int64()),
    ({"int", "float"}, pa.float64()),
    ({"date"}, pa.date32()),
    ({"date", "time"}, pa.timestamp("us")),
)


def open_sheet(
    file: TableFile, sheets: Sequence[str], rows: Callable[[], Iterator[tuple[int, Sequence[Cell]]]]
) -> TableReader:
    """Return the reader of a sheet.

    Parameters
    ----------
    file
        The open file.
    sheets
        Names of its sheets.
    rows
        Returns the number, from 1, and the cells of each row that is not empty. Called several times, as the types of
        the columns must be known before the first chunk.
    """
    header = file.text.get("header", True)

    def filled() -> Iterator[tuple[int, list[Cell]]]:
        try:
            for number, row in rows():
                cells = list(row)
                while cells and cells[-1] is None:
                    cells.pop()
                if cells:
                    yield number, cells
        except TableError:
            raise
        except Exception as error:  # damage makes the parsers raise errors of many kinds
            raise damaged(file, error) from error

    first = next(filled(), None)
    if first is None:
        raise TableError(f"the sheet of {file.name} is empty; name another with --sheet")
    names = column_names(list(map(cell_text, first[1])), header)
    if len(names) > MOST_COLUMNS:
        raise TableError(f"{file.name} must have at most {MOST_COLUMNS:,} columns, got {len(names):,}; remove some")
    second = next(_below(filled(), header), (0, []))[1]
    why = title_above(*(list(map(cell_text, cells)) for cells in (first[1], second))) if header else ""
    try:
        a, b = text_columns(names, file.columns, file.name, why)
    except MisreadError:
        raise
    except MissingColumnError as error:
        others = f"; another of its sheets, {', '.join(sheets)}, is read by --sheet" if len(sheets) > 1 else ""
        raise MissingColumnError(f"{error}{others}") from None
    kinds: list[set[str]] = [set() for _ in names]
    total = 0
    for _, cells in _below(filled(), header):
        total += 1
        for kind, cell in zip(kinds, cells, strict=False):
            if cell is not None:
                kind.add(_kind(cell))
    types = [next((type for allowed, type in _TYPES if kind <= allowed), pa.string()) for kind in kinds]
    types = [pa.string() if name in (a, b) else type for name, type in zip(names, types, strict=True)]
    schema = pa.schema(list(zip(names, types, strict=True)))
    places = names.index(a), names.index(b)

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        for good, bad in grouped(_rows(_below(filled(), header), names, places), file.batch_size):
            columns = list(zip(*(row.values for row in good), strict=True)) or [()] * len(names)
            arrays = [_array(column, field.type) for column, field in zip(columns, schema, strict=True)]
            texts = [arrays[place].to_pylist() for place in places]
            lines = [row.line for row in good]
            yield Chunk(pa.record_batch(arrays, schema=schema), texts[0], texts[1], bad, lines)
            reader.lines = max(*lines, *(reject.line for reject in bad), reader.lines)

    id_name = id_column(file.id, names, file.name)
    return TableReader(file.name, file.format.name, file.stream, schema, (a, b), chunks, id_name, total)


def _below(rows: Iterator[tuple[int, list[Cell]]], header: bool) -> Iterator[tuple[int, list[Cell]]]:
    if header:
        next(rows)
    return rows


def _rows(
    rows: Iterator[tuple[int, list[Cell]]], names: Sequence[str], places: tuple[int, int]
) -> Iterator[Row | Reject]:
    for number, cells in rows:
        values: list[Any] = [*cells, *[None] * (len(names) - len(cells))]
        wrong = next((place for place in places if isinstance(values[place], ErrorCell)), None)
        raw = json_text(dict(zip(names, values, strict=False)))
        if len(cells) > len(names):
            yield Reject(number, f"{len(cells)} cells instead of {len(names)}", raw, values)
        elif wrong is not None:
            yield Reject(number, f"{names[wrong]} is the error {values[wrong]}", raw, values)
        else:
            # As in CSV, an empty cell is an empty text.
            for place in places:
                values[place] = cell_text(values[place])
            yield Row(number, values, raw)


def _array(cells: Sequence[Cell], type: pa.DataType) -> pa.Array:
    if type == pa.string():
        return pa.array([None if cell is None else cell_text(cell) for cell in cells], type)
    if type == pa.date32():
        return pa.array([_day(cell) for cell in cells], type)
    if type == pa.float64():
        return pa.array([None if cell is None else float(cell) for cell in cells], type)  # type: ignore[arg-type]
    return pa.array(cells, type)
