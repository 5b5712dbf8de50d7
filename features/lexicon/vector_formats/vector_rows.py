"""Rows of word vectors as every format yields them, and the checks that formats share."""

import gzip
from collections.abc import Iterator
from io import BufferedReader
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ..word_vectors import MOST_COORDINATES

ROWS_AT_A_TIME = 1 << 12
READ_AT_A_TIME = 1 << 20
LONGEST_LINE = 1 << 18
"""Number of bytes: 250 a number."""


class VectorFileError(ValueError):
    """Error of vectors that cannot be read: one sentence that names the file, the line and the remedy."""


class Rows(NamedTuple):
    """Consecutive words and their vectors, shape (m, d), finite, float32."""

    words: list[str]
    values: np.ndarray


class OpenedVectors(NamedTuple):
    """Vectors that are ready to be read.

    Attributes
    ----------
    name
        Name of the file for messages.
    pieces
        Whether words are put together from pieces.
    unit, first
        Name of a row for messages, and the number of the first: ``line``, 2.
    rows
        The rows, some thousand at a time.
    """

    name: str
    pieces: bool
    unit: str
    first: int
    rows: Iterator[Rows]


class VectorFile(NamedTuple):
    """A file of vectors, unpacked: the reader behind its first line, its name for messages, and its first line."""

    reader: BufferedReader | gzip.GzipFile
    name: str
    first_line: bytes


def header(file: VectorFile) -> tuple[int, int] | None:
    """Return the number of words and of coordinates that the first line gives, or None if it is not a header."""
    fields = file.first_line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 19 for field in fields):
        return None
    count, dimension = map(int, fields)
    check_dimension(dimension, file.name)
    if count == 0:
        raise VectorFileError(f"{file.name} must hold words, got none; get a complete copy")
    return count, dimension


def check_dimension(dimension: int, name: str) -> None:
    """Raise a VectorFileError if vectors of this dimension cannot be compared exactly."""
    if not 1 <= dimension <= MOST_COORDINATES:
        raise VectorFileError(
            f"vectors must have 1 to {MOST_COORDINATES} coordinates to be compared exactly, got {dimension} in {name}; "
            "reduce them"
        )


def is_number(field: bytes) -> bool:
    """Return whether a field of a line is a number."""
    try:
        float(field)
    except ValueError:
        return False
    return True


def batched(rows: Iterator[tuple[bytes, Any]], dimension: int, most: int | None) -> Iterator[Rows]:
    """Yield words and their vectors in batches, the first `most` at most."""
    words: list[str] = []
    values = np.empty((ROWS_AT_A_TIME, dimension), dtype=np.float32)
    with np.errstate(over="ignore"):  # a number too large for float32 becomes infinite, which is refused
        for word, row in islice(rows, most):
            values[len(words)] = row
            # Bytes that are not UTF-8 stay distinct from every other word.
            words.append(word.decode("utf-8", "surrogateescape"))
            if len(words) == ROWS_AT_A_TIME:
                yield Rows(words, values)
                words = []
    if words:
        yield Rows(words, values[: len(words)])
