"""What a way to choose pairs is worth: learning curves on pairs whose labels are known, but asked for only when chosen.

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
from ...core.interval import spread_of
from ...experiments.experiment_checks import checked_gold
from ...experiments.learning_curve import member_scores
from ...experiments.member_fits import Progress, Scores, Tally
from .k_center import k_center_greedy
from .robust_centres import robust_k_center
from .selection_curves import Simulation, SimulationRow, method_rows
from .selection_methods import METHODS
from .similarity_bands import bands

SIZES = (100, 200, 400, 800, 1_200, 1_600, 2_000)
"""Numbers of labels: the random start, and what each round goes on to."""

MEMBERS = ("xgb",)
"""The regressor that is fitted in every round."""

COMMITTEE = 5
"""Where the regressor is a single member, uncertainty asks so many fits of it, which differ in their seeds."""

EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
"""Bands of character similarity; those of 2012 would leave out most of a labelled set."""

_SEEDS_APART = 1_000  # of the fits of a committee


@dataclass(frozen=True, eq=False)
class _Course:
    # What every run of a method reads.
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
        """Return what the members fitted at each size give to the dev pairs, and notes."""
        n, notes = len(self.train), list[str]()
        order = np.random.default_rng(seed).permutation(n)
        rows, found = order[: self.sizes[0]], []
        for size, following in zip(self.sizes, (*self.sizes[1:], None), strict=True):
            fits = [self._fit(method, rows, name, seed) for name in self.members]
            found.append([Scores(fit.values[n:], fit.seconds) for fit in fits])
            if following is not None:
                rest = order[~np.isin(order, rows)]
                rest = rest if method == "random" else np.sort(rest)
                chosen = self._choose(method, rows, rest, following - size, fits, seed, notes)
                rows = np.concatenate([rows, rest[chosen]])
        return found, notes

    def _fit(self, method: str, rows: np.ndarray, name: str, seed: int) -> Scores:
        # Processes that fit the same, such as a start, must not write the same file.
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
        """Return which of the rest are to be labelled, as positions in it."""
        if method == "random":
            return np.arange(count)  # the rest is in random order
        if method == "greedy":
            return k_center_greedy(self.points[rest], count, self.points[rows]).rows
        if method == "robust":
            found = robust_k_center(self.points[rest], count, self.points[rows], time_limit=self.time_limit)
            if found.note:
                notes.append(found.note)
            return found.centres.rows
        if method == "uncertainty":
            if len(fits) == 1:
                seeds = [seed + _SEEDS_APART * k for k in range(1, COMMITTEE)]
                fits = fits + [self._fit(method, rows, self.members[0], other) for other in seeds]
            spread = spread_of(np.column_stack([fit.values[rest] for fit in fits]))
            return np.argsort(-spread, kind="stable")[:count]
        share = max(1, count // (len(EDGES) - 1))
        taken = bands(rest, self.similarity[rest], EDGES, share, seed=seed).rows[:count]
        if len(taken) < count:
            notes.append("bands that were empty or rounded down were filled at random, so that every size is reached")
            others = np.setdiff1d(np.arange(len(rest)), taken)
            more = np.random.default_rng(seed).permutation(others)[: count - len(taken)]
            taken = np.concatenate([taken, more])
        return taken


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
    """Label more and more pairs, chosen by each method, and tell how well what is fitted on them predicts dev pairs.

    Parameters
    ----------
    train
        The n pairs whose labels can be asked for; coverage is measured on its columns, standardised.
    dev
        The pairs to score, with the same columns.
    y_train, y_dev
        Gold scores, 0..5.
    similarity
        Shape (n,): what bands are made of; see `character_similarity`.
    methods
        Some of `METHODS`.
    sizes
        Growing numbers of labels, 2..n: the first is drawn at random; `SIZES` as far as there are pairs if None.
    members
        The regressor: members that read columns, whose scores are averaged.
    seeds
        Starts are drawn and members fitted with the seeds 0 to ``seeds - 1``.
    params
        For a member's name, settings that replace its own.
    time_limit
        Seconds for each round of robust.
    jobs
        Processes, as in joblib; each runs whole courses of one method and seed.
    progress
        Called with (courses done, courses to do).
    folder
        Every finished fit is kept there and not done again.

    Raises
    ------
    ValueError
        If the matrices, scores and sizes do not fit each other, or a method or member is unknown.
    """
    gold, truth = checked_gold(y_train, train, "y_train"), checked_gold(y_dev, dev, "y_dev")
    ways, names, wanted = _checked(methods, members, sizes, len(train), seeds)
    if similarity.shape != (len(train),):
        raise ValueError(f"{len(train)} pairs have similarities of shape {similarity.shape}; give one a pair")
    values = np.vstack([train.values, dev.reorder(train.columns)])
    plain = FeatureMatrix(train.values, train.columns)
    course = _Course(
        plain,
        FeatureMatrix(values, train.columns),
        _standardised(train.values),
        similarity,
        gold,
        wanted,
        names,
        params,
        time_limit,
        folder,
    )
    # What takes longest begins first.
    tasks = [
        (way, seed) for way in sorted(ways, key=("robust", "uncertainty", *METHODS).index) for seed in range(seeds)
    ]
    tally = Tally(progress)
    tally.expect(len(tasks))
    found: dict[tuple[str, int], list[list[Scores]]] = {}
    notes = dict.fromkeys(_NOTES)
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
    for task, (scores, told) in zip(tasks, parallel(joblib.delayed(course.run)(*task) for task in tasks), strict=True):
        found[task] = scores
        notes |= dict.fromkeys(f"{task[0]}: {note}" for note in told)
        tally.step()
    rows: list[SimulationRow] = []
    for way in ways:
        for place, n in enumerate(wanted):
            here = {
                other: [found[other, seed][place] for seed in range(seeds)] for other in {way, "random"} & set(ways)
            }
            rows += method_rows(way, n, truth, here)
    return Simulation(ways, names, tuple(range(seeds)), wanted, len(dev), tuple(rows), tuple(notes))


_NOTES = (
    "what features count, such as frequencies of words, is of all training texts: only scores are asked for",
    "the intervals tell what other dev pairs might give, and the deviation over the seeds what other starts",
)


def _checked(
    methods: Sequence[str], members: Sequence[str], sizes: Sequence[int] | None, n: int, seeds: int
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[int, ...]]:
    from ....models.member import REGRESSORS

    for what, given, known in (("method", methods, METHODS), ("member", members, REGRESSORS)):
        bad = [name for name in given if name not in known]
        if bad or not given or len(set(given)) < len(given):
            told = repr(bad[0]) if bad else list(given)
            raise ValueError(f"{told} is no {what}, or not each once; choose among {', '.join(known)}")
    if seeds < 1:
        raise ValueError(f"seeds={seeds} is no number of seeds; give 1 or more")
    wanted = tuple(size for size in SIZES if size <= n) if sizes is None else tuple(sizes)
    growing = all(a < b for a, b in zip(wanted, wanted[1:], strict=False))
    if len(wanted) < 2 or not growing or not 2 <= wanted[0] or not wanted[-1] <= n:
        raise ValueError(f"sizes={list(wanted)} do not fit {n} pairs; give two or more growing numbers from 2 to {n}")
    return tuple(methods), tuple(members), wanted


def _standardised(values: np.ndarray) -> np.ndarray:
    wide = values.astype(np.float64)
    deviation = wide.std(axis=0)
    varies = deviation > 1e-9 * np.maximum(np.abs(wide.mean(axis=0)), 1.0)
    return np.where(varies, (wide - wide.mean(axis=0)) / np.where(varies, deviation, 1.0), 0.0).astype(np.float32)
