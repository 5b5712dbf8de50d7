"""Worker processes that hold the model, so that scoring never blocks the event loop of the service."""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np

from ...ensemble.core.manifest import has_decision
from ...ensemble.core.scale import POINTS, Scale
from ...ensemble.loading import ModelRef, probe, readable_languages
from ...ensemble.scoring.loky_pool import new_pool, stop_pool
from . import Pair
from .decisions import DecidedPair
from .match_path import AskedText
from .queue import WorkerDied

if TYPE_CHECKING:
    from ...ensemble.loading import Model
    from ...ensemble.matching.index import Index

T = TypeVar("T")

PING_SECONDS = 1.0
"""Time after which an idle process that has not died counts as able to score: it may be stopped by a busy machine."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between two attempts to start a process; each pause is twice the last."""

PATIENCE = 60.0
"""Seconds that a batch waits for a process, if there is none, before it is refused."""

_PROBE = "A probe."

log = logging.getLogger(__name__)


class NoWorker(Exception):
    """Error of a pool in which no process can load the model."""


class NoIndex(Exception):
    """Error of a process that cannot read the index."""


class WorkerPool:
    """Processes with a model each; on one core, two threads would score no more pairs a second than one.

    Each process has its own executor, because an executor of loky or of `concurrent.futures` ends all its processes,
    with their batches, when one dies.

    Parameters
    ----------
    ref
        Reference to the model.
    count
        Number of processes.
    index
        Folder of an `Index`, which each process maps into memory; None for none.
    """

    def __init__(self, ref: ModelRef, count: int, index: str | None = None) -> None:
        self._ref, self.slots, self._index = ref, count, index
        self.signature = ""
        """Signature of the model, set by `start`."""
        self.languages: Sequence[str] = ()
        """ISO 639-1 codes of the languages that the model reads, set by `start`."""
        self.scale = POINTS
        """Scale of the model, set by `start`."""
        self.decides = False
        """Flag that the model has a decision, set by `start`."""
        self.index_signature: str | None = None
        """Signature of the index, set by `start`; None if there is none."""
        self.index_rows = 0
        """Number of rows of the index, set by `start`."""
        self._workers = {new_pool(1) for _ in range(count)}
        self._free: deque[Any] = deque()
        self._changed = asyncio.Condition()
        self._replacing: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Load the model and the index in every process.

        Raises
        ------
        ValueError, OSError
            If the model or the index cannot be loaded.
        """
        loading = [worker.submit(_facts, self._ref, None, self._index, None) for worker in self._workers]
        facts: _Facts = [future.result() for future in loading][0]
        self.signature, self.languages, self.scale, self.decides, self.index_signature, self.index_rows = facts
        self._free.extend(self._workers)

    async def score(self, pairs: Sequence[Pair | DecidedPair]) -> list[dict[str, Any]]:
        """Return the result of `responses.score` for each pair.

        Raises
        ------
        WorkerDied
            If the process died. Another is started in its place.
        NoWorker
            If no process can load the model.
        """
        return await self._run(_score, pairs)

    async def explain(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the result of `responses.explain` for each pair; raises as `score` does."""
        return await self._run(_explain, pairs)

    async def match(self, asked: Sequence[AskedText]) -> list[bytes]:
        """Return the result of `match_path.matches` for each text; raises as `score` does.

        Raises
        ------
        NoIndex
            If the process was started in place of another and the index has changed since.
        ValueError
            If there is no index.
        """
        if self._index is None or self.index_signature is None:
            raise ValueError("the workers must have an index to match texts, got none; name its folder")
        return await self._run(partial(_match, self._index, self.index_signature), asked)

    async def embed(self, texts: Sequence[str]) -> list[np.ndarray]:
        """Return the vector of each text by the sentence encoder, of length 1 or zeros; raises as `score` does."""
        return await self._run(_embed, texts)

    async def ready(self) -> int:
        """Return how many processes can score, and replace those that died while they were idle."""
        await asyncio.gather(*map(self._ping, list(self._free)))
        return len(self._workers)

    def close(self) -> None:
        """End the processes at once."""
        with ThreadPoolExecutor(self.slots) as threads:
            list(threads.map(stop_pool, self._workers))

    async def _run(self, work: Callable[[ModelRef, str, Sequence[Any]], T], items: Sequence[Any]) -> T:
        async with self._changed:
            while not self._free:
                # As long as one process is busy, the wait ends. Without any, the model may be gone for good.
                try:
                    await asyncio.wait_for(self._changed.wait(), PATIENCE)
                except TimeoutError:
                    if not self._workers:
                        raise NoWorker("no worker process can load the model") from None
            worker = self._free.popleft()
        try:
            future: Future[T] = worker.submit(work, self._ref, self.signature, items)
            result = await asyncio.wrap_future(future)
        except BrokenExecutor as error:
            self._replace(worker)
            raise WorkerDied("worker processes died of the request, perhaps for lack of memory") from error
        except Exception:
            await self._release(worker)
            raise
        await self._release(worker)
        return result

    async def _release(self, worker: Any) -> None:
        async with self._changed:
            self._free.append(worker)
            self._changed.notify()

    async def _ping(self, worker: Any) -> None:
        try:
            await asyncio.wait_for(asyncio.wrap_future(worker.submit(os.getpid)), PING_SECONDS)
        except BrokenExecutor:
            self._replace(worker)
        except TimeoutError:
            pass

    def _replace(self, worker: Any) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
            if worker in self._free:
                self._free.remove(worker)
            task = asyncio.create_task(self._start_another(worker))
            self._replacing.add(task)
            task.add_done_callback(self._replacing.discard)

    async def _start_another(self, dead: Any) -> None:
        pause = FIRST_PAUSE
        while True:
            await asyncio.to_thread(stop_pool, dead)
            worker = new_pool(1)
            try:
                await self._load(worker)
            except asyncio.CancelledError:
                stop_pool(worker)
                raise
            except Exception as error:
                reason = ascii(str(error).partition("\n")[0])
                log.error("a worker process cannot be started (%s); trying again in %.1f s", reason, pause)
                await asyncio.sleep(pause)
                dead, pause = worker, min(2 * pause, LONGEST_PAUSE)
            else:
                async with self._changed:
                    self._workers.add(worker)
                    self._free.append(worker)
                    self._changed.notify()
                return

    async def _load(self, worker: Any) -> None:
        await asyncio.wrap_future(worker.submit(_facts, self._ref, self.signature, None, None))
        if self._index is None:
            return
        facts = self._ref, self.signature, self._index, self.index_signature
        try:
            await asyncio.wrap_future(worker.submit(_facts, *facts))
        except (ValueError, OSError) as error:  # all other requests need no index
            log.error("a worker process answers no matches (%s)", ascii(str(error).partition("\n")[0]))


_loaded: dict[ModelRef, "Model"] = {}


def _model(ref: ModelRef, signature: str | None) -> "Model":
    if ref not in _loaded:
        model = ref.load()
        if signature is not None and model.signature != signature:
            raise ValueError(f"the model {ref.model} changed while it was in use; start the service again")
        probe(model)  # loads what the first prediction needs
        _loaded[ref] = model
    return _loaded[ref]


_opened: dict[str, tuple["Index", str]] = {}


def _opened_index(place: str, signature: str | None, model: "Model") -> tuple["Index", str]:
    from ...ensemble.matching.index import Index
    from .match_path import matches

    if place not in _opened:
        index = Index.open(place)
        found = index.signature
        if signature is not None and found != signature:
            raise ValueError(f"the index {place} changed while it was in use; start the service again")
        matches(model, index, [AskedText(_PROBE)])  # loads what the first text needs
        _opened[place] = index, found
    return _opened[place]


class _Facts(NamedTuple):
    signature: str
    languages: tuple[str, ...]
    scale: Scale
    decides: bool
    index_signature: str | None
    index_rows: int


def _facts(ref: ModelRef, signature: str | None, place: str | None, index_signature: str | None) -> _Facts:
    model = _model(ref, signature)
    found, rows = None, 0
    if place is not None:
        index, found = _opened_index(place, index_signature, model)
        rows = len(index)
    return _Facts(model.signature, readable_languages(model), model.scale, has_decision(model.parts), found, rows)


def _score(ref: ModelRef, signature: str, pairs: Sequence[Pair | DecidedPair]) -> list[dict[str, Any]]:
    from .responses import score

    return score(_model(ref, signature), pairs)


def _embed(ref: ModelRef, signature: str, texts: Sequence[str]) -> list[np.ndarray]:
    from sklearn.preprocessing import normalize

    from ...features.encoders.sentence_encoder import shipped_encoder

    return list(normalize(shipped_encoder().vectors(texts)))


def _explain(ref: ModelRef, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .responses import explain

    return explain(_model(ref, signature), pairs)


def _match(place: str, index_signature: str, ref: ModelRef, signature: str, asked: Sequence[AskedText]) -> list[bytes]:
    from .match_path import matches

    model = _model(ref, signature)
    try:
        index, _ = _opened_index(place, index_signature, model)
    except (ValueError, OSError) as error:
        raise NoIndex("the index must be as it was at the start, got another; start the service again") from error
    return matches(model, index, asked)
