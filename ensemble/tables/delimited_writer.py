"""Rows written as lines of delimited text."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, BinaryIO

import pyarrow as pa

from .plain_values import AS_WORDS, is_marked, text_values
from .table_errors import TableError
from .text_rows import json_text, write_lines


class DelimitedWriter:
    """A file of delimited text in the making: a heading, then a line a row.

    Parameters
    ----------
    file
        The open file.
    schema
        The columns.
    line_of
        Returns the line of some fields without its end, or None if the format cannot hold them.
    title
        The name of the format for messages.
    """

    def __init__(
        self, file: BinaryIO, schema: pa.Schema, *, line_of: Callable[[Sequence[str]], str | None], title: str
    ) -> None:
        self._file = file
        self._line_of = line_of
        heading = line_of(schema.names)
        if heading is None:
            broken = next(name for name in schema.names if line_of([name]) is None)
            raise TableError(f"{title} cannot hold the column name {broken!r}; rename it or write another format")
        write_lines(file, [heading])

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out."""
        columns = [_texts(column, field) for column, field in zip(batch.columns, batch.schema, strict=True)]
        lines = [self._line_of(row) for row in zip(*columns, strict=True)]
        write_lines(self._file, [line for line in lines if line is not None])
        return [row for row, line in enumerate(lines) if line is None]

    def close(self, complete: bool) -> None:
        """Do nothing: every line is written."""


def _texts(column: pa.Array, field: pa.Field) -> Iterable[str]:
    values = text_values(column)
    if is_marked(field, AS_WORDS):
        return map(" ".join, values)
    if pa.types.is_float64(column.type) and not column.null_count:
        return map(repr, values)
    return map(_text, values)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    return json_text(value) if isinstance(value, bool | list | dict) else str(value)
