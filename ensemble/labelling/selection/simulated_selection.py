"""Simulated selection: learning curves of each method on pairs whose labels are known, but used only once chosen.

The protocol of Sener and Savarese (2018): a small random start, rounds in which a method chooses and the regressor is
fitted again on all that is labelled so far, several seeds. The start of a seed is the same for all methods.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np

from ....features.matrix import FeatureMatrix
from ...core.predictive_distribution import spread_of
from ...experiments.experiment_checks import checked_gold
from ...experiments.learning_curve import member_scores
from ...experiments.member_fits import Progress, Scores, Tally
from .k_center import k_center_greedy
from .robust_centres import robust_k_center
from .selection_curves import Simulation, SimulationRow, method_rows
from .selection_methods import METHODS
from .similarity_bands import bands

SIZES = (100, 200, 400, 800, 1_200, 1_600, 2_000)
"""Numbers of labels: the random start, and the total after each round."""

MEMBERS = ("xgb",)
"""The regressor fitted in every round."""

COMMITTEE = 5
"""Number of fits with different seeds that give the uncertainty of a single member."""

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Bands of character similarity; those of 2012 leave out most of a labelled set."""

_SEEDS_APART = 1_000  # of the fits of a committee


@dataclass(frozen=True, eq=False)
class _Course:
    # Input of every run of a method.
    train: FeatureMatrix
    both: FeatureMatrix
    points: np.ndarray
    similarity: np.ndarray
    gold: np.ndarray
    sizes: tuple[int, ...]
    members: tuple[str, ...]
    params: Mapping[str, Mapping[str, Any]] | None
    time_limit: float
    folder: str | Path | None

    def run(self, method: str, seed: int) -> tuple[list[list[Scores]], list[str]]:
        """Return the scores of the dev pairs by the members fitted at each size, and notes."""
        n, notes = len(self.train), list[str]()
        order = np.random.default_rng(seed).permutation(n)
        rows, scores = order[: self.sizes[0]], []
        for size, following in zip(self.sizes, (*self.sizes[1:], None), strict=True):
            fits = [self._fit(method, rows, name, seed) for name in self.members]
            scores.append([Scores(fit.values[n:], fit.seconds) for fit in fits])
            if following is not None:
                rest = order[~np.isin(order, rows)]
                rest = rest if method == "random" else np.sort(rest)
                chosen = self._choose(method, rows, rest, following - size, fits, seed, notes)
                rows = np.concatenate([rows, rest[chosen]])
        return scores, notes

    def _fit(self, method: str, rows: np.ndarray, name: str, seed: int) -> Scores:
        # Runs of several methods share fits, such as the start; each method keeps its own.
        folder = None if self.folder is None else Path(self.folder) / method
        return member_scores(self.train, self.both, self.gold, np.sort(rows), name, seed, self.params, folder)

    def _choose(
        self,
        method: str,
        rows: np.ndarray,
        rest: np.ndarray,
        count: int,
        fits: list[Scores],
        seed: int,
        notes: list[str],
    ) -> np.ndarray:
        """Return the positions in the rest of the pairs to label."""
        if method == "random":
            return np.arange(count)  # the rest is in random order
        if method == "greedy":
            return k_center_greedy(self.points[rest], count, self.points[rows]).rows
        if method == "robust":
            robust = robust_k_center(self.points[rest], count, self.points[rows], time_limit=self.time_limit)
            if robust.note:
                notes.append(robust.note)
            return robust.centres.rows
        if method == "uncertainty":
            if len(fits) == 1:
                seeds = [seed + _SEEDS_APART * k for k in range(1, COMMITTEE)]
                fits = fits + [self._fit(method, rows, self.members[0], other) for other in seeds]
            spread = spread_of(np.column_stack([fit.values[rest] for fit in fits]))
            return np.argsort(-spread, kind="stable")[:count]
        share = max(1, count // (len(EDGES) - 1))
        chosen = bands(rest, self.similarity[rest], EDGES, share, seed=seed).rows[:count]
        if len(chosen) < count:
            notes.append("bands that were empty or rounded down were filled at random, so that every size is reached")
            others = np.setdiff1d(np.arange(len(rest)), chosen)
            more = np.random.default_rng(seed).permutation(others)[: count - len(chosen)]
            chosen = np.concatenate([chosen, more])
        return chosen


def simulate(
    train: FeatureMatrix,
    dev: FeatureMatrix,
    y_train: Sequence[float] | np.ndarray,
    y_dev: Sequence[float] | np.ndarray,
    similarity: np.ndarray,
    *,
    methods: Sequence[str] = METHODS,
    sizes: Sequence[int] | None = None,
    members: Sequence[str] = MEMBERS,
    seeds: int = 5,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    time_limit: float = 60.0,
    jobs: int | None = None,
    progress: Progress | None = None,
    folder: str | Path | None = None,
) -> Simulation:
    """Label growing numbers of pairs, chosen by each method, and score dev pairs with the regressor fitted on them.

    Parameters
    ----------
    train
        The n pairs to choose from; coverage is measured on its columns, standardised.
    dev
        The pairs to score, with the same columns.
    y_train, y_dev
        Gold scores, 0..5.
    similarity
        Shape (n,): similarity of each pair, for bands; see `character_similarity`.
    methods
        Some of `METHODS`.
    sizes
        Growing numbers of labels, 2..n: the first is drawn at random. None stands for the `SIZES` up to n.
    members
        The regressor: members that read columns, whose scores are averaged.
    seeds
        Starts are drawn and members fitted with the seeds 0 to ``seeds - 1``.
    params
        Settings of each member that replace its own.
    time_limit
        Seconds for each round of robust.
    jobs
        Number of processes, as in joblib; each runs all rounds of one method and seed.
    progress
        Called with (finished runs, all runs).
    folder
        Every finished fit is kept there and not repeated.

    Raises
    ------
    ValueError
        If matrices, scores and sizes do not match, or a method or member is unknown.
    """
    gold, truth = checked_gold(y_train, train, "y_train"), checked_gold(y_dev, dev, "y_dev")
    methods, names, sizes = _checked(methods, members, sizes, len(train), seeds)
    if similarity.shape != (len(train),):
        raise ValueError(
            f"similarity must have one value for each of {len(train)} pairs, got shape {similarity.shape}; "
            "compute it again"
        )
    plain = FeatureMatrix(train.values, train.columns)
    both = FeatureMatrix(np.vstack([train.values, dev.reorder(train.columns)]), train.columns)
    points = _standardised(train.values)
    course = _Course(plain, both, points, similarity, gold, sizes, names, params, time_limit, folder)
    # The longest begins first.
    longest_first = sorted(methods, key=("robust", "uncertainty", *METHODS).index)
    tasks = [(method, seed) for method in longest_first for seed in range(seeds)]
    tally = Tally(progress)
    tally.expect(len(tasks))
    scores: dict[tuple[str, int], list[list[Scores]]] = {}
    notes = dict.fromkeys(_NOTES)
    runs = joblib.Parallel(n_jobs=jobs, return_as="generator")(joblib.delayed(course.run)(*task) for task in tasks)
    for task, (run_scores, run_notes) in zip(tasks, runs, strict=True):
        scores[task] = run_scores
        notes |= dict.fromkeys(f"{task[0]}: {note}" for note in run_notes)
        tally.step()
    rows: list[SimulationRow] = []
    for method in methods:
        for place, n in enumerate(sizes):
            compared = {method, "random"} & set(methods)
            rows += method_rows(
                method, n, truth, {each: [scores[each, seed][place] for seed in range(seeds)] for each in compared}
            )
    return Simulation(methods, names, tuple(range(seeds)), sizes, len(dev), tuple(rows), tuple(notes))


_NOTES = (
    "statistics that features use, such as word frequencies, come from all training texts: only scores are withheld",
    "the intervals show the variation over dev pairs, and the deviation over the seeds that over starts",
)


def _checked(
    methods: Sequence[str], members: Sequence[str], sizes: Sequence[int] | None, n: int, seeds: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    from ....models.member import REGRESSORS

    for name, values, choices in (("methods", methods, METHODS), ("members", members, REGRESSORS)):
        if not values or len(set(values)) < len(values) or not set(values) <= set(choices):
            raise ValueError(f"{name} must be among {', '.join(choices)}, each once, got {list(values)}; correct them")
    if seeds < 1:
        raise ValueError(f"seeds must be at least 1, got {seeds}; give a larger number")
    chosen = tuple(size for size in SIZES if size <= n) if sizes is None else tuple(sizes)
    growing = all(a < b for a, b in zip(chosen, chosen[1:], strict=False))
    if len(chosen) < 2 or not growing or not 2 <= chosen[0] or not chosen[-1] <= n:
        raise ValueError(
            f"sizes must be two or more growing numbers from 2 to {n}, the number of pairs, got {list(chosen)}; "
            "correct them"
        )
    return tuple(methods), tuple(members), chosen


def _standardised(values: np.ndarray) -> np.ndarray:
    wide = values.astype(np.float64)
    deviation = wide.std(axis=0)
    varies = deviation > 1e-9 * np.maximum(np.abs(wide.mean(axis=0)), 1.0)
    return np.where(varies, (wide - wide.mean(axis=0)) / np.where(varies, deviation, 1.0), 0.0).astype(np.float32)
