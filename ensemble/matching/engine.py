"""Engine of a search, and a summary of its run."""

from dataclasses import dataclass, field
from typing import Any, Protocol

from ..loading import Model
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


@dataclass(kw_only=True)
class RunSummary:
    """Summary of a run.

    Attributes
    ----------
    rows, rejects
        Good rows of the table, of the first if there are two, and rows set aside.
    candidates, resumed
        Scored pairs, and those of them that an earlier run had scored.
    recall
        Share of the exact links that the graphs of a view found, on a sample; empty where all products were computed.
    seconds
        Wall time.
    signature
        Of the model.
    """

    rows: int = 0
    rejects: int = 0
    candidates: int = 0
    resumed: int = 0
    recall: dict[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    signature: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        recall = {name: round(share, 4) for name, share in self.recall.items()}
        return {**vars(self), "recall": recall, "seconds": round(self.seconds, 3)}
