"""F, success rate and mean reciprocal rank of similarities, with intervals over content units."""

import csv
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...ensemble.evaluation.ranking import best_threshold
from .pyramid_tests import BinaryTest, RankingTest

TUNING_SHARE = 0.1
"""Share of the pairs of each class that tunes the threshold; the others are measured."""

RESAMPLES = 2_000
_AT_A_TIME = 100  # resamples


class Figure(NamedTuple):
    """A figure and the ends of its 95 % percentile bootstrap interval; None with a single content unit."""

    value: float
    low: float | None
    high: float | None


def tuning_split(positive: np.ndarray, seed: int = 0) -> np.ndarray:
    """Return the mask of the pairs that tune the threshold, shape (n,), bool."""
    rng = np.random.default_rng(seed)
    tuning = np.zeros(len(positive), dtype=bool)
    for name, mask in (("positive", positive), ("negative", ~positive)):
        places = np.flatnonzero(mask)
        if len(places) < 2:
            raise ValueError(
                f"{name} pairs after the filters must be at least 2, one to tune the threshold and one to measure, "
                f"got {len(places)}; give more pyramids"
            )
        tuning[rng.permutation(places)[: max(1, round(TUNING_SHARE * len(places)))]] = True
    return tuning


def binary_figure(test: BinaryTest, similarity: np.ndarray, seed: int = 0) -> tuple[Figure, float]:
    r"""Return F, 0..1, at the best threshold of the tuning pairs, and that threshold."""
    from scipy.sparse import coo_array

    tuning = tuning_split(test.positive, seed)
    threshold = best_threshold(test.positive[tuning], similarity[tuning], 1.0)
    used, units = np.unique(test.units, return_inverse=True)
    units = units.reshape(-1, 2)[~tuning]
    positive, called = test.positive[~tuning], similarity[~tuning] >= threshold
    hits, all_positive = (np.bincount(units[mask, 0], minlength=len(used)) for mask in (positive & called, positive))
    alarms = units[~positive & called]
    false = coo_array((np.ones(len(alarms)), (alarms[:, 0], alarms[:, 1])), shape=(len(used), len(used))).tocsr()

    def figure(weights: np.ndarray) -> np.ndarray:
        true_positives, wanted = weights @ hits, weights @ all_positive
        wrong = (weights * (false @ weights.T).T).sum(axis=1)
        return 2 * true_positives / np.where(wanted > 0, true_positives + wrong + wanted, np.nan)

    return _with_interval(figure, len(used), seed), threshold


def ranks(similarity: np.ndarray) -> np.ndarray:
    """Return the rank of the first candidate of each question, from 1; ties get the mean of their ranks."""
    right, others = similarity[:, :1], similarity[:, 1:]
    return 1.0 + (others > right).sum(axis=1) + (others == right).sum(axis=1) / 2


def successes(similarity: np.ndarray) -> np.ndarray:
    """Return the success of each question, 0..1: 1/t if the first candidate leads with t tied, else 0."""
    right, others = similarity[:, :1], similarity[:, 1:]
    return np.where((others > right).any(axis=1), 0.0, 1.0 / (1 + (others == right).sum(axis=1)))


def ranking_figures(test: RankingTest, similarity: np.ndarray, seed: int = 0) -> tuple[Figure, Figure]:
    """Return the success rate and the mean reciprocal rank, 0..1, with intervals over resampled content units."""
    if not len(test.queries):
        raise ValueError("questions after the filters must be at least 1, got 0; give more pyramids")
    used, units = np.unique(test.units, return_inverse=True)
    counts = np.bincount(units)

    def mean(values: np.ndarray) -> Figure:
        sums = np.bincount(units, values)
        return _with_interval(lambda weights: (weights @ sums) / (weights @ counts), len(used), seed)

    return mean(successes(similarity)), mean(1.0 / ranks(similarity))


def _with_interval(figure: Callable[[np.ndarray], np.ndarray], n: int, seed: int) -> Figure:
    # `figure` takes the counts of n units, one row a resample.
    value = float(figure(np.ones((1, n)))[0])
    if n < 2:
        return Figure(value, None, None)
    rng = np.random.default_rng(seed)
    samples = np.concatenate(
        [figure(rng.multinomial(n, np.full(n, 1 / n), _AT_A_TIME)) for _ in range(RESAMPLES // _AT_A_TIME)]
    )
    low, high = np.nanquantile(samples, [0.025, 0.975])
    return Figure(value, float(low), float(high))


PAIRS, POSITIVES, QUESTIONS = 197_619, 8_390, 8_755
"""Sizes of the published tests."""


class PublishedFigures(NamedTuple):
    """Published figures of an embedding: F and mean reciprocal rank, 0..1, and success rate in per cent, 0..100."""

    embedding: str
    binary_f: float
    success: float
    mrr: float

    @property
    def success_rate(self) -> float:
        """Success rate, 0..1."""
        return round(self.success / 100, 5)


@cache
def published_figures() -> tuple[PublishedFigures, ...]:
    """Return the published table, in the order in which it is printed."""
    with (Path(__file__).parent / "data" / "baumel2016.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return tuple(
            PublishedFigures(row["embedding"], *(float(row[key]) for key in PublishedFigures._fields[1:]))
            for row in rows
        )
