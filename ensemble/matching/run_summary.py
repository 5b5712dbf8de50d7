"""Summary that runs over many texts have in common."""

from dataclasses import dataclass, field
from typing import Any


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
