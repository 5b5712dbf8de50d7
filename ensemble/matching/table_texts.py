"""Texts of a table in memory, with the names of their rows; bad rows are noted aside."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ..tables.table_reader import TableReader


@dataclass(frozen=True)
class TextRows:
    """Good rows of a table: n of them.

    Attributes
    ----------
    texts
        The texts.
    ids
        Column that names the rows; None if no such column is named.
    rejects
        Number of bad rows.
    """

    texts: Sequence[str]
    ids: pa.ChunkedArray | None = None
    rejects: int = 0

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.texts)


def read_texts(reader: TableReader, note: Callable[[dict[str, Any]], None]) -> TextRows:
    """Return the texts of a table opened by `open_texts`.

    Parameters
    ----------
    reader
        The table.
    note
        Called with each bad row, as `predict_file` describes them.
    """
    texts: list[str] = []
    ids: list[pa.Array] = []
    rejects = 0
    for chunk in reader:
        texts += chunk.a
        if reader.id_name is not None:
            ids.append(chunk.batch.column(reader.id_name))
        rejects += len(chunk.rejects)
        for reject in chunk.rejects:
            name = {"id": reader.id_of(reject)} if reader.id_name is not None else {}
            note({"line": reject.line, **name, "reason": reject.reason, "raw": reject.raw})
    named = reader.id_name is not None
    return TextRows(texts, pa.chunked_array(ids, reader.schema.field(reader.id_name).type) if named else None, rejects)
