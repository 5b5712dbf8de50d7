"""CSV and TSV read as chunks of rows."""

import csv
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from typing import BinaryIO

import pyarrow as pa

from .arrow_rows import AS_WORDS, is_marked, text_values, value_text
from .table_format import HEAD, TableFile
from .table_reader import MOST_COLUMNS, Chunk, TableError, TableReader, id_column, text_columns
from .text_rows import (
    FIELD_LIMIT,
    Layout,
    Lines,
    Reject,
    Row,
    allow_long_fields,
    decodes,
    grouped,
    is_overlong,
    misread,
    not_decoded,
    overlong,
    recognise,
    write_lines,
)

_MOST_OF_RECORD = 4 * FIELD_LIMIT
"""Most characters of a record of several lines: no field of it may be long, but quotes in each line join them all."""


_NEVER_CLOSED = "a quote that opens here is never closed"

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of texts that a spreadsheet program reads as formulas."""

_AFTER_QUOTE = 'text after the quote that closes a cell; in a quoted cell, write a quote as ""'


def open_delimited(file: TableFile, quoted: bool) -> TableReader:
    """Return the reader of a file that is named as CSV (`quoted`) or as TSV; its layout may be the other."""
    sample = file.head.decode("utf-8-sig", "surrogateescape")
    end = max(sample.rfind("\n"), sample.rfind("\r"))
    # The head may end inside a line; a file that is shorter than the head is whole.
    whole = sample[: end + 1] if end > 0 and len(file.head) >= HEAD else sample
    layout = recognise(whole, quoted, file.columns, file.text.get("delimiter"), file.text.get("header", True))
    encoding = file.text.get("encoding")
    if not decodes("".join(layout.names)):
        raise TableError(f"the header of {file.name} is {not_decoded(encoding)}")
    if len(layout.names) > MOST_COLUMNS:
        raise TableError(
            f"{file.name} must have at most {MOST_COLUMNS:,} columns, got {len(layout.names):,}; leave out what is not "
            "needed"
        )
    why = misread(whole, layout) if file.text.get("header", True) else ""
    a, b = text_columns(layout.names, file.columns, file.name, why)
    schema = pa.schema([pa.field(column, pa.string()) for column in layout.names])
    places = layout.names.index(a), layout.names.index(b)

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        lines = Lines(file.stream)
        for rows, rejects in grouped(_rows(lines, layout, encoding), file.batch_size):
            values = list(zip(*(row.values for row in rows), strict=True)) or [()] * len(layout.names)
            batch = pa.record_batch([pa.array(column, pa.string()) for column in values], schema=schema)
            first, second = (list(values[place]) for place in places)
            yield Chunk(batch, first, second, rejects, [row.line for row in rows])
        reader.lines = lines.count

    id_name = id_column(file.id, layout.names, file.name)
    return TableReader(file.name, layout.format, file.stream, schema, (a, b), chunks, id_name)


def _rows(lines: Lines, layout: Layout, encoding: str | None) -> Iterator[Row | Reject]:
    """Yield the rows below the header, each with as many fields as the layout has names."""
    above = layout.above
    width = len(layout.names)
    widths = str(width) if layout.fewest == width else f"{layout.fewest} to {width}"
    for row in _quoted_records(lines.read(""), layout.delimiter) if layout.quoted else _tabbed_records(lines):
        if isinstance(row, Reject):
            yield row
            continue
        if above:
            above -= 1
            continue
        while len(row.values) > width and not row.values[-1]:
            row.values.pop()
        if not decodes(row.raw):
            yield Reject(row.line, f"bytes that are {not_decoded(encoding)}", row.raw, row.values)
        elif not layout.fewest <= len(row.values) <= width:
            yield Reject(row.line, f"{len(row.values)} fields instead of {widths}", row.raw, row.values)
        else:
            row.values.extend([""] * (width - len(row.values)))
            yield row


class _EndlessRecord(Exception):
    """A record longer than `_MOST_OF_RECORD`."""


class _Recorder:
    """Lines on their way to the csv module, kept until the record that they make up is complete."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.taken: list[str] = []
        self.size = 0
        self.ended = False

    def __iter__(self) -> "_Recorder":
        return self

    def __next__(self) -> str:
        line = next(self.lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.taken.append(line)
        self.size += len(line)
        if self.size > _MOST_OF_RECORD and len(self.taken) > 1:
            raise _EndlessRecord
        return line


def _quoted_records(text: Iterable[str], delimiter: str) -> Iterator[Row | Reject]:
    allow_long_fields()
    lines = _Recorder(text)
    # Strict: otherwise a text after a closing quote, such as \"go\" or "go" in a quoted cell, is joined to the cell.
    records = csv.reader(lines, delimiter=delimiter, strict=True)
    while True:
        start = records.line_num + 1
        lines.taken.clear()
        lines.size = 0
        try:
            fields = next(records)
        except StopIteration:
            return
        except _EndlessRecord:
            yield overlong(start, "".join(lines.taken[:2])[:1_000])
            continue
        except csv.Error as error:
            raw = "".join(lines.taken)
            if any(map(is_overlong, lines.taken)):
                yield overlong(start, raw)
            elif "expected after" in str(error):
                yield Reject(start, _AFTER_QUOTE, raw)
            else:
                yield Reject(start, _NEVER_CLOSED if lines.ended else f"not CSV: {error}", raw)
            continue
        raw = "".join(lines.taken)
        if is_overlong(raw) and any(map(is_overlong, lines.taken)):
            yield overlong(start, raw)
        elif lines.ended and fields:
            yield Reject(start, _NEVER_CLOSED, raw)
        elif fields:
            yield Row(start, fields, raw.rstrip("\r\n"))


def _tabbed_records(lines: Lines) -> Iterator[Row | Reject]:
    empty: list[int] = []
    for number, raw in lines.numbered():
        if not raw:
            empty.append(number)
            continue
        # Files that match this one line by line would slip if an empty line were not a row; at the end it is not one.
        yield from (Reject(row, "empty line", "") for row in empty)
        empty.clear()
        yield overlong(number, raw) if is_overlong(raw) else Row(number, raw.split("\t"), raw)


class DelimitedWriter:
    """A file of delimited text in the making.

    Parameters
    ----------
    file, schema
        The open file, and the columns that go to it.
    line_of
        Returns the line of some fields; None if the format cannot hold one.
    title
        The name of the format in messages.
    escape_formulas
        Whether a text that a spreadsheet program would read as a formula gets an apostrophe before it (OWASP, CSV
        Injection).
    """

    def __init__(
        self,
        file: BinaryIO,
        schema: pa.Schema,
        *,
        line_of: Callable[[Sequence[str]], str | None],
        title: str,
        escape_formulas: bool = False,
    ) -> None:
        self._file = file
        self._line_of = line_of
        self._escape = escape_formulas
        heading = line_of([_escaped(name) for name in schema.names] if escape_formulas else schema.names)
        if heading is None:
            broken = next(name for name in schema.names if line_of([name]) is None)
            raise TableError(f"{title} cannot hold the column name {broken!r}; rename it or write another format")
        write_lines(file, [heading])

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out."""
        columns = [_texts(column, field) for column, field in zip(batch.columns, batch.schema, strict=True)]
        if self._escape:
            columns = [
                texts if _is_number(column.type) else map(_escaped, texts)
                for texts, column in zip(columns, batch.columns, strict=True)
            ]
        lines = [self._line_of(row) for row in zip(*columns, strict=True)]
        write_lines(self._file, [line for line in lines if line is not None])
        return [row for row, line in enumerate(lines) if line is None]

    def close(self, complete: bool) -> None:
        """Do nothing: every line is written."""


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_primitive(kind) or pa.types.is_decimal(kind))


def _escaped(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def _texts(column: pa.Array, field: pa.Field) -> Iterable[str]:
    values = text_values(column)
    if is_marked(field, AS_WORDS):
        return map(" ".join, values)
    if pa.types.is_float64(column.type) and not column.null_count:
        return map(repr, values)
    return map(value_text, values)
