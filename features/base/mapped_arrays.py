"""Folders of arrays that are mapped into memory, shared between processes, and checked against their manifest."""

import hashlib
import io
import json
from collections.abc import Mapping
from pathlib import Path
from tokenize import TokenError
from typing import Any, NamedTuple

import numpy as np

OF_HEADERS = (ValueError, TypeError, SyntaxError, TokenError, OverflowError, RecursionError, MemoryError)
"""Errors that numpy raises for headers of arrays, which it reads as Python literals."""


class MappedError(ValueError):
    """Error of a folder of arrays that differs from its manifest."""


class Mapped(NamedTuple):
    """Read-only arrays by name, and a digest of their content."""

    arrays: dict[str, np.ndarray]
    digest: str


def map_arrays(folder: Path, remedy: str) -> Mapped:
    """Map every ``.npy`` file that ``manifest.json`` lists, and compare its SHA-256.

    Parameters
    ----------
    folder
        Folder of the files.
    remedy
        Advice for the message of an error.

    Raises
    ------
    MappedError
        If the manifest cannot be read, or a file is missing, cut or changed.
    """
    try:
        manifest = (folder / "manifest.json").read_bytes()
        files = {name: facts["sha256"] for name, facts in json.loads(manifest)["files"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        raise MappedError(f"{str(folder / 'manifest.json')!r} is missing or not a manifest; {remedy}") from None
    arrays = {}
    for name, expected in files.items():
        path = folder / name
        try:
            if not path.is_file():  # a named pipe would block
                raise OSError
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            raise MappedError(f"{str(path)!r} is missing; {remedy}") from None
        if digest != expected:
            raise MappedError(f"{str(path)!r} is not the file that its manifest describes; {remedy}")
        # As a plain array: indexing a memmap costs more.
        try:
            arrays[path.stem] = np.asarray(np.load(path, mmap_mode="r", allow_pickle=False))
        except (*OF_HEADERS, OSError, EOFError) as error:
            raise MappedError(f"{str(path)!r} cannot be read as an array ({str(error)[:80]!r}); {remedy}") from None
    return Mapped(arrays, hashlib.sha256(manifest).hexdigest()[:16])


def facts_of(data: bytes) -> dict[str, Any]:
    """Return hash and size of the content of a file."""
    return {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}


def write_arrays(folder: Path, arrays: Mapping[str, np.ndarray], **facts: Any) -> None:
    """Write a folder that `map_arrays` maps; equal arrays and facts give equal bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    manifest = folder / "manifest.json"
    # First of all, so that an unfinished folder never counts as a complete one.
    manifest.unlink(missing_ok=True)
    files = {}
    for name, array in sorted(arrays.items()):
        buffer = io.BytesIO()
        np.save(buffer, array, allow_pickle=False)
        content = buffer.getvalue()
        (folder / f"{name}.npy").write_bytes(content)
        files[f"{name}.npy"] = facts_of(content)
    described = {"format": 1, "files": files, **facts}
    manifest.write_text(json.dumps(described, indent=1, sort_keys=True) + "\n", encoding="utf-8")
