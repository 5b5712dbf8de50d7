"""Parquet files of pairs as chunks of rows: which hold two texts, and which do not."""

from collections.abc import Generator
from typing import Any, BinaryIO

import pyarrow as pa

from .plain_values import plain_values
from .table_reader import Chunk, TableReader, id_column, text_columns
from .text_layouts import TableError
from .text_rows import NOT_UTF8, Reject, bad_text, json_text


def first_line(error: BaseException) -> str:
    """Return the first line of an error's message."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def is_text(kind: pa.DataType) -> bool:
    """Return whether values of a type are texts."""
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    view = getattr(pa.types, "is_string_view", lambda kind: False)
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or view(kind))


def open_parquet(name: str, stream: BinaryIO, wanted: tuple[str, ...], id: str | None, batch_size: int) -> TableReader:
    """Open a Parquet file; arguments as for `reading.open_table`."""
    import pyarrow.parquet as pq

    try:
        # Page by page: by default a whole row group is fetched at once, and some writers make one of the whole file.
        file = pq.ParquetFile(stream, buffer_size=1 << 20, pre_buffer=False)
        schema = file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        raise TableError(f"{name} is not a Parquet file that can be read: {first_line(error)}") from error
    a, b = text_columns(schema.names, wanted, name)
    for column in (a, b):
        if not is_text(schema.field(column).type):
            raise TableError(f"the column {column!r} of {name} holds {schema.field(column).type}, not text")

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        try:
            for batch in file.iter_batches(batch_size):
                yield Chunk(*split_rows(batch, a, b, reader.lines + 1))
                reader.lines += batch.num_rows
        except (pa.ArrowException, OSError) as error:
            raise TableError(f"{name} is broken after row {reader.lines:,}: {first_line(error)}") from error

    total = file.metadata.num_rows
    return TableReader(name, "parquet", stream, schema, (a, b), chunks, id_column(id, schema.names, name), total)


def split_rows(
    batch: pa.RecordBatch, a: str, b: str, start: int
) -> tuple[pa.RecordBatch, list[str], list[str], list[Reject], list[int]]:
    """Return the good rows of a batch, their texts, the bad rows, and the numbers of the good ones.

    Parameters
    ----------
    batch
        Consecutive rows.
    a, b
        The columns with the texts.
    start
        Number of the first row.
    """
    texts = [_to_python(batch.column(column)) for column in (a, b)]
    rejects = []
    good = []
    for row, pair in enumerate(zip(*texts, strict=True)):
        reasons = [bad_text(text, column) for text, column in zip(pair, (a, b), strict=True)]
        reasons = [NOT_UTF8 if text is _BROKEN else reason for text, reason in zip(pair, reasons, strict=True)]
        reason = reasons[0] or reasons[1]
        if reason is None:
            good.append(row)
        else:
            raw = plain_row(batch, row)
            rejects.append(Reject(start + row, reason, json_text(raw), raw))
    if rejects:
        batch = batch.take(pa.array(good, pa.int64()))
    first, second = ([column[row] for row in good] for column in texts)
    return batch, first, second, rejects, [start + row for row in good]


class _Broken:
    def __str__(self) -> str:
        return "<undecodable>"


_BROKEN = _Broken()


def plain_row(batch: pa.RecordBatch, row: int) -> dict[str, Any]:
    """Return one row by column name, in plain values; what cannot be decoded says so."""
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
