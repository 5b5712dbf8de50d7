"""Scores of whole tables: streamed, on all cores, and resumable."""

from .batches import NEW_COLUMNS, PairScorer, score_batch
from .journal import UNFINISHED
from .predict_files import Summary, predict_file
from .worker_processes import score_batches, usable_cores

__all__ = [
    "NEW_COLUMNS",
    "UNFINISHED",
    "PairScorer",
    "Summary",
    "predict_file",
    "score_batch",
    "score_batches",
    "usable_cores",
]
