"""Tables written to a temporary neighbour that takes the name when it is complete, or to standard output."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from ...features.complete_files import complete_file
from .compression import COMPRESSIONS, compressing
from .plain_values import plain_values
from .row_groups import RowGroups
from .table_source import FORMATS, format_of_name
from .text_layouts import TableError
from .text_rows import AS_JSON, json_text

AS_WORDS = {b"samewise": b"words"}
"""Metadata of a column of lists of words: in delimited text they stand with blanks between them."""

_QUOTED = re.compile('[",\r\n]')
_BREAKS = re.compile("[\t\r\n]")


def format_of(path: str | Path, format: str | None) -> str:
    """Return the format of an output: what its name says, or else the format given.

    Raises
    ------
    TableError
        If neither tells.
    """
    known, compression = (None, None) if str(path) == "-" else format_of_name(path)
    found = known or format
    if found not in FORMATS.values():
        raise TableError(
            f"the name {path} does not tell its format; use one of {', '.join(FORMATS)}, or say the format "
            f"(and to compress text, end the name in {' or '.join(COMPRESSIONS)})"
        )
    if found == "parquet" and compression is not None:
        raise TableError(f"{path} would be Parquet within {compression}; name it .parquet, which is compressed inside")
    return str(found)


@contextmanager
def complete_output(path: str | Path) -> Iterator[BinaryIO]:
    """Open an output that gets its name only if the block ends without an exception; ``-`` is standard output."""
    if str(path) == "-":
        yield cast(BinaryIO, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise TableError(f"the output {path} must be a file, got a folder; name a file in it")
    if target.exists() and not target.is_file():
        with target.open("wb") as device:  # such as /dev/null: to be written to, never replaced
            yield cast(BinaryIO, device)
        return
    with complete_file(target) as file:
        yield file


class TableWriter:
    """A table in the making; a context manager.

    Parameters
    ----------
    path
        The file, which appears when the block ends without an exception, or ``-`` for standard output. Text is
        compressed where the name says so, as in ``scores.csv.gz``.
    format
        Its format where the name does not tell it.
    """

    def __init__(self, path: str | Path, format: str | None = None) -> None:
        self.path = path
        self.format = format_of(path, format)
        self.compression = None if str(path) == "-" else format_of_name(path)[1]
        self._stack = ExitStack()
        self._parquet: RowGroups | None = None
        self._started = False

    def __enter__(self) -> "TableWriter":
        self._file = self._stack.enter_context(complete_output(self.path))
        if self.format == "parquet" and not (self._file.seekable() and self._file is not sys.stdout.buffer):
            self._file = self._stack.enter_context(_copied_to(self._file))
        if self.compression is not None:
            self._file = self._stack.enter_context(compressing(self._file, self.compression))
        return self

    def __exit__(self, *error: Any) -> None:
        if self._parquet is not None:
            try:
                self._parquet.close(complete=error[0] is None)
            except BaseException:
                self._stack.__exit__(*sys.exc_info())
                raise
        self._stack.__exit__(*error)

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out.

        The first batch, which may be empty, fixes the columns.
        """
        if self.format == "parquet":
            if self._parquet is None:
                self._parquet = RowGroups(self._file, batch.schema)
            self._parquet.write(batch)
            return []
        if self.format == "jsonl":
            names = batch.schema.names
            columns = [_values(column, field) for column, field in zip(batch.columns, batch.schema, strict=True)]
            lines = [json_text(dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True)]
            self._put(lines)
            return []
        return self._write_delimited(batch)

    def _write_delimited(self, batch: pa.RecordBatch) -> list[int]:
        names = batch.schema.names
        rows = list(zip(*(_texts(c, f) for c, f in zip(batch.columns, batch.schema, strict=True)), strict=True))
        bad: list[int] = []
        if self.format == "csv":
            # Not csv.writer: with "\n" as line end it leaves a lone "\r" unquoted, and a reader ends the row there.
            lines = [",".join(map(_quoted, row)) for row in rows]
            heading = ",".join(map(_quoted, names))
        else:
            broken = next((name for name in names if _BREAKS.search(name)), None)
            if broken is not None:
                raise TableError(f"the column name {broken!r} cannot stand in TSV; write another format")
            bad = [i for i, row in enumerate(rows) if any(map(_BREAKS.search, row))]
            left_out = set(bad)
            lines = ["\t".join(row) for i, row in enumerate(rows) if i not in left_out]
            heading = "\t".join(names)
        self._put(lines if self._started else [heading, *lines])
        self._started = True
        return bad

    def _put(self, lines: Sequence[str]) -> None:
        if lines:
            self._file.write(("\n".join(lines) + "\n").encode())


@contextmanager
def _copied_to(stream: BinaryIO) -> Iterator[BinaryIO]:
    # A Parquet writer asks where it is in its file, which a pipe does not know.
    with tempfile.TemporaryFile() as spool:
        yield cast(BinaryIO, spool)
        spool.seek(0)
        shutil.copyfileobj(spool, stream)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if _QUOTED.search(text) else text


def _values(column: pa.Array, field: pa.Field) -> list[Any]:
    import json

    values = plain_values(column)
    if _marked(field, AS_JSON):
        return [None if text is None else json.loads(text) for text in values]
    return values


def _texts(column: pa.Array, field: pa.Field) -> Iterable[str]:
    words = _marked(field, AS_WORDS)
    return [" ".join(value) if words else _text(value) for value in plain_values(column)]


def _marked(field: pa.Field, mark: dict[bytes, bytes]) -> bool:
    return field.metadata is not None and field.metadata.get(b"samewise") == mark[b"samewise"]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)  # the shortest text that gives the same number
    return json_text(value) if isinstance(value, bool | list | dict) else str(value)
