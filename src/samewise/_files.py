"""Files that take their name when they are complete; several processes may write the same one at once.

The content goes to a neighbour of the target whose name no other writer has. The writer that ends last wins.
"""

import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

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

    No other process may be writing it; what lies beside other targets stays.
    """
    target = Path(os.path.realpath(path))
    ours = re.compile(re.escape(_beginning(target)) + r"[0-9a-f]{16}\.partial", re.DOTALL)
    for name in os.listdir(target.parent):
        if ours.fullmatch(name):
            with suppress(OSError):
                target.with_name(name).unlink()


def on_disk(file: BinaryIO | Path) -> None:
    """Wait until an open file, or the names in a folder, would survive a power failure."""
    if not isinstance(file, Path):
        file.flush()
        os.fsync(file.fileno())
    elif os.name != "nt":  # Windows has no such call for folders
        handle = os.open(file, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _beginning(target: Path) -> str:
    # The whole name, or a digest of it: the neighbours of two targets must be distinct.
    name = os.fsencode(target.name)
    if len(name) <= _LONGEST_NAME:
        return f".{target.name}."
    digest = hashlib.blake2b(name, digest_size=8).hexdigest()
    return f".{os.fsdecode(name[: _LONGEST_NAME - 20])}~{digest}."


def _neighbour(target: Path) -> tuple[Path, BinaryIO]:
    partial = target.with_name(f"{_beginning(target)}{secrets.token_hex(8)}.partial")
    return partial, partial.open("xb")
