"""Tables and columns of texts in memory: pandas, polars, Arrow, datasets, lists.

narwhals serves the same frames but is not used: only reading two columns and adding four is needed,
and it raises DuplicateError for a pandas frame that has a column name twice (measured with 2.29), which must come back
as it is. pandas and polars are used only if the caller has imported them already.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from math import isnan
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from ..._messages import did_you_mean
from ...features.linguistics.normalisation import replace_surrogates
from ..core.pair_inputs import TEXT_COLUMNS
from ..tables.arrow_rows import is_text
from ..tables.table_reader import TableError
from ..tables.table_writer import free_names
from ..tables.text_tables import JOIN, TEXT_NAMES, joined_text

PAIR_SCHEMA = pa.schema([pa.field(name, pa.string()) for name in TEXT_COLUMNS])
"""Columns of `texts_of`."""


def column_texts(texts: Any, column: Any = None) -> list[str | None]:
    """Return texts as a list, None where one is missing.

    Parameters
    ----------
    texts
        n texts: an iterable of strings, an array of NumPy or Arrow, a Series of pandas or polars, or a table as for
        `frame_of`. None, NaN and NA are missing texts.
    column
        Column of a table, or several that are joined, as for `open_texts`; without it the only one, or the first of
        `TEXT_NAMES` that it has.

    Raises
    ------
    samewise.ensemble.tables.table_reader.TableError
        If this is none of these, the column is not there or cannot be, or a value is not text.
    """
    if isinstance(texts, pa.Array | pa.ChunkedArray):
        texts = pa.table({TEXT_NAMES[0]: texts})
    elif hasattr(texts, "to_frame") and hasattr(texts, "to_numpy"):  # a Series of pandas or polars
        texts = texts.to_frame()
    elif isinstance(texts, np.ndarray):
        if texts.ndim != 1:
            raise TableError(f"texts must be an array of shape (n,), got shape {texts.shape}; pass one column of it")
        texts = texts.tolist()
    frame = _known_frame(texts)
    if frame is None:
        if isinstance(texts, str | bytes | Mapping | Set) or not isinstance(texts, Iterable):
            raise TableError(
                f"texts must be strings in an order, or a table, got {type(texts).__name__}; give a list, a Series or "
                "a data frame"
            )
        values = [None if isinstance(value, float) and isnan(value) else value for value in texts]
        frame = _records(values)
    if frame is not None:
        only = frame.names[0] if len(frame.names) == 1 else TEXT_NAMES[0]
        name = next((name for name in TEXT_NAMES if name in frame.names), only) if column is None else column
        parts = name.split(JOIN) if isinstance(name, str) and name not in frame.names else [name]
        columns = [_texts_of_column(frame, part) for part in parts]
        return columns[0] if len(columns) == 1 else list(map(joined_text, zip(*columns, strict=True)))
    if column is not None:
        raise TableError(f"column must be None for texts without columns, got {column!r:.60}; leave it out")
    odd = next((place for place, text in enumerate(values) if not isinstance(text, str | None)), None)
    if odd is not None:
        raise TableError(f"a text must be a string, got {values[odd]!r:.60} at position {odd}; convert or remove it")
    return values


def column_cells(table: Any, name: Any) -> list[Any]:
    """Return the values of a column of a table as for `frame_of`, whatever their type; None where one is missing."""
    frame = frame_of(table)
    place = place_of(name, frame.names)
    if isinstance(frame, _ArrowFrame):  # whose `values` are texts
        return list(frame.table.column(place).to_pylist())
    return frame.values(place, 0, frame.rows)


def _texts_of_column(frame: "Frame", name: Any) -> list[str | None]:
    place = place_of(name, frame.names)
    found: list[str | None] = texts_of(frame, (place, place), 0, frame.rows).column(0).to_pylist()
    return found


class Frame(Protocol):
    """Contract of a data frame, as far as scoring needs it."""

    names: list[Any]
    rows: int

    def values(self, place: int, start: int, stop: int) -> list[Any]:
        """Return rows of a column, None where they are missing."""
        ...

    def with_scores(self, scores: pa.Table) -> Any:
        """Return the frame with columns added, the last of them ``flags``."""
        ...


def frame_of(table: Any) -> Frame:
    """Return a table of pandas, polars, Arrow or datasets, or a list of dicts, as a frame.

    Raises
    ------
    samewise.ensemble.tables.table_reader.TableError
        If this is no such table.
    """
    frame = _known_frame(table) or (_records(table) if isinstance(table, list | tuple) else None)
    if frame is None:
        raise TableError(
            f"the table is of type {type(table).__name__}; give a pandas or polars DataFrame, a pyarrow Table or "
            "anything with the Arrow stream interface, a Dataset, or a list of dicts (lists of pairs are for predict)"
        )
    return frame


def _known_frame(table: Any) -> Frame | None:
    pandas, polars = sys.modules.get("pandas"), sys.modules.get("polars")
    if pandas is not None and isinstance(table, pandas.DataFrame):
        return _PandasFrame(table)
    if polars is not None and isinstance(table, polars.DataFrame):
        return _PolarsFrame(table, polars)
    if polars is not None and isinstance(table, polars.LazyFrame):
        raise TableError("the table must have rows to score, got a LazyFrame of polars; collect() it first")
    if isinstance(table, pa.Table | pa.RecordBatch):
        return _ArrowFrame(table)
    if hasattr(table, "__arrow_c_stream__"):
        with suppress(pa.ArrowInvalid):  # of a single column
            return _ArrowFrame(pa.table(table))
    if isinstance(getattr(table, "column_names", None), list) and hasattr(table, "with_format"):
        if not hasattr(table, "__len__"):
            raise TableError("the table must have rows to score, got a Dataset that is streamed; load it whole")
        return _ArrowFrame(table.with_format("arrow")[:])  # a Dataset of datasets
    return None


def _records(rows: Sequence[Any]) -> "_Records | None":
    first = next((row for row in rows if row is not None), None)
    return _Records(rows) if isinstance(first, Mapping) else None


class _Records:
    def __init__(self, rows: Sequence[Any]) -> None:
        odd = next((place for place, row in enumerate(rows) if not isinstance(row, Mapping)), None)
        if odd is not None:
            raise TableError(f"each row must be a dict, got {rows[odd]!r:.60} at position {odd}; correct or remove it")
        self.records = rows
        self.names = list(dict.fromkeys(name for row in rows for name in row))
        self.rows = len(rows)

    def values(self, place: int, start: int, stop: int) -> list[Any]:
        column = [row.get(self.names[place]) for row in self.records[start:stop]]
        return [None if isinstance(value, float) and isnan(value) else value for value in column]

    def with_scores(self, scores: pa.Table) -> list[dict[Any, Any]]:
        added = scores.rename_columns(free_names(scores.schema.names, self.names)).to_pylist()
        return [{**row, **new} for row, new in zip(self.records, added, strict=True)]


class _PandasFrame:
    def __init__(self, table: Any) -> None:
        self.table = table
        self.names = list(table.columns)
        self.rows = len(table)

    def values(self, place: int, start: int, stop: int) -> list[Any]:
        part = self.table.iloc[start:stop, place]
        return [None if gone else value for value, gone in zip(part.tolist(), part.isna().tolist(), strict=True)]

    def with_scores(self, scores: pa.Table) -> Any:
        # As arrays: a series would be aligned by index, which may hold labels twice.
        arrays = [_with_lists(column) for column in scores.columns]
        levels = self.table.columns.nlevels
        frame = self.table.copy()
        for name, values in zip(free_names(scores.schema.names, frame.columns), arrays, strict=True):
            frame[name if levels == 1 else (name, *[""] * (levels - 1))] = values
        return frame


def _with_lists(column: pa.ChunkedArray) -> np.ndarray:
    # Lists stay lists: Arrow itself makes an array of each.
    if not pa.types.is_list(column.type):
        values: np.ndarray = column.to_numpy(zero_copy_only=False)
        return values
    lists = np.empty(len(column), dtype=object)
    for row, value in enumerate(column.to_pylist()):
        lists[row] = value
    return lists


class _PolarsFrame:
    def __init__(self, table: Any, polars: Any) -> None:
        self.table = table
        self.polars = polars
        self.names = table.columns
        self.rows = table.height

    def values(self, place: int, start: int, stop: int) -> list[Any]:
        values: list[Any] = self.table.to_series(place).slice(start, stop - start).to_list()
        return values

    def with_scores(self, scores: pa.Table) -> Any:
        names = free_names(scores.schema.names, self.names)
        columns = [self.polars.from_arrow(column) for column in scores.columns]
        return self.table.with_columns([column.alias(name) for name, column in zip(names, columns, strict=True)])


class _ArrowFrame:
    def __init__(self, table: Any) -> None:
        self.table = table
        self.names = table.schema.names
        self.rows = table.num_rows

    def values(self, place: int, start: int, stop: int) -> list[Any]:
        column = self.table.column(place)
        name = self.names[place]
        if not (is_text(column.type) or pa.types.is_null(column.type)):
            raise TableError(f"the column {name!r} holds {column.type}, not text")
        try:
            values: list[Any] = column.slice(start, stop - start).to_pylist()
        except UnicodeDecodeError:
            raise TableError(f"the column {name!r} holds bytes that are not UTF-8; correct it") from None
        return values

    def with_scores(self, scores: pa.Table) -> Any:
        schema = with_fields(self.table.schema, scores.schema)
        if isinstance(self.table, pa.RecordBatch):
            added = [column.combine_chunks() for column in scores.columns]
            return pa.record_batch([*self.table.columns, *added], schema=schema)
        return pa.Table.from_arrays([*self.table.columns, *scores.columns], schema=schema)


def place_of(label: Any, names: Sequence[Any]) -> int:
    """Return the place of a column; an error if the table has none or several of that name."""
    places = [place for place, name in enumerate(names) if name == label]
    if not places:
        listed = ", ".join(map(str, names[:30])) + (f" and {len(names) - 30} more" if len(names) > 30 else "")
        remedy = did_you_mean(str(label), map(str, names))
        raise TableError(f"the table has no column {label!r}; its columns are: {listed}{remedy}")
    if len(places) > 1:
        raise TableError(f"the table has {len(places)} columns named {label!r}; rename one of them")
    return places[0]


def texts_of(frame: Frame, places: tuple[int, int], start: int, stop: int, before: int = 0) -> pa.RecordBatch:
    """Return two columns of rows, null where a text is missing; `before` rows were in other batches."""
    columns = [frame.values(place, start, stop) for place in places]
    for place, values in zip(places, columns, strict=True):
        for row, value in enumerate(values, before + start):
            if value is not None and not isinstance(value, str):
                raise TableError(
                    f"row {row} (from 0) of the column {frame.names[place]!r} is {value!r:.60} of type "
                    f"{type(value).__name__}, not text; convert or remove it"
                )
    # As a prediction reads them: Arrow cannot hold lone surrogates.
    texts = [[value if value is None else replace_surrogates(value) for value in values] for values in columns]
    return pa.record_batch([pa.array(values, pa.string()) for values in texts], schema=PAIR_SCHEMA)


def with_fields(schema: pa.Schema, added: pa.Schema) -> pa.Schema:
    """Return a schema with fields added, under names that are free."""
    for name, field in zip(free_names(added.names, schema.names), added, strict=True):
        schema = schema.append(field.with_name(name))
    return schema
