"""Scores of whole tables: streamed, on all cores, and resumable."""

from .engine import Summary, predict_file
from .journal import UNFINISHED
from .unit import NEW_COLUMNS, Model, load_model, score_batch
from .workers import score_batches, usable_cores

__all__ = [
    "NEW_COLUMNS",
    "UNFINISHED",
    "Model",
    "Summary",
    "load_model",
    "predict_file",
    "score_batch",
    "score_batches",
    "usable_cores",
]
