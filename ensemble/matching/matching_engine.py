"""Contract of an engine: where candidates are searched and models read texts, on this machine or elsewhere."""

from typing import Protocol

from ..multilingual.model import Model
from ..scoring.worker_processes import Workers
from .text_index import Search, TextIndex


class MatchingEngine(Protocol):
    """Engine of a run. Its results are those of every other engine, to the last bit."""

    def pool(self, model: Model) -> Workers:
        """Return the processes that read texts by a model."""
        ...

    @property
    def links(self) -> Search:
        """Search of an index; its threads are those of this process."""
        ...


class LocalEngine:
    """Engine of this machine.

    Parameters
    ----------
    workers
        Number of processes.
    """

    def __init__(self, workers: int) -> None:
        self._workers = workers

    def pool(self, model: Model) -> Workers:
        """Return the processes that read texts by a model."""
        return Workers(model, self._workers)

    @property
    def links(self) -> Search:
        """Search by the threads of this process."""
        return TextIndex.links
