"""How well an ensemble predicts that was fitted on more and more pairs: a learning curve on columns of one matrix.

scikit-learn's ``learning_curve`` fits the same models on the same prefixes of a fold, but returns correlations alone:
no predictions to average over members or to resample for an interval, and no fit that is kept for the next run.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pyarrow as pa

from ...features.matrix import FeatureMatrix
from ...models.member import MEMBERS, make_member
from ..core.combination import Combination
from .ablation_result import MEAN, write_twice
from .member_fits import Fits, Progress, Scores, Tally
from .pair_checks import checked_gold, checked_groups
from .variants import quiet_pearson

FIRST_SIZE = 100
"""The smallest of the sizes that are measured unless others are named; each further one is twice as large."""


@dataclass(frozen=True)
class CurveRow:
    """The ensemble of one training size and seed, or the mean over the seeds.

    Attributes
    ----------
    n
        Number of training pairs.
    seed
        The seed, of the subset and of the models, or ``mean``.
    pearson
        Pearson correlation with gold on the pairs that are scored, -1..1; 0 where every score is the same. For
        ``mean``, the mean of the correlations.
    low, high
        Ends of the 95 % percentile bootstrap interval of the mean, pairs drawn with replacement, for all seeds the
        same ones; None for one seed.
    std
        Standard deviation of the correlations over the seeds, in the sample; None for one seed and of one seed.
    seconds
        How long its fits took, on one core. It alone differs between runs.
    """

    n: int
    seed: str
    pearson: float
    low: float | None
    high: float | None
    std: float | None
    seconds: float


@dataclass(frozen=True)
class LearningCurve:
    """Correlations by number of training pairs.

    Attributes
    ----------
    members, seeds, columns
        The ensemble, its seeds, and the columns that it reads.
    scored
        Number of pairs that were scored.
    rows
        By size; of each the mean, then its seeds.
    notes
        What a reader of the figures must know.
    facts
        What the caller adds, such as the names of the files; plain JSON values.
    """

    members: tuple[str, ...]
    seeds: tuple[int, ...]
    columns: tuple[str, ...]
    scored: int
    rows: tuple[CurveRow, ...]
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def means(self) -> tuple[CurveRow, ...]:
        """The means over the seeds, by size."""
        return tuple(row for row in self.rows if row.seed == MEAN)

    def to_table(self) -> pa.Table:
        """Return all rows as an Arrow table, one column for each attribute of `CurveRow`."""
        types = {"n": pa.int64(), "seed": pa.string()}
        schema = pa.schema([(key.name, types.get(key.name, pa.float64())) for key in fields(CurveRow)])
        return pa.Table.from_pylist([asdict(row) for row in self.rows], schema=schema)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**vars(self), "facts": dict(self.facts), "rows": [vars(row) for row in self.rows]}

    def write(self, folder: str | Path) -> tuple[Path, Path]:
        """Write all rows as ``learning_curve.parquet`` and ``learning_curve.csv``; return their paths."""
        return write_twice(self.to_table(), Path(folder) / "learning_curve")


def learning_curve(
    train: FeatureMatrix,
    dev: FeatureMatrix,
    y_train: Sequence[float] | np.ndarray,
    y_dev: Sequence[float] | np.ndarray,
    *,
    sizes: Sequence[int] | None = None,
    members: Sequence[str] = ("rf", "gbm", "xgb"),
    seeds: int = 3,
    params: Mapping[str, Mapping[str, Any]] | None = None,
    jobs: int | None = None,
    groups: np.ndarray | None = None,
    progress: Progress | None = None,
    folder: str | Path | None = None,
) -> LearningCurve:
    """Fit an ensemble on nested random subsets of the training pairs, and score the dev pairs with each.

    Parameters
    ----------
    train
        The n training pairs.
    dev
        The pairs to score, with the same columns.
    y_train, y_dev
        Gold scores, 0..5.
    sizes
        Numbers of training pairs, 2..n; by default 100, 200, 400 and so on, and all.
    members
        The ensemble, whose scores are averaged.
    seeds
        Subsets are drawn and models fitted with the seeds 0 to ``seeds - 1``.
    params
        For a member's name, settings that replace its own; see `QUICK`.
    jobs
        Processes, as in joblib.
    groups
        Shape (n,): a subset takes one group after the other, so that of no group but its last it has a part; those
        linked by a sentence if None.
    progress
        Called with (fits done, fits to do).
    folder
        Every finished fit is kept there, as by `ablate`, and is not done again.

    Raises
    ------
    ValueError
        If the matrices and scores do not fit each other, or a size or a setting is unknown.
    """
    names = (members,) if isinstance(members, str) else tuple(members)
    if not names or len(set(names)) < len(names):
        raise ValueError(f"members={members!r} must name at least one member, each once")
    unknown = [name for name in params or {} if name not in MEMBERS]
    if unknown:
        raise ValueError(f"params has settings of {unknown[0]!r}; the members are {', '.join(MEMBERS)}")
    if seeds < 1:
        raise ValueError(f"seeds={seeds} is no number of seeds; give 1 or more")
    gold, truth = checked_gold(y_train, train, "y_train"), checked_gold(y_dev, dev, "y_dev")
    wanted = _sizes(sizes, len(train))
    target = FeatureMatrix(dev.reorder(train.columns), train.columns, dev.pairs)
    groups = checked_groups(train, groups)
    orders = [_order(groups, seed) for seed in range(seeds)]
    # What goes to another process is what the member reads.
    plain = FeatureMatrix(train.values, train.columns), FeatureMatrix(target.values, target.columns)
    read = {name: plain if make_member(name).reads_columns else (train, target) for name in names}
    # The largest first: it is the last to end.
    tasks = [(n, seed, name) for n in reversed(wanted) for seed in range(seeds) for name in names]
    tally = Tally(progress)
    tally.expect(len(tasks))
    parallel = joblib.Parallel(n_jobs=jobs, return_as="generator")
    found: dict[tuple[int, int, str], Scores] = {}
    try:
        for task, scores in zip(
            tasks,
            parallel(
                joblib.delayed(member_scores)(*read[name], gold, np.sort(orders[seed][:n]), name, seed, params, folder)
                for n, seed, name in tasks
            ),
            strict=True,
        ):
            found[task] = scores
            tally.step()
    except (KeyboardInterrupt, SystemExit) as error:
        if folder is not None:
            error.add_note(f"finished fits are kept in {folder}; the same command goes on from there")
        raise
    by_size = {n: [[found[n, s, m] for m in names] for s in range(seeds)] for n in wanted}
    rows = [row for n, scores in by_size.items() for row in curve_rows(n, truth, scores)]
    return LearningCurve(names, tuple(range(seeds)), train.columns, len(dev), tuple(rows), _NOTES)


_NOTES = (
    "what features count, such as frequencies of words, is of all training texts whatever the size: the curve tells "
    "what more scores add",
    "the interval tells what other dev pairs might give, and the deviation over the seeds what other training pairs",
)


def _sizes(sizes: Sequence[int] | None, n: int) -> list[int]:
    if sizes is None:
        doubled = [FIRST_SIZE * 2**k for k in range(n.bit_length()) if FIRST_SIZE * 2**k < n]
        return [*doubled, n]
    bad = [size for size in sizes if not 2 <= size <= n]
    if bad or not sizes:
        raise ValueError(f"sizes={list(sizes)} do not fit {n} training pairs; give numbers from 2 to {n}")
    return sorted(set(sizes))


def _order(groups: np.ndarray, seed: int) -> np.ndarray:
    """Return the rows group by group, in an order drawn at random."""
    _, group = np.unique(groups, return_inverse=True)
    place = np.random.default_rng(seed).permutation(group.max() + 1)
    return np.argsort(place[group], kind="stable")


def member_scores(
    train: FeatureMatrix,
    target: FeatureMatrix,
    gold: np.ndarray,
    rows: np.ndarray,
    name: str,
    seed: int,
    params: Mapping[str, Mapping[str, Any]] | None,
    folder: str | Path | None,
) -> Scores:
    """Return what a member gives to all target pairs that is fitted on some rows; kept in a folder if one is named."""
    fits = Fits(train, target, gold, [(rows, np.arange(len(target)))], params=params, n_jobs=1, folder=folder)
    fit = fits.fit(name, train.columns, seed)
    return fits.run([fit])[fit]


def curve_rows(n: int, truth: np.ndarray, found: Sequence[Sequence[Scores]]) -> list[CurveRow]:
    """Return the mean over the seeds and the row of each seed, from the scores of each member by seed."""
    scores = [Combination().apply(np.column_stack([one.values for one in members])) for members in found]
    figures = [quiet_pearson(truth, score) for score in scores]
    seconds = [sum(one.seconds for one in members) for members in found]
    low, high = _interval(truth, scores)
    std = float(np.std(figures, ddof=1)) if len(figures) > 1 else None
    mean = CurveRow(n, MEAN, float(np.mean(figures)), low, high, std, sum(seconds))
    single = [
        CurveRow(n, str(seed), figure, None, None, None, spent)
        for seed, (figure, spent) in enumerate(zip(figures, seconds, strict=True))
    ]
    return [mean, *single]


def _interval(truth: np.ndarray, scores: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return the ends for the mean of correlations, as `metrics.pearson_interval` does for one."""
    from scipy.stats import bootstrap

    if len(truth) < 3 or any(np.ptp(side) == 0 for side in (truth, *scores)):
        return -1.0, 1.0
    with warnings.catch_warnings():
        # A resample of a tiny file can be constant; it is left out below.
        warnings.simplefilter("ignore")
        found = bootstrap(
            (truth, *scores),
            _mean_of_rows,
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=2_000,
            batch=max(1, 2_000_000 // len(truth)),
            rng=np.random.default_rng(0),
        ).bootstrap_distribution
    low, high = np.nanquantile(found, [0.025, 0.975])
    return float(low), float(high)


def _mean_of_rows(truth: np.ndarray, *scores: np.ndarray, axis: int = -1) -> np.ndarray:
    from scipy.stats import pearsonr

    return np.mean([pearsonr(truth, score, axis=axis).statistic for score in scores], axis=0)
