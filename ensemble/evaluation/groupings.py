"""Groups of pairs, by what columns of their table say."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..tables.opening import find_column
from ..tables.table_errors import TableError

if TYPE_CHECKING:
    import pyarrow as pa

NO_VALUE = "(none)"
"""The group of pairs whose cell is empty or missing."""


def groupings_of(table: "pa.Table", by: str, name: str) -> dict[str, list[str]]:
    """Return the group of each row, for each grouping that a text names.

    Parameters
    ----------
    table
        The table, n rows.
    by
        Columns, by name or number from 1: ``"genre,year"`` groups by the one, then by the other; ``"genre+year"`` by
        both together. A column whose name holds a comma or plus is found where it stands alone.
    name
        What errors call the table.

    Returns
    -------
    groupings
        For each, in the order named, n labels. Those of several columns are joined by ``" + "``.

    Raises
    ------
    samewise.ensemble.tables.table_errors.TableError
        If there is no such column.
    """
    names = table.column_names
    wanted = [by] if by in names else [part.strip() for part in by.split(",")]
    found: dict[str, list[str]] = {}
    for part in wanted:
        parts = [part] if part in names or "+" not in part else [piece.strip() for piece in part.split("+")]
        columns = [find_column(piece, names, name) for piece in parts]
        cells = [labels_of(table, column, name) for column in columns]
        found["+".join(columns)] = [" + ".join(row) for row in zip(*cells, strict=True)]
    return found


def labels_of(table: "pa.Table", column: str, name: str) -> list[str]:
    """Return the group of each row by one column; the parameters and the error are those of `groupings_of`."""
    cells = table.column(find_column(column, table.column_names, name)).to_pylist()
    return [NO_VALUE if cell is None or cell == "" else str(cell) for cell in cells]


def weights_of(table: "pa.Table", column: str, name: str) -> np.ndarray:
    """Return the numbers of a column as weights of the pairs, shape (n,).

    Raises
    ------
    samewise.ensemble.tables.table_errors.TableError
        If there is no such column, a cell is no number from 0 on, or all are 0.
    """
    chosen = find_column(column, table.column_names, name)
    weights = np.empty(table.num_rows)
    for row, cell in enumerate(table.column(chosen).to_pylist()):
        try:
            weights[row] = float(cell)
        except (TypeError, ValueError):
            weights[row] = math.nan
        if not (math.isfinite(weights[row]) and weights[row] >= 0):
            raise TableError(f"the {chosen} of pair {row + 1} of {name} is {cell!r}, which is no number from 0 on")
    if not weights.any():
        raise TableError(f"all of {chosen} in {name} is 0, so there is nothing to measure; give one or more a weight")
    return weights


def sizes_of(labels: Sequence[str]) -> dict[str, int]:
    """Return how many pairs are in each group, in order of appearance."""
    sizes: dict[str, int] = {}
    for label in labels:
        sizes[label] = sizes.get(label, 0) + 1
    return sizes
