"""Tables with one text a row, read as tables of pairs whose two texts are that one."""

from collections.abc import Generator
from pathlib import Path
from typing import Unpack

import pyarrow as pa

from ...features.linguistics.normalisation import compared_form
from .arrow_rows import plain_row
from .sources import BATCH, TableReader, open_table
from .table_format import DelimitedText
from .table_reader import Chunk, MisreadError, MissingColumnError
from .text_rows import Reject, json_text

TEXT_NAMES = ("text", "sentence", "question", "title", "description", "body")
"""Names of the column with the text, in the order in which they are looked for."""


def open_texts(
    path: str | Path,
    column: str | None = None,
    id: str | None = None,
    format: str | None = None,
    batch_size: int = BATCH,
    **text: Unpack[DelimitedText],
) -> TableReader:
    """Open a table with a text in each row, which its chunks hold as both texts; rows without a text are rejects.

    Such a row is empty, or has white space and invisible characters only.

    Parameters
    ----------
    path, id, format, batch_size, text
        As for `open_table`.
    column
        Column with the text: a name, or a number from 1. Without it, the first of `TEXT_NAMES` that the table has; of
        standard input, which cannot be opened twice, ``text``.

    Raises
    ------
    TableError
        If the table cannot be read or lacks the column.
    """
    if column is None and str(path) == "-":
        column = TEXT_NAMES[0]
    if column is not None:
        return _without_blanks(open_table(path, (column, column), id, format, batch_size, **text))
    refusals = []
    for name in TEXT_NAMES:
        try:
            reader = open_table(path, (name, name), None, format, batch_size, **text)
        except MissingColumnError as error:
            refusals.append(error)
            continue
        if id is None:
            return _without_blanks(reader)
        reader.close()
        return _without_blanks(open_table(path, (name, name), id, format, batch_size, **text))
    if isinstance(refusals[0], MisreadError):
        raise refusals[0]
    raise MissingColumnError(f"{refusals[0]}; name the one with the text, as in --column question")


def is_blank(text: str) -> bool:
    """Return whether nothing of a text can be seen."""
    return not text.strip() if text.isascii() else not compared_form(text)


def _without_blanks(table: TableReader) -> TableReader:
    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        for chunk in table:
            reader.lines = table.lines
            blank = [row for row, text in enumerate(chunk.a) if is_blank(text)]
            yield _rejected(chunk, blank, f"{table.a_name} is blank") if blank else chunk
        reader.lines = table.lines

    names = table.a_name, table.b_name
    return TableReader(table.name, table.format, table, table.schema, names, chunks, table.id_name, table.total)


def _rejected(chunk: Chunk, rows: list[int], reason: str) -> Chunk:
    """Return a chunk whose good rows at some places are rejects."""
    rejects = []
    for row in rows:
        values = plain_row(chunk.batch, row)
        rejects.append(Reject(chunk.lines[row], reason, json_text(values), values))
    good = sorted(set(range(len(chunk.a))).difference(rows))
    return Chunk(
        chunk.batch.take(pa.array(good, pa.int64())),
        [chunk.a[row] for row in good],
        [chunk.b[row] for row in good],
        sorted([*chunk.rejects, *rejects], key=lambda reject: reject.line),
        [chunk.lines[row] for row in good],
    )
