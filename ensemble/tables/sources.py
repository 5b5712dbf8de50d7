"""A table's file or stream: opened, looked at, and its format told by its name or else by its first bytes."""

import io
import sys
import tempfile
from pathlib import Path
from typing import Any, BinaryIO, cast

from .layouts import TableError

FORMATS = {".csv": "csv", ".tsv": "tsv", ".txt": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}
"""File name extension to format."""

HEAD = 1 << 16
"""Bytes looked at, or more where the first line is longer."""

_LONGEST_FIRST_LINE = 1 << 24


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


def open_source(path: str, format: str | None) -> tuple[BinaryIO, bytes, str]:
    """Open a file (``-``: standard input) and return the stream, its first bytes and its format.

    Raises
    ------
    TableError
        If it is absent, a folder, empty, or of no known format.
    """
    name = "standard input" if path == "-" else path
    known = FORMATS.get(Path(path).suffix.lower()) if path != "-" else None
    if path != "-":
        if Path(path).is_dir():
            raise TableError(f"{path} is a folder; name a file in it")
        if not Path(path).exists():
            raise TableError(f"there is no file {path}")
        if Path(path).is_file() and known is None and format is None:
            raise TableError(
                f"the name {path} does not tell its format; use one of {', '.join(FORMATS)}, or say the format"
            )
    # Line ends are looked for later, so the stream itself stays binary.
    stream = cast(BinaryIO, sys.stdin.buffer if path == "-" else open(path, "rb"))
    try:
        return _begun(stream, path, name, known or format)
    except BaseException:
        if path != "-":
            stream.close()
        raise


def _begun(stream: BinaryIO, path: str, name: str, format: str | None) -> tuple[BinaryIO, bytes, str]:
    head = stream.read(HEAD)
    while head and b"\n" not in head and b"\r" not in head and len(head) < _LONGEST_FIRST_LINE:
        more = stream.read(len(head))
        if not more:
            break
        head += more
    if not head.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n"):
        raise TableError(f"{name} is empty")
    found = format or sniff(head)
    if found not in FORMATS.values():
        raise TableError(f"there is no format {found!r}; the formats are {', '.join(dict.fromkeys(FORMATS.values()))}")
    if found != "parquet":
        refuse_binary(head, name)
    if path != "-" and stream.seekable():
        stream.seek(0)
        return stream, head, found
    if found in ("csv", "tsv"):
        return cast(BinaryIO, io.BufferedReader(_Replay(head, stream))), head, found
    return _spooled(head, stream), head, found  # JSON is read twice, and Parquet from its end


def _spooled(head: bytes, stream: BinaryIO) -> BinaryIO:
    spool = cast(BinaryIO, tempfile.TemporaryFile())
    spool.write(head)
    while block := stream.read(1 << 20):
        spool.write(block)
    spool.seek(0)
    return spool


def sniff(head: bytes) -> str:
    """Guess the format of a stream without a name."""
    if head.startswith(b"PAR1"):
        return "parquet"
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text.startswith(b"{"):
        return "jsonl"
    return "tsv" if b"\t" in text.splitlines()[0] else "csv"


_MAGIC = {
    b"PAR1": "a Parquet file",
    b"\x1f\x8b": "compressed by gzip",
    b"PK\x03\x04": "a zip archive or spreadsheet",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}


def refuse_binary(head: bytes, name: str) -> None:
    """Raise `TableError` if these are not the first bytes of a UTF-8 text."""
    for magic, what in _MAGIC.items():
        if head.startswith(magic):
            raise TableError(
                f"{name} is {what}, not UTF-8 text as its format needs; convert it, or give it its true name"
            )
    sample = head[:8192]
    undecodable = sample.decode("utf-8", "replace").count("\ufffd")
    control = sum(byte < 32 and byte not in b"\t\n\v\f\r" for byte in sample)
    # NULs alone, or bytes of another encoding alone, are damage in some rows; both together are no text.
    if b"\0" in sample and undecodable > 1 and undecodable + control > 0.1 * len(sample):
        raise TableError(f"{name} is a binary file, not text")
