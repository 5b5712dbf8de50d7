"""Files of word vectors: rows of text, rows of binary numbers."""

import gzip
from collections.abc import Iterator
from io import BufferedReader
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from .word_vectors import MOST_COORDINATES

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


def open_text(file: VectorFile, most: int | None) -> OpenedVectors:
    """Return the vectors of a text file; any file that no other format recognises is read as one."""
    sizes = header(file)
    if sizes is not None:
        count, dimension = sizes
        return OpenedVectors(
            file.name, False, "line", 2, batched(_text_rows(file, b"", dimension, count), dimension, most)
        )
    fields, dimension = file.first_line.split(), 0
    while dimension < len(fields) - 1 and is_number(fields[-1 - dimension]):
        dimension += 1
    if not dimension:
        raise VectorFileError(
            f"line 1 of {file.name} must hold a word and its numbers, got {file.first_line[:40]!r}; "
            "name a file of vectors"
        )
    check_dimension(dimension, file.name)
    rows = _text_rows(file, file.first_line, dimension, None)
    return OpenedVectors(file.name, False, "line", 1, batched(rows, dimension, most))


def _text_rows(
    file: VectorFile, first_line: bytes, dimension: int, count: int | None
) -> Iterator[tuple[bytes, list[float]]]:
    # Lines end at line feeds alone, and blanks are those of ASCII: a word may hold any other character.
    reader, name = file.reader, file.name
    expected = "the header" if count is not None else "line 1"
    number, words = (0 if first_line else 1), 0
    line = first_line or reader.readline(LONGEST_LINE)
    while line:
        number += 1
        if len(line) >= LONGEST_LINE:
            raise VectorFileError(
                f"line {number} of {name} must be shorter than {LONGEST_LINE:,} bytes; name a file of vectors"
            )
        fields = line.rsplit(None, dimension)
        if not line.strip() and not reader.read(READ_AT_A_TIME).strip():
            break
        # A word may hold blanks (GloVe 840B has some), but its last part after a blank is not a number.
        parts = fields[0].split() if fields else []
        if len(fields) <= dimension or (len(parts) > 1 and is_number(parts[-1])):
            raise VectorFileError(
                f"line {number} of {name} must hold {dimension} numbers as {expected} does, got "
                f"{max(len(line.split()) - 1, 0)}; correct or remove it"
            )
        values = _numbers(fields[1:], number, name)
        words += 1
        if count is not None and words > count:
            raise VectorFileError(f"{name} must hold {count} words, as its first line says, got more; correct the line")
        yield b" ".join(parts), values
        line = reader.readline(LONGEST_LINE)
    if count is not None and words < count:
        raise VectorFileError(
            f"{name} must hold {count} words, as its first line says, got {words}; get a complete copy"
        )


def _numbers(fields: list[bytes], number: int, name: str) -> list[float]:
    try:
        return list(map(float, fields))
    except ValueError:
        bad = next(field for field in fields if not is_number(field))
        raise VectorFileError(
            f"line {number} of {name} must hold numbers after the word, got {bad[:40].decode('utf-8', 'replace')!r}; "
            "correct or remove it"
        ) from None


_PRINTED = frozenset(b"\t\n\r" + bytes(range(32, 127)))


def open_binary(file: VectorFile, most: int | None) -> OpenedVectors | None:
    """Return the vectors of a binary file, or None if the file is in another format."""
    sizes = header(file)
    if sizes is None or _is_text(file, sizes[1]):
        return None
    count, dimension = sizes
    return OpenedVectors(file.name, False, "word", 1, batched(_binary_rows(file, count, dimension), dimension, most))


def _is_text(file: VectorFile, dimension: int) -> bool:
    # After the first word and a blank, text has digits and blanks, and a binary file any bytes.
    after = file.reader.peek(16 * dimension + 256).partition(b" ")[2]
    numbers = after.partition(b"\n")[0].split()
    if len(numbers) == dimension and all(map(is_number, numbers)):
        return True
    return _PRINTED.issuperset(after[: 4 * dimension])


def _binary_rows(file: VectorFile, count: int, dimension: int) -> Iterator[tuple[bytes, np.ndarray]]:
    # Each word, a blank and little-endian 32-bit numbers; some writers end it with a line feed.
    reader, name = file.reader, file.name
    buffer, start, size = b"", 0, 4 * dimension
    for number in range(1, count + 1):
        end = buffer.find(b" ", start)
        while end < 0 or end + 1 + size > len(buffer):
            if end < 0 and len(buffer) - start > LONGEST_LINE:
                raise VectorFileError(
                    f"word {number} of {name} must be shorter than {LONGEST_LINE:,} bytes; get a complete copy"
                )
            more = reader.read(READ_AT_A_TIME)
            if not more:
                raise VectorFileError(
                    f"{name} must hold {count} words, as its first line says, got {number - 1} complete ones; "
                    "get a complete copy"
                )
            buffer, start = buffer[start:] + more, 0
            end = buffer.find(b" ")
        yield buffer[start:end].lstrip(b"\n"), np.frombuffer(buffer, dtype="<f4", count=dimension, offset=end + 1)
        start = end + 1 + size
    if (buffer[start:] + reader.read(READ_AT_A_TIME)).strip(b"\n"):
        raise VectorFileError(f"{name} must hold {count} words, as its first line says, got more; correct the line")
