"""A table's file or stream: opened, looked at, and its format told by its name or else by its first bytes."""

import hashlib
import io
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from .compression import compression_by_magic, compression_of, decompressed
from .table_files import files_of
from .text_layouts import FIELD_LIMIT, TableError

FORMATS = {".csv": "csv", ".tsv": "tsv", ".txt": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""File name extension to format."""

HEAD = 1 << 16
"""Bytes looked at, or more where the first line is longer."""

_PACKED_HEAD = 1 << 18
"""Bytes of a compressed pipe looked at: more than the longest block of zstd, before whose end there is no text."""


class _Replay(io.RawIOBase):
    """A stream whose first bytes have been looked at."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self.head = memoryview(head)
        self.rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.head[: len(buffer)] if len(self.head) else self.rest.read1(len(buffer))  # type: ignore[attr-defined]
        self.head = self.head[len(data) :]
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if self.rest is not sys.stdin.buffer:
            self.rest.close()
        super().close()


def format_of_name(path: str | Path) -> tuple[str | None, str | None]:
    """Return the format and the compression that a name tells, as in ``pairs.csv.gz``; None for what it does not."""
    compression, inner = compression_of(path)
    return FORMATS.get(inner.suffix.lower()), compression


def open_source(path: str, format: str | None) -> tuple[BinaryIO, bytes, str]:
    """Open a file (``-``: standard input) and return the stream, its first bytes and its format.

    What is compressed is decompressed on the way: a file whose name says so, a pipe or standard input whose first bytes
    do.

    Raises
    ------
    TableError
        If it is absent, empty, of no known format, or damaged.
    """
    name = "standard input" if path == "-" else path
    known, compression = (None, None) if path == "-" else format_of_name(path)
    if path != "-" and Path(path).is_file() and known is None and format is None:
        raise TableError(
            f"the name {path} does not tell its format; use one of {', '.join(FORMATS)}, or say the format"
        )
    found = known or format
    if found not in (None, *FORMATS.values()):
        raise TableError(f"there is no format {found!r}; the formats are {', '.join(dict.fromkeys(FORMATS.values()))}")
    # Line ends are looked for later, so the stream itself stays binary.
    stream = cast(BinaryIO, sys.stdin.buffer if path == "-" else open(path, "rb"))
    try:
        if path == "-" or not stream.seekable():
            return _of_pipe(stream, name, found)
        if compression is not None:
            stream = decompressed(stream, compression, name)
        head = _head(stream)
        found = _format(head, name, found, compression)
        stream.seek(0)
        return stream, head, found
    except BaseException:
        if path != "-":
            stream.close()
        raise


def _of_pipe(stream: BinaryIO, name: str, format: str | None) -> tuple[BinaryIO, bytes, str]:
    head = _head(stream)
    compression = compression_by_magic(head)
    if compression is None:
        found = _format(head, name, format, None)
        if found in ("csv", "tsv"):
            return _replay(head, stream), head, found
        return _spooled(head, stream), head, found  # JSON is read twice, and Parquet from its end
    head += stream.read(max(_PACKED_HEAD - len(head), 0))
    with decompressed(cast(BinaryIO, io.BytesIO(head)), compression, name) as beginning:
        found = format or sniff(_whatever_comes(beginning))
    # Spooled as it came: what it unpacks to may be a thousand times as long.
    packed = _spooled(head, stream) if found == "jsonl" else _replay(head, stream)
    unpacked = decompressed(packed, compression, name)
    head = _head(unpacked)
    found = _format(head, name, found, compression)
    if found == "jsonl":
        unpacked.seek(0)
        return unpacked, head, found
    return _replay(head, unpacked), head, found


def _head(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD)
    while head and b"\n" not in head and b"\r" not in head and len(head) < FIELD_LIMIT:
        more = stream.read(len(head))
        if not more:
            break
        head += more
    return head


def _whatever_comes(stream: BinaryIO) -> bytes:
    with suppress(TableError):  # the beginning of a compressed stream ends too early
        return stream.read1(HEAD)  # type: ignore[attr-defined]
    return b""


def _format(head: bytes, name: str, format: str | None, compression: str | None) -> str:
    if not head.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n"):
        raise TableError(f"{name} is empty")
    found = format or sniff(head)
    if found == "parquet" and compression is not None:
        raise TableError(f"{name} is Parquet within {compression}; unpack it, Parquet is compressed inside already")
    if found != "parquet":
        refuse_binary(head, name)
        if len(head) >= FIELD_LIMIT and b"\n" not in head and b"\r" not in head:
            raise TableError(f"the first line of {name} is longer than {FIELD_LIMIT:,} bytes; is it a table?")
    return found


def _replay(head: bytes, stream: BinaryIO) -> BinaryIO:
    return cast(BinaryIO, io.BufferedReader(_Replay(head, stream)))


def _spooled(head: bytes, stream: BinaryIO) -> BinaryIO:
    spool = cast(BinaryIO, tempfile.TemporaryFile())
    spool.write(head)
    shutil.copyfileobj(stream, spool, 1 << 20)
    if stream is not sys.stdin.buffer:
        stream.close()
    spool.seek(0)
    return spool


def sniff(head: bytes) -> str:
    """Guess the format of a stream without a name."""
    if head.startswith(b"PAR1"):
        return "parquet"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in re.split(b"[\r\n]", text, maxsplit=1)[0] else "csv"


_UTF16 = "UTF-16 text"

_MAGIC = {
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "compressed by gzip",
    b"\x28\xb5\x2f\xfd": "compressed by zstd",
    b"PK\x03\x04": "a zip archive or spreadsheet",
    b"\xff\xfe": _UTF16,
    b"\xfe\xff": _UTF16,
}


def refuse_binary(head: bytes, name: str) -> None:
    """Raise `TableError` if these are not the first bytes of a UTF-8 text."""
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            remedy = " by iconv -f UTF-16 -t UTF-8" if what == _UTF16 else ", or give it its true name"
            raise TableError(f"{name} is {what}, not UTF-8 text as its format needs; convert it{remedy}")
    sample = head[:8192]
    undecodable = sample.decode("utf-8", "replace").count("\ufffd")
    control = sum(byte < 32 and byte not in b"\t\n\v\f\r" for byte in sample)
    # NULs alone, or bytes of another encoding alone, are damage in some rows; both together are no text.
    if b"\0" in sample and undecodable > 1 and undecodable + control > 0.1 * len(sample):
        raise TableError(f"{name} is a binary file, not text")


def fingerprint(source: str | Path) -> str:
    """Return a digest of a table's bytes: 32 hexadecimal digits of BLAKE2b, read as a stream.

    Of a single file it depends on the content alone; of a folder or a pattern also on the names of the files in it.

    Raises
    ------
    TableError
        If it is standard input or a pipe, which cannot be read twice, or if there is no such file.
    """
    if str(source) == "-":
        raise TableError("standard input cannot be read twice; save it to a file first")
    files = files_of(source)
    digest = hashlib.blake2b(digest_size=16)
    for path in files.paths:
        if not path.is_file():
            raise TableError(f"{path} is a pipe or a device, which cannot be read twice; save it to a file first")
        label = b"" if files.root is None else files.name(path).encode("utf-8", "surrogateescape")
        with path.open("rb", buffering=0) as file:
            content = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=32))
            digest.update(b"%d:%b:%d:%b" % (len(label), label, file.tell(), content.digest()))
    return digest.hexdigest()
