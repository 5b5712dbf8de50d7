"""Folder of an unfinished run, marked and locked; only files that runs put there are ever removed.

The file ``lock`` is the mark. It is locked as long as the run lives, however it ends, and is the last file that is
removed, before the lock is released.
"""

import os
import re
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, cast

from ..._files import locked, on_disk
from ..tables.table_reader import TableError

RUN, JOURNAL, LOCK = "run.json", "journal.jsonl", "lock"

MARK = b"samewise: lock of an unfinished run\n"

_OURS = re.compile(r"run\.json|journal\.jsonl|part-[0-9]{6,}\.scores|\.run\.json\.[0-9a-f]{16}\.partial")

_TRIES = 100


def part_name(number: int) -> str:
    """Return the name of the part with a number, from 0."""
    return f"part-{number:06d}.scores"


def claim(folder: Path) -> BinaryIO | None:
    """Make the folder of a run, or take over that of a run that ended, and return its lock; None on Windows.

    Raises
    ------
    TableError
        If there is something else of that name, or another process runs it.
    """
    for _ in range(_TRIES):
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            raise _not_ours(folder, "a link" if folder.is_symlink() else "a file")
        with suppress(FileExistsError):
            folder.mkdir()
        try:
            _check_mark(folder)
            lock = open_plain(folder / LOCK, os.O_RDWR | os.O_CREAT)
        except FileNotFoundError:  # removed by the process that has just ended
            continue
        if not locked(lock):
            lock.close()
            raise TableError(f"another process is at work in {folder}; wait until it is done, or end it")
        # The lock of a removed file would lock nobody out.
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(lock.fileno()), os.stat(folder / LOCK)):
                return _marked(lock)
        lock.close()
    raise TableError(f"the folder {folder} must stay, but others remove it again and again; name another output")


def _marked(lock: BinaryIO) -> BinaryIO | None:
    if not lock.read(1):
        lock.write(MARK)
        on_disk(lock)
    if os.name == "nt":  # Windows removes no folder with an open file
        lock.close()
        return None
    return lock


def _check_mark(folder: Path) -> None:
    """Refuse a folder that no run made; an empty one may be that of a run killed at its start."""
    names = set(os.listdir(folder))
    if not names:
        return
    if LOCK in names:
        with open_plain(folder / LOCK, os.O_RDONLY) as file:
            mark = file.read(len(MARK) + 1)
        if mark == MARK or (not mark and names == {LOCK}):
            return
    raise _not_ours(folder, f"one with {min(names)!r}")


def _not_ours(folder: Path, got: str) -> TableError:
    return TableError(
        f"{folder} must be a folder that samewise made for an unfinished run, got {got}; rename it, or name another "
        "output"
    )


def remove(folder: Path) -> None:
    """Remove what runs put into a folder, ``run.json`` first and the lock last, and then the folder if it is empty."""
    # First of all, so that a folder without a journal never counts as an unfinished run.
    (folder / RUN).unlink(missing_ok=True)
    with suppress(OSError):
        for name in filter(_OURS.fullmatch, sorted(os.listdir(folder), reverse=True)):
            with suppress(OSError):
                (folder / name).unlink()
        (folder / LOCK).unlink(missing_ok=True)
        folder.rmdir()


def open_plain(path: Path, flags: int) -> BinaryIO:
    """Open a file that is no link to another, so that nothing outside its folder is read or changed.

    Parameters
    ----------
    path
        The file.
    flags
        As for `os.open`.

    Raises
    ------
    TableError
        If it is a link, a folder, a pipe or a device, or if it is to be changed and has a second name.
    """
    safe = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(os.fspath(path), flags | safe, 0o666)
    except FileNotFoundError:
        raise
    except OSError as error:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise _not_plain(path) from error
        raise
    facts = os.fstat(handle)
    if not stat.S_ISREG(facts.st_mode) or (flags & (os.O_WRONLY | os.O_RDWR) and facts.st_nlink > 1):
        os.close(handle)
        raise _not_plain(path)
    mode = "r+b" if flags & os.O_RDWR else "wb" if flags & os.O_WRONLY else "rb"
    return cast(BinaryIO, open(path, mode, opener=lambda *_: handle))


def create_plain(path: Path) -> BinaryIO:
    """Open a new file for writing, in place of one that a run killed at this step left; see `open_plain`."""
    if path.is_symlink() or not path.is_dir():
        path.unlink(missing_ok=True)
    return open_plain(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def _not_plain(path: Path) -> TableError:
    return TableError(
        f"{path} must be a plain file with one name, got a link, folder, pipe or device; remove {path.parent} to begin "
        "again"
    )


def read_plain(path: Path, most: int) -> bytes:
    """Return the content of a file, at most `most` bytes and one more, under the rules of `open_plain`."""
    with open_plain(path, os.O_RDONLY) as file:
        return file.read(most + 1)
