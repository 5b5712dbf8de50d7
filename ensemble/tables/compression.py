"""Compressed streams, read and written forwards: zstd by pyarrow, the others by the standard library."""

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

from .table_reader import TableError

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".xz": "xz", ".bz2": "bzip2", ".zip": "zip"}
"""File name extension to compression."""

WRITTEN = {suffix: compression for suffix, compression in COMPRESSIONS.items() if compression != "zip"}
"""Those of them that are written, too."""

MAGIC = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\xfd7zXZ\x00": "xz",
    **{b"BZh%d1AY&SY" % level: "bzip2" for level in range(1, 10)},
}
"""First bytes of streams; an archive of zip is not one, as its end is read first."""

_BLOCK = 1 << 20

_FREE_LINES, _MOST_LINES = 1 << 20, 10
"""Lines that any file may hold, and those that a file with more may hold for each of its compressed bytes.

A table has less than one line a byte; half a megabyte of compressed blank lines would take minutes to read.
"""

# The 9 that is the library's default takes 1.4 times as long for 0.4 % less (measured on the STS Benchmark).
_LEVEL = 6


def compression_of(path: str | Path) -> tuple[str | None, Path]:
    """Return the compression that the name of a file shows, or None, and the name without its extension."""
    compression = COMPRESSIONS.get(Path(path).suffix.lower())
    return compression, Path(path) if compression is None else Path(path).with_suffix("")


def compression_by_magic(head: bytes) -> str | None:
    """Return the compression of a stream with these first bytes, or None."""
    return next((compression for magic, compression in MAGIC.items() if head.startswith(magic)), None)


_READERS: dict[str, Callable[[BinaryIO], BinaryIO]] = {
    "gzip": lambda source: cast(BinaryIO, gzip.GzipFile(fileobj=source, mode="rb")),
    "xz": lambda source: cast(BinaryIO, lzma.LZMAFile(source)),
    "bzip2": lambda source: cast(BinaryIO, bz2.BZ2File(source)),
}

_DAMAGE = (EOFError, OSError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)


def _only_member(source: BinaryIO, name: str) -> Any:
    """Return the stream of the file in a zip archive."""
    try:
        archive = zipfile.ZipFile(source)
    except zipfile.BadZipFile as error:
        raise TableError(f"{name} must be a zip archive, got a file that cannot be read as one; rename it") from error
    inside = [info for info in archive.infolist() if not info.is_dir() and not info.filename.startswith("__MACOSX/")]
    if len(inside) != 1 or inside[0].flag_bits & 1:
        got = "one with a password" if len(inside) == 1 else f"{len(inside):,}"
        raise TableError(f"{name} must hold one file without a password, got {got}; unpack it")
    return archive.open(inside[0])


class _Decompressed(io.RawIOBase):
    def __init__(self, source: BinaryIO, compression: str, name: str) -> None:
        self.source = source
        self.compression = compression
        self.name = name
        self._begin()

    def _begin(self) -> None:
        self.read_bytes = self.read_lines = self.line_ends = 0
        self.packed = _Shared(self.source)
        self.inner: Any
        if self.compression == "zip":
            self.packed.read_bytes = self.source.seek(0, io.SEEK_END)  # an archive is not read in order
            self.inner = _only_member(self.source, self.name)
        elif self.compression in _READERS:
            self.inner = _READERS[self.compression](cast(BinaryIO, self.packed))
        else:
            import pyarrow as pa

            self.inner = pa.CompressedInputStream(pa.PythonFile(self.packed, mode="r"), "zstd")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self.source.seekable()

    def tell(self) -> int:
        return self.read_bytes

    def seek(self, offset: int, whence: int = 0) -> int:
        if (offset, whence) != (0, 0):
            raise io.UnsupportedOperation("a compressed stream can only go back to its beginning")
        self.source.seek(0)
        self._begin()
        return 0

    def readinto(self, buffer: Any) -> int:
        try:
            data = self.inner.read1(len(buffer))
        except _DAMAGE as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise  # an error of the disk, not of the data
            raise TableError(self._damage(error)) from error
        self.read_bytes += len(data)
        self.read_lines += data.count(b"\n")
        self.line_ends += data.count(b"\n") + data.count(b"\r")
        if self.line_ends > max(_FREE_LINES, _MOST_LINES * self.packed.read_bytes):
            raise TableError(
                f"{self.name} must hold at most {_MOST_LINES} lines for each compressed byte, got more up to line "
                f"{self.read_lines:,}; remove the blank ones, or unpack it first"
            )
        buffer[: len(data)] = data
        return len(data)

    def _damage(self, error: Exception) -> str:
        archive = self.compression == "zip"
        if not self.read_bytes and not archive and compression_by_magic(self._first_bytes()) != self.compression:
            return f"{self.name} is not compressed by {self.compression}; rename it"
        if not self.read_bytes:
            return f"{self.name} cannot be unpacked by {self.compression}: {error}"
        return (
            f"{self.name} is cut short or damaged after line {self.read_lines:,} "
            f"(byte {self.read_bytes:,} of the text): {error}; copy or compress it again"
        )

    def _first_bytes(self) -> bytes:
        if not self.source.seekable():
            return next(magic for magic, compression in MAGIC.items() if compression == self.compression)
        self.source.seek(0)
        return self.source.read(max(map(len, MAGIC)))

    def close(self) -> None:
        self.source.close()
        super().close()


def decompressed(source: BinaryIO, compression: str, name: str) -> BinaryIO:
    """Return a stream with the decompressed content of another, all members or frames of it."""
    return cast(BinaryIO, io.BufferedReader(_Decompressed(source, compression, name), 1 << 17))


class _Shared:
    # pyarrow closes its source and its target, which others still need.
    closed = False

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.read_bytes = 0

    def read(self, size: int) -> bytes:
        data = self.stream.read(size)
        self.read_bytes += len(data)
        return data

    def write(self, data: bytes) -> int:
        return self.stream.write(data)

    def flush(self) -> None:
        self.stream.flush()

    def close(self) -> None:
        self.closed = True


class _Blocks(io.RawIOBase):
    """Stream that passes on blocks of one size, so that the output does not depend on the pieces of the input."""

    def __init__(self, target: Any) -> None:
        self.target = target
        self.held = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self.held += data
        while len(self.held) >= _BLOCK:
            self.target.write(bytes(self.held[:_BLOCK]))
            del self.held[:_BLOCK]
        return len(data)

    def finish(self) -> None:
        self.target.write(bytes(self.held))
        self.target.close()


@contextmanager
def compressing(stream: BinaryIO, compression: str) -> Iterator[BinaryIO]:
    """Open a stream whose content is compressed into another; the same content gives the same bytes."""
    import pyarrow as pa

    target: Any
    if compression == "gzip":
        target = gzip.GzipFile(filename="", mode="wb", compresslevel=_LEVEL, fileobj=stream, mtime=0)
    elif compression == "zstd":
        target = pa.CompressedOutputStream(pa.PythonFile(_Shared(stream), mode="w"), "zstd")
    else:
        target = lzma.LZMAFile(stream, "wb") if compression == "xz" else bz2.BZ2File(stream, "wb")
    blocks = _Blocks(target)
    yield cast(BinaryIO, blocks)
    blocks.finish()
