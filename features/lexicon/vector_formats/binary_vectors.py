"""Word vectors as word2vec and gensim write them in binary: a header, then words with 32-bit numbers."""

from collections.abc import Iterator

import numpy as np

from .vector_rows import (
    LONGEST_LINE,
    READ_AT_A_TIME,
    OpenedVectors,
    VectorFile,
    VectorFileError,
    batched,
    header,
    is_number,
)

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
