"""Text files of pairs, CSV, TSV and JSONL, as chunks of rows."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any, BinaryIO

import pyarrow as pa

from .table_reader import Chunk, TableReader, id_column, text_columns
from .table_source import HEAD
from .text_layouts import TableError, recognise
from .text_rows import (
    AS_JSON,
    CONVERT,
    Lines,
    Reject,
    Row,
    bad_text,
    decodes,
    delimited_rows,
    json_fields,
    json_rows,
    json_text,
)

CHUNK_CHARACTERS = 1 << 24
"""A chunk of a text file ends here even if it has fewer rows: it bounds memory where lines are huge."""


def open_delimited(
    name: str,
    stream: BinaryIO,
    head: bytes,
    format: str,
    wanted: tuple[str, ...],
    id: str | None,
    batch_size: int,
) -> TableReader:
    """Open a CSV or TSV file; arguments as for `reading.open_table`, `head` being its first bytes."""
    sample = head.decode("utf-8-sig", "surrogateescape")
    end = max(sample.rfind("\n"), sample.rfind("\r"))
    # The head may end inside a line; a file that is shorter than the head is whole.
    whole = sample[: end + 1] if end > 0 and len(head) >= HEAD else sample
    layout = recognise(whole, format, wanted)
    if layout.header and not decodes("".join(layout.names)):
        raise TableError(f"the header of {name} is not UTF-8; {CONVERT}")
    a, b = text_columns(layout.names, wanted, name)
    schema = pa.schema([pa.field(column, pa.string()) for column in layout.names])
    where = layout.names.index(a), layout.names.index(b)

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        lines = Lines(stream)
        for rows, rejects in _grouped(delimited_rows(lines, layout), batch_size):
            values = list(zip(*(row.values for row in rows), strict=True)) or [()] * len(layout.names)
            batch = pa.record_batch([pa.array(column, pa.string()) for column in values], schema=schema)
            yield Chunk(batch, list(values[where[0]]), list(values[where[1]]), rejects, [row.line for row in rows])
        reader.lines = lines.count

    return TableReader(name, layout.format, stream, schema, (a, b), chunks, id_column(id, layout.names, name))


def _grouped(rows: Iterator[Row | Reject], batch_size: int) -> Iterator[tuple[list[Row], list[Reject]]]:
    good: list[Row] = []
    bad: list[Reject] = []
    size = 0
    for row in rows:
        size += len(row.raw)
        if isinstance(row, Reject):
            bad.append(row)
        else:
            good.append(row)
        if len(good) + len(bad) >= batch_size or size >= CHUNK_CHARACTERS:
            yield good, bad
            good, bad, size = [], [], 0
    if good or bad:
        yield good, bad


def open_json(
    name: str,
    stream: BinaryIO,
    wanted: tuple[str, ...],
    id: str | None,
    batch_size: int,
    fields: Mapping[str, pa.Field] | None = None,
) -> TableReader:
    """Open a JSONL file; arguments as for `reading.open_table`, `fields` being its columns if they are known."""
    # A first pass finds the type of every column, so that all chunks have one schema.
    if fields is None:
        fields = json_fields(json_rows(Lines(stream)))
        stream.seek(0)
    if not fields:
        raise TableError(f"{name} has no line with a JSON object that holds anything")
    names = list(fields)
    a, b = text_columns(names, wanted, name)
    texts = {a: pa.field(a, pa.string()), b: pa.field(b, pa.string())}
    schema = pa.schema(list({**fields, **texts}.values()))

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        lines = Lines(stream)
        for rows, rejects in _grouped(_with_texts(json_rows(lines), a, b), batch_size):
            columns = [_json_column([row.values.get(field.name) for row in rows], field) for field in schema]
            batch = pa.record_batch(columns, schema=schema)
            first, second = ([row.values[column] for row in rows] for column in (a, b))
            yield Chunk(batch, first, second, rejects, [row.line for row in rows])
        reader.lines = lines.count

    return TableReader(name, "jsonl", stream, schema, (a, b), chunks, id_column(id, names, name))


def _with_texts(rows: Iterator[Row | Reject], a: str, b: str) -> Iterator[Row | Reject]:
    for row in rows:
        bad = None if isinstance(row, Reject) else bad_text(row.values.get(a), a) or bad_text(row.values.get(b), b)
        yield row if bad is None else Reject(row.line, bad, row.raw, row.values)


def _json_column(values: list[Any], field: pa.Field) -> pa.Array:
    if field.metadata == AS_JSON:
        values = [None if value is None else json_text(value) for value in values]
    elif field.type == pa.float64():
        values = [None if value is None else float(value) for value in values]
    return pa.array(values, field.type)
