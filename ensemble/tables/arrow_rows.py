"""Rows of Arrow batches: those with two texts, and those without, which are set aside."""

import base64
import json
from collections.abc import Callable, Generator, Iterator
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa

from .table_format import TableFile
from .table_reader import Chunk, TableError, TableReader, id_column, text_columns
from .text_rows import NOT_UTF8, Reject, bad_text, json_text

AS_JSON = {b"samewise": b"json"}
"""Metadata of a text column whose values are JSON: nested, of several types, or integers beyond 64 bits."""

AS_WORDS = {b"samewise": b"words"}
"""Metadata of a column of lists of words: in delimited text blanks separate them."""


def is_marked(field: pa.Field, mark: dict[bytes, bytes]) -> bool:
    """Return whether a column has a mark: `AS_JSON` or `AS_WORDS`."""
    return field.metadata is not None and field.metadata.get(b"samewise") == mark[b"samewise"]


def text_values(column: pa.Array) -> list[Any]:
    """Return the values of a column as `plain_values` does, 32-bit floats with the fewest digits that give them back.

    The `repr` of each float, and so its JSON, is the shortest text that gives the same number.
    """
    values = plain_values(column)
    if pa.types.is_float32(column.type):
        return [None if value is None else float(str(np.float32(value))) for value in values]
    return values


def cell_values(column: pa.Array, field: pa.Field) -> list[Any]:
    """Return the values of a column of a chunk as `text_values` does, those that are JSON as they were in the file."""
    values = text_values(column)
    if is_marked(field, AS_JSON):
        return [None if text is None else json.loads(text) for text in values]
    return values


def plain_values(column: pa.Array) -> list[Any]:
    """Return the values of a column as values that JSON can hold, except decimals and dates."""
    kind = _plain(column.type)
    if kind != column.type:
        column = column.cast(kind)
    return [_without_bytes(value) for value in column.to_pylist()] if _holds_bytes(kind) else column.to_pylist()


def _plain(kind: pa.DataType) -> pa.DataType:
    types = pa.types
    if isinstance(kind, pa.BaseExtensionType):
        return kind if kind.extension_name == "arrow.uuid" else _plain(kind.storage_type)
    if types.is_dictionary(kind):
        return _plain(kind.value_type)
    if types.is_timestamp(kind) or types.is_time(kind):
        return pa.string()
    if types.is_duration(kind):
        return pa.int64()
    return _inside(kind, _plain)


def _without_views(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_string_view(kind):
        return pa.string()
    return pa.binary() if pa.types.is_binary_view(kind) else _inside(kind, _without_views)


def _inside(kind: pa.DataType, change: Callable[[pa.DataType], pa.DataType]) -> pa.DataType:
    """Return a type with the types nested in it changed."""
    types = pa.types
    if types.is_struct(kind):
        return pa.struct([field.with_type(change(field.type)) for field in kind])
    if types.is_map(kind):
        return pa.map_(change(kind.key_type), change(kind.item_type))
    if types.is_fixed_size_list(kind):
        return pa.list_(kind.value_field.with_type(change(kind.value_type)), kind.list_size)
    if types.is_large_list(kind):
        return pa.large_list(kind.value_field.with_type(change(kind.value_type)))
    if types.is_list(kind):
        return pa.list_(kind.value_field.with_type(change(kind.value_type)))
    return kind


def _holds_bytes(kind: pa.DataType) -> bool:
    types = pa.types
    if types.is_nested(kind):
        return any(_holds_bytes(kind.field(k).type) for k in range(kind.num_fields))
    return bool(types.is_binary(kind) or types.is_large_binary(kind) or types.is_fixed_size_binary(kind))


def _without_bytes(value: Any) -> Any:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    if isinstance(value, dict):
        return {key: _without_bytes(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_without_bytes(item) for item in value]
    return value


_FAULTS = (pa.ArrowException, OSError, UnicodeDecodeError)  # the last of names that are not UTF-8


class ArrowFile(NamedTuple):
    """The content of a file that pyarrow reads: its columns, its rows in batches, and their number if it is stored."""

    schema: pa.Schema
    batches: Iterator[pa.RecordBatch]
    rows: int | None = None


def _first_line(error: BaseException) -> str:
    # It may quote damaged bytes of the file.
    return _shortened((str(error).splitlines() or [type(error).__name__])[0])


def _shortened(text: str) -> str:
    text = text[:200]
    return text if text.isprintable() else ascii(text)[1:-1]


def is_text(kind: pa.DataType) -> bool:
    """Return whether values of a type are texts."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def open_arrow(file: TableFile, open: Callable[[BinaryIO, int], ArrowFile]) -> TableReader:
    """Return the reader of a binary file that pyarrow reads; `open` takes the stream and the most rows of a batch."""
    name, title = file.name, file.format.title
    try:
        arrow = open(file.stream, file.batch_size)
        # Columns of views are read as plain ones: pyarrow has no function that selects rows of views.
        stored = arrow.schema
        schema = pa.schema([field.with_type(_without_views(field.type)) for field in stored], stored.metadata)
        names = schema.names
    except _FAULTS as error:
        raise TableError(f"{name} is not a {title} file that can be read: {_first_line(error)}") from error
    a, b = text_columns(names, file.columns, name)
    for column in (a, b):
        kind = schema.field(column).type
        if not is_text(kind):
            raise TableError(f"the column {column!r} of {name} holds {_shortened(str(kind))}, not text")

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        try:
            for batch in arrow.batches:
                batch = batch if schema == stored else batch.cast(schema)
                yield Chunk(*split_rows(batch, a, b, reader.lines + 1, file.missing))
                reader.lines += batch.num_rows
        except _FAULTS as error:
            raise TableError(f"{name} is broken after row {reader.lines:,}: {_first_line(error)}") from error

    id_name = id_column(file.id, names, name)
    return TableReader(name, file.format.name, file.stream, schema, (a, b), chunks, id_name, arrow.rows)


def split_rows(
    batch: pa.RecordBatch, a: str, b: str, start: int, missing: bool = False
) -> tuple[pa.RecordBatch, list[str], list[str], list[Reject], list[int]]:
    """Return the good rows of a batch, their texts, the bad rows, and the numbers of the good ones.

    With `missing`, a row whose text is missing is a good one.
    """
    texts = [_to_python(batch.column(column)) for column in (a, b)]
    broken = _broken_rows(batch)
    rejects = []
    good = []
    for row, pair in enumerate(zip(*texts, strict=True)):
        reasons = [bad_text(text, column, missing) for text, column in zip(pair, (a, b), strict=True)]
        reasons = [NOT_UTF8 if text is _BROKEN else reason for text, reason in zip(pair, reasons, strict=True)]
        reason = reasons[0] or reasons[1] or broken.get(row)
        if reason is None:
            good.append(row)
        else:
            raw = plain_row(batch, row)
            rejects.append(Reject(start + row, reason, json_text(raw), raw))
    if rejects:
        batch = batch.take(pa.array(good, pa.int64()))
    first, second = ([column[row] for row in good] for column in texts)
    return batch, first, second, rejects, [start + row for row in good]


def _broken_rows(batch: pa.RecordBatch) -> dict[int, str]:
    """Return the reason for each row with a value that cannot be read, in whatever column."""
    broken: dict[int, str] = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            column.validate(full=True)
        except pa.ArrowInvalid:
            for row in range(len(column)):
                try:
                    plain_values(column.slice(row, 1))
                except UnicodeDecodeError:
                    broken.setdefault(row, f"{NOT_UTF8} in {name}")
            if not broken:
                raise
    return broken


class _Broken:
    def __str__(self) -> str:
        return "<undecodable>"


_BROKEN = _Broken()


def plain_row(batch: pa.RecordBatch, row: int) -> dict[str, Any]:
    """Return one row by column name, in plain values; undecodable ones become ``<undecodable>`` in JSON."""
    return {name: _to_python(batch.column(k).slice(row, 1))[0] for k, name in enumerate(batch.schema.names)}


def _to_python(column: pa.Array) -> list[Any]:
    try:
        return plain_values(column)
    except UnicodeDecodeError:
        return [_value(item) for item in column]


def _value(item: pa.Scalar) -> Any:
    try:
        return item.as_py()
    except UnicodeDecodeError:
        return _BROKEN
