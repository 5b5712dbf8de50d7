"""Folder of an index: files named by the digest of their content, and ``index.json``, which names those in use.

A new version is written as new files, and counts once ``index.json`` is replaced; only then are the earlier files
removed. A writer that is stopped at any point leaves the earlier version whole, and what it left the next one removes.
"""

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, BinaryIO

import pyarrow as pa

from ..._files import complete_file, on_disk
from ...features.linguistics.glossary import Glossary
from .search import RARE_WORDS
from .texts import text_views

MANIFEST = "index.json"
"""File that describes an index, in its folder."""

FORMAT = 1

_LOCK = "index.lock"
_CONTENT = re.compile(r"(?:texts|rows|(?:codes|graph)-\w+)-([0-9a-f]{64})\.(?:arrow|npy|usearch)", re.ASCII)
_PARTIAL = re.compile(r"content\.partial|\.index\.json\.[0-9a-f]{16}\.partial")


class IndexFileError(ValueError):
    """Error of an index that cannot be used here; the message names the index, the reason and a remedy."""


def check_index_place(folder: str | Path) -> None:
    """Check that an index can be written to a folder: that it is no file and has no other content."""
    place = Path(folder)
    if place.exists() and not (place.is_dir() and (is_index(place) or all(map(_is_ours, os.listdir(place))))):
        raise IndexFileError(f"{place} must be an empty folder or an index, got something else; name another folder")


def check_new_place(folder: str | Path) -> None:
    """Check that a new index can be written to a folder; raise IndexFileError if it holds anything."""
    if is_index(folder):
        raise IndexFileError(f"{folder} must be a new folder, got an index; add --append, or name another")
    check_index_place(folder)


def is_index(folder: str | Path) -> bool:
    """Return whether a folder holds an index."""
    return (Path(folder) / MANIFEST).is_file()


def _locked(file: IO[Any]) -> bool:
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


@contextmanager
def locked_folder(place: Path) -> Iterator[None]:
    """Lock the folder of an index, to which one process at a time may write."""
    with (place / _LOCK).open("ab") as lock:
        if not _locked(lock):
            raise IndexFileError(
                f"the index {place} must be written by one process at a time, got another at work; wait until it is "
                "done, then run this again"
            )
        yield


def store(place: Path, kind: str, ending: str, write: Callable[[BinaryIO], object]) -> str:
    """Write a file of an index and return its name."""
    partial = place / "content.partial"
    with partial.open("xb") as file:
        write(file)
        on_disk(file)
    name = f"{kind}-{_digest_of(partial)}{ending}"
    partial.replace(place / name)
    return name


def store_table(place: Path, kind: str, table: pa.Table) -> str:
    """Write a table of an index to a file and return its name."""

    def write(file: BinaryIO) -> None:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)

    return store(place, kind, ".arrow", write)


def read_table(path: Path) -> pa.Table:
    """Return a table of an index, mapped into memory."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_file(file).read_all()


def write_version(place: Path, facts: Callable[[], dict[str, Any]]) -> None:
    """Write a version of an index to its locked folder; `facts` writes files by `store`, and returns the manifest."""
    _remove_unused(place)
    try:
        content = json.dumps({"format": FORMAT, **facts()}, indent=1).encode()
        on_disk(place)  # the names of the files, before they count
        with complete_file(place / MANIFEST) as file:
            file.write(content)
    finally:
        _remove_unused(place)


def read_manifest(place: Path) -> dict[str, Any]:
    """Return what ``index.json`` says, if it describes an index of this version."""
    try:
        facts: dict[str, Any] = json.loads((place / MANIFEST).read_bytes())
        views = facts["views"].keys()
        known = views <= {*text_views(), RARE_WORDS} and facts["codes"].keys() == views - {RARE_WORDS}
        stored_glossary(facts)  # so that a malformed one shows now
        sound = facts["format"] == FORMAT and known and all(map(_CONTENT.fullmatch, _names(facts)))
    except FileNotFoundError:
        raise IndexFileError(f"{place} must be an index, got a folder without {MANIFEST}; build one first") from None
    except (AttributeError, ValueError, LookupError, TypeError, RecursionError) as error:
        raise IndexFileError(f"{place / MANIFEST} must describe an index, got other content; build it again") from error
    if not sound:
        raise IndexFileError(f"the index {place} must be of this version of samewise, got another; build it again")
    return facts


def stored_glossary(facts: dict[str, Any]) -> Glossary | None:
    """Return the glossary of an index; raise TypeError or ValueError for a malformed one."""
    return Glossary.of(list(facts["glossary"])) if "glossary" in facts else None


def check_files(place: Path, facts: dict[str, Any]) -> None:
    """Check that every file of an index is there and has the content that its name gives."""
    for name in _names(facts):
        match = _CONTENT.fullmatch(name)
        if match is None or not (place / name).is_file() or _digest_of(place / name) != match[1]:
            raise IndexFileError(f"{place / name} must be as it was written, got a file that changed; build it again")


def _names(facts: dict[str, Any]) -> list[str]:
    graphs = [name for graph in facts["graphs"].values() for name in graph["files"]]
    return [facts["texts"], facts["rows"], *facts["codes"].values(), *graphs]


def _digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _is_ours(name: str) -> bool:
    return name == _LOCK or bool(_CONTENT.fullmatch(name) or _PARTIAL.fullmatch(name))


def _remove_unused(place: Path) -> None:
    """Remove the files of other versions, and what a stopped writer left."""
    used = {_LOCK, *(_names(read_manifest(place)) if is_index(place) else ())}
    for name in os.listdir(place):
        if _is_ours(name) and name not in used:
            with suppress(OSError):  # on Windows, of a file that a reader has open
                (place / name).unlink()
