"""Worker processes that hold the model, so that scoring never blocks the event loop of the service."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from typing import TYPE_CHECKING, Any, TypeVar

from ..multilingual.model_source import ModelSource
from ..scoring.loky_pool import new_pool, stop_pool
from . import Pair

if TYPE_CHECKING:
    from ..multilingual.model import Model

T = TypeVar("T")


class WorkerDied(Exception):
    """Error of a worker process that ended during a call."""


class WorkerPool:
    """Pool of processes with a model each. On one core, two threads score no more pairs a second than one.

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
        self._pool = new_pool(self.slots)

    def start(self) -> None:
        """Load the model in every process.

        Raises
        ------
        ValueError, OSError
            If the model cannot be loaded.
        """
        loading = [self._pool.submit(_facts, self._source) for _ in range(self.slots)]
        self.signature, self.languages = [future.result() for future in loading][0]

    async def score(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return ``score``, ``low``, ``high`` and ``flags`` of each pair."""
        return await self._run(_score, pairs)

    async def explain(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return the result of `json_answers.explain` for each pair."""
        return await self._run(_explain, pairs)

    def close(self) -> None:
        """End the processes at once."""
        stop_pool(self._pool)

    async def _run(self, work: Callable[[ModelSource, str, Sequence[Pair]], T], pairs: Sequence[Pair]) -> T:
        pool = self._pool
        try:
            future: Future[T] = pool.submit(work, self._source, self.signature, pairs)
            return await asyncio.wrap_future(future)
        except BrokenExecutor as error:
            # A killed worker ends the others too. The batch is not tried again, because it may be the cause.
            if self._pool is pool:
                self._pool = new_pool(self.slots)
                await asyncio.to_thread(stop_pool, pool)
            raise WorkerDied("a worker process died, perhaps for lack of memory; send the request again") from error


_loaded: dict[ModelSource, "Model"] = {}


def _model(source: ModelSource, signature: str | None) -> "Model":
    if source not in _loaded:
        model = source.load()
        if signature is not None and model.signature != signature:
            raise ValueError(f"the model {source.model} changed while it was in use; start the service again")
        model.probe()  # loads what the first prediction needs
        _loaded[source] = model
    return _loaded[source]


def _facts(source: ModelSource) -> tuple[str, tuple[str, ...]]:
    model = _model(source, None)
    return model.signature, model.readable_languages


def _score(source: ModelSource, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .json_answers import score

    return score(_model(source, signature), pairs)


def _explain(source: ModelSource, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .json_answers import explain

    return explain(_model(source, signature), pairs)
