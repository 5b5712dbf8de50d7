"""Tables of sentence pairs, read as a stream of chunks; every row is in a chunk or among its rejects."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from .layouts import KNOWN_NAMES, TableError, recognise
from .parquet import first_line, is_text, split_rows
from .rows import AS_JSON, Reject, Row, bad_text, decodes, delimited_rows, json_fields, json_rows, json_text
from .sources import HEAD, open_source

__all__ = ["Chunk", "Reject", "TableError", "TableReader", "find_column", "open_table"]

BATCH = 2_048
"""Rows in a chunk."""

CHUNK_CHARACTERS = 1 << 24
"""A chunk of a text file ends here even if it has fewer rows: it bounds memory where lines are huge."""


class Chunk(NamedTuple):
    """Consecutive rows of a table.

    Attributes
    ----------
    batch
        The good rows, n of them, with all columns of the input in its order and types.
    a, b
        The n texts on either side.
    rejects
        The bad rows between them.
    lines
        The n line (or row) numbers of the good rows.
    """

    batch: pa.RecordBatch
    a: list[str]
    b: list[str]
    rejects: list[Reject]
    lines: list[int]


class TableReader:
    """An open table: iterate over it, once, for its chunks.

    Attributes
    ----------
    name, format
        For messages; one of ``csv``, ``tsv``, ``jsonl``, ``parquet``.
    schema
        The columns of every chunk.
    a_name, b_name
        Which of them hold the texts.
    id_name
        Which of them names a row, or None.
    total
        How many rows there are, where the file says so, or None.
    """

    def __init__(
        self,
        name: str,
        format: str,
        stream: BinaryIO,
        schema: pa.Schema,
        texts: tuple[str, str],
        chunks: Callable[["TableReader"], Iterator[Chunk]],
        id_name: str | None = None,
        total: int | None = None,
    ) -> None:
        self.name = name
        self.format = format
        self.schema = schema
        self.a_name, self.b_name = texts
        self.id_name = id_name
        self.total = total
        self._stream = stream
        self._chunks = chunks

    def __iter__(self) -> Iterator[Chunk]:
        return self._chunks(self)

    def __enter__(self) -> "TableReader":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def id_of(self, reject: Reject) -> Any:
        """Return what names a rejected row, or None where that cannot be told."""
        if isinstance(reject.values, list):
            place = self.schema.names.index(self.id_name)
            return reject.values[place] if place < len(reject.values) else None
        return reject.values.get(self.id_name) if isinstance(reject.values, dict) else None

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def open_table(
    path: str | Path,
    columns: str | Sequence[str] | None = None,
    id: str | None = None,
    format: str | None = None,
    batch_size: int = BATCH,
) -> TableReader:
    """Open a table of sentence pairs.

    Parameters
    ----------
    path
        A CSV, TSV (or .txt), JSONL or Parquet file, or ``-`` for standard input.
    columns
        The two columns with the texts, ``"A,B"`` or a list: names, or numbers from 1. Without it, the columns are
        ``sentence1`` and ``sentence2``, or those of the STS data sets that `layouts.recognise` knows.
    id
        A column that names the rows.
    format
        The format where the name does not tell it.
    batch_size
        Most rows in a chunk.

    Raises
    ------
    TableError
        If there is no such file, it is empty or not what its name says, or it lacks a column.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size is {batch_size}; it must be at least 1")
    wanted = _split(columns)
    name = "standard input" if str(path) == "-" else str(path)
    stream, head, found = open_source(str(path), format)
    try:
        make = {"jsonl": _open_json, "parquet": _open_parquet}.get(found)
        if make is not None:
            return make(name, stream, wanted, id, batch_size)
        return _open_delimited(name, stream, head, found, wanted, id, batch_size)
    except BaseException:
        stream.close()
        raise


def _split(columns: str | Sequence[str] | None) -> tuple[str, ...]:
    if columns is None:
        return ()
    parts = tuple(part.strip() for part in columns.split(",")) if isinstance(columns, str) else tuple(columns)
    if len(parts) != 2:
        raise TableError(f"the columns are given as {columns!r}; name the two columns with the texts, such as A,B")
    return parts


def find_column(wanted: str, names: Sequence[str], table: str) -> str:
    """Return the column with this name or number (from 1).

    Raises
    ------
    TableError
        If it is not there.
    """
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    listed = ", ".join(names[:30]) + (f" and {len(names) - 30} more" if len(names) > 30 else "")
    raise TableError(f"{table} has no column {wanted!r}; its columns are: {listed}")


def _texts(names: Sequence[str], wanted: Sequence[str], table: str) -> tuple[str, str]:
    twice = (
        next((name for name in names if list(names).count(name) > 1), None) if len(set(names)) < len(names) else None
    )
    if twice is not None:
        raise TableError(f"{table} has two columns named {twice!r}; rename one of them")
    if not wanted:
        wanted = next((known[:2] for known in KNOWN_NAMES if set(known[:2]) <= set(names)), KNOWN_NAMES[0][:2])
    a, b = (find_column(column, names, table) for column in wanted)
    return a, b


def _open_delimited(
    name: str,
    stream: BinaryIO,
    head: bytes,
    format: str,
    wanted: tuple[str, ...],
    id: str | None,
    batch_size: int,
) -> TableReader:
    sample = head.decode("utf-8-sig", "surrogateescape")
    end = max(sample.rfind("\n"), sample.rfind("\r"))
    # The head may end inside a line; a file that is shorter than the head is whole.
    whole = sample[: end + 1] if end > 0 and len(head) >= HEAD else sample
    layout = recognise(whole, format, wanted)
    if layout.header and not decodes("".join(layout.names)):
        raise TableError(f"the header of {name} is not UTF-8; convert the file")
    a, b = _texts(layout.names, wanted, name)
    schema = pa.schema([pa.field(column, pa.string()) for column in layout.names])
    where = layout.names.index(a), layout.names.index(b)

    def chunks(reader: TableReader) -> Iterator[Chunk]:
        for rows, rejects in _grouped(delimited_rows(stream, layout), batch_size):
            values = list(zip(*(row.values for row in rows), strict=True)) or [()] * len(layout.names)
            batch = pa.record_batch([pa.array(column, pa.string()) for column in values], schema=schema)
            yield Chunk(batch, list(values[where[0]]), list(values[where[1]]), rejects, [row.line for row in rows])

    return TableReader(name, layout.format, stream, schema, (a, b), chunks, _id(id, layout.names, name))


def _id(id: str | None, names: Sequence[str], table: str) -> str | None:
    return None if id is None else find_column(id, names, table)


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


def _open_json(name: str, stream: BinaryIO, wanted: tuple[str, ...], id: str | None, batch_size: int) -> TableReader:
    # A first pass finds the type of every column, so that all chunks have one schema.
    fields = json_fields(json_rows(stream))
    stream.seek(0)
    if not fields:
        raise TableError(f"{name} has no line with a JSON object that holds anything")
    names = list(fields)
    a, b = _texts(names, wanted, name)
    fields |= {a: pa.field(a, pa.string()), b: pa.field(b, pa.string())}
    schema = pa.schema(list(fields.values()))

    def chunks(reader: TableReader) -> Iterator[Chunk]:
        for rows, rejects in _grouped(_with_texts(json_rows(stream), a, b), batch_size):
            columns = [_json_column([row.values.get(field.name) for row in rows], field) for field in schema]
            batch = pa.record_batch(columns, schema=schema)
            first, second = ([row.values[column] for row in rows] for column in (a, b))
            yield Chunk(batch, first, second, rejects, [row.line for row in rows])

    return TableReader(name, "jsonl", stream, schema, (a, b), chunks, _id(id, names, name))


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


def _open_parquet(name: str, stream: BinaryIO, wanted: tuple[str, ...], id: str | None, batch_size: int) -> TableReader:
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(stream)
        schema = file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{name} is not a Parquet file that can be read: {first_line(error)}") from error
    a, b = _texts(schema.names, wanted, name)
    for column in (a, b):
        if not is_text(schema.field(column).type):
            raise TableError(f"the column {column!r} of {name} holds {schema.field(column).type}, not text")

    def chunks(reader: TableReader) -> Iterator[Chunk]:
        start = 1
        try:
            for batch in file.iter_batches(batch_size):
                yield Chunk(*split_rows(batch, a, b, start))
                start += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            raise TableError(f"{name} is broken after row {start - 1}: {first_line(error)}") from error

    total = file.metadata.num_rows
    return TableReader(name, "parquet", stream, schema, (a, b), chunks, _id(id, schema.names, name), total)
