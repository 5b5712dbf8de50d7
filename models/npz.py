"""Arrays of numbers as one compressed file: numpy's npz, but the same bytes for the same arrays, and safe to read."""

import io
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Mapping

import numpy as np

from ..features.base.mapped_arrays import OF_HEADERS

LIMIT = 1 << 27
"""Largest sum of unpacked sizes that is accepted by default, in bytes: that of a whole bundle."""

MOST_ARRAYS = 1_024
"""Most arrays of a file; 22 is the largest number that is written here."""

_STAMP = (1980, 1, 1, 0, 0, 0)  # the least time a zip file can hold; the present one would make equal arrays differ
_END = struct.Struct(
    "<4s4H2LH"
)  # the end of a zip file: mark, disks, numbers of entries, size and place of the directory
_END64 = b"PK\x06\x07"  # mark before it, where the sizes are stored elsewhere


def pack_arrays(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return arrays of numbers as a compressed npz file; the same arrays in any order give the same bytes.

    Raises
    ------
    ValueError
        If an array holds Python objects.
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in sorted(arrays):
            content = io.BytesIO()
            np.lib.format.write_array(content, np.asarray(arrays[name]), version=(1, 0), allow_pickle=False)
            entry = zipfile.ZipInfo(f"{name}.npy", _STAMP)
            entry.create_system = 3  # else the file names the system that wrote it
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content.getvalue(), zipfile.ZIP_DEFLATED, 6)  # 9 takes eight times as long for 2 %
    return buffer.getvalue()


def unpacked_size(data: bytes) -> int:
    """Return the sum of the sizes to which the arrays of an npz file unpack, from its directory alone."""
    with _opened(data) as archive:
        return sum(entry.file_size for entry in archive.infolist())


def unpack_arrays(data: bytes, limit: int = LIMIT, names: Collection[str] | None = None) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file of numbers, read-only.

    Parameters
    ----------
    data
        Content of a file that `pack_arrays` or ``numpy.savez`` wrote.
    limit
        Largest sum of unpacked sizes in bytes; more is refused before it is unpacked.
    names
        The arrays that may be in the file; a file with another one is refused before it is unpacked. All, if None.

    Raises
    ------
    ValueError
        If the data is damaged, too large, or holds anything but numbers or an array that is not named.
    """
    with _opened(data) as archive:
        entries = {entry.filename.removesuffix(".npy"): entry for entry in archive.infolist()}
        unknown = [] if names is None else sorted(entries.keys() - set(names))
        if unknown:
            raise ValueError(
                f"the arrays must be among {', '.join(names or ())}, got {unknown[0]!r:.80}; save it again"
            )
        size = sum(entry.file_size for entry in entries.values())
        if size > limit:
            raise ValueError(f"the arrays unpack to {size} bytes and the limit is {limit}; do not use this file")
        try:
            return {name: _array(_unpacked(archive, entry)) for name, entry in entries.items()}
        except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, NotImplementedError) as error:
            raise ValueError(f"the arrays are damaged ({error!s:.120}); copy the bundle again") from None


def _opened(data: bytes) -> zipfile.ZipFile:
    # zipfile reads the whole directory, and an entry of 50 bytes takes 700 in memory: their number is bounded first.
    end = data[-_END.size :]
    if len(end) < _END.size or not end.startswith(b"PK\x05\x06") or data[-_END.size - 20 :].startswith(_END64):
        raise ValueError("the arrays are damaged (no directory of a zip file at the end); copy the bundle again")
    _, _, _, _, count, size, _, _ = _END.unpack(end)
    if count > MOST_ARRAYS or size > MOST_ARRAYS * 256:
        raise ValueError(f"the file must hold up to {MOST_ARRAYS} arrays, got {count}; do not use it")
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, struct.error, NotImplementedError, ValueError, IndexError) as error:
        raise ValueError(f"the arrays are damaged ({error!s:.120}); copy the bundle again") from None
    names = Counter(entry.filename.removesuffix(".npy") for entry in archive.infolist())
    name, times = next(iter(names.most_common(1)), ("", 1))
    if times > 1:
        raise ValueError(
            f"each array of a file must be there once, got {name!r:.80} {times} times; copy the bundle again"
        )
    return archive


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 1:
        raise zipfile.BadZipFile(f"{entry.filename!r:.80} is not packed as numpy packs")
    with archive.open(entry) as file:
        return file.read(entry.file_size)  # a bare `read` may unpack far more than the size that the entry claims


def _array(data: bytes) -> np.ndarray:
    stream = io.BytesIO(data)
    try:
        version = np.lib.format.read_magic(stream)
        if version != (1, 0):
            raise ValueError(f"its header has the version {version}")
        shape, fortran, dtype = np.lib.format.read_array_header_1_0(stream)
        if dtype.kind not in "biuf" or not dtype.isnative or min(shape, default=0) < 0:
            raise ValueError(f"it has the type {dtype} and shape {shape}")
        # Not numpy's reader, which reserves memory for the shape that the header claims before it sees the data.
        array = np.frombuffer(data, dtype=dtype, offset=stream.tell())
        return array.reshape(shape, order="F" if fortran else "C")
    except OF_HEADERS as error:
        raise ValueError(f"an array is damaged ({str(error):.200}); copy the bundle again") from None
