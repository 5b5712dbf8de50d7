"""Groups and weights of pairs, by columns of their table."""

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
        Columns, by name or number from 1: ``"genre,year"`` groups by genre, then by year; ``"genre+year"`` by
        both together. A column whose name has a comma or plus must be the only one.
    name
        The name of the table in errors.

    Returns
    -------
    groupings
        For each, in the order named, n labels. Those of several columns are joined by ``" + "``.

    Raises
    ------
    samewise.ensemble.tables.table_errors.TableError
        If a column is missing.
    """
    names = table.column_names
    named = [by] if by in names else [part.strip() for part in by.split(",")]
    groupings: dict[str, list[str]] = {}
    for part in named:
        pieces = [part] if part in names or "+" not in part else [piece.strip() for piece in part.split("+")]
        columns = [find_column(piece, names, name) for piece in pieces]
        cells = [labels_of(table, column, name) for column in columns]
        groupings["+".join(columns)] = [" + ".join(row) for row in zip(*cells, strict=True)]
    return groupings


def labels_of(table: "pa.Table", column: str, name: str) -> list[str]:
    """Return the group of each row by one column; the parameters and the error are those of `groupings_of`."""
    cells = table.column(find_column(column, table.column_names, name)).to_pylist()
    return [NO_VALUE if cell is None or cell == "" else str(cell) for cell in cells]


def weights_of(table: "pa.Table", column: str, name: str) -> np.ndarray:
    """Return the numbers of a column as weights of the pairs, shape (n,).

    Raises
    ------
    samewise.ensemble.tables.table_errors.TableError
        If the column is missing, a cell is not a number from 0 on, or all are 0.
    """
    chosen = find_column(column, table.column_names, name)
    weights = np.empty(table.num_rows)
    for row, cell in enumerate(table.column(chosen).to_pylist()):
        try:
            weights[row] = float(cell)
        except (TypeError, ValueError):
            weights[row] = math.nan
        if not (math.isfinite(weights[row]) and weights[row] >= 0):
            raise TableError(f"the {chosen} of pair {row + 1} of {name} must be a number from 0 on, got {cell!r}")
    if not weights.any():
        raise TableError(f"a weight in {chosen} of {name} must be above 0, got 0 for all pairs; correct one or more")
    return weights


def sizes_of(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of pairs in each group, in order of appearance."""
    sizes: dict[str, int] = {}
    for label in labels:
        sizes[label] = sizes.get(label, 0) + 1
    return sizes
