"""The contract of a format of tables."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple, Protocol

import pyarrow as pa

from .table_reader import TableReader

HEAD = 1 << 16
"""Bytes that are read to recognise a format and a layout; more where the first line is longer."""


class TableFile(NamedTuple):
    """An open file, and the columns and batch size for its reader.

    Attributes
    ----------
    name
        The name of the table for messages.
    format
        The format of the file.
    stream
        The file from its first byte, decompressed. Where the format is `TableFormat.rereads`, it can be read again and
        from any place.
    head
        The first bytes of the stream.
    columns
        The two columns with the texts: names, or numbers from 1; empty for the known ones.
    id
        A column that names the rows, or None.
    batch_size
        Most rows in a chunk.
    fields
        The columns by name where `TableFormat.columns_of` has read them from several files, or None.
    """

    name: str
    format: "TableFormat"
    stream: BinaryIO
    head: bytes
    columns: tuple[str, ...]
    id: str | None
    batch_size: int
    fields: Mapping[str, pa.Field] | None = None


class BatchWriter(Protocol):
    """A writer of record batches of one schema to an open file."""

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out."""
        ...

    def close(self, complete: bool) -> None:
        """End the file; an incomplete file is discarded."""
        ...


def _never(head: bytes) -> bool:
    return False


@dataclass(frozen=True)
class TableFormat:
    """A format of tables: a value in a file of `formats`, where the catalogue finds it.

    A format with `magic` is binary: its rows have numbers instead of lines, its stream can be read from any place, and
    it compresses its content itself, so ``.gz`` and ``.zst`` are refused. Any other format is UTF-8 text.

    Attributes
    ----------
    name
        The name that ``--format`` takes.
    title
        The name in messages.
    suffixes
        The file name extensions, lower case with the dot.
    open
        Returns the reader of an open file.
    writer
        Returns the writer of an open file to which columns of a schema go. That of a binary format can ask for its
        place in the file.
    magic
        The first bytes of every file of a binary format.
    resembles
        Returns whether a text that begins with these bytes is in this format; a text that no format recognises is CSV.
    cannot_hold
        The content of rows that cannot be written, for messages; empty if all can.
    columns_of
        Reads the columns of several files together, for text that does not declare them; None if a header does. Such
        files are read twice.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    open: Callable[[TableFile], TableReader]
    writer: Callable[[BinaryIO, pa.Schema], BatchWriter]
    magic: bytes = b""
    resembles: Callable[[bytes], bool] = _never
    cannot_hold: str = ""
    columns_of: Callable[[Iterable[BinaryIO]], dict[str, pa.Field]] | None = None

    @property
    def binary(self) -> bool:
        """True unless files are UTF-8 text."""
        return bool(self.magic)

    @property
    def rereads(self) -> bool:
        """True if a file is read more than once or from its end, so that a pipe must be kept."""
        return self.binary or self.columns_of is not None

    @property
    def unit(self) -> str:
        """Unit that numbers count: ``line`` or ``row``."""
        return "row" if self.binary else "line"
