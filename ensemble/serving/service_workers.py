"""Worker processes that hold the model: the loop that answers requests is never held up by a score."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..scoring.loky_pool import new_pool, stop_pool
from . import Pair

if TYPE_CHECKING:
    from ..core.predictor import Predictor

T = TypeVar("T")


class WorkerDied(Exception):
    """A worker process ended while it was scoring."""


@dataclass(frozen=True)
class ModelPlace:
    """Where a worker finds the model; all as for `ensemble.scoring.load_model`."""

    model: str
    features_file: Path | None = None
    vectors: Path | None = None
    encoder: str | None = None
    languages: str | None = None
    translate: str | None = None


class WorkerPool:
    """Processes with a model each. Measured on one core: two threads score no more pairs a second than one.

    Parameters
    ----------
    place
        Of the model.
    count
        Processes.
    """

    def __init__(self, place: ModelPlace, count: int) -> None:
        self._place, self.slots = place, count
        self.signature = ""
        """Of the model; known once `start` has returned, as are `languages`."""
        self.languages: Sequence[str] = ()
        """ISO 639-1 codes of those that the model reads."""
        self._pool = new_pool(self.slots)

    def start(self) -> None:
        """Load the model in every process.

        Raises
        ------
        ValueError, OSError
            If it cannot be loaded.
        """
        loading = [self._pool.submit(_facts, self._place) for _ in range(self.slots)]
        self.signature, self.languages = [future.result() for future in loading][0]

    async def score(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return ``score``, ``low``, ``high`` and ``flags`` of each pair."""
        return await self._run(_score, pairs)

    async def explain(self, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
        """Return what `explaining.explain` does for each pair."""
        return await self._run(_explain, pairs)

    def close(self) -> None:
        """End the processes, in whatever they are."""
        stop_pool(self._pool)

    async def _run(self, work: Callable[[ModelPlace, str, Sequence[Pair]], T], pairs: Sequence[Pair]) -> T:
        pool = self._pool
        try:
            future: Future[T] = pool.submit(work, self._place, self.signature, pairs)
            return await asyncio.wrap_future(future)
        except BrokenExecutor as error:
            # A killed worker takes the others with it. The batch is not tried again: it may be what killed it.
            if self._pool is pool:
                self._pool = new_pool(self.slots)
                await asyncio.to_thread(stop_pool, pool)
            raise WorkerDied("a worker process died, perhaps for want of memory; send the request again") from error


_loaded: dict[ModelPlace, "Predictor"] = {}


def _model(place: ModelPlace, signature: str | None) -> "Predictor":
    if place not in _loaded:
        from ..scoring import load_model

        model = load_model(
            place.model,
            place.features_file,
            place.vectors,
            place.encoder,
            languages=place.languages,
            translate=place.translate,
        )
        if signature is not None and model.signature != signature:
            raise ValueError(f"the model {place.model} changed while it was in use; start the service again")
        model.probe()  # what is read at the first use is read now
        _loaded[place] = model
    return _loaded[place]


def _facts(place: ModelPlace) -> tuple[str, tuple[str, ...]]:
    from .json_answers import languages_of

    model = _model(place, None)
    return model.signature, languages_of(model)


def _score(place: ModelPlace, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .json_answers import score

    return score(_model(place, signature), pairs)


def _explain(place: ModelPlace, signature: str, pairs: Sequence[Pair]) -> list[dict[str, Any]]:
    from .json_answers import explain

    return explain(_model(place, signature), pairs)
