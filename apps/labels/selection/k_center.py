"""Greedy k-center (Sener and Savarese, 2018; Gonzalez, 1985): choose the point farthest from all chosen ones, repeat.

A plain round compares every point with the newest centre. Here a point is compared with new centres only when it may be
the farthest, because its distance to the nearest centre cannot grow: the same points are chosen, and most distances are
never computed. Measured on 100,000 x 66 numbers and 1,000 centres: 16 to 55 % of the n k distances, 0.7
to 2 s; numpy that computes all of them in float32 takes 5 to 8 s, and scikit-learn's ``pairwise_distances_argmin_min``
once a centre 85 to 130 s (``benchmarks/selection.py``).
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

MEDOID_LIMIT = 2_000
"""Largest number of points whose first is the medoid, which takes n x n distances; otherwise it is random."""

ROWS = 8_192
"""Points in a block of a pass over all of them, in float64, as distances are computed."""

_NEAR = 0.995  # points nearly as far as the farthest are updated with it: they are likely to be next
_TOGETHER = 64  # points updated at a time; in larger groups some would be compared with centres again


class Centres(NamedTuple):
    """Chosen points.

    Attributes
    ----------
    rows
        Shape (k,): their rows, in order of choice.
    distances
        Shape (k,): distance of each to the nearest earlier centre; NaN for a first one without any. They never grow.
    radius
        The distance of the farthest point to its nearest centre after the last choice.
    start
        First centres: ``labelled`` points, the ``medoid`` or a ``random`` point.
    """

    rows: np.ndarray
    distances: np.ndarray
    radius: float
    start: str


def blocks(n: int, size: int = ROWS) -> Iterator[slice]:
    """Yield slices of n rows, `size` rows each."""
    yield from (slice(start, min(start + size, n)) for start in range(0, n, size))


def k_center_greedy(points: np.ndarray, k: int, labelled: np.ndarray | None = None, seed: int = 0) -> Centres:
    """Choose k points so that every point is near one of them; the radius is at most twice the smallest possible.

    Equally far points are chosen in the order of their rows. No n x n distances are kept: memory beside the points is
    20 bytes a point and 8 k d for the centres.

    Parameters
    ----------
    points
        Shape (n, d), finite; float32 or float64, possibly memory-mapped.
    k
        Number of points to choose, 1..n.
    labelled
        Shape (m, d): points that are centres already. Without any, the first choice is the medoid, or a random point
        of more than `MEDOID_LIMIT`.
    seed
        Seed of the random point.

    Raises
    ------
    ValueError
        If k is not in 1..n, or the labelled points have other coordinates.
    """
    n = len(points)
    if not 1 <= k <= n:
        raise ValueError(f"k must be between 1 and {n:,}, the number of points, got {k}; correct it")
    rows: list[int] = []
    gaps: list[float] = []
    if labelled is not None and len(labelled):
        if labelled.shape[1] != points.shape[1]:
            raise ValueError(
                f"labelled points must have {points.shape[1]} coordinates as the others, got {labelled.shape[1]}; "
                "use the same space"
            )
        coverage, start = _Gaps(points, nearest(points, labelled), k), "labelled"
    else:
        start = "medoid" if n <= MEDOID_LIMIT else "random"
        first = medoid(points) if start == "medoid" else int(np.random.default_rng(seed).integers(n))
        coverage = _Gaps(points, nearest(points, points[[first]]), k)
        coverage.add(first)
        coverage._met[:] = 1
        rows, gaps = [first], [float("nan")]
    while len(rows) < k:
        row, distance = coverage.farthest()
        coverage.add(row)
        rows.append(row)
        gaps.append(distance)
    return Centres(np.asarray(rows), np.asarray(gaps), coverage.farthest()[1], start)


def distances(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return Euclidean distances, shape (n, m), float64, each independent of other points."""
    from scipy.spatial.distance import cdist

    return cdist(np.asarray(points, np.float64), np.asarray(others, np.float64))


def nearest(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Return the distances of n points to the nearest of m centres, shape (n,), float64."""
    from sklearn.metrics import pairwise_distances_argmin

    gaps = np.empty(len(points))
    for part in blocks(len(points)):
        block = np.asarray(points[part], np.float64)
        # The library compares by inner products; the distance is computed again without their rounding.
        near = pairwise_distances_argmin(points[part], centres) if len(centres) > 1 else np.zeros(len(block), np.intp)
        gaps[part] = np.sqrt(((block - centres[near]) ** 2).sum(axis=1))
    return gaps


def medoid(points: np.ndarray) -> int:
    """Return the row with the smallest sum of distances to all n points, shape (n, d); among equals the first."""
    sums = [distances(points[part], points).sum(axis=1) for part in blocks(len(points), 512)]
    return int(np.concatenate(sums).argmin())


class _Gaps:
    """Upper bounds of the distances of n points to their nearest centre, exact for the farthest point."""

    def __init__(self, points: np.ndarray, bounds: np.ndarray, k: int) -> None:
        self._points, self._bounds = points, bounds
        self._centres = np.empty((k, points.shape[1]))
        self._count = 0
        self._met = np.zeros(len(points), dtype=np.int32)  # centres that a point has been compared with

    def add(self, row: int) -> None:
        self._centres[self._count] = self._points[row]
        self._count += 1
        self._bounds[row] = -1.0  # never again

    def farthest(self) -> tuple[int, float]:
        """Return the point farthest from its nearest centre, among equals the first, and its distance."""
        bounds, met = self._bounds, self._met
        while True:
            row = int(bounds.argmax())
            if met[row] == self._count or bounds[row] <= 0.0:
                return row, max(float(bounds[row]), 0.0)
            rows = np.flatnonzero(bounds >= _NEAR * bounds[row])
            rows = rows[met[rows] < self._count]
            rows = rows[np.argsort(met[rows], kind="stable")]
            for start in range(0, len(rows), _TOGETHER):
                self._meet(rows[start : start + _TOGETHER])

    def _meet(self, rows: np.ndarray) -> None:
        unmet = self._centres[self._met[rows[0]] : self._count]
        self._bounds[rows] = np.minimum(self._bounds[rows], distances(self._points[rows], unmet).min(axis=1))
        self._met[rows] = self._count
