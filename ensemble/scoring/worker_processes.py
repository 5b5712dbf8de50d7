"""Worker processes: each loads the model once and scores batches, which come back in the order in which they went."""

import gc
import os
import signal
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import ExitStack, suppress
from itertools import chain, islice
from pathlib import Path
from queue import Empty
from types import TracebackType
from typing import Any, NamedTuple

import pyarrow as pa

from ..core.predictor import DEFAULT_PROFILE, Predictor
from ..tables.table_errors import TableError
from .batch_scores import load_model, scores_of, with_scores

LOOK_AHEAD = 2
"""Batches in hand for each worker."""

MOST_DEATHS = 3
"""So many times in a row workers may die before a batch is done; then it is not chance."""

WORKER_BYTES = 500 << 20
"""Memory that a worker may take, with a margin: three processes with the profile `full` take 1.26 GB together."""


class ModelPlace(NamedTuple):
    """Where a worker finds the model, and which one it must be."""

    model: str
    features_file: str | None
    given: tuple[tuple[str, Any], ...]
    cache: str | None
    signature: str


class Counted(NamedTuple):
    """Scores, and what the memory of sentences did for them.

    Attributes
    ----------
    scores
        A batch of `unit.SCORES`.
    sentences, known
        How many values were asked for, and how many of them were known.
    """

    scores: pa.RecordBatch
    sentences: int
    known: int


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
    if isinstance(workers, str) or workers < 1:
        raise ValueError(f"workers is {workers}; it must be at least 1, or auto")
    return workers


def counted_scores(texts: pa.RecordBatch, model: Predictor) -> Counted:
    """Return the scores of a batch whose two columns are the texts."""
    memory = getattr(model, "memory", None)
    asked, known = (memory.asked, memory.known) if memory is not None else (0, 0)
    scores = scores_of(texts.column(0), texts.column(1), model)
    if memory is not None:
        asked, known = memory.asked - asked, memory.known - known
    return Counted(scores, asked, known)


class Workers:
    """Processes that score batches of texts; a context manager.

    Parameters
    ----------
    model
        The fitted model.
    count
        Processes; with 1, or for a single batch, everything is done in this one.
    place
        The profile or folder that the model was loaded from and its file of features, so that it need not be saved for
        the workers; None for a model that is nowhere.
    cache
        Folder of sentences; see `SentenceMemory`.
    """

    def __init__(
        self,
        model: Predictor,
        count: int,
        place: tuple[str | Path, str | Path | None] | None = None,
        cache: str | Path | None = None,
    ) -> None:
        self._model, self._count, self._from, self._cache = model, count, place, cache
        self._pool: Any = None
        self._stack = ExitStack()
        self._ahead: deque[tuple[pa.RecordBatch, Future[Counted]]] = deque()

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._stop()
        self._stack.close()

    def scores(self, batches: Iterable[pa.RecordBatch]) -> Iterator[Counted]:
        """Yield the scores of batches of two columns, in order; only a few are taken before they are wanted.

        Raises
        ------
        ChildProcessError
            If workers keep dying.
        """
        batches = iter(batches)
        head = list(islice(batches, 2)) if self._count > 1 else []
        if len(head) < 2:
            yield from (counted_scores(batch, self._model) for batch in chain(head, batches))
            return
        self._place = self._where()
        for batch in chain(head, batches):
            self._ahead.append((batch, self._submit(batch)))
            # Bounded by what has been taken from us, not by what has been scored: a slow writer must not make finished
            # batches pile up, as they would with `joblib.Parallel(return_as="generator")`.
            if len(self._ahead) >= LOOK_AHEAD * self._count:
                yield self._first()
        while self._ahead:
            yield self._first()

    def _where(self) -> ModelPlace:
        if self._from is None:
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory())) / "model"
            self._model.save(folder)
            self._from = folder, None
        model, features_file = (None if path is None else str(path) for path in self._from)
        given = tuple((key, str(path)) for key, path in self._model.given.items())
        cache = None if self._cache is None else str(self._cache)
        return ModelPlace(str(model), features_file, given, cache, self._model.signature)

    def _submit(self, batch: pa.RecordBatch) -> Future[Counted]:
        if self._pool is None:
            self._pool = new_pool(self._count)
        future: Future[Counted]
        try:
            future = self._pool.submit(_score_in_worker, batch, self._place)
        except BrokenExecutor as error:
            # As if it had been taken and lost; `_first` sees to it.
            future = Future()
            future.set_exception(error)
        return future

    def _first(self) -> Counted:
        for death in range(1, MOST_DEATHS + 1):
            try:
                found = self._ahead[0][1].result()
                self._ahead.popleft()
                return found
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
        pool.shutdown(wait=True, kill_workers=True)
        for place, (batch, future) in enumerate(self._ahead):
            if not future.done() or future.cancelled() or future.exception() is not None:
                self._ahead[place] = batch, self._submit(batch)

    def _stop(self) -> None:
        if self._pool is None:
            return
        # loky forgets at a stop what waits in its first queue but then still reads that queue, and fails (KeyError). An
        # interrupt in the midst of a submission leaves a call there for which nobody holds a future.
        with suppress(Empty):
            while True:
                self._pool._work_ids.get_nowait()
        self._pool.shutdown(wait=True, kill_workers=True)


def score_batches(
    batches: Iterable[pa.RecordBatch],
    a_name: str,
    b_name: str,
    model: str | Path | Predictor = DEFAULT_PROFILE,
    workers: int | str | None = None,
) -> Iterator[pa.RecordBatch]:
    """Yield batches with scores, intervals and flags added, in order; see `score_batch`.

    Parameters
    ----------
    batches
        Record batches of one schema.
    a_name, b_name
        The columns with the texts.
    model
        A profile, the folder of a bundle, or a loaded model.
    workers
        Processes; ``"auto"``, or None, is one a usable core.
    """
    named = isinstance(model, str | Path)
    loaded = load_model(model) if isinstance(model, str | Path) else model
    waiting: deque[pa.RecordBatch] = deque()

    def texts() -> Iterator[pa.RecordBatch]:
        for batch in batches:
            waiting.append(batch)
            yield batch.select([a_name, b_name])

    with Workers(loaded, worker_count(workers), (str(model), None) if named else None) as pool:
        for found in pool.scores(texts()):
            yield with_scores(waiting.popleft(), found.scores)


_loaded: dict[ModelPlace, Predictor] = {}


def _score_in_worker(texts: pa.RecordBatch, place: ModelPlace) -> Counted:
    if place not in _loaded:
        model = load_model(place.model, place.features_file, **dict(place.given), cache=place.cache)
        if model.signature != place.signature:
            raise TableError(f"the model {place.model} changed while it was in use; start again")
        _loaded[place] = model
    return counted_scores(texts, _loaded[place])


def new_pool(count: int) -> Any:
    """Return an executor of so many processes with one thread each, which end when this process does."""
    from joblib.externals.loky import ProcessPoolExecutor

    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return ProcessPoolExecutor(count, initializer=_prepare, initargs=(os.getpid(),), env=one_thread)


def _prepare(parent: int) -> None:
    # Both signals reach the whole group of processes; what follows is the parent's to decide.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    # A batch makes many small tuples that live as long as it does: looking for garbage among them so often finds none
    # and takes 9 % of the time of the profile full, 5 % of surface.
    gc.set_threshold(100_000, 50, 50)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    # A parent that was killed cannot say so: its workers would wait for it for ever.
    while os.getppid() == parent:
        time.sleep(1.0)
    os._exit(1)
