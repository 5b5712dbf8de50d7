"""Tables of pairs of rows: their numbers, names and texts, their scores and other results."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from .table_texts import TextRows


def pair_table(
    sides: Sequence[TextRows],
    rows: Sequence[np.ndarray],
    results: pa.RecordBatch,
) -> pa.Table:
    """Return a table of k pairs of rows.

    The columns are ``row1`` and ``row2``, which count from 1, ``id1`` and ``id2`` where rows have names, ``sentence1``
    and ``sentence2``, and those of the results.

    Parameters
    ----------
    sides
        Tables of the first and of the second rows.
    rows
        For each side the rows, shape (k,), int64, from 0.
    results
        Scores and other columns, k rows.
    """
    columns: dict[str, pa.Array | pa.ChunkedArray] = {}
    fields: list[pa.Field] = []

    def add(field: pa.Field, values: pa.Array | pa.ChunkedArray) -> None:
        fields.append(field)
        columns[field.name] = values

    for side, of_side in enumerate(rows, 1):
        add(pa.field(f"row{side}", pa.int64()), pa.array(of_side + 1, pa.int64()))
    for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1):
        if table.ids is not None:
            add(pa.field(f"id{side}", table.ids.type), table.ids.take(pa.array(of_side)))
    for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1):
        texts = pa.array([table.texts[row] for row in of_side.tolist()], pa.string())
        add(pa.field(f"sentence{side}", pa.string()), texts)
    for field, values in zip(results.schema, results.columns, strict=True):
        add(field, values)
    return pa.table([columns[field.name] for field in fields], schema=pa.schema(fields))
