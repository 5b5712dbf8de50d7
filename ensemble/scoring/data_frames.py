"""Scores beside the columns of a data frame: pandas, polars, Arrow; the result has the type of the input."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ...models.profiles import DEFAULT_PROFILE
from ..core.pair_inputs import TEXT_COLUMNS
from ..loading import ModelLike, lives_in_memory
from ..tables.sources import BATCH
from ..tables.table_reader import split_columns
from ..tables.text_rows import KNOWN_NAMES
from .added_columns import added_schema
from .frames import frame_of, place_of, texts_of, with_fields
from .progress_bars import Steps, shown_steps
from .worker_processes import score_batches

MISSING = "missing"
"""Flag of a row without one of its texts; its score is null."""


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
        A pandas or polars DataFrame, a pyarrow Table or RecordBatch, or a list of dicts: the same kind is returned. Of
        a pyarrow RecordBatchReader another is returned, which scores its batches on request, in bounded memory.
        A Dataset of the library datasets, and anything else with the Arrow stream interface, such as a relation of
        DuckDB, come back as a pyarrow Table.
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
    frame = frame_of(table)
    first, second = _places(columns, frame.names)
    texts = [
        texts_of(frame, (first, second), start, min(start + BATCH, frame.rows)) for start in range(0, frame.rows, BATCH)
    ]
    scores = pa.Table.from_batches(_scores(texts, scoring, frame.rows), scoring.schema)
    return frame.with_scores(scores.combine_chunks())


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


def _scored_stream(stream: pa.RecordBatchReader, columns: Any, scoring: _Scoring) -> pa.RecordBatchReader:
    places = _places(columns, stream.schema.names)
    schema = with_fields(stream.schema, scoring.schema)
    waiting: deque[list[pa.RecordBatch]] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        before = 0
        for group in _grouped(stream):
            waiting.append(group)
            batches = []
            for batch in group:
                batches.append(texts_of(frame_of(batch), places, 0, batch.num_rows, before))
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
    remedy = "" if columns is not None else "; name the two with the texts, as in columns=['a', 'b']"
    first, second = (place_of(label, names, remedy) for label in wanted)
    return first, second


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
