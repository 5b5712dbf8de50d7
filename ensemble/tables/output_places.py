"""Places that an output goes to: a file, standard output, or another open stream; checked before any work is done."""

import errno
import os
import re
import stat
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO, cast

from ...features.complete_files import check_writable
from .table_errors import TableError

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
    """Return the stream that a path of `is_stream` names; closing it leaves the process's own handle open.

    Raises
    ------
    OSError
        If nothing is open there.
    """
    handle = 1 if str(path) == "-" else open_handle(path)
    if handle == 1:
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
