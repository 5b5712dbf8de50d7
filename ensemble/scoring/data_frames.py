"""Scores beside the columns of a data frame: pandas, polars, Arrow; the result has the type of the input.

narwhals serves the same frames but is not used: only reading two columns and adding four is needed,
and it raises DuplicateError for a pandas frame that has a column name twice (measured with 2.29), which must come back
as it is. pandas and polars are used only if the caller has imported them already.
"""

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

import numpy as np
import pyarrow as pa

from ..._messages import did_you_mean
from ...features.linguistics.normalisation import replace_surrogates
from ...models.profiles import DEFAULT_PROFILE
from ..core.pair_inputs import TEXT_COLUMNS
from ..loading import ModelLike, lives_in_memory
from ..tables.arrow_rows import is_text
from ..tables.sources import BATCH
from ..tables.table_reader import TableError, split_columns
from ..tables.table_writer import free_names
from ..tables.text_rows import KNOWN_NAMES
from ..tables.text_tables import TEXT_NAMES
from .added_columns import added_schema
from .progress_bars import Steps, shown_steps
from .worker_processes import score_batches

MISSING = "missing"
"""Flag of a row without one of its texts; its score is null."""

_TEXTS = pa.schema([pa.field(name, pa.string()) for name in TEXT_COLUMNS])


def score_table(
    table: Any,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: str | Sequence[Any] | None = None,
    workers: int | str | None = None,
    decide: bool = False,
    at_least: float | None = None,
    differences: bool = False,
    covers: bool = False,
    keep_apart: Sequence[str] | None = None,
    progress: bool | Steps = False,
) -> Any:
    """Return a data frame with the columns ``score``, ``low``, ``high`` and ``flags`` added to those of another.

    Everything else is unchanged: the other columns and their types, the order of the rows, the index of a pandas frame.
    A row that lacks a text (None, NaN, NA) gets null scores and the flag ``missing``. A name that is taken is prefixed
    (``samewise_score``).

    Parameters
    ----------
    table
        A pandas or polars DataFrame, or a pyarrow Table or RecordBatch: the same kind is returned. Of a pyarrow
        RecordBatchReader another is returned, which scores its batches on request, in bounded memory.
        Anything else with the Arrow stream interface, such as a relation of DuckDB, comes back as a pyarrow Table.
    model
        As for `load`.
    columns
        The two columns with the texts: ``"A,B"``, or a list of names. Without it ``sentence1`` and ``sentence2``, or
        SICK's names, or the only two there are.
    workers
        Processes; without it one a usable core. Up to 2,048 rows are scored in this process, and so is everything by a
        model with features that were defined in Python.
    decide, at_least, differences, covers, keep_apart
        Other columns to add, ``decision`` and ``reason``, ``probability``, ``differences``, ``covered`` and ``added``;
        see `added_columns`.
    progress
        True for a progress bar, which needs tqdm, or a function that returns, for the title of a step, the function of
        the rows done and the rows in all, None for those of a RecordBatchReader.

    Raises
    ------
    samewise.ensemble.tables.table_reader.TableError
        If this is no such table, a column is not there, or a value is not text; no row is scored then, but of a
        RecordBatchReader those before it.
    samewise.models.bundle.BundleError
        If the model cannot be loaded, or a decision is asked for that it does not have.
    """
    if lives_in_memory(model):
        workers = 1
    scoring = _Scoring(model, workers, decide, at_least, differences, covers, keep_apart, progress)
    if isinstance(table, pa.RecordBatchReader):
        return _scored_stream(table, columns, scoring)
    frame = _frame(table)
    first, second = _places(columns, frame.names)
    texts = [
        _texts(frame, (first, second), start, min(start + BATCH, frame.rows)) for start in range(0, frame.rows, BATCH)
    ]
    scores = pa.Table.from_batches(_scores(texts, scoring, frame.rows), scoring.schema)
    return frame.with_scores(scores.combine_chunks())


def column_texts(table: Any, column: Any = None) -> list[str | None]:
    """Return the texts of a column of a data frame, None where one is missing."""
    frame = _frame(table)
    only = frame.names[0] if len(frame.names) == 1 else TEXT_NAMES[0]
    name = next((name for name in TEXT_NAMES if name in frame.names), only) if column is None else column
    place = _place(name, frame.names)
    return _texts(frame, (place, place), 0, frame.rows).column(0).to_pylist()


class _Scoring(NamedTuple):
    # The model, the number of processes, the requested columns, and whether progress is shown.
    model: ModelLike
    workers: int | str | None
    decide: bool
    at_least: float | None
    differences: bool
    covers: bool
    keep_apart: Sequence[str] | None
    progress: bool | Steps

    @property
    def schema(self) -> pa.Schema:
        return added_schema(self.decide, self.at_least, self.differences, self.covers)


class _Frame(Protocol):
    """Contract of a data frame, as far as scoring needs it."""

    names: list[Any]
    rows: int

    def values(self, place: int, start: int, stop: int) -> list[Any]:
        """Return rows of a column, None where they are missing."""
        ...

    def with_scores(self, scores: pa.Table) -> Any:
        """Return the frame with columns added, the last of them ``flags``."""
        ...


def _frame(table: Any) -> _Frame:
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
    raise TableError(
        f"the table is of type {type(table).__name__}; give a pandas or polars DataFrame, a pyarrow Table or anything "
        "with the Arrow stream interface (lists of pairs are for predict)"
    )


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
        schema = _with_fields(self.table.schema, scores.schema)
        if isinstance(self.table, pa.RecordBatch):
            added = [column.combine_chunks() for column in scores.columns]
            return pa.record_batch([*self.table.columns, *added], schema=schema)
        return pa.Table.from_arrays([*self.table.columns, *scores.columns], schema=schema)


def _scored_stream(stream: pa.RecordBatchReader, columns: Any, scoring: _Scoring) -> pa.RecordBatchReader:
    places = _places(columns, stream.schema.names)
    schema = _with_fields(stream.schema, scoring.schema)
    waiting: deque[list[pa.RecordBatch]] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        before = 0
        for group in _grouped(stream):
            waiting.append(group)
            batches = []
            for batch in group:
                batches.append(_texts(_ArrowFrame(batch), places, 0, batch.num_rows, before))
                before += batch.num_rows
            [whole] = pa.Table.from_batches(batches).combine_chunks().to_batches()
            yield whole

    def scored() -> Iterator[pa.RecordBatch]:
        for scores in _scores(texts(), scoring):
            for batch in waiting.popleft():
                yield pa.record_batch([*batch.columns, *scores.slice(0, batch.num_rows).columns], schema=schema)
                scores = scores.slice(batch.num_rows)

    return pa.RecordBatchReader.from_batches(schema, scored())


def _grouped(stream: pa.RecordBatchReader) -> Iterator[list[pa.RecordBatch]]:
    """Yield pieces of the batches in groups of about `BATCH` rows, a good size for a model."""
    group: list[pa.RecordBatch] = []
    for batch in stream:
        for start in range(0, batch.num_rows, BATCH):
            group.append(batch.slice(start, BATCH))
            if sum(piece.num_rows for piece in group) >= BATCH:
                yield group
                group = []
    if group:
        yield group


def _places(columns: str | Sequence[Any] | None, names: Sequence[Any]) -> tuple[int, int]:
    wanted: Sequence[Any] = split_columns(columns)
    if not wanted:
        named = next((pair[:2] for pair in KNOWN_NAMES if set(pair[:2]) <= set(names)), None)
        if named is None and len(names) == 2:
            return 0, 1
        wanted = named or KNOWN_NAMES[0][:2]
    first, second = (_place(label, names) for label in wanted)
    return first, second


def _place(label: Any, names: Sequence[Any]) -> int:
    places = [place for place, name in enumerate(names) if name == label]
    if not places:
        listed = ", ".join(map(str, names[:30])) + (f" and {len(names) - 30} more" if len(names) > 30 else "")
        remedy = did_you_mean(str(label), map(str, names))
        raise TableError(f"the table has no column {label!r}; its columns are: {listed}{remedy}")
    if len(places) > 1:
        raise TableError(f"the table has {len(places)} columns named {label!r}; rename one of them")
    return places[0]


def _texts(frame: _Frame, places: tuple[int, int], start: int, stop: int, before: int = 0) -> pa.RecordBatch:
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
    return pa.record_batch([pa.array(values, pa.string()) for values in texts], schema=_TEXTS)


def _scores(texts: Iterable[pa.RecordBatch], scoring: _Scoring, total: int | None = None) -> Iterator[pa.RecordBatch]:
    """Yield for each batch of texts as many rows of the columns that are asked for; `total` rows, if that is known."""
    waiting: deque[np.ndarray] = deque()

    def present() -> Iterator[pa.RecordBatch]:
        for batch in texts:
            there = np.logical_and(*(column.is_valid().to_numpy(zero_copy_only=False) for column in batch.columns))
            waiting.append(there)
            yield batch.filter(pa.array(there))

    schema = scoring.schema
    nothing = pa.record_batch([*[[None]] * (len(schema) - 1), [[MISSING]]], schema=schema)
    done = 0
    with shown_steps(scoring.progress) as step:
        advance = step("scoring")
        for scored in score_batches(
            present(),
            *TEXT_COLUMNS,
            scoring.model,
            scoring.workers,
            decide=scoring.decide,
            at_least=scoring.at_least,
            differences=scoring.differences,
            covers=scoring.covers,
            keep_apart=scoring.keep_apart,
        ):
            there = waiting.popleft()
            rows_of_scores = pa.Table.from_batches([scored.select(range(2, 2 + len(schema))), nothing])
            rows = np.where(there, np.cumsum(there) - 1, scored.num_rows)
            done += len(rows)
            if advance is not None:
                advance(done, total)
            yield rows_of_scores.take(pa.array(rows, pa.int64())).combine_chunks().to_batches()[0]


def _with_fields(schema: pa.Schema, added: pa.Schema) -> pa.Schema:
    for name, field in zip(free_names(added.names, schema.names), added, strict=True):
        schema = schema.append(field.with_name(name))
    return schema
