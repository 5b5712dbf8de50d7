"""Word vectors as text, a word and its numbers a line: word2vec and fastText with a header, GloVe without."""

from collections.abc import Iterator

from .vector_rows import (
    LONGEST_LINE,
    READ_AT_A_TIME,
    OpenedVectors,
    VectorFile,
    VectorFileError,
    batched,
    check_dimension,
    header,
    is_number,
)


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
