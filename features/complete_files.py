"""Files that take their name when they are complete; several processes may write the same one at once.

The content goes to a neighbour of the target whose name no other writer has and which is locked while its writer lives.
The writer that ends last wins. What a killed writer left can be removed without touching the file of a living one.
"""

import glob
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

_MARKED = re.compile(r".*\.[0-9a-f]{16}\.partial", re.DOTALL)


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


def remove_abandoned(path: str | Path) -> None:
    """Remove what killed writers of a file left beside it; the neighbours of living writers stay."""
    target = Path(os.path.realpath(path))
    for partial in target.parent.glob(f".{glob.escape(target.name[:200])}.*"):
        if _MARKED.fullmatch(partial.name):
            with suppress(OSError), partial.open("rb") as file:
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


def _neighbour(target: Path) -> tuple[Path, BinaryIO]:
    while True:
        partial = target.with_name(f".{target.name[:200]}.{secrets.token_hex(8)}.partial")
        file = cast(BinaryIO, partial.open("xb"))
        with suppress(OSError):  # of a file system without locks, where nothing is removed either
            locked(file)
        if partial.exists():
            return partial, file
        file.close()  # taken for abandoned before it was locked
