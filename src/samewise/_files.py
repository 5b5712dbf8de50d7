"""Files that take their name when they are complete; several processes may write the same one at once.

The content goes to a neighbour of the target whose name no other writer has and which is locked while its writer lives.
The writer that ends last wins. The file of a killed writer can be removed without touching that of a living one, or a
file that no writer of this target made.
"""

import hashlib
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

_LONGEST_NAME = 200
"""Bytes of a target's name that its neighbours repeat: with a digest and an ending they stay under 255."""


@contextmanager
def complete_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file for writing that replaces the one of that name when the block ends without an exception.

    Parameters
    ----------
    path
        The target; if it is a link, the link stays and the file that it points to is replaced.
    """
    target = Path(os.path.realpath(path))
    partial, file = _neighbour(target)
    try:
        with file:
            yield file
            on_disk(file)
        partial.replace(target)
        on_disk(target.parent)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def check_writable(path: str | Path) -> None:
    """Check that `complete_file` can write a file, by a neighbour of it that is removed at once."""
    target = Path(os.path.realpath(path))
    partial, file = _neighbour(target)
    file.close()
    partial.unlink(missing_ok=True)


def remove_abandoned(path: str | Path) -> None:
    """Remove the temporary files that killed writers of a file left beside it.

    The neighbours of living writers and of other targets stay, and so do links and files of another user.
    """
    target = Path(os.path.realpath(path))
    ours = re.compile(re.escape(_beginning(target)) + r"[0-9a-f]{16}\.partial", re.DOTALL)
    for name in os.listdir(target.parent):
        if ours.fullmatch(name):
            with suppress(OSError):
                _remove_if_abandoned(target.with_name(name))


def _remove_if_abandoned(partial: Path) -> None:
    facts = partial.lstat()
    if not stat.S_ISREG(facts.st_mode) or (hasattr(os, "geteuid") and facts.st_uid != os.geteuid()):
        return
    with partial.open("rb") as file:
        if locked(file):
            partial.unlink()


def on_disk(file: IO[Any] | Path) -> None:
    """Wait until an open file, or the names in a folder, would survive a power failure."""
    if isinstance(file, Path):
        if os.name == "nt":  # Windows has no such call for folders
            return
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        return
    file.flush()
    os.fsync(file.fileno())


def locked(file: IO[Any]) -> bool:
    """Lock an open file until it is closed or this process ends; return False if another process holds the lock."""
    try:
        import fcntl
    except ModuleNotFoundError:  # Windows, which does not remove open files either
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _beginning(target: Path) -> str:
    # The whole name, or a digest of it: the neighbours of two targets must be distinct.
    name = os.fsencode(target.name)
    if len(name) <= _LONGEST_NAME:
        return f".{target.name}."
    digest = hashlib.blake2b(name, digest_size=8).hexdigest()
    return f".{os.fsdecode(name[: _LONGEST_NAME - 20])}~{digest}."


def _neighbour(target: Path) -> tuple[Path, BinaryIO]:
    while True:
        partial = target.with_name(f"{_beginning(target)}{secrets.token_hex(8)}.partial")
        file = cast(BinaryIO, partial.open("xb"))
        with suppress(OSError):  # of a file system without locks, where nothing is removed either
            locked(file)
        if partial.exists():
            return partial, file
        file.close()  # removed as abandoned before it was locked
