"""Tables with one text a row, read as tables of pairs whose two texts are that one."""

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Unpack

import pyarrow as pa

from ...features.linguistics.normalisation import compared_form
from .arrow_rows import cell_values, plain_row
from .sources import BATCH, TableReader, open_table
from .table_format import DelimitedText
from .table_reader import Chunk, MisreadError, MissingColumnError, find_column
from .text_rows import Reject, bad_text, json_text

JOIN = "+"
"""Sign between the names of columns whose texts are joined."""

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

    Such a row is empty, or has white space and invisible characters only. Of joined columns, all are so.

    Parameters
    ----------
    path, id, format, batch_size, text
        As for `open_table`.
    column
        Column with the text: a name, or a number from 1; several are joined by `joined_text`, as ``subject+body``. A
        name with a ``+`` is given by number. Without it, the first of `TEXT_NAMES` that the table has; of standard
        input, which cannot be opened twice, ``text``.

    Raises
    ------
    TableError
        If the table cannot be read or lacks the column.
    """
    if column is None and str(path) == "-":
        column = TEXT_NAMES[0]
    if column is not None and JOIN in column:
        return _joined(path, column.split(JOIN), id, format, batch_size, **text)
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


_ENDS = tuple(".!?:;,\u2026\u3002\uff01\uff1f\u061f")


def joined_text(parts: Sequence[str | None]) -> str | None:
    """Return the texts of columns as one text, each the end of a sentence; None if all are missing or blank.

    Examples
    --------
    >>> joined_text(["Lamp", None, "It is broken!", "Send help"])
    'Lamp. It is broken! Send help'
    """
    shown = [part.strip() for part in parts if part is not None and not is_blank(part)]
    ended = [part if part.endswith(_ENDS) else f"{part}." for part in shown[:-1]]
    return " ".join([*ended, shown[-1]]) if shown else None


def _joined(
    path: str | Path, parts: Sequence[str], id: str | None, format: str | None, batch_size: int, **text: Any
) -> TableReader:
    table = open_table(path, (parts[0], parts[0]), id, format, batch_size, missing=True, **text)
    try:
        names = [find_column(part, table.schema.names, table.name) for part in parts]
    except MissingColumnError:
        table.close()
        raise
    joined = JOIN.join(names)

    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        for chunk in table:
            fields = [chunk.batch.schema.field(name) for name in names]
            columns = [cell_values(chunk.batch.column(field.name), field) for field in fields]
            texts: list[Any] = []
            reasons: dict[int, str] = {}
            for row, values in enumerate(zip(*columns, strict=True)):
                found = (bad_text(value, name, missing=True) for value, name in zip(values, names, strict=True))
                reason = next(filter(None, found), None)
                texts.append(None if reason else joined_text(values))
                if texts[-1] is None:
                    reasons[row] = reason or f"{' and '.join(names)} are blank"
            chunk = chunk._replace(a=texts, b=texts)
            reader.lines = table.lines
            yield _rejected(chunk, reasons) if reasons else chunk
        reader.lines = table.lines

    return TableReader(
        table.name, table.format, table, table.schema, (joined, joined), chunks, table.id_name, table.total
    )


def _without_blanks(table: TableReader) -> TableReader:
    def chunks(reader: TableReader) -> Generator[Chunk, None, None]:
        for chunk in table:
            reader.lines = table.lines
            blank = {row: f"{table.a_name} is blank" for row, text in enumerate(chunk.a) if is_blank(text)}
            yield _rejected(chunk, blank) if blank else chunk
        reader.lines = table.lines

    names = table.a_name, table.b_name
    return TableReader(table.name, table.format, table, table.schema, names, chunks, table.id_name, table.total)


def _rejected(chunk: Chunk, reasons: dict[int, str]) -> Chunk:
    """Return a chunk whose good rows at some places are rejects, each for a reason."""
    rejects = []
    for row, reason in reasons.items():
        values = plain_row(chunk.batch, row)
        rejects.append(Reject(chunk.lines[row], reason, json_text(values), values))
    good = sorted(set(range(len(chunk.a))).difference(reasons))
    return Chunk(
        chunk.batch.take(pa.array(good, pa.int64())),
        [chunk.a[row] for row in good],
        [chunk.b[row] for row in good],
        sorted([*chunk.rejects, *rejects], key=lambda reject: reject.line),
        [chunk.lines[row] for row in good],
    )
