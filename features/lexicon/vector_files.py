"""Word vectors: reading files in the usual formats, and converting them to a folder of mapped arrays.

``docs/vectors.md`` describes the formats, the rules of case and the folder. A file is read once, some thousand rows at
a time; the rows wait on disk until the order of the table is known.
"""

import gzip
import hashlib
import json
import tempfile
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np

from ..base.mapped_arrays import Mapped, map_arrays
from ..base.token_sequences import text_hash
from ..statistics.fitted import Layout, Numbers, check_arrays
from .static_models import open_static_model
from .vector_rows import (
    LONGEST_LINE,
    ROWS_AT_A_TIME,
    OpenedVectors,
    VectorFile,
    VectorFileError,
    open_binary,
    open_text,
)
from .word_vectors import WordVectors, quantised

__all__ = ["STORAGES", "Converted", "VectorFileError", "convert_vectors", "read_vectors"]

FILE_FORMATS: tuple[Callable[[VectorFile, int | None], OpenedVectors | None], ...] = (open_binary, open_text)
"""Formats of files, in the order in which they are tried; each returns None for a file in another format."""

FOLDER_FORMATS: tuple[Callable[[Path, int | None], OpenedVectors | None], ...] = (open_static_model,)
"""Formats of folders, likewise."""

STORAGES = ("int8", "float16")
"""Types of the numbers of a converted folder."""

LARGEST = 10_000
"""Greatest absolute value of a number: beyond it the powers in the columns of K11 would not be finite in float32."""

_HASHES = Numbers(np.uint64, ("words",), ascending=True)
_CODES: Layout = {
    "hashes": _HASHES,
    "codes": Numbers(np.int8, ("words", "coordinates"), -127, 127),
    "scales": Numbers(np.float32, ("words",), 0, LARGEST),
}
_FLOATS: Layout = {"hashes": _HASHES, "values": Numbers(np.float16, ("words", "coordinates"), -LARGEST, LARGEST)}

_MANIFEST = "manifest.json"
_GZIP = b"\x1f\x8b"
_REFUSED = {
    b"PK\x03\x04": "is a zip archive; unpack it and name the file inside",
    b"\xba\x16O/": "is a model of fastText; name the .vec file that was written with it",
    b"\x80": "is a pickle, which could run code; save the vectors again with gensim's save_word2vec_format",
    b"\x93NUMPY": "is an array without its words; save the vectors with gensim's save_word2vec_format",
}
"""Remedies by the first bytes of files that are not read."""


class Converted(NamedTuple):
    """Size of converted vectors: number of words, number of coordinates, and bytes on disk."""

    words: int
    dimension: int
    size: int


def read_vectors(path: str | Path) -> WordVectors:
    """Return the vectors of a file or folder.

    Parameters
    ----------
    path
        A folder of `convert_vectors`, which is mapped into memory and checked against its manifest; or any format that
        `convert_vectors` reads, which is read into memory as int8.

    Raises
    ------
    VectorFileError
        If the path is missing, damaged or in an unknown format.
    samewise.features.base.mapped_arrays.MappedError
        If a converted folder differs from its manifest.
    """
    path = Path(path)
    if (path / _MANIFEST).is_file():
        return _map_converted(path)
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "vectors"
        convert_vectors(path, target)
        return _map_converted(target, in_memory=True)


def _map_converted(folder: Path, in_memory: bool = False) -> WordVectors:
    try:
        facts = json.loads((folder / _MANIFEST).read_bytes())
        names = set(facts["files"])
        pieces = facts.get("pieces", False)
    except (ValueError, LookupError, TypeError, AttributeError):
        names = set()
    if names not in ({"hashes.npy", "codes.npy", "scales.npy"}, {"hashes.npy", "values.npy"}):
        raise VectorFileError(
            f"the manifest of {str(folder)!r} must describe word vectors, got another manifest; name a folder that "
            f"`samewise features vectors` made"
        )
    mapped: Mapped = map_arrays(folder, "convert the vectors again")
    arrays = {name: np.array(values) if in_memory else values for name, values in mapped.arrays.items()}
    try:
        check_arrays(arrays, _FLOATS if "values" in arrays else _CODES, repr(str(folder)), "convert the vectors again")
    except ValueError as error:
        raise VectorFileError(str(error)) from None
    if not len(arrays["hashes"]):
        raise VectorFileError(f"{str(folder)!r} must hold words, got none; convert the vectors again")
    rows = arrays["codes"] if "codes" in arrays else arrays["values"]
    return WordVectors(arrays["hashes"], rows, arrays.get("scales"), mapped.digest, pieces)


def convert_vectors(
    source: str | Path, target: str | Path, *, storage: str = "int8", most: int | None = None
) -> Converted:
    """Write vectors as a folder that `read_vectors` maps into memory; it appears complete or not at all.

    Parameters
    ----------
    source
        word2vec binary or text, GloVe or fastText text, any of them with gzip; or the folder of a static model with
        ``tokenizer.json`` and ``model.safetensors`` (model2vec). The format follows from the content, not the name.
    target
        The folder to make.
    storage
        One of `STORAGES`: whole numbers with a scale for each word, or 16-bit floating point numbers.
    most
        Read the first `most` words alone; files list the most frequent first.

    Raises
    ------
    VectorFileError
        If the source is missing, damaged or in an unknown format, or the target exists.
    """
    source, target = Path(source), Path(target)
    if storage not in STORAGES:
        raise VectorFileError(f"storage must be {' or '.join(STORAGES)}, got {storage!r}")
    if most is not None and most < 1:
        raise VectorFileError(f"most must be at least 1 word, got {most}")
    if target.is_file() or (target.is_dir() and any(target.iterdir())):
        raise VectorFileError(f"the target must be a new folder, got {str(target)!r}; name another one")
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{target.name}-", dir=target.parent) as place:
        folder = Path(place) / "vectors"
        folder.mkdir()
        with (Path(place) / "rows").open("w+b") as spool, _opened(source, most) as opened:
            facts = _write_folder(folder, opened, spool, storage)
        folder.rename(target)
    return Converted(facts["words"], facts["dimension"], sum(file.stat().st_size for file in target.iterdir()))


@contextmanager
def _opened(path: Path, most: int | None) -> Iterator[OpenedVectors]:
    if path.is_dir():
        yield next(opened for opened in (open_folder(path, most) for open_folder in FOLDER_FORMATS) if opened)
        return
    name = repr(path.name)
    if not path.is_file():
        raise VectorFileError(f"word vectors must be a file or folder, got {str(path)!r}, which does not exist")
    with path.open("rb") as raw:
        packed = raw.read(2) == _GZIP
        raw.seek(0)
        try:
            if not packed:
                yield _open_file(VectorFile(raw, name, raw.readline(LONGEST_LINE)), most)
                return
            with gzip.open(raw) as file:
                yield _open_file(VectorFile(file, name, file.readline(LONGEST_LINE)), most)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise VectorFileError(f"{name} cannot be unpacked ({error}); get a complete copy") from None


def _open_file(file: VectorFile, most: int | None) -> OpenedVectors:
    for start, problem in _REFUSED.items():
        if file.first_line.startswith(start):
            raise VectorFileError(f"{file.name} {problem}")
    if not file.first_line.split():
        raise VectorFileError(f"{file.name} must begin with a word, got an empty line; get a complete copy")
    return next(opened for opened in (open_format(file, most) for open_format in FILE_FORMATS) if opened)


class _Spooled(NamedTuple):
    # Words of a source in its order, by hash in lower case; their rows wait in a file.
    hashes: np.ndarray
    is_lower: np.ndarray
    scales: np.ndarray
    rows: np.ndarray


def _write_folder(folder: Path, opened: OpenedVectors, spool: IO[bytes], storage: str) -> dict[str, Any]:
    spooled = _spool(opened, spool, storage)
    # By word; the lower-case spelling first, then the first in the source.
    order = np.lexsort((-spooled.is_lower, spooled.hashes))
    chosen = order[np.diff(spooled.hashes[order], prepend=~spooled.hashes[order[0]]) != 0]
    np.save(folder / "hashes.npy", spooled.hashes[chosen].astype("<u8"))
    if storage == "int8":
        np.save(folder / "scales.npy", spooled.scales[chosen])
    name = "codes.npy" if storage == "int8" else "values.npy"
    shape = (len(chosen), spooled.rows.shape[1])
    table = np.lib.format.open_memmap(folder / name, mode="w+", dtype=spooled.rows.dtype, shape=shape)
    for start in range(0, len(chosen), ROWS_AT_A_TIME):
        table[start : start + ROWS_AT_A_TIME] = spooled.rows[chosen[start : start + ROWS_AT_A_TIME]]
    table.flush()
    files = {}
    for path in sorted(folder.iterdir()):
        with path.open("rb") as file:
            files[path.name] = {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    # No name and no date: the same vectors give the same digest.
    facts = {"words": shape[0], "dimension": shape[1], "storage": storage, "pieces": opened.pieces, "files": files}
    (folder / _MANIFEST).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
    return facts


def _spool(opened: OpenedVectors, spool: IO[bytes], storage: str) -> _Spooled:
    keys, spellings, is_lower, scales, dimension = array("Q"), array("Q"), array("b"), array("f"), 0
    for words, values in opened.rows:
        dimension = values.shape[1]
        _check_numbers(opened, values, len(keys))
        rows = values
        if storage == "int8":
            rows, scale = quantised(values)
            scales.extend(scale.tolist())
        spool.write(np.ascontiguousarray(rows, dtype=storage).tobytes())
        for word in words:
            lower = word.lower()
            keys.append(text_hash(lower))
            spellings.append(text_hash(word))
            is_lower.append(word == lower)
    if not keys:
        raise VectorFileError(f"{opened.name} must hold words, got none; get a complete copy")
    if opened.unit != "token":  # a static model may repeat tokens
        _check_repeats(opened, np.frombuffer(spellings, dtype=np.uint64))
    spool.flush()
    return _Spooled(
        np.frombuffer(keys, dtype=np.uint64),
        np.frombuffer(is_lower, dtype=np.int8),
        np.frombuffer(scales, dtype=np.float32) if scales else np.empty(0, dtype=np.float32),
        np.memmap(spool, dtype=storage, mode="r", shape=(len(keys), dimension)),
    )


def _check_numbers(opened: OpenedVectors, values: np.ndarray, rows_before: int) -> None:
    bad = np.flatnonzero(~(np.abs(values) <= LARGEST).all(axis=1))
    if len(bad):
        row = bad[0]
        worst = next(value for value in values[row].tolist() if not abs(value) <= LARGEST)
        raise VectorFileError(
            f"numbers must be between -{LARGEST:,} and {LARGEST:,}, got {worst:g} in {opened.unit} "
            f"{opened.first + rows_before + row} of {opened.name}; correct or remove it, or scale all vectors down"
        )


def _check_repeats(opened: OpenedVectors, spellings: np.ndarray) -> None:
    order = np.argsort(spellings, kind="stable")
    repeated = np.flatnonzero(spellings[order[1:]] == spellings[order[:-1]])
    if len(repeated):
        k = repeated[np.argmin(order[1:][repeated])]
        one, two = (opened.first + row for row in (order[k], order[k + 1]))
        raise VectorFileError(f"{opened.unit}s {one} and {two} of {opened.name} list the same word; keep one of them")
