"""Writers of tables, the places that they write to, and names that are free."""

import errno
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any, BinaryIO, cast

import pyarrow as pa

from ..._files import check_writable, complete_file
from .compression import WRITTEN, compressing
from .table_format import BatchWriter, format_of_name, known_format, no_format, refuse_packed
from .table_reader import TableError

TOGETHER = ("score", "low", "high")
"""Columns that are prefixed together, so that an interval has the name of its score."""


def free_names(
    wanted: Iterable[str], taken: Iterable[Any], fold: Callable[[Any], Any] = lambda name: name
) -> list[str]:
    """Return a name for each new column; a name that is taken is prefixed, as in ``samewise_score``.

    If a name of `TOGETHER` is taken, all of them are prefixed.

    Parameters
    ----------
    wanted
        The names of the new columns.
    taken
        The names of the columns that are there.
    fold
        Maps names that count as equal to one value, as `str.lower` does where case does not matter.
    """
    used = set(map(fold, taken))
    names = list(wanted)
    group = [name for name in TOGETHER if name in names]
    prefix = ""
    while any(fold(f"{prefix}{name}") in used for name in group):
        prefix += "samewise_"
    found = []
    for name in names:
        free = f"{prefix}{name}" if name in group else name
        while fold(free) in used:
            free = f"samewise_{free}"
        used.add(fold(free))
        found.append(free)
    return found


_HANDLE = re.compile(r"/(?:dev|proc/(self|thread-self|[0-9]+))/fd/([0-9]+)")

_MOST_LINKS = 40


def open_handle(path: str | Path) -> int | None:
    """Return the number of the open file of this process that a path such as ``/dev/stdout`` names, or None."""
    place = os.path.abspath(path)
    for _ in range(_MOST_LINKS):
        named = _HANDLE.fullmatch(place)
        if named:
            own = named[1] in (None, "self", "thread-self", str(os.getpid()))
            return int(named[2]) if own else None
        try:
            place = os.path.normpath(os.path.join(os.path.dirname(place), os.readlink(place)))
        except (OSError, ValueError):
            return None
    return None


def is_standard_output(path: str | Path) -> bool:
    """Return whether a path is ``-``, or a name of standard output such as ``/dev/stdout``."""
    return str(path) == "-" or open_handle(path) == 1


def is_stream(path: str | Path) -> bool:
    """Return whether an output is an open stream, which is written forwards and never replaced."""
    return str(path) == "-" or open_handle(path) is not None


def opened_stream(path: str | Path) -> BinaryIO:
    """Return the stream that a path of `is_stream` names; closing it leaves the process's own handle open."""
    handle = 1 if str(path) == "-" else open_handle(path)
    if handle == 1:
        if sys.stdout is None:  # closed before this process began
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")
        return cast(BinaryIO, sys.stdout.buffer)
    assert handle is not None
    return cast(BinaryIO, os.fdopen(os.dup(handle), "wb"))


def check_output(path: str | Path | None) -> None:
    """Check before the work begins that an output can be written; None is no output.

    Raises
    ------
    TableError
        If it is a folder, or a file of another user in a folder where only its owner may replace it.
    OSError
        If its folder does not exist or cannot be written to.
    """
    if path is None or is_stream(path):
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise TableError(f"the output {path} must be a file, got a folder; name a file in it")
    if target.exists() and not target.is_file():
        if not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
        return
    try:
        check_writable(target)
    except OSError as error:
        where = target.parent if isinstance(error, FileNotFoundError | NotADirectoryError) else path
        raise type(error)(error.errno, error.strerror, str(where)) from error
    _check_owner(target)


def _check_owner(target: Path) -> None:
    if not hasattr(os, "geteuid") or not target.exists() or os.geteuid() == 0:
        return
    folder = target.parent.stat()
    if folder.st_mode & stat.S_ISVTX and os.geteuid() not in (folder.st_uid, target.stat().st_uid):
        raise TableError(f"the output {target} must be a file of yours, got one of another user; name another file")


def check_output_folder(folder: str | Path) -> None:
    """Check before the work begins that a folder can be made, and files in it.

    Raises
    ------
    TableError
        If it is a file.
    OSError
        If the folder, or the first one above it that exists, cannot be written to.
    """
    place = Path(os.path.realpath(folder))
    if place.exists() and not place.is_dir():
        raise TableError(f"the output must be a folder, got the file {folder}; name a folder")
    while not place.exists():
        place = place.parent
    try:
        os.rmdir(tempfile.mkdtemp(prefix=".samewise-", dir=place))
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(place)) from error


def format_of(path: str | Path, format: str | None) -> str:
    """Return the name of the format of an output, by its file name or else the name given."""
    by_name, compression = (None, None) if is_stream(path) else format_of_name(path)
    chosen = by_name or format
    if chosen is None:
        raise no_format(path)
    refuse_packed(known_format(chosen), compression, str(path))
    if compression not in (None, *WRITTEN.values()):
        raise TableError(f"the output must not be packed by {compression}, got {path}; end its name in .gz")
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
    escape_formulas
        Whether texts that a spreadsheet program would read as formulas are escaped, in formats that such a program
        reads as plain text; see `DelimitedWriter`.
    """

    def __init__(self, path: str | Path, format: str | None = None, *, escape_formulas: bool = False) -> None:
        self.path = path
        self.format = format_of(path, format)
        self.compression = None if is_stream(path) else format_of_name(path)[1]
        self._format = known_format(self.format)
        self._settings = {"escape_formulas": True} if escape_formulas and self._format.formulas else {}
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
            self._writer = self._format.writer(self._file, batch.schema, **self._settings)
        return self._writer.write(batch)


@contextmanager
def _copied_to(stream: BinaryIO) -> Iterator[BinaryIO]:
    # The writer of a binary format asks for its place in the file, which a pipe does not know.
    with tempfile.TemporaryFile() as spool:
        yield cast(BinaryIO, spool)
        spool.seek(0)
        shutil.copyfileobj(spool, stream)
