"""Tables with one text a row, read as tables of pairs whose two texts are that one."""

from pathlib import Path

from .sources import BATCH, TableReader, open_table
from .table_reader import MissingColumnError

TEXT_NAMES = ("text", "sentence", "question", "title", "description", "body")
"""Names of the column with the text, in the order in which they are looked for."""


def open_texts(
    path: str | Path,
    column: str | None = None,
    id: str | None = None,
    format: str | None = None,
    batch_size: int = BATCH,
) -> TableReader:
    """Open a table with a text in each row, which its chunks hold as both texts.

    Parameters
    ----------
    path, id, format, batch_size
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
        return open_table(path, (column, column), id, format, batch_size)
    refusals = []
    for name in TEXT_NAMES:
        try:
            reader = open_table(path, (name, name), None, format, batch_size)
        except MissingColumnError as error:
            refusals.append(error)
            continue
        if id is None:
            return reader
        reader.close()
        return open_table(path, (name, name), id, format, batch_size)
    raise MissingColumnError(f"{refusals[0]}; name the one with the text, as in --column question")
