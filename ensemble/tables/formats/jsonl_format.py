"""JSON Lines: one JSON object a line, with types and nested values."""

import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO, Protocol

import pyarrow as pa

from ..arrow_rows import AS_JSON, cell_values
from ..table_format import TableFile, TableFormat
from ..table_reader import MOST_COLUMNS, Chunk, TableError, TableReader, id_column, text_columns
from ..text_rows import (
    CONVERT,
    NOT_UTF8,
    Lines,
    Reject,
    Row,
    bad_text,
    decodes,
    grouped,
    is_overlong,
    json_text,
    overlong,
    write_lines,
)

_FREE_CELLS, _LEAST_SHARE = 1 << 23, 0.01
"""Cells that any table may have, and the share of the cells of a larger one that must hold a value."""

_TYPES: tuple[tuple[set[str], pa.DataType], ...] = (
    (set(), pa.null()),
    ({"bool"}, pa.bool_()),
    ({"int", "wide"}, pa.int64()),
    ({"int", "float"}, pa.float64()),  # integers up to 2**53 are exact in it
    ({"text"}, pa.string()),
)


_ARRAY = re.compile(rb"(\xef\xbb\xbf)?\s*\[\s*\{")


class Texts(Protocol):
    """Texts of JSON values in a stream: `Lines`, or those of an array."""

    count: int

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the number of the line in which each begins, and the text."""
        ...


def _rows(lines: Texts) -> Iterator[Row | Reject]:
    for number, raw in lines.numbered():
        if not raw.strip():
            continue
        if is_overlong(raw):
            yield overlong(number, raw)
            continue
        if not decodes(raw):
            yield Reject(number, f"{NOT_UTF8}; {CONVERT}", raw)
            continue
        try:
            values = json.loads(raw)
        except (ValueError, RecursionError) as error:
            yield Reject(number, f"not JSON: {error}", raw)
            continue
        if not isinstance(values, dict):
            yield Reject(number, "JSON, but not an object", raw)
        elif not decodes("".join(values)) or not decodes("".join(v for v in values.values() if isinstance(v, str))):
            yield Reject(number, "a lone surrogate, which is not a character", raw)
        else:
            yield Row(number, values, raw)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if abs(value) <= 2**53 else "wide" if -(2**63) <= value < 2**63 else "json"
    return "float" if isinstance(value, float) else "text" if isinstance(value, str) else "json"


def columns_of_objects(streams: Iterable[BinaryIO], texts: Callable[[BinaryIO], Texts] = Lines) -> dict[str, pa.Field]:
    """Return the columns of files together, in order of appearance, with types that hold every value."""
    kinds: dict[str, set[str]] = {}
    rows = values = 0
    for row in chain.from_iterable(_rows(texts(stream)) for stream in streams):
        if isinstance(row, Row):
            for name, value in row.values.items():
                kinds.setdefault(name, set()).add(_kind(value))
            if len(kinds) > MOST_COLUMNS:
                raise TableError(
                    f"JSON objects must have at most {MOST_COLUMNS:,} different keys, got more up to line {row.line}; "
                    f"nest what is no column"
                )
            rows, values = rows + 1, values + len(row.values)
            if rows * len(kinds) > max(_FREE_CELLS, values / _LEAST_SHARE):
                raise TableError(
                    f"JSON objects must hold {_LEAST_SHARE:.0%} of all keys on average, got {values:,} values in "
                    f"{rows:,} objects with {len(kinds):,} different keys up to line {row.line}; nest what is no column"
                )
    fields = {}
    for name, present in kinds.items():
        type = next((type for allowed, type in _TYPES if present - {"null"} <= allowed), None)
        fields[name] = pa.field(name, pa.string(), metadata=AS_JSON) if type is None else pa.field(name, type)
    return fields


def open_objects(file: TableFile, texts: Callable[[BinaryIO], Texts] = Lines) -> TableReader:
    """Return the reader of a file of JSON objects, each in one of its `texts`."""
    # A first pass finds the type of every column, so that all chunks have one schema.
    fields = file.fields
    if fields is None:
        fields = columns_of_objects([file.stream], texts)
        file.stream.seek(0)
    if not fields:
        bad = next((row for row in _rows(texts(file.stream)) if isinstance(row, Reject)), None)
        reason = "" if bad is None else f": line {bad.line} is {bad.reason}"
        raise TableError(
            f"{file.name} has no line with a JSON object that holds anything{reason}; name it .json if objects take "
            "several lines"
        )
    names = list(fields)
    a, b = text_columns(names, file.columns, file.name)
    two = {a: pa.field(a, pa.string()), b: pa.field(b, pa.string())}
    schema = pa.schema(list({**fields, **two}.values()))

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        lines = texts(file.stream)
        for rows, rejects in grouped(_with_texts(_rows(lines), (a, b), file.missing), file.batch_size):
            columns = [_column([row.values.get(field.name) for row in rows], field) for field in schema]
            batch = pa.record_batch(columns, schema=schema)
            first, second = ([row.values.get(column) for row in rows] for column in (a, b))
            yield Chunk(batch, first, second, rejects, [row.line for row in rows])
        reader.lines = lines.count

    id_name = id_column(file.id, names, file.name)
    return TableReader(file.name, file.format.name, file.stream, schema, (a, b), chunks, id_name)


def _with_texts(rows: Iterator[Row | Reject], columns: tuple[str, str], missing: bool) -> Iterator[Row | Reject]:
    a, b = columns
    for row in rows:
        bad = None
        if isinstance(row, Row):
            bad = bad_text(row.values.get(a), a, missing) or bad_text(row.values.get(b), b, missing)
        yield row if bad is None else Reject(row.line, bad, row.raw, row.values)


def _column(values: list[Any], field: pa.Field) -> pa.Array:
    if field.metadata == AS_JSON:
        values = [None if value is None else json_text(value) for value in values]
    elif field.type == pa.float64():
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, field.type)


def _open_lines(file: TableFile) -> TableReader:
    if _ARRAY.match(file.head):
        raise TableError(
            f"{file.name} must have one JSON object a line, got an array; name it .json, or convert it by jq -c '.[]'"
        )
    return open_objects(file)


class ObjectsWriter:
    """A file with one JSON object a line in the making."""

    def __init__(self, file: BinaryIO, schema: pa.Schema) -> None:
        self._file = file
        self._names = schema.names

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; JSON can hold all of them."""
        write_lines(self._file, self.objects(batch))
        return []

    def objects(self, batch: pa.RecordBatch) -> list[str]:
        """Return each row as JSON."""
        columns = [cell_values(column, field) for column, field in zip(batch.columns, batch.schema, strict=True)]
        rows = zip(*columns, strict=True)
        return [json_text(dict(zip(self._names, row, strict=True))) for row in rows]

    def close(self, complete: bool) -> None:
        """Do nothing: every line is written."""


JSONL = TableFormat(
    name="jsonl",
    title="JSON Lines",
    suffixes=(".jsonl", ".ndjson"),
    open=_open_lines,
    writer=ObjectsWriter,
    resembles=lambda text: text.startswith(b"{"),
    columns_of=columns_of_objects,
)
