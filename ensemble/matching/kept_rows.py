"""Rows that stand for a group by their cells: the newest, the oldest, the most complete; and cells filled in."""

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from math import isfinite
from typing import Any

import numpy as np
import pyarrow as pa

from .row_groups import cell_text
from .texts import TextRows

MOST_COMPLETE, NEWEST, OLDEST = "most-complete", "newest", "oldest"
"""Values of ``--keep`` besides those that look at the texts; the last two name a column, as in ``newest:updated``."""


def date_column(keep: str) -> str | None:
    """Return the column with the dates by which rows are kept; None if no date decides."""
    word, sign, column = keep.partition(":")
    return column if sign and column and word in (NEWEST, OLDEST) else None


def preference(rows: TextRows, keep: str) -> np.ndarray | None:
    """Return for each row a number of which the least stands for a group; None if its text decides.

    Parameters
    ----------
    rows
        Rows of the table, with the columns that are needed.
    keep
        Row that is kept, as for `DedupeOptions`.

    Returns
    -------
    np.ndarray
        Shape (n,), float64: missing cells of a row; or its date, turned for the newest, and infinity where the date is
        missing, so that a row with a date comes before.

    Raises
    ------
    ValueError
        If a date cannot be read.
    """
    if keep == MOST_COMPLETE:
        names = [] if rows.table is None else rows.table.column_names
        return np.sum([np.zeros(len(rows)), *(_missing(rows.values(name)) for name in names)], axis=0)
    column = date_column(keep)
    if column is None:
        return None
    times = np.array(_times(rows.values(column), column))
    return np.where(np.isnan(times), np.inf, -times if keep.startswith(NEWEST) else times)


def _missing(values: Sequence[Any]) -> np.ndarray:
    return np.array([cell_text(value) is None for value in values], np.bool_)


def _times(values: Iterable[Any], column: str) -> list[float]:
    """Return dates as numbers, NaN where one is missing; all are numbers, or all are ISO dates."""
    times: list[float] = []
    kinds: set[bool] = set()
    for value in values:
        text = cell_text(value)
        if text is None:
            times.append(float("nan"))
            continue
        number = _number(text)
        kinds.add(number is None)
        found = _iso_time(value if isinstance(value, date) else text) if number is None else number
        if found is None or len(kinds) > 1:
            rule = "numbers or ISO dates such as 2026-01-31" if found is None else "all numbers or all ISO dates"
            raise ValueError(f"the dates in the column {column!r} must be {rule}, got {text!r:.60}; convert them")
        times.append(found)
    return times


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _iso_time(value: str | date) -> float | None:
    # A time without a zone counts as UTC.
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


def filled(table: pa.Table, representatives: np.ndarray) -> pa.Table:
    """Return a table in which the missing cells of kept rows are those of the first row they stand for that has one.

    Parameters
    ----------
    table
        n rows.
    representatives
        Shape (n,), int64: the row that stands for each row.
    """
    rows = np.arange(table.num_rows)
    whole = TextRows([""] * table.num_rows, table=table)
    columns = []
    for name in table.column_names:
        missing = _missing(whole.values(name))
        givers = np.flatnonzero(~missing & (representatives != rows))
        kept, first = np.unique(representatives[givers], return_index=True)
        places = rows.copy()
        places[kept[missing[kept]]] = givers[first[missing[kept]]]
        columns.append(table.column(name).take(pa.array(places)))
    return pa.table(columns, schema=table.schema)
