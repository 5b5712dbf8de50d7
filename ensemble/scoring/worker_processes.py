"""Processes that score batches, this one among them; results come back in the order in which the batches went."""

import os
import pickle
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, cast

import pyarrow as pa

from ...models.profiles import DEFAULT_PROFILE
from ..loading import Model, ModelLike, ModelRef, load, pickled
from ..tables.table_reader import TableError
from .added_columns import Counted, Found, added_columns, counted_scores, found_in
from .batches import PIECE_SECONDS, BatchPieces, Piece, differences_of, with_scores
from .loky_pool import new_pool, one_thread, rare_collection, stop_pool

IN_HAND = 4
"""Batches in hand for each process."""

PIECES_AHEAD = 2
"""Pieces for each other process: one that it scores, and one that waits for it while this one is at its own."""

WORTH_A_START = 2.5
"""Seconds of work of one process from which others are started: they need half a second to a second to load a model."""

MOST_DEATHS = 3
"""So many times in a row workers may die before a batch is done; then it is not chance."""

NETWORK_SECONDS = 0.006
"""Seconds that one process takes for a pair where networks read it: then others are started before the first piece."""

WORKER_BYTES = 500 << 20
"""Memory that a process may take, with a margin."""


class WorkerModel(NamedTuple):
    """Reference to the model that a worker loads, or the file that holds it, and the signature that it must have."""

    place: ModelRef | Path
    signature: str

    def load(self) -> Model:
        """Return the model; refuse another signature, for then its bundle was written again."""
        if isinstance(self.place, Path):
            return cast(Model, pickle.loads(self.place.read_bytes()))
        model = self.place.load()
        if model.signature != self.signature:
            raise TableError(f"the model {self.place.model} changed while it was in use; start again")
        return model


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


class Workers:
    """Processes that score batches of texts together, this one among them; a context manager.

    This one scores while it has nothing to read or write, so that two processes have the model where two cores work.
    The others are started only if the work is long enough to save time.

    Parameters
    ----------
    model
        The fitted model. Other processes load it by its reference; a model without one is written to a file for them.
    count
        Processes, with this one; with 1, everything is done here.
    """

    def __init__(self, model: Model, count: int) -> None:
        self._model, self._count = model, count
        self._pool: Any = None
        self._stack = ExitStack()
        self._for_workers: WorkerModel | None = None
        self._ahead: deque[tuple[Task, Piece, Future[Any]]] = deque()

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        with self._stack:
            if self._pool is not None:
                stop_pool(self._pool)

    def scores(
        self, batches: Iterable[pa.RecordBatch], differences_from: float | None = None, covers: bool = False
    ) -> Iterator[Counted]:
        """Yield the scores of batches of two columns, in order; only a few are taken before they are wanted.

        Parameters
        ----------
        batches
            Batches of two columns, the texts.
        differences_from
            Score from which the differences of a pair are returned too; None for no pair.
        covers
            Whether the shares of `covers_of` are returned too.

        Raises
        ------
        ChildProcessError
            If workers keep dying.
        """
        score = partial(counted_scores, differences_from=differences_from, covers=covers)
        return self.map(score, Counted.join, batches)

    def differences(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Array]:
        """Yield the differences of batches without their scores; as `scores`."""
        return self.map(differences_of, pa.concat_arrays, batches)

    def found(self, batches: Iterable[pa.RecordBatch], differences: bool, covers: bool) -> Iterator[Found]:
        """Yield what is requested of batches without their scores; as `scores`."""
        return self.map(partial(found_in, differences=differences, covers=covers), Found.join, batches)

    def map(self, task: Task, join: Callable[[Sequence[Any]], Any], batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
        """Yield what a task returns for each batch, in order; as `scores`.

        Parameters
        ----------
        task
            Function of a batch and the model, whose result for a row does not depend on the other rows.
        join
            Returns the result of a batch from those of its pieces.
        batches
            The batches.
        """
        if self._count == 1:
            with rare_collection():
                yield from (task(batch, self._model) for batch in batches)
            return
        # Before anything is scored: a model that cannot reach other processes is refused for tables of any length.
        if self._for_workers is None:
            place = self._model.ref
            if place is None:
                place = Path(self._stack.enter_context(tempfile.TemporaryDirectory()), "model.pickle")
                place.write_bytes(pickled(self._model))
            self._for_workers = WorkerModel(place, self._model.signature)
        parts = getattr(self._model, "parts", {}).values()
        networks = any(not member.reads_columns for part in parts for member in part.members)
        pieces = BatchPieces(batches, IN_HAND * self._count, NETWORK_SECONDS if networks else None)
        others = self._count - 1
        try:
            # Bounded by what has been taken from us, not by what has been scored: a slow writer must not make finished
            # batches pile up, as they would with `joblib.Parallel(return_as="generator")`.
            while pieces.read():
                if self._running > 1 or pieces.worth(WORTH_A_START):
                    self._hand_out(task, pieces, others)
                while self._ahead and self._ahead[0][-1].done():
                    self._take_first(pieces)
                if (results := pieces.complete()) is not None:
                    yield results[0] if len(results) == 1 else join(results)
                # The more processes wait for this one to read and write, the shorter its own pieces.
                elif (piece := pieces.take(self._running, PIECE_SECONDS / others)) is not None:
                    begin = time.perf_counter()
                    with rare_collection(), one_thread():
                        result = task(piece.rows, self._model)
                    pieces.put(piece, result, time.perf_counter() - begin)
                else:
                    self._take_first(pieces)
        finally:
            for *_, future in self._ahead:
                future.cancel()
            self._ahead.clear()

    @property
    def _running(self) -> int:
        return self._count if self._pool is not None else 1

    def _hand_out(self, task: Task, pieces: BatchPieces, others: int) -> None:
        while (
            sum(not future.done() for *_, future in self._ahead) < PIECES_AHEAD * others
            and (piece := pieces.take(self._count)) is not None
        ):
            self._ahead.append((task, piece, self._submit(task, piece.rows)))

    def _submit(self, task: Task, rows: pa.RecordBatch) -> Future[Any]:
        if self._pool is None:
            self._pool = new_pool(self._count - 1)
        future: Future[Any]
        try:
            future = self._pool.submit(_score_in_worker, rows, task, self._for_workers)
        except BrokenExecutor as error:
            # As if it had been taken and lost; `_take_first` handles it.
            future = Future()
            future.set_exception(error)
        return future

    def _take_first(self, pieces: BatchPieces) -> None:
        for death in range(1, MOST_DEATHS + 1):
            try:
                result = self._ahead[0][-1].result()
                _, piece, _ = self._ahead.popleft()
                return pieces.put(piece, result)
            except BrokenExecutor as error:
                if death == MOST_DEATHS:
                    raise ChildProcessError(
                        "worker processes keep dying, perhaps for want of memory; use fewer workers"
                    ) from error
                self._again()
        raise AssertionError("unreachable")

    def _again(self) -> None:
        # A killed worker ends the others too; new ones score the rest.
        pool, self._pool = self._pool, None
        stop_pool(pool)
        for place, (task, piece, future) in enumerate(self._ahead):
            if not future.done() or future.cancelled() or future.exception() is not None:
                self._ahead[place] = task, piece, self._submit(task, piece.rows)


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
    covers: bool = False,
    keep_apart: Sequence[str] | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield batches with scores, intervals and flags added, in order; see `score_batch`.

    Parameters
    ----------
    batches
        Record batches of one schema.
    a_name, b_name
        The columns with the texts.
    model
        As for `load`.
    workers
        Processes; ``"auto"``, or None, is one a usable core.
    decide, at_least, differences, covers, keep_apart
        Other columns to add; see `added_columns`.
    """
    loaded = load(model)
    added = added_columns(loaded, decide, at_least, differences, covers, keep_apart)
    waiting: deque[pa.RecordBatch] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            waiting.append(batch)
            yield batch.select([a_name, b_name])

    with Workers(loaded, worker_count(workers)) as pool:
        for counted in pool.scores(texts(), added.differences_from, covers):
            yield with_scores(waiting.popleft(), added.of(counted.scores, loaded, *counted.found))


_loaded: dict[WorkerModel, Model] = {}


def _score_in_worker(texts: pa.RecordBatch, task: Task, wanted: WorkerModel) -> Any:
    if wanted not in _loaded:
        _loaded[wanted] = wanted.load()
    return task(texts, _loaded[wanted])
