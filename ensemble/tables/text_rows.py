"""Rows of files of text, and layouts of these."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, BinaryIO, NamedTuple

FIELD_LIMIT = 1 << 24
"""Longest line and longest field, in characters; also what a quote that is never closed may swallow."""

CHUNK_CHARACTERS = 1 << 24
"""A chunk of a text file ends here even if it has fewer rows: it bounds memory where lines are huge."""

NOT_UTF8 = "bytes that are not UTF-8"

CONVERT = "convert the file, as by iconv -f WINDOWS-1252 -t UTF-8 (Turkish: WINDOWS-1254, Arabic: WINDOWS-1256)"
"""Remedy for a text file in another encoding."""


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
                    while (piece := text.readline(1 << 20)) and not piece.endswith(("\n", "\r")):
                        pass
                yield line

    def numbered(self) -> Iterator[tuple[int, str]]:
        """Yield the number of each line, and the line without its end."""
        for line in self.read(None):
            yield self.count, line.removesuffix("\n")


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


def bad_text(value: object, column: str, missing: bool = False) -> str | None:
    """Return the reason why a value is not a text, or None; `missing` says whether it may be missing."""
    if isinstance(value, str) or (missing and value is None):
        return None
    return f"{column} is missing" if value is None else f"{column} is a {type(value).__name__}, not text"


KNOWN_NAMES = (
    ("sentence1", "sentence2", "score"),
    ("sentence_A", "sentence_B", "relatedness_score"),  # SICK (Marelli et al., 2014)
)
"""Names of the two texts and of the score, in the order in which they are looked for."""

RELATEDNESS = "relatedness_score"
"""SICK's score, on 1..5."""

_SAMPLE_LINES = 50


class Layout(NamedTuple):
    """The layout of a file of delimited text.

    Attributes
    ----------
    quoted
        Whether fields are quoted, as in CSV; else tabs separate them, as in TSV.
    names
        Column names.
    above
        Number of lines above the rows: the names, and the line by which Excel names the delimiter.
    fewest
        Rows may omit the last columns down to this many fields.
    delimiter
        The character between quoted fields.
    """

    quoted: bool
    names: tuple[str, ...]
    above: int
    fewest: int
    delimiter: str = ","

    @property
    def format(self) -> str:
        """The name of the format that has such lines."""
        return "csv" if self.quoted else "tsv"


def _is_score(text: str) -> bool:
    try:
        return 0.0 <= float(text) <= 5.0
    except ValueError:
        return False


_BENCHMARK = ("genre", "file", "year", "id", "score", "sentence1", "sentence2", "license1", "license2")

_WITHOUT_HEADER: tuple[tuple[Callable[[Sequence[str]], bool], tuple[str, ...], int], ...] = (
    # STS Benchmark (Cer et al., 2017)
    (lambda fields: 7 <= len(fields) <= 9 and _is_score(fields[4]), _BENCHMARK, 7),
    # its companion
    (lambda fields: 6 <= len(fields) <= 8 and _is_score(fields[3]), _BENCHMARK[1:], 6),
    # STS 2015, scores joined to pairs
    (lambda fields: len(fields) == 3 and _is_score(fields[0]), ("score", "sentence1", "sentence2"), 3),
)


_SEPARATOR_LINE = re.compile(r"sep=(.)(\r\n|\r|\n)")
"""First line by which Excel names the delimiter."""


def recognise(
    sample: str, quoted: bool, columns: Sequence[str], delimiter: str | None = None, header: bool = True
) -> Layout:
    """Return the layout of a text file.

    Parameters
    ----------
    sample
        The first lines.
    quoted
        Whether the file is named as CSV.
    columns
        The columns that are read: names, or numbers from 1; empty for the known ones.
    delimiter
        The character between fields, which may then be quoted; None if the text shows it.
    header
        Whether the first line may hold the names.
    """
    separator = _SEPARATOR_LINE.match(sample)
    if separator is not None:
        sample, delimiter = sample[separator.end() :], delimiter or separator[1]
    above = int(separator is not None)
    if delimiter is not None:
        return _headed(_first_record(sample, delimiter), True, delimiter, above, header)
    lines = [line for line in re.split(r"\r\n|\r|\n", sample) if line][:_SAMPLE_LINES]
    tabbed = [line.split("\t") for line in lines] or [[""]]
    record = _first_record(sample)
    # Where numbers are written with commas, Excel puts semicolons between fields. Cut at commas such a line is a single
    # field, of which no two texts could be read: files with commas are read as before.
    delimiter = ";" if quoted and len(record) == 1 and ";" in record[0] else ","
    first = {False: tabbed[0], True: record if delimiter == "," else _first_record(sample, delimiter)}
    named = bool(columns) and not all(column.isdecimal() for column in columns)
    wanted = [columns] if named else [names[:2] for names in KNOWN_NAMES]
    for dialect in dict.fromkeys((quoted, False)):
        if header and any(set(names) <= set(first[dialect]) for names in wanted):
            return _headed(first[dialect], dialect, delimiter, above, header)
    for fits, names, fewest in _WITHOUT_HEADER:
        if _mostly(fits, tabbed):
            return Layout(False, names, above, fewest)
    if not columns and not quoted and _mostly(lambda fields: len(fields) == 2, tabbed):
        return Layout(False, ("sentence1", "sentence2"), above, 2)  # inputs of STS 2017
    return _headed(first[quoted], quoted, delimiter, above, header)


def _headed(record: Sequence[str], quoted: bool, delimiter: str, above: int, header: bool) -> Layout:
    """Return the layout of a file whose first record holds the names; a column without a name is called by its place.

    A spreadsheet has such columns on the right, where cells were once used, and leaves them out of some rows.
    """
    names = record if header else [""] * len(record)
    places = (f"column{place}" for place in range(1, len(names) + 1))
    filled = tuple(name or place for name, place in zip(names, places, strict=True))
    fewest = max((place for place, name in enumerate(names, 1) if name), default=len(names))
    return Layout(quoted, filled, above + header, fewest, delimiter)


def allow_long_fields() -> None:
    """Let the csv module read fields of up to `FIELD_LIMIT` characters."""
    csv.field_size_limit(max(csv.field_size_limit(), FIELD_LIMIT))


def _first_record(sample: str, delimiter: str = ",") -> list[str]:
    allow_long_fields()
    records = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    try:
        return next((record for record in records if record), [])
    except csv.Error:
        return []


def _mostly(fits: Callable[[Sequence[str]], bool], rows: Sequence[Sequence[str]]) -> bool:
    # A bad row among the first ones is rejected later; it must not hide the layout.
    return fits(rows[0]) and 2 * sum(map(fits, rows)) > len(rows)
