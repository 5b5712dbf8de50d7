"""Time that a run will take, from its candidates and the speed of a sample of them."""

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..scoring.worker_processes import Workers
from .candidate_scores import BATCH, score_candidates
from .candidates import Candidates
from .texts import TextCollection

Screening = Callable[[Candidates], Candidates]

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


def estimated_run(
    texts: TextCollection, candidates: Candidates, pool: Workers, screening: Screening | None = None
) -> RunEstimate:
    """Return how large a run is, and how long its scoring will take with these processes.

    Parameters
    ----------
    texts, candidates
        Texts, and pairs of them.
    pool
        Processes with the model.
    screening
        Returns the candidates that another model leaves; None for all.
    """
    count = len(candidates.first)
    places = np.arange(0, count, max(1, count // SAMPLE))[:SAMPLE]
    sample, seconds = Candidates(candidates.first[places], candidates.second[places], {}), 0.0
    for _ in range(2):
        begin = time.perf_counter()
        left = sample if screening is None else screening(sample)
        score_candidates(texts, left, pool)
        seconds = (time.perf_counter() - begin) * count / max(len(places), 1)
    speed = count / seconds if seconds else 0.0
    return RunEstimate(sum(map(len, texts.rows)), len(texts.texts), count, speed, seconds, candidates.recall)
