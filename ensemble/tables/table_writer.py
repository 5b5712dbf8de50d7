"""Tables written to a file that appears when it is complete, or to standard output."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from ...features.complete_files import complete_file
from .compression import COMPRESSIONS, compressing
from .format_catalogue import format_of_name, known_format, refuse_packed, suffixes
from .output_places import check_output, is_standard_output, is_stream, opened_stream
from .table_errors import TableError
from .table_format import BatchWriter


def format_of(path: str | Path, format: str | None) -> str:
    """Return the name of the format of an output, by its file name or else the name given.

    Raises
    ------
    TableError
        If both are missing or the format is unknown.
    """
    by_name, compression = (None, None) if is_stream(path) else format_of_name(path)
    chosen = by_name or format
    if chosen is None:
        raise TableError(
            f"the name {path} does not show its format; use one of {', '.join(suffixes())}, or name the format "
            f"(and to compress text, end the name in {' or '.join(COMPRESSIONS)})"
        )
    refuse_packed(known_format(chosen), compression, str(path))
    return chosen


@contextmanager
def complete_output(path: str | Path) -> Iterator[BinaryIO]:
    """Open an output that gets its name only if the block ends without an exception; ``-`` is standard output.

    Raises
    ------
    TableError, OSError
        If it cannot be written; see `check_output`.
    """
    if is_stream(path):
        stream = opened_stream(path)
        with nullcontext() if is_standard_output(path) else stream:
            yield stream
            stream.flush()
        return
    check_output(path)
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as device:  # such as /dev/null: written to, never replaced
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
        compressed if the name ends so, as in ``scores.csv.gz``.
    format
        The name of the format, if the file name does not show it.
    """

    def __init__(self, path: str | Path, format: str | None = None) -> None:
        self.path = path
        self.format = format_of(path, format)
        self.compression = None if is_stream(path) else format_of_name(path)[1]
        self._format = known_format(self.format)
        self._stack = ExitStack()
        self._writer: BatchWriter | None = None

    @property
    def refusal(self) -> str:
        """The reason why rows are left out, for messages."""
        return f"{self._format.cannot_hold}, which {self._format.title} cannot hold"

    def __enter__(self) -> "TableWriter":
        self._file = self._stack.enter_context(complete_output(self.path))
        if self._format.binary and (is_stream(self.path) or not self._file.seekable()):
            self._file = self._stack.enter_context(_copied_to(self._file))
        if self.compression is not None:
            self._file = self._stack.enter_context(compressing(self._file, self.compression))
        return self

    def __exit__(self, *error: Any) -> None:
        if self._writer is not None:
            try:
                self._writer.close(complete=error[0] is None)
            except BaseException:
                self._stack.__exit__(*sys.exc_info())
                raise
        self._stack.__exit__(*error)

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out.

        The first batch, which may be empty, fixes the columns.
        """
        if self._writer is None:
            self._writer = self._format.writer(self._file, batch.schema)
        return self._writer.write(batch)


@contextmanager
def _copied_to(stream: BinaryIO) -> Iterator[BinaryIO]:
    # The writer of a binary format asks for its place in the file, which a pipe does not know.
    with tempfile.TemporaryFile() as spool:
        yield cast(BinaryIO, spool)
        spool.seek(0)
        shutil.copyfileobj(spool, stream)
