"""Time that a run will take, from its candidates and the speed of a sample of them."""

import time
from typing import NamedTuple

import numpy as np

from ..scoring.worker_processes import Workers
from .candidate_scores import BATCH, score_candidates
from .candidates import Candidates
from .text_collection import TextCollection

SAMPLE = 2 * BATCH
"""Pairs that are scored to measure the speed, evenly spread; as many again first, while the processes start."""


class RunEstimate(NamedTuple):
    """Size of a run before its candidates are scored.

    Attributes
    ----------
    rows, texts, candidates
        Rows of all tables, distinct texts, and pairs to score.
    pairs_per_second
        Speed of the sample; 0 if there are no candidates.
    seconds
        Estimated time of the scoring.
    recall
        As `Candidates.recall`.
    """

    rows: int
    texts: int
    candidates: int
    pairs_per_second: float
    seconds: float
    recall: dict[str, float]


def estimated_run(texts: TextCollection, candidates: Candidates, pool: Workers) -> RunEstimate:
    """Return how large a run is, and how long its scoring will take with these processes."""
    count = len(candidates.first)
    sample = np.arange(0, count, max(1, count // SAMPLE))[:SAMPLE]
    part, speed = Candidates(candidates.first[sample], candidates.second[sample], {}), 0.0
    for _ in range(2):
        begin = time.perf_counter()
        score_candidates(texts, part, pool)
        speed = len(sample) / max(time.perf_counter() - begin, 1e-9)
    seconds = count / speed if count else 0.0
    return RunEstimate(sum(map(len, texts.rows)), len(texts.texts), count, speed, seconds, candidates.recall)
