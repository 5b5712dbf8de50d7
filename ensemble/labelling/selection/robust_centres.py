"""Robust k-center (Sener and Savarese, 2018): the smallest radius that covers all but a few points.

The integer program of the paper has a variable for every pair of points. Here only pairs within the radius count, one
variable a point marks it as left out, and the assignments are projected out: row i reads ``sum of u_j with D_ij <=
radius, plus xi_i, is at least 1``, which has the same solutions u and the same relaxation. Few points are hard to
cover, so only these have a row. If a solution leaves others uncovered, the farthest of them get a row too and the
program is solved again (Chen and Chen, 2009). A program infeasible with some rows is infeasible with all.
`scipy.optimize.milp` (HiGHS) decides. Measured on 1,497 pairs, 94 columns and k = 50: proven in 20 s, and with a row
for every point not in 76 s.
"""

import time
from dataclasses import dataclass

import numpy as np

from .k_center import Centres, blocks, check_k, distances, k_center_greedy, nearest

LIMIT = 6_000
"""Largest number of points for programs; for more, which take over 150 MB and minutes, the greedy choice stands."""

OUTLIER_SHARE = 1e-4
"""Share of points that may be left uncovered, as in the paper."""


_MORE = 8  # points that get a row at a time


@dataclass(frozen=True)
class RobustCentres:
    """Chosen points, and bounds of their radius.

    Attributes
    ----------
    centres
        The points, farthest first; their `radius` covers all points.
    radius
        Largest distance to the nearest centre without the `outliers` farthest points.
    greedy_radius
        The same radius of the greedy choice; never smaller.
    bound
        Lower bound of the radius of any k points; equal to `radius` if that is proven the smallest.
    outliers
        Number of points that may be left out.
    note
        Caveat, or "".
    """

    centres: Centres
    radius: float
    greedy_radius: float
    bound: float
    outliers: int
    note: str = ""


def covered_radius(gaps: np.ndarray, outliers: int = 0) -> float:
    """Return the largest of n distances to the nearest centre after leaving out the `outliers` largest."""
    return 0.0 if outliers >= len(gaps) else float(np.partition(gaps, len(gaps) - 1 - outliers)[-1 - outliers])


def robust_k_center(
    points: np.ndarray,
    k: int,
    labelled: np.ndarray | None = None,
    seed: int = 0,
    *,
    outliers: int | None = None,
    time_limit: float = 60.0,
) -> RobustCentres:
    """Choose k points with the smallest radius, or the best found in time; never worse than the greedy choice.

    The radius is found by bisection among the distinct distances from half the greedy radius to the greedy radius. If
    points may be left out, the search starts from 0, because half the greedy radius is not a bound then.

    Parameters
    ----------
    points, k, labelled, seed
        As for `k_center_greedy`.
    outliers
        Number of points that may be left uncovered; None stands for `OUTLIER_SHARE` of them, rounded down.
    time_limit
        Seconds for all programs together; then the best choice so far is returned.

    Raises
    ------
    ValueError
        As for `k_center_greedy`, or if a number is negative.
    """
    n = len(points)
    check_k(k, n)
    most = int(OUTLIER_SHARE * n) if outliers is None else outliers
    if most < 0 or time_limit < 0:
        raise ValueError(f"outliers and time_limit must be at least 0, got {outliers} and {time_limit}; correct them")
    greedy = k_center_greedy(points, k, labelled, seed)
    if n > LIMIT:
        note = f"{n:,} points are more than the limit of {LIMIT:,} for robust; this is the greedy choice"
        return RobustCentres(greedy, greedy.radius, greedy.radius, greedy.radius / 2, 0, note)
    gaps = np.full(n, np.inf) if labelled is None or not len(labelled) else nearest(points, labelled)
    return _Search(points, k, greedy, gaps, most, time.monotonic() + time_limit).run()


class _Search:
    def __init__(
        self, points: np.ndarray, k: int, greedy: Centres, labelled_gaps: np.ndarray, outliers: int, end: float
    ) -> None:
        self._k, self._greedy = k, greedy
        self._outliers, self._end = outliers, end
        self._apart = np.empty((len(points), len(points)), dtype=np.float32)
        for part in blocks(len(points), 512):
            self._apart[part] = distances(points[part], points)
        self._labelled_gaps = labelled_gaps.astype(np.float32)
        self._demanded = greedy.rows.tolist()  # points that are hard to cover

    def run(self) -> RobustCentres:
        chosen = self._greedy.rows
        best = first = self._radius(chosen)
        steps = self._steps(best)
        low, high, note = 0, len(steps), ""  # the answer is in steps[low:high], or `best` if none is feasible
        while low < high:
            middle = (low + high) // 2
            feasible, centres = self._feasible(float(steps[middle]))
            reached = self._radius(centres) if len(centres) else np.inf
            if reached < best:
                chosen, best = centres, reached
                high = min(high, int(np.searchsorted(steps, best)))
            if feasible is None:
                note = "the time ended before the radius was proven the smallest; more time may help (--time-limit)"
                break
            if feasible:
                high = min(high, middle)
            else:
                low = middle + 1
        bound = float(steps[low]) if low < high else best
        if first == best:
            chosen = self._greedy.rows
        return RobustCentres(self._ordered(chosen), best, first, bound, self._outliers, note)

    def _gaps(self, rows: np.ndarray) -> np.ndarray:
        return np.minimum(self._labelled_gaps, self._apart[:, rows].min(axis=1))

    def _radius(self, rows: np.ndarray) -> float:
        return covered_radius(self._gaps(rows), self._outliers)

    def _steps(self, best: float) -> np.ndarray:
        # Every radius that a choice can have and that is smaller than the best so far.
        least = 0.0 if self._outliers else float(np.float32(self._gaps(self._greedy.rows).max() / 2 * (1 - 1e-6)))
        apart = self._apart[(self._apart >= least) & (self._apart < best)]
        gaps = self._labelled_gaps[(self._labelled_gaps >= least) & (self._labelled_gaps < best)]
        return np.unique(np.concatenate([apart, gaps]))

    def _feasible(self, radius: float) -> tuple[bool | None, np.ndarray]:
        """Return whether k centres can cover all but the outliers, None if the time is over, and the best centres."""
        best, chosen = np.inf, np.empty(0, dtype=np.int64)
        while True:
            solved, centres = self._program(radius)
            if not solved:
                return solved, chosen
            gaps = self._gaps(centres)
            reached = covered_radius(gaps, self._outliers)
            if reached < best:
                best, chosen = reached, centres
            if reached <= radius:
                return True, chosen
            self._demand(gaps)

    def _demand(self, gaps: np.ndarray) -> None:
        # Demand to cover the points farthest from the last centres, far from each other.
        gaps = gaps.copy()
        gaps[self._demanded] = -1.0
        for _ in range(_MORE):
            row = int(gaps.argmax())
            if gaps[row] <= 0.0:
                return
            self._demanded.append(row)
            gaps = np.minimum(gaps, self._apart[:, row])
            gaps[row] = -1.0

    def _program(self, radius: float) -> tuple[bool | None, np.ndarray]:
        """Return whether k centres cover the demanded points but the outliers, None if out of time, and the centres."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array, eye_array, hstack, vstack

        left, none = self._end - time.monotonic(), np.empty(0, dtype=np.int64)
        if left <= 0:
            return None, none
        rows = np.asarray(self._demanded)
        rows = rows[self._labelled_gaps[rows] > radius]
        if not len(rows):
            return True, self._filled(none)
        near = self._apart[rows] <= radius
        # Among centres that cover the same of these points, only the first is a variable.
        _, centres = np.unique(np.packbits(near, axis=0), axis=1, return_index=True)
        m, spared = len(centres), len(rows) if self._outliers else 0
        matrix = vstack([csr_array(near[:, centres].astype(np.float64)), csr_array(np.ones((1, m)))])
        low, high = np.append(np.ones(len(rows)), -np.inf), np.append(np.full(len(rows), np.inf), self._k)
        if spared:
            left_out = vstack([eye_array(spared), csr_array((1, spared))])
            count = hstack([csr_array((1, m)), csr_array(np.ones((1, spared)))])
            matrix = vstack([hstack([matrix, left_out]), count])
            low, high = np.append(low, -np.inf), np.append(high, self._outliers)
        answer = milp(
            np.zeros(m + spared),
            integrality=np.repeat([1, 0], [m, spared]),  # with integer u, the smallest xi are integers too
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(csr_array(matrix), low, high),
            options={"time_limit": left},
        )
        if answer.x is None:
            return (False if answer.status == 2 else None), none
        return True, self._filled(centres[answer.x[:m] > 0.5])

    def _filled(self, rows: np.ndarray) -> np.ndarray:
        # A solution may need fewer than k centres: the farthest points are added.
        chosen = rows.tolist()
        gaps = self._gaps(rows) if chosen else self._labelled_gaps.copy()
        while len(chosen) < self._k:
            gaps[chosen] = -1.0  # never again
            chosen.append(int(gaps.argmax()))
            gaps = np.minimum(gaps, self._apart[:, chosen[-1]])
        return np.asarray(chosen)

    def _ordered(self, rows: np.ndarray) -> Centres:
        """Return the chosen points, farthest first, beginning with the one of the smallest sum of distances."""
        rest = np.sort(rows)
        gaps, order, steps = self._labelled_gaps[rest], list[int](), list[float]()
        for _ in rest:
            if np.isinf(gaps).any():
                place = int(self._apart[rest].sum(axis=1).argmin())
                steps.append(float("nan"))
            else:
                place = int(gaps.argmax())
                steps.append(float(gaps[place]))
            order.append(int(rest[place]))
            gaps = np.minimum(gaps, self._apart[rest, rest[place]])
            gaps[np.isin(rest, order)] = -1.0
        gaps = self._gaps(rows)
        return Centres(np.asarray(order), np.asarray(steps), float(gaps.max()), self._greedy.start)
