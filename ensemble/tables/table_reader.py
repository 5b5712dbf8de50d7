"""Open tables, and the choice of their columns."""

from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, BinaryIO, NamedTuple

import pyarrow as pa

from ..._messages import did_you_mean
from .text_rows import KNOWN_NAMES, Reject


class TableError(ValueError):
    """Error of a table that cannot be read or written; the message names the table, the reason and a remedy."""


class MissingColumnError(TableError):
    """A table that lacks a column."""


class MisreadError(MissingColumnError):
    """A table that lacks a column because its first line does not hold the names."""


class Chunk(NamedTuple):
    """Consecutive rows of a table.

    Attributes
    ----------
    batch
        The good rows, n of them, with all columns of the input in its order and types.
    a, b
        The n first and the n second texts.
    rejects
        The bad rows between them.
    lines
        The n line (or row) numbers of the good rows.
    """

    batch: pa.RecordBatch
    a: list[str]
    b: list[str]
    rejects: list[Reject]
    lines: list[int]


class TableReader:
    """An open table: iterate over it, once, for its chunks.

    Attributes
    ----------
    name, format
        The name of the table for messages, and that of its format.
    schema
        The columns of every chunk.
    a_name, b_name
        The columns that hold the texts.
    id_name
        The column that names the rows, or None.
    total
        The number of rows if the files store it, or None.
    lines
        Number of lines of text, or rows of a binary format, read so far.
    check_unchanged
        Function that raises TableError if the file was changed in place since it was opened; called at its end.
    """

    check_unchanged: Callable[[], None] = staticmethod(lambda: None)

    def __init__(
        self,
        name: str,
        format: str,
        stream: "BinaryIO | TableReader | None",
        schema: pa.Schema,
        texts: tuple[str, str],
        chunks: Callable[["TableReader"], Generator[Chunk, None, None]],
        id_name: str | None = None,
        total: int | None = None,
    ) -> None:
        self.name = name
        self.format = format
        self.schema = schema
        self.a_name, self.b_name = texts
        self.id_name = id_name
        self.total = total
        self.lines = 0
        self._stream = stream
        self._chunks = chunks
        self._running: Generator[Chunk, None, None] | None = None

    def __iter__(self) -> Iterator[Chunk]:
        self._running = self._whole()
        return self._running

    def _whole(self) -> Generator[Chunk, None, None]:
        yield from self._chunks(self)
        self.check_unchanged()

    def __enter__(self) -> "TableReader":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def id_of(self, reject: Reject) -> Any:
        """Return the name of a rejected row, or None if the row could not be parsed."""
        if isinstance(reject.values, list):
            place = self.schema.names.index(self.id_name)
            return reject.values[place] if place < len(reject.values) else None
        return reject.values.get(self.id_name) if isinstance(reject.values, dict) else None

    def close(self) -> None:
        """Close the files of the table."""
        if self._running is not None:
            self._running.close()
        if self._stream is not None:
            self._stream.close()


def find_column(wanted: str, names: Sequence[str], table: str, remedy: str = "", why: str = "") -> str:
    """Return the column with a name or number (from 1).

    Parameters
    ----------
    wanted, names
        The name or number, and the names of the columns.
    table
        The name of the table.
    remedy
        The end of the message if the column is missing.
    why
        Why the names are none, if they do not look like some.

    Raises
    ------
    MissingColumnError
        If the column is missing.
    """
    if wanted in names:
        return wanted
    if wanted.isdecimal() and 1 <= int(wanted) <= len(names):
        return names[int(wanted) - 1]
    if why:
        raise MisreadError(f"{table} has no column {wanted!r}: {why}")
    listed = ", ".join(map(_shown, names[:30])) + (f" and {len(names) - 30} more" if len(names) > 30 else "")
    remedy += did_you_mean(wanted, names)
    raise MissingColumnError(f"{table} has no column {wanted!r}; its columns are: {listed}{remedy}")


MOST_COLUMNS = 10_000
"""Most columns of a table of text, whose header alone could otherwise fill the memory."""


def _shown(name: str) -> str:
    # Whatever the names in the file, the message stays one line.
    return (name if name.isprintable() else ascii(name)) if len(name) <= 60 else f"{ascii(name[:60])}..."


def text_columns(names: Sequence[str], wanted: Sequence[str], table: str, why: str = "") -> tuple[str, str]:
    """Return the two columns with the texts: the wanted ones, or those with known names; `why` as for `find_column`.

    Raises
    ------
    TableError
        If a column is missing, or two have the same name.
    """
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise TableError(f"{table} has two columns named {_shown(twice[0])!r}; rename one of them")
    remedy = "" if wanted else "; name the two with the texts, as in --column A,B"
    if not wanted:
        wanted = next((pair[:2] for pair in KNOWN_NAMES if set(pair[:2]) <= set(names)), KNOWN_NAMES[0][:2])
    a, b = (find_column(column, names, table, remedy, why) for column in wanted)
    return a, b


def id_column(id: str | None, names: Sequence[str], table: str) -> str | None:
    """Return the column that names the rows, if one is wanted."""
    return None if id is None else find_column(id, names, table)


def split_columns(columns: str | Sequence[Any] | None) -> tuple[Any, ...]:
    """Return the two names given as ``"A,B"`` or a list; none for None.

    Raises
    ------
    TableError
        If there are not two names.
    """
    if columns is None:
        return ()
    if isinstance(columns, str):
        parts: tuple[Any, ...] = tuple(part.strip() for part in columns.split(","))
    else:
        parts = tuple(columns) if isinstance(columns, Sequence) and not isinstance(columns, bytes) else ()
    if len(parts) != 2:
        raise TableError(
            f"the columns are given as {columns!r}; name the two columns with the texts, such as A,B (names that hold "
            'commas as a list, ["A", "B"], or by number)'
        )
    return parts
