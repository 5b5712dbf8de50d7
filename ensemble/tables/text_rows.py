"""Rows of text files, one at a time; what cannot be read is set aside as a reject."""

import io
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple

FIELD_LIMIT = 1 << 24
"""Longest line and longest field, in characters; also what a quote that is never closed may swallow."""

CHUNK_CHARACTERS = 1 << 24
"""A chunk of a text file ends here even if it has fewer rows: it bounds memory where lines are huge."""

NOT_UTF8 = "bytes that are not UTF-8"

CONVERT = "convert the file, as by iconv -f WINDOWS-1254 -t UTF-8 (Arabic: WINDOWS-1256)"
"""Remedy for a text file in another encoding; 1254, Turkish, also has all letters of Spanish."""


class Reject(NamedTuple):
    """A row that was not used.

    Attributes
    ----------
    line
        Where it begins: the physical line of a text file, the row of a binary file, from 1.
    reason
        The reason why it was not used.
    raw
        The text of the row; undecodable bytes as lone surrogates.
    values
        Its fields, a list or a dict, if it could be parsed.
    """

    line: int
    reason: str
    raw: str
    values: Any = None


class Row(NamedTuple):
    """The fields of a good row; `values` is a list for delimited text and a dict for JSON."""

    line: int
    values: Any
    raw: str


def decodes(text: str) -> bool:
    """Return whether a text read with ``surrogateescape`` was UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@contextmanager
def _text(stream: BinaryIO, newline: str | None) -> Iterator[io.TextIOWrapper]:
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline=newline)
    try:
        yield text
    finally:
        # The caller that opened the stream closes it; a text wrapper would close it when it is collected.
        if not text.closed:
            text.detach()


class Lines:
    """The lines of a stream of text; at most `FIELD_LIMIT` characters of one are in memory.

    Attributes
    ----------
    count
        Number of lines read.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.count = 0

    def read(self, newline: str | None) -> Iterator[str]:
        """Yield each line with its end; a line longer than `FIELD_LIMIT` characters is cut after one more."""
        with _text(self.stream, newline) as text:
            for line in iter(partial(text.readline, FIELD_LIMIT + 1), ""):
                self.count += 1
                if is_overlong(line) and not line.endswith(("\n", "\r")):
                    _skip_line(text)
                yield line

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each line, and the line without its end."""
        for line in self.read(None):
            yield self.count, line.removesuffix("\n")


def _skip_line(text: io.TextIOWrapper) -> None:
    while (piece := text.readline(1 << 20)) and not piece.endswith(("\n", "\r")):
        pass


def is_overlong(text: str) -> bool:
    """Return whether a line or a record is longer than is allowed."""
    return len(text) > FIELD_LIMIT


def overlong(line: int, raw: str) -> Reject:
    """Return the reject of a line or record that is longer than is allowed."""
    return Reject(line, f"longer than {FIELD_LIMIT:,} characters; only the first 1,000 are here", raw[:1_000])


def grouped(rows: Iterator[Row | Reject], batch_size: int) -> Iterator[tuple[list[Row], list[Reject]]]:
    """Yield the good and the bad of consecutive rows, as many as a chunk holds."""
    good: list[Row] = []
    bad: list[Reject] = []
    size = 0
    for row in rows:
        size += len(row.raw)
        if isinstance(row, Reject):
            bad.append(row)
        else:
            good.append(row)
        if len(good) + len(bad) >= batch_size or size >= CHUNK_CHARACTERS:
            yield good, bad
            good, bad, size = [], [], 0
    if good or bad:
        yield good, bad


def write_lines(file: BinaryIO, lines: Sequence[str]) -> None:
    """Append lines to a file, each with its end."""
    if lines:
        file.write(("\n".join(lines) + "\n").encode())


def json_text(value: Any) -> str:
    """Return a value as JSON that UTF-8 can hold."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if decodes(text) else json.dumps(value, default=str)


def bad_text(value: object, column: str) -> str | None:
    """Return the reason why a value is not a text, or None."""
    if isinstance(value, str):
        return None
    return f"{column} is missing" if value is None else f"{column} is a {type(value).__name__}, not text"
