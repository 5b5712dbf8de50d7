"""Folders of arrays that are mapped into memory, shared between processes, and checked against their manifest."""

import hashlib
import json
from pathlib import Path
from tokenize import TokenError
from typing import NamedTuple

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
        raise MappedError(f"{str(folder / 'manifest.json')!r} is missing or no manifest; {remedy}") from None
    arrays = {}
    for name, expected in files.items():
        path = folder / name
        try:
            if not path.is_file():  # a named pipe would be waited for
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
            raise MappedError(f"{str(path)!r} is no array ({str(error)[:80]!r}); {remedy}") from None
    return Mapped(arrays, hashlib.sha256(manifest).hexdigest()[:16])
