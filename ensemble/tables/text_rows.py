"""Rows of text files, one at a time, with what cannot be read set aside."""

import csv
import io
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from .text_layouts import FIELD_LIMIT, Layout, TableError

NOT_UTF8 = "bytes that are not UTF-8"

CONVERT = "convert the file, as by iconv -f WINDOWS-1254 -t UTF-8 (Arabic: WINDOWS-1256)"
"""What to do about a text file in another encoding; 1254, Turkish, has all letters of Spanish too."""

AS_JSON = {b"samewise": b"json"}
"""Metadata of a text column whose values are JSON: nested, of several types, or integers beyond 64 bits."""

_MOST_COLUMNS = 10_000


class Reject(NamedTuple):
    """A row that was not used.

    Attributes
    ----------
    line
        Where it begins: the physical line of a text file, the row of a Parquet file, from 1.
    reason
        What is wrong with it.
    raw
        The row as it stands; undecodable bytes as lone surrogates.
    values
        Its fields, a list or a dict, if it could be taken apart.
    """

    line: int
    reason: str
    raw: str
    values: Any = None


class Row(NamedTuple):
    """The fields of a good row; `values` is a list for delimited text and a dict for JSON."""

    line: int
    values: Any
    raw: str


def decodes(text: str) -> bool:
    """Return whether a text read with ``surrogateescape`` was UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _text(stream: BinaryIO, newline: str | None) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline=newline)
    try:
        yield text
    finally:
        # Whoever opened the stream closes it; a text wrapper would do so as soon as it is forgotten.
        if not text.closed:
            text.detach()


class Lines:
    """The lines of a stream of text, in memory never more of one than is allowed.

    Attributes
    ----------
    count
        How many have been read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.count = 0

    def read(self, newline: str | None) -> Iterator[str]:
        """Yield each with its end; of one of over `FIELD_LIMIT` characters only so many and one more."""
        with _text(self.stream, newline) as text:
            for line in iter(partial(text.readline, FIELD_LIMIT + 1), ""):
                self.count += 1
                if len(line) > FIELD_LIMIT and not line.endswith(("\n", "\r")):
                    _skip_line(text)
                yield line

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each and the line without its end."""
        for line in self.read(None):
            yield self.count, line.removesuffix("\n")


def _skip_line(text: io.TextIOWrapper) -> None:
    while (piece := text.readline(1 << 20)) and not piece.endswith(("\n", "\r")):
        pass


def _overlong(line: int, raw: str) -> Reject:
    return Reject(line, f"longer than {FIELD_LIMIT:,} characters; only the first 1,000 are here", raw[:1_000])


class _Recorder:
    """Lines on their way to the csv module, kept until the record that they make up is complete."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = iter(lines)
        self.taken: list[str] = []
        self.ended = False

    def __iter__(self) -> "_Recorder":
        return self

    def __next__(self) -> str:
        line = next(self.lines, None)
        if line is None:
            self.ended = True
            raise StopIteration
        self.taken.append(line)
        return line


def _csv_records(text: Iterable[str], delimiter: str) -> Iterator[Row | Reject]:
    csv.field_size_limit(max(csv.field_size_limit(), FIELD_LIMIT))
    lines = _Recorder(text)
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        start = reader.line_num + 1
        lines.taken.clear()
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if any(len(line) > FIELD_LIMIT for line in lines.taken):
                yield _overlong(start, "".join(lines.taken))
            else:
                yield Reject(start, f"not CSV: {error}", "".join(lines.taken))
            continue
        raw = "".join(lines.taken)
        if len(raw) > FIELD_LIMIT and any(len(line) > FIELD_LIMIT for line in lines.taken):
            yield _overlong(start, raw)
        elif lines.ended and fields:
            yield Reject(start, "a quote that opens here is never closed", raw)
        elif fields:
            yield Row(start, fields, raw.rstrip("\r\n"))


def _tsv_records(lines: Lines) -> Iterator[Row | Reject]:
    empty: list[int] = []
    for number, raw in lines.numbered():
        if not raw:
            empty.append(number)
            continue
        # Files that go with this one line by line would slip if an empty line were no row; at the end it is none.
        yield from (Reject(row, "empty line", "") for row in empty)
        empty.clear()
        yield Row(number, raw.split("\t"), raw) if len(raw) <= FIELD_LIMIT else _overlong(number, raw)


def delimited_rows(lines: Lines, layout: Layout) -> Iterator[Row | Reject]:
    """Yield the rows of a CSV or TSV file, each with as many fields as the layout has names."""
    header = layout.header
    width = len(layout.names)
    wanted = str(width) if layout.fewest == width else f"{layout.fewest} to {width}"
    for row in _csv_records(lines.read(""), layout.delimiter) if layout.format == "csv" else _tsv_records(lines):
        if isinstance(row, Reject):
            yield row
        elif header:
            header = False
        elif not decodes(row.raw):
            yield Reject(row.line, f"{NOT_UTF8}; {CONVERT}", row.raw, row.values)
        elif not layout.fewest <= len(row.values) <= width:
            yield Reject(row.line, f"{len(row.values)} fields instead of {wanted}", row.raw, row.values)
        else:
            row.values.extend([""] * (width - len(row.values)))
            yield row


def json_rows(lines: Lines) -> Iterator[Row | Reject]:
    """Yield the objects of a file with one JSON object a line."""
    for number, raw in lines.numbered():
        if not raw.strip():
            continue
        if len(raw) > FIELD_LIMIT:
            yield _overlong(number, raw)
            continue
        if not decodes(raw):
            yield Reject(number, f"{NOT_UTF8}; {CONVERT}", raw)
            continue
        try:
            found = json.loads(raw)
        except (ValueError, RecursionError) as error:
            yield Reject(number, f"not JSON: {error}", raw)
            continue
        if not isinstance(found, dict):
            yield Reject(number, "JSON, but not an object", raw)
        elif not decodes("".join(found)) or not decodes("".join(v for v in found.values() if isinstance(v, str))):
            yield Reject(number, "a lone surrogate, which is no character", raw)
        else:
            yield Row(number, found, raw)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if abs(value) <= 2**53 else "wide" if -(2**63) <= value < 2**63 else "json"
    return "float" if isinstance(value, float) else "text" if isinstance(value, str) else "json"


_TYPES: tuple[tuple[set[str], pa.DataType], ...] = (
    (set(), pa.null()),
    ({"bool"}, pa.bool_()),
    ({"int", "wide"}, pa.int64()),
    ({"int", "float"}, pa.float64()),  # integers up to 2**53 are exact in it
    ({"text"}, pa.string()),
)


def json_fields(rows: Iterable[Row | Reject]) -> dict[str, pa.Field]:
    """Return the columns of a file of JSON objects, in order of appearance, with types that hold every value."""
    kinds: dict[str, set[str]] = {}
    for row in rows:
        if isinstance(row, Row):
            for name, value in row.values.items():
                kinds.setdefault(name, set()).add(_kind(value))
            if len(kinds) > _MOST_COLUMNS:
                raise TableError(f"the objects up to line {row.line} have over {_MOST_COLUMNS:,} different keys")
    fields = {}
    for name, found in kinds.items():
        kind = next((kind for allowed, kind in _TYPES if found - {"null"} <= allowed), None)
        fields[name] = pa.field(name, pa.string(), metadata=AS_JSON) if kind is None else pa.field(name, kind)
    return fields


def json_text(value: Any) -> str:
    """Return a value as JSON that UTF-8 can hold."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if decodes(text) else json.dumps(value, default=str)


def bad_text(value: object, column: str) -> str | None:
    """Return what is wrong with a value that should be a text, or None."""
    if isinstance(value, str):
        return None
    return f"{column} is missing" if value is None else f"{column} is a {type(value).__name__}, not text"
