"""Tables as they are opened: files, streams and objects in memory."""

import hashlib
import io
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, Unpack, cast

import pyarrow as pa

from .compression import MAGIC, compression_by_magic, decompressed
from .encodings import as_utf8, encoding_of
from .table_files import Files, files_of, open_several
from .table_format import (
    HEAD,
    DelimitedText,
    TableFile,
    TableFormat,
    format_of_name,
    known_format,
    refuse_packed,
    sniff,
    suffixes,
    table_formats,
)
from .table_reader import Chunk, TableError, TableReader, find_column, split_columns
from .text_rows import FIELD_LIMIT, Reject

_PACKED_HEAD = 1 << 20
"""Bytes read of a compressed pipe to recognise it: more than a block of zstd or bzip2, before whose end is no text."""


class _Replay(io.RawIOBase):
    """Stream whose first bytes were read ahead."""

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


def open_source(path: str, format: str | None) -> tuple[BinaryIO, bytes, TableFormat]:
    """Open a file (``-``: standard input) and return the stream, its first bytes and its format."""
    name = "standard input" if path == "-" else path
    by_name, compression = (None, None) if path == "-" else format_of_name(path)
    chosen = by_name or format
    if chosen is None and path != "-" and Path(path).is_file():
        raise TableError(
            f"the name {path} does not show its format; use one of {', '.join(suffixes())}, or name the format"
        )
    table_format = None if chosen is None else known_format(chosen)
    # Line ends are looked for later, so the stream itself stays binary.
    stream = cast(BinaryIO, sys.stdin.buffer if path == "-" else open(path, "rb"))
    try:
        if path == "-" or not stream.seekable():
            return _of_pipe(stream, name, table_format)
        if compression is not None:
            stream = decompressed(stream, compression, name)
        head = _head(stream)
        stream.seek(0)
        if (encoding := encoding_of(head)) is not None:
            stream = as_utf8(stream, encoding, name)
            head = _head(stream)
            stream.seek(0)
        return stream, head, _checked(head, name, table_format, compression)
    except BaseException:
        if path != "-":
            stream.close()
        raise


def _of_pipe(stream: BinaryIO, name: str, table_format: TableFormat | None) -> tuple[BinaryIO, bytes, TableFormat]:
    head = _head(stream)
    compression = compression_by_magic(head)
    if (encoding := encoding_of(head)) is not None:
        stream = as_utf8(_replay(head, stream), encoding, name)
        head = _head(stream)
    if compression is None:
        table_format = _checked(head, name, table_format, None)
        return (_spooled if table_format.rereads else _replay)(head, stream), head, table_format
    head += stream.read(max(_PACKED_HEAD - len(head), 0))
    with decompressed(cast(BinaryIO, io.BytesIO(head)), compression, name) as beginning:
        table_format = table_format or sniff(_first_bytes(beginning))
    # Spooled as it came: what it unpacks to may be a thousand times as long.
    rereads = table_format.columns_of is not None  # a binary format is refused below
    unpacked = decompressed((_spooled if rereads else _replay)(head, stream), compression, name)
    head = _head(unpacked)
    table_format = _checked(head, name, table_format, compression)
    if rereads:
        unpacked.seek(0)
        return unpacked, head, table_format
    return _replay(head, unpacked), head, table_format


def _head(stream: BinaryIO) -> bytes:
    head = stream.read(HEAD)
    while head and b"\n" not in head and b"\r" not in head and len(head) < FIELD_LIMIT:
        more = stream.read(len(head))
        if not more:
            break
        head += more
    return head


def _first_bytes(stream: BinaryIO) -> bytes:
    with suppress(TableError):  # the beginning of a compressed stream ends too early
        return stream.read1(HEAD)  # type: ignore[attr-defined]
    return b""


def _checked(head: bytes, name: str, table_format: TableFormat | None, compression: str | None) -> TableFormat:
    """Return the format of a stream whose first bytes can be those of a table."""
    if not head.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n"):
        raise TableError(f"{name} is empty")
    table_format = table_format or sniff(head)
    refuse_packed(table_format, compression, name)
    if not table_format.binary:
        _refuse_binary(head, name)
        if len(head) >= FIELD_LIMIT and b"\n" not in head and b"\r" not in head:
            raise TableError(
                f"the first line of {name} must have at most {FIELD_LIMIT:,} bytes, got more; give a table"
            )
    return table_format


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


_MAGIC = {
    **{magic: f"compressed by {compression}" for magic, compression in MAGIC.items()},
    b"PK\x03\x04": "a zip archive or spreadsheet",
}


def _refuse_binary(head: bytes, name: str) -> None:
    """Refuse first bytes that are not those of a UTF-8 text."""
    formats = {value.magic: value.title for value in table_formats().values() if value.binary}
    for magic, content in {**formats, **_MAGIC}.items():
        if head.startswith(magic):
            raise TableError(f"{name} is {content}, not text as its format needs; convert it, or rename it")
    sample = head[:8192]
    undecodable = sample.decode("utf-8", "replace").count("\ufffd")
    control = sum(byte < 32 and byte not in b"\t\n\v\f\r" for byte in sample)
    # NULs alone, or bytes of another encoding alone, are damage in some rows; both together are not text.
    if b"\0" in sample and undecodable > 1 and undecodable + control > 0.1 * len(sample):
        raise TableError(f"{name} must be UTF-8 text, got a binary file; convert it")


def fingerprint(source: str | Path) -> str:
    """Return a digest of a table's bytes: 32 hexadecimal digits of BLAKE2b, read as a stream.

    For a single file it depends on the content alone; for a folder or a pattern also on the names of the files.

    Raises
    ------
    TableError
        If the source is standard input or a pipe, which cannot be read twice, or does not exist.
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


__all__ = ["BATCH", "Chunk", "Reject", "TableError", "TableReader", "find_column", "open_table"]

BATCH = 2_048
"""Rows in a chunk."""


def open_table(
    path: str | Path,
    columns: str | Sequence[str] | None = None,
    id: str | None = None,
    format: str | None = None,
    batch_size: int = BATCH,
    missing: bool = False,
    **text: Unpack[DelimitedText],
) -> TableReader:
    """Open a table of sentence pairs.

    Parameters
    ----------
    path
        A file in one of the formats of `table_format.table_formats`; text may be compressed, as
        `compression.COMPRESSIONS` lists. Or a folder or a pattern of such files, all of one format and with the same
        columns; or ``-`` for standard input.
    columns
        The two columns with the texts, ``"A,B"`` or a list: names, or numbers from 1. Without it, the columns are
        ``sentence1`` and ``sentence2``, or those of the STS data sets that `text_rows.recognise` knows. Names with
        commas can be given in a list.
    id
        A column that names the rows.
    format
        The name of the format, if the file name does not show it.
    batch_size
        Most rows in a chunk.
    missing
        Whether a row whose text is missing is a good row, with None for it.
    text
        The ``delimiter`` of delimited text, if its first line does not show it, and ``header=False`` if no line holds
        the column names; columns are then called ``column1``, ``column2`` and so on.

    Raises
    ------
    TableError
        If the file is missing, empty or not in the format of its name, if it lacks a column, or if files differ.
    """
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    wanted = split_columns(columns)
    if (delimiter := text.get("delimiter")) is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise TableError(f"the delimiter must be one character other than a quote, got {delimiter!r}; give it as ';'")
    if str(path) == "-":
        return _open_one("-", wanted, id, format, batch_size, text, missing=missing)
    files = files_of(path)
    if files.root is None:
        return _open_one(str(path), wanted, id, format, batch_size, text, missing=missing)
    shared = _one_format(files, format)
    fields = None if shared.columns_of is None else shared.columns_of(_streams(files, shared.name))
    one = partial(
        _open_one,
        wanted=wanted,
        id=None,
        format=shared.name,
        batch_size=batch_size,
        text=text,
        fields=fields,
        missing=missing,
    )
    return open_several(str(path), files, one, id)


def _open_one(
    path: str,
    wanted: tuple[str, ...],
    id: str | None,
    format: str | None,
    batch_size: int,
    text: DelimitedText,
    fields: Mapping[str, pa.Field] | None = None,
    missing: bool = False,
) -> TableReader:
    name = "standard input" if path == "-" else path
    before = Path(path).stat() if path != "-" and Path(path).is_file() else None
    stream, head, table_format = open_source(path, format)
    try:
        reader = table_format.open(
            TableFile(name, table_format, stream, head, wanted, id, batch_size, text, fields, missing)
        )
    except BaseException:
        stream.close()
        raise
    if before is not None:
        reader.check_unchanged = partial(_check_unchanged, path, before)
    return reader


def _check_unchanged(path: str, before: os.stat_result) -> None:
    # A file that replaced this one does not matter: what is read is the one that was opened.
    with suppress(FileNotFoundError):
        now = os.stat(path)
        if now.st_ino == before.st_ino and (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise TableError(f"{path} must stay as it is during the run, got a change; run it again")


def _one_format(files: Files, format: str | None) -> TableFormat:
    formats = {path: format_of_name(path)[0] or format for path in files.paths}
    first = files.paths[0]
    for path, name in formats.items():
        if name is None:
            raise TableError(
                f"{files.root} holds {files.name(path)}, whose name does not show its format; name the files by a "
                "pattern such as 'parts/*.parquet'"
            )
        if name != formats[first]:
            raise TableError(
                f"{files.name(first)} is {formats[first]} and {files.name(path)} is {name}; name the files of one "
                "format by a pattern such as 'parts/*.parquet'"
            )
    return known_format(str(formats[first]))


def _streams(files: Files, format: str) -> Iterator[BinaryIO]:
    for path in files.paths:
        with closing(open_source(str(path), format)[0]) as stream:
            yield stream
