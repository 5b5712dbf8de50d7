"""Worker processes that hold the model, so that scoring never blocks the event loop of the service."""

import asyncio
import logging
import os
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from ..core.scale import POINTS, Scale
from ..multilingual.model_source import ModelSource
from ..scoring.loky_pool import new_pool, stop_pool
from . import Pair
from .micro_batches import WorkerDied

if TYPE_CHECKING:
    from ..multilingual.model import Model

T = TypeVar("T")

PING_SECONDS = 1.0
"""Time after which an idle process that has not died counts as able to score: it may be stopped by a busy machine."""

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0
"""Seconds between two attempts to start a process; each pause is twice the last."""

PATIENCE = 60.0
"""Seconds that a batch waits for a process, if there is none, before it is refused."""

log = logging.getLogger(__name__)


class NoWorker(Exception):
    """Error of a pool none of whose processes can load the model."""


class WorkerPool:
    """Processes with a model each. On one core, two threads score no more pairs a second than one.

    Each process is an executor of its own: an executor of loky or of `concurrent.futures` ends all its processes when
    one dies, and with them the batches of the others.

    Parameters
    ----------
    source
        Source of the model.
    count
        Number of processes.
    """

    def __init__(self, source: ModelSource, count: int) -> None:
        self._source, self.slots = source, count
        self.signature = ""
        """Signature of the model, set by `start`."""
        self.languages: Sequence[str] = ()
        """ISO 639-1 codes of the languages that the model reads, set by `start`."""
        self.scale = POINTS
        """Scale of the model, set by `start`."""
        self._workers = {new_pool(1) for _ in range(count)}
        self._free: deque[Any] = deque()
        self._changed = asyncio.Condition()
        self._replacing: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Load the model in every process.

        Raises
        ------
        ValueError, OSError
            If the model cannot be loaded.
        """
        loading = [worker.submit(_facts, self._source, None) for worker in self._workers]
        self.signature, self.languages, self.scale = [future.result() for future in loading][0]
        self._free.extend(self._workers)

    async def score(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return ``score``, ``low``, ``high`` and ``flags`` of each pair.

        Raises
        ------
        WorkerDied
            If the process died. Another is started in its place.
        NoWorker
            If no process can load the model.
        """
        return await self._run(_score, pairs)

    async def explain(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the result of `json_answers.explain` for each pair; raises as `score` does."""
        return await self._run(_explain, pairs)

    async def ready(self) -> int:
        """Return how many processes can score, and replace those that died while they were idle."""
        await asyncio.gather(*map(self._ping, list(self._free)))
        return len(self._workers)

    def close(self) -> None:
        """End the processes at once."""
        with ThreadPoolExecutor(self.slots) as threads:
            list(threads.map(stop_pool, self._workers))

    async def _run(self, work: Callable[[ModelSource, str, Sequence[Pair]], T], pairs: Sequence[Pair]) -> T:
        async with self._changed:
            while not self._free:
                # As long as one is busy, the wait ends. If there is none, the model may be gone for good.
                try:
                    await asyncio.wait_for(self._changed.wait(), PATIENCE)
                except TimeoutError:
                    if not self._workers:
                        raise NoWorker("no worker process can load the model") from None
            worker = self._free.popleft()
        try:
            future: Future[T] = worker.submit(work, self._source, self.signature, pairs)
            result = await asyncio.wrap_future(future)
        except BrokenExecutor as error:
            self._replace(worker)
            raise WorkerDied("worker processes died of it, perhaps for lack of memory") from error
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
                await asyncio.wrap_future(worker.submit(_facts, self._source, self.signature))
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


_loaded: dict[ModelSource, "Model"] = {}


def _model(source: ModelSource, signature: str | None) -> "Model":
    if source not in _loaded:
        model = source.load()
        if signature is not None and model.signature != signature:
            raise ValueError(f"the model {source.model} changed while it was in use; start the service again")
        model.probe()  # loads what the first prediction needs
        _loaded[source] = model
    return _loaded[source]


def _facts(source: ModelSource, signature: str | None) -> tuple[str, tuple[str, ...], Scale]:
    model = _model(source, signature)
    return model.signature, model.readable_languages, model.scale


def _score(source: ModelSource, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .json_answers import score

    return score(_model(source, signature), pairs)


def _explain(source: ModelSource, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .json_answers import explain

    return explain(_model(source, signature), pairs)
