"""Which columns a delimited text file has: by its header, or by the shape of the files that STS data come in."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

KNOWN_NAMES = (
    ("sentence1", "sentence2", "score"),
    ("sentence_A", "sentence_B", "relatedness_score"),  # SICK (Marelli et al., 2014)
)
"""Names of the two texts and of the score, in the order in which they are looked for."""

RELATEDNESS = "relatedness_score"
"""SICK's score, on 1..5."""

FIELD_LIMIT = 1 << 24
"""Longest field of a CSV file, in characters: what a quote that is never closed may swallow."""

_SAMPLE_LINES = 50


class TableError(ValueError):
    """A table cannot be read or written; the message says which and why."""


class Layout(NamedTuple):
    """How to read the lines of a file.

    Attributes
    ----------
    format
        ``"csv"`` (quoting) or ``"tsv"`` (tabs, no quoting).
    names
        Column names.
    header
        Whether the first line holds them.
    fewest
        Rows may leave out the last columns down to this many fields.
    delimiter
        What stands between the fields of CSV.
    """

    format: str
    names: tuple[str, ...]
    header: bool
    fewest: int
    delimiter: str = ","


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
    (_scored, ("score", "sentence1", "sentence2"), 3),  # STS 2015 as we keep it
)


def recognise(sample: str, format: str, columns: Sequence[str]) -> Layout:
    """Return the layout of a text file.

    Parameters
    ----------
    sample
        The beginning of the file, whole lines.
    format
        ``"csv"`` or ``"tsv"``, what the name of the file says; several STS files are called .csv and hold tabs.
    columns
        The columns asked for: none, names, or numbers from 1.
    """
    lines = [line for line in re.split(r"\r\n|\r|\n", sample) if line][:_SAMPLE_LINES]
    tabbed = [line.split("\t") for line in lines]
    record = _first_record(sample)
    # Where numbers are written with commas, Excel puts semicolons between fields. Cut at commas such a line is a single
    # field, of which no two texts could be read: nothing is taken away from files with commas.
    cut = ";" if format == "csv" and len(record) == 1 and ";" in record[0] else ","
    first = {"tsv": tabbed[0], "csv": record if cut == "," else _first_record(sample, cut)}
    numbered = bool(columns) and all(column.isdecimal() for column in columns)
    wanted = [columns] if columns and not numbered else [names[:2] for names in KNOWN_NAMES]
    for form in dict.fromkeys((format, "tsv")):
        if any(set(names) <= set(first[form]) for names in wanted):
            return Layout(form, tuple(first[form]), True, len(first[form]), cut)
    for fits, names, fewest in _WITHOUT_HEADER:
        if _mostly(fits, tabbed):
            return Layout("tsv", names, False, fewest)
    if numbered:
        width = len(first[format])
        return Layout(format, tuple(f"column{k}" for k in range(1, width + 1)), False, width, cut)
    if not columns and format == "tsv" and _mostly(lambda fields: len(fields) == 2, tabbed):
        return Layout("tsv", ("sentence1", "sentence2"), False, 2)  # inputs of STS 2017
    return Layout(format, tuple(first[format]), True, len(first[format]), cut)


def _first_record(sample: str, delimiter: str = ",") -> list[str]:
    csv.field_size_limit(max(csv.field_size_limit(), FIELD_LIMIT))
    records = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
    try:
        return next((record for record in records if record), [])
    except csv.Error:
        return []


def _mostly(fits: Callable[[Sequence[str]], bool], rows: Sequence[Sequence[str]]) -> bool:
    # A bad row among the first ones is rejected later; it must not hide what the file is.
    return fits(rows[0]) and 2 * sum(map(fits, rows)) > len(rows)
