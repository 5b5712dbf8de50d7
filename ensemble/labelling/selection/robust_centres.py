"""Robust k-Center (Sener and Savarese, 2018): the least radius that covers all but a few points, by integer programs.

The program of the paper has a variable for every pair of points. Here only pairs within the radius count, one variable
a point says that it is left out, and the assignments are projected out: row i reads ``sum of u_j with D_ij <= radius,
plus xi_i, is at least 1``, which has the same solutions u, and the same relaxation. Few points are hard to cover, so
only these have a row: where a solution leaves others uncovered, the farthest of them get one too and the program is
solved again (Chen and Chen, 2009). What is infeasible with some rows is so with all. `scipy.optimize.milp` (HiGHS)
decides. Measured on 1,497 pairs, 94 columns and k = 50: proven in 20 s, and with a row for every point not in 76 s.
"""

import time
from dataclasses import dataclass

import numpy as np

from .k_center import Centres, blocks, check_k, distances, k_center_greedy, nearest

LIMIT = 6_000
"""Of more points, all distances would take over 150 MB and a program minutes: the greedy choice stands."""

OUTLIER_SHARE = 1e-4
"""Share of points that may be left uncovered, as in the paper."""


_MORE = 8  # points that get a row at a time


@dataclass(frozen=True)
class RobustCentres:
    """What was chosen, and how good it is known to be.

    Attributes
    ----------
    centres
        The points, in the order in which the farthest comes first; their `radius` leaves no point out.
    radius
        The largest distance to the nearest centre when the `outliers` farthest points are left out.
    greedy_radius
        The same of the greedy choice; never smaller.
    bound
        No choice of k points has a smaller radius than this; equal to `radius` if it is proven the best.
    outliers
        How many points may be left out.
    note
        What a reader must know, or "".
    """

    centres: Centres
    radius: float
    greedy_radius: float
    bound: float
    outliers: int
    note: str = ""


def covered_radius(gaps: np.ndarray, outliers: int = 0) -> float:
    """Return the largest of n distances to the nearest centre, the given number of largest left out."""
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
    """Choose k points whose radius is the least possible, or the best found in time; never worse than greedily.

    The radius is searched for by halves among the distinct distances from half the greedy radius (from 0, if points may
    be left out: half is no bound then) to the greedy radius.

    Parameters
    ----------
    points, k, labelled, seed
        As for `k_center_greedy`.
    outliers
        How many points may be left uncovered; `OUTLIER_SHARE` of them, rounded down, if None.
    time_limit
        Seconds for all programs together; after that the best choice so far stands.

    Raises
    ------
    ValueError
        As by `k_center_greedy`, or if a number is negative.
    """
    n = len(points)
    check_k(k, n)
    most = int(OUTLIER_SHARE * n) if outliers is None else outliers
    if most < 0 or time_limit < 0:
        raise ValueError(f"outliers={outliers} and time_limit={time_limit} must not be negative")
    greedy = k_center_greedy(points, k, labelled, seed)
    if n > LIMIT:
        note = f"{n:,} points are more than the {LIMIT:,} that robust takes on; this is the greedy choice"
        return RobustCentres(greedy, greedy.radius, greedy.radius, greedy.radius / 2, 0, note)
    known = np.full(n, np.inf) if labelled is None or not len(labelled) else nearest(points, labelled)
    return _Search(points, k, greedy, known, most, time.monotonic() + time_limit).run()


class _Search:
    def __init__(
        self, points: np.ndarray, k: int, greedy: Centres, known: np.ndarray, outliers: int, end: float
    ) -> None:
        self._k, self._greedy = k, greedy
        self._outliers, self._end = outliers, end
        self._apart = np.empty((len(points), len(points)), dtype=np.float32)
        for part in blocks(len(points), 512):
            self._apart[part] = distances(points[part], points)
        self._known = known.astype(np.float32)
        self._demanded = greedy.rows.tolist()  # what the greedy choice found hard to cover

    def run(self) -> RobustCentres:
        chosen = self._greedy.rows
        best = first = self._radius(chosen)
        steps = self._steps(best)
        low, high, note = 0, len(steps), ""  # the answer is steps[low:high], or what is at hand if none is feasible
        while low < high:
            middle = (low + high) // 2
            feasible, found = self._feasible(float(steps[middle]))
            reached = self._radius(found) if len(found) else np.inf
            if reached < best:
                chosen, best = found, reached
                high = min(high, int(np.searchsorted(steps, best)))
            if feasible is None:
                note = "the time was over before the radius was proven the least; more may help (--time-limit)"
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
        return np.minimum(self._known, self._apart[:, rows].min(axis=1))

    def _radius(self, rows: np.ndarray) -> float:
        return covered_radius(self._gaps(rows), self._outliers)

    def _steps(self, best: float) -> np.ndarray:
        # Every radius that a choice can have, and that is smaller than the one at hand.
        least = 0.0 if self._outliers else float(np.float32(self._gaps(self._greedy.rows).max() / 2 * (1 - 1e-6)))
        apart = self._apart[(self._apart >= least) & (self._apart < best)]
        known = self._known[(self._known >= least) & (self._known < best)]
        return np.unique(np.concatenate([apart, known]))

    def _feasible(self, radius: float) -> tuple[bool | None, np.ndarray]:
        """Return whether k centres cover all but the outliers, None if the time is over, and the best centres seen."""
        best, chosen = np.inf, np.empty(0, dtype=np.int64)
        while True:
            solved, found = self._program(radius)
            if not solved:
                return solved, chosen
            gaps = self._gaps(found)
            reached = covered_radius(gaps, self._outliers)
            if reached < best:
                best, chosen = reached, found
            if reached <= radius:
                return True, chosen
            self._demand(gaps)

    def _demand(self, gaps: np.ndarray) -> None:
        # The points that the last centres leave farthest away, far from each other, are to be covered from now on.
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
        """Return whether k centres cover all demanded points but the outliers, None if the time is over, and which."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array, eye_array, hstack, vstack

        left, none = self._end - time.monotonic(), np.empty(0, dtype=np.int64)
        if left <= 0:
            return None, none
        rows = np.asarray(self._demanded)
        rows = rows[self._known[rows] > radius]
        if not len(rows):
            return True, self._filled(none)
        near = self._apart[rows] <= radius
        # Of centres that cover the same of these points, the first stands for all.
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
            integrality=np.repeat([1, 0], [m, spared]),  # given whole u, the least xi are whole by themselves
            bounds=Bounds(0, 1),
            constraints=LinearConstraint(csr_array(matrix), low, high),
            options={"time_limit": left},
        )
        if answer.x is None:
            return (False if answer.status == 2 else None), none
        return True, self._filled(centres[answer.x[:m] > 0.5])

    def _filled(self, rows: np.ndarray) -> np.ndarray:
        # Fewer may do: what is left of k goes to the farthest points.
        chosen = rows.tolist()
        gaps = self._gaps(rows) if chosen else self._known.copy()
        while len(chosen) < self._k:
            gaps[chosen] = -1.0  # never again
            chosen.append(int(gaps.argmax()))
            gaps = np.minimum(gaps, self._apart[:, chosen[-1]])
        return np.asarray(chosen)

    def _ordered(self, rows: np.ndarray) -> Centres:
        """Return the chosen points, farthest first, beginning with that of the smallest sum of distances."""
        rest = np.sort(rows)
        gaps, order, found = self._known[rest], list[int](), list[float]()
        for _ in rest:
            if np.isinf(gaps).any():
                place = int(self._apart[rest].sum(axis=1).argmin())
                found.append(float("nan"))
            else:
                place = int(gaps.argmax())
                found.append(float(gaps[place]))
            order.append(int(rest[place]))
            gaps = np.minimum(gaps, self._apart[rest, rest[place]])
            gaps[np.isin(rest, order)] = -1.0
        gaps = self._gaps(rows)
        return Centres(np.asarray(order), np.asarray(found), float(gaps.max()), self._greedy.start)
