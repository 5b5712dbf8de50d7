"""The contract of a format of tables."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, NamedTuple, Protocol, TypedDict

import pyarrow as pa

from .compression import compression_of
from .table_reader import TableError, TableReader

HEAD = 1 << 16
"""Bytes that are read to recognise a format and a layout; more where the first line is longer."""


class DelimitedText(TypedDict, total=False):
    """Settings of delimited text that it does not show of itself.

    Attributes
    ----------
    delimiter
        The character between fields, which may then be quoted; None if the text shows it.
    header
        Whether the first line may hold the column names.
    """

    delimiter: str | None
    header: bool


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
    text
        What delimited text does not show of itself.
    fields
        The columns by name where `TableFormat.columns_of` has read them from several files, or None.
    missing
        Whether rows whose text is missing are good rows, with None for it.
    """

    name: str
    format: "TableFormat"
    stream: BinaryIO
    head: bytes
    columns: tuple[str, ...]
    id: str | None
    batch_size: int
    text: DelimitedText
    fields: Mapping[str, pa.Field] | None = None
    missing: bool = False


class BatchWriter(Protocol):
    """A writer of record batches of one schema to an open file."""

    def write(self, batch: pa.RecordBatch) -> list[int]:
        """Append rows; return the positions of those that the format cannot hold, which are left out."""
        ...

    def close(self, complete: bool) -> None:
        """End the file; an incomplete file is discarded."""
        ...


@dataclass(frozen=True)
class TableFormat:
    """A format of tables: a value in a file of `formats`, where the catalogue finds it.

    A format with `magic` is binary: its rows have numbers instead of lines, its stream can be read from any place, and
    it compresses its content itself, so ``.gz`` and the like are refused. Any other format is text.

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
    resembles: Callable[[bytes], bool] = lambda head: False
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


_FOLDER = Path(__file__).parent / "formats"

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_PLAIN_TEXT = "csv"


@lru_cache(maxsize=1)
def table_formats() -> Mapping[str, TableFormat]:
    """Return every format of the folder by its unique name, in alphabetical order."""
    names = [info.name for info in pkgutil.iter_modules([str(_FOLDER)])]
    modules = [importlib.import_module(f"{__package__}.formats.{name}") for name in names]
    formats = [value for module in modules for value in vars(module).values() if isinstance(value, TableFormat)]
    keys = [key for value in formats for key in (value.name, *value.suffixes)]
    repeated = next((key for key in keys if keys.count(key) > 1), None)
    if repeated is not None:
        raise ValueError(f"names and suffixes of formats must be unique, got {repeated!r} twice; rename one")
    return MappingProxyType({value.name: value for value in sorted(formats, key=lambda value: value.name)})


def suffixes() -> dict[str, str]:
    """Return the name of the format of each file name extension."""
    return {suffix: value.name for value in table_formats().values() for suffix in value.suffixes}


def format_of_name(path: str | Path) -> tuple[str | None, str | None]:
    """Return the format and the compression that a file name such as ``pairs.csv.gz`` shows; None for what it lacks."""
    compression, inner = compression_of(path)
    return suffixes().get(inner.suffix.lower()), compression


def known_format(name: str) -> TableFormat:
    """Return the format of a name.

    Raises
    ------
    TableError
        If no format has it.
    """
    formats = table_formats()
    if name not in formats:
        raise TableError(f"the format must be one of {', '.join(formats)}, got {name!r}")
    return formats[name]


def sniff(head: bytes) -> TableFormat:
    """Return the format of a stream by its first bytes."""
    formats = table_formats().values()
    binary = next((value for value in formats if value.binary and head.startswith(value.magic)), None)
    if binary is not None:
        return binary
    text = head.removeprefix(_BYTE_ORDER_MARK).lstrip()
    return next((value for value in formats if value.resembles(text)), table_formats()[_PLAIN_TEXT])


def refuse_packed(value: TableFormat, compression: str | None, name: str) -> None:
    """Refuse a binary format within a compression."""
    if value.binary and compression is not None:
        raise TableError(
            f"{name} must not be {value.title} within {compression}; {value.title} is compressed inside, so leave "
            f"{compression} out"
        )
