"""Arrays of numbers as one compressed file: numpy's npz, but the same bytes for the same arrays, and safe to read."""

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping

import numpy as np

LIMIT = 1 << 30
"""Largest sum of unpacked sizes that is accepted by default, in bytes."""

_STAMP = (1980, 1, 1, 0, 0, 0)  # the least time a zip file can hold; the present one would make equal arrays differ


def pack_arrays(arrays: Mapping[str, np.ndarray]) -> bytes:
    """Return arrays of numbers as a compressed npz file, the same bytes for the same arrays in any order.

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
            archive.writestr(entry, content.getvalue(), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def unpack_arrays(data: bytes, limit: int = LIMIT) -> dict[str, np.ndarray]:
    """Return the arrays of an npz file of numbers, read-only.

    Parameters
    ----------
    data
        Content of a file that `pack_arrays` or ``numpy.savez`` wrote.
    limit
        Largest sum of unpacked sizes in bytes; more is refused before it is unpacked.

    Raises
    ------
    ValueError
        If the data is damaged, too large, or holds anything but numbers.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
            size = sum(entry.file_size for entry in entries)
            if size > limit:
                raise ValueError(f"the arrays unpack to {size} bytes and the limit is {limit}; do not use this file")
            return {entry.filename.removesuffix(".npy"): _array(_unpacked(archive, entry)) for entry in entries}
    except (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError) as error:
        raise ValueError(f"the arrays are damaged ({error}); copy the bundle again") from None


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or entry.flag_bits & 1:
        raise zipfile.BadZipFile(f"{entry.filename!r} is not packed as numpy packs")
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
    except ValueError as error:
        raise ValueError(f"an array is damaged ({error}); copy the bundle again") from None
