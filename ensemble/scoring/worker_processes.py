"""Worker processes: each loads the model once and scores batches, which come back in the order in which they went."""

import os
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

import pyarrow as pa

from ..core.profiles import DEFAULT_PROFILE
from ..multilingual.model import Model
from ..multilingual.model_source import ModelLike, ModelSource, loaded_model, source_of
from ..tables.table_errors import TableError
from .added_columns import added_columns
from .batch_scores import scores_of, with_scores
from .differences_column import differences_of
from .loky_pool import new_pool, stop_pool

LOOK_AHEAD = 2
"""Batches in hand for each worker."""

MOST_DEATHS = 3
"""So many times in a row workers may die before a batch is done; then it is not chance."""

WORKER_BYTES = 500 << 20
"""Memory that a worker may take, with a margin: three processes with the profile `full` take 1.26 GB together."""


class WorkerModel(NamedTuple):
    """Source of the model that a worker loads, and the signature that it must have."""

    source: ModelSource
    signature: str


class Counted(NamedTuple):
    """Scores, and what the memory of sentences did for them.

    Attributes
    ----------
    scores
        A batch of `batch_scores.PREDICTION`.
    sentences, known
        How many values were asked for, and how many of them were known.
    differences
        Column of `differences_of`, if it was asked for.
    """

    scores: pa.RecordBatch
    sentences: int
    known: int
    differences: pa.Array | None = None


def usable_cores() -> int:
    """Return how many cores this process may use: those of the machine, its affinity and its control group."""
    from joblib import cpu_count

    return int(cpu_count())


def worker_count(workers: int | str | None) -> int:
    """Return how many processes to use; ``"auto"`` is one a usable core, as far as free memory goes.

    Raises
    ------
    ValueError
        If it is neither ``"auto"`` nor a number from 1 on.
    """
    if workers is None or workers == "auto":
        try:
            free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, ValueError, OSError):
            free = WORKER_BYTES * usable_cores()
        return max(min(usable_cores(), free // WORKER_BYTES), 1)
    if isinstance(workers, str) and workers.isdecimal():
        workers = int(workers)
    if not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers must be a whole number from 1 on, or auto, got {workers}; correct it")
    return workers


Task = Callable[[pa.RecordBatch, Model], Any]
"""Function of a batch of texts and the model, which processes import by name."""


def counted_scores(texts: pa.RecordBatch, model: Model, differences: bool = False) -> Counted:
    """Return the scores of a batch whose two columns are the texts, and if asked their differences."""
    cache = getattr(model, "sentence_cache", None)
    asked, known = (cache.asked, cache.known) if cache is not None else (0, 0)
    scores = scores_of(texts.column(0), texts.column(1), model)
    found = differences_of(texts, model) if differences else None
    if cache is not None:
        asked, known = cache.asked - asked, cache.known - known
    return Counted(scores, asked, known, found)


class Workers:
    """Processes that score batches of texts; a context manager.

    Parameters
    ----------
    model
        The fitted model. Workers load it by its source; a model without one is written to files for them.
    count
        Processes; with 1, or for a single batch, everything is done in this one.
    """

    def __init__(self, model: Model, count: int) -> None:
        self._model, self._count = model, count
        self._pool: Any = None
        self._stack = ExitStack()
        self._for_workers: WorkerModel | None = None
        self._ahead: deque[tuple[Task, pa.RecordBatch, Future[Any]]] = deque()

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop()
        self._stack.close()

    def scores(self, batches: Iterable[pa.RecordBatch], differences: bool = False) -> Iterator[Counted]:
        """Yield the scores of batches of two columns, in order; only a few are taken before they are wanted.

        Parameters
        ----------
        batches
            Batches of two columns, the texts.
        differences
            Whether their differences are asked for too.

        Raises
        ------
        ChildProcessError
            If workers keep dying.
        """
        return self.map(partial(counted_scores, differences=differences), batches)

    def differences(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Array]:
        """Yield the differences of batches without their scores, as `scores` does those with them."""
        return self.map(differences_of, batches)

    def map(self, task: Task, batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
        """Yield what a task returns for each batch, in order; as `scores`."""
        batches = iter(batches)
        head = list(islice(batches, 2)) if self._count > 1 else []
        if len(head) < 2:
            yield from (task(batch, self._model) for batch in chain(head, batches))
            return
        if self._for_workers is None:
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory()))
            self._for_workers = WorkerModel(source_of(self._model, folder), self._model.signature)
        for batch in chain(head, batches):
            self._ahead.append((task, batch, self._submit(task, batch)))
            # Bounded by what has been taken from us, not by what has been scored: a slow writer must not make finished
            # batches pile up, as they would with `joblib.Parallel(return_as="generator")`.
            if len(self._ahead) >= LOOK_AHEAD * self._count:
                yield self._first()
        while self._ahead:
            yield self._first()

    def _submit(self, task: Task, batch: pa.RecordBatch) -> Future[Any]:
        if self._pool is None:
            self._pool = new_pool(self._count)
        future: Future[Any]
        try:
            future = self._pool.submit(_score_in_worker, batch, task, self._for_workers)
        except BrokenExecutor as error:
            # As if it had been taken and lost; `_first` sees to it.
            future = Future()
            future.set_exception(error)
        return future

    def _first(self) -> Any:
        for death in range(1, MOST_DEATHS + 1):
            try:
                result = self._ahead[0][-1].result()
                self._ahead.popleft()
                return result
            except BrokenExecutor as error:
                if death == MOST_DEATHS:
                    raise ChildProcessError(
                        "worker processes keep dying, perhaps for want of memory; use fewer workers"
                    ) from error
                self._again()
        raise AssertionError("unreachable")

    def _again(self) -> None:
        # A killed worker takes the others with it; what was not done is scored by new ones.
        pool, self._pool = self._pool, None
        stop_pool(pool)
        for place, (task, batch, future) in enumerate(self._ahead):
            if not future.done() or future.cancelled() or future.exception() is not None:
                self._ahead[place] = task, batch, self._submit(task, batch)

    def _stop(self) -> None:
        if self._pool is not None:
            stop_pool(self._pool)


def score_batches(
    batches: Iterable[pa.RecordBatch],
    a_name: str,
    b_name: str,
    model: ModelLike = DEFAULT_PROFILE,
    workers: int | str | None = None,
    *,
    decide: bool = False,
    at_least: float | None = None,
    differences: bool = False,
) -> Iterator[pa.RecordBatch]:
    """Yield batches with scores, intervals and flags added, in order; see `score_batch`.

    Parameters
    ----------
    batches
        Record batches of one schema.
    a_name, b_name
        The columns with the texts.
    model
        A profile, the folder of a bundle, a source, or a loaded model.
    workers
        Processes; ``"auto"``, or None, is one a usable core.
    decide, at_least, differences
        Other columns to add; see `added_columns`.
    """
    loaded = loaded_model(model, ModelSource())
    added = added_columns(loaded, decide, at_least, differences)
    waiting: deque[pa.RecordBatch] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            waiting.append(batch)
            yield batch.select([a_name, b_name])

    with Workers(loaded, worker_count(workers)) as pool:
        for counted in pool.scores(texts(), differences):
            yield with_scores(waiting.popleft(), added.of(counted.scores, loaded, counted.differences))


_loaded: dict[WorkerModel, Model] = {}


def _score_in_worker(texts: pa.RecordBatch, task: Task, wanted: WorkerModel) -> Any:
    if wanted not in _loaded:
        model = wanted.source.load()
        if model.signature != wanted.signature:
            raise TableError(f"the model {wanted.source.model} changed while it was in use; start again")
        _loaded[wanted] = model
    return task(texts, _loaded[wanted])
