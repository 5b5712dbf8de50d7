"""Layouts of delimited text: columns by the header, or by the shape of the files that STS data come in."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from .text_rows import FIELD_LIMIT

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
    header
        Whether the first line holds the names.
    fewest
        Rows may omit the last columns down to this many fields.
    delimiter
        The character between quoted fields.
    """

    quoted: bool
    names: tuple[str, ...]
    header: bool
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


def _benchmark(fields: Sequence[str]) -> bool:
    return 7 <= len(fields) <= 9 and _is_score(fields[4])


def _companion(fields: Sequence[str]) -> bool:
    return 6 <= len(fields) <= 8 and _is_score(fields[3])


def _scored(fields: Sequence[str]) -> bool:
    return len(fields) == 3 and _is_score(fields[0])


_BENCHMARK = ("genre", "file", "year", "id", "score", "sentence1", "sentence2", "license1", "license2")

_WITHOUT_HEADER: tuple[tuple[Callable[[Sequence[str]], bool], tuple[str, ...], int], ...] = (
    (_benchmark, _BENCHMARK, 7),  # STS Benchmark (Cer et al., 2017)
    (_companion, _BENCHMARK[1:], 6),  # its companion
    (_scored, ("score", "sentence1", "sentence2"), 3),  # STS 2015, scores joined to pairs
)


def recognise(sample: str, quoted: bool, columns: Sequence[str]) -> Layout:
    """Return the layout of a text file.

    Parameters
    ----------
    sample
        The beginning of the file, whole lines.
    quoted
        Whether the file is named as CSV; several STS files are called .csv and hold tabs.
    columns
        The requested columns: none, names, or numbers from 1.
    """
    lines = [line for line in re.split(r"\r\n|\r|\n", sample) if line][:_SAMPLE_LINES]
    tabbed = [line.split("\t") for line in lines]
    record = _first_record(sample)
    # Where numbers are written with commas, Excel puts semicolons between fields. Cut at commas such a line is a single
    # field, of which no two texts could be read: files with commas are read as before.
    delimiter = ";" if quoted and len(record) == 1 and ";" in record[0] else ","
    first = {False: tabbed[0], True: record if delimiter == "," else _first_record(sample, delimiter)}
    numbered = bool(columns) and all(column.isdecimal() for column in columns)
    wanted = [columns] if columns and not numbered else [names[:2] for names in KNOWN_NAMES]
    for dialect in dict.fromkeys((quoted, False)):
        if any(set(names) <= set(first[dialect]) for names in wanted):
            return Layout(dialect, tuple(first[dialect]), True, len(first[dialect]), delimiter)
    for fits, names, fewest in _WITHOUT_HEADER:
        if _mostly(fits, tabbed):
            return Layout(False, names, False, fewest)
    width = len(first[quoted])
    if numbered:
        return Layout(quoted, tuple(f"column{k}" for k in range(1, width + 1)), False, width, delimiter)
    if not columns and not quoted and _mostly(lambda fields: len(fields) == 2, tabbed):
        return Layout(False, ("sentence1", "sentence2"), False, 2)  # inputs of STS 2017
    return Layout(quoted, tuple(first[quoted]), True, width, delimiter)


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
