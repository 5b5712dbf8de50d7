"""Learning curve: the correlation of an ensemble by number of training pairs, on columns of one matrix.

scikit-learn's ``learning_curve`` fits the same models on the same prefixes of a fold, but returns correlations alone:
no predictions to average over members or to resample for an interval, and no fits to keep for the next run.
"""

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pyarrow as pa

from ..._messages import short_repr
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import make_member
from ..core.combination import Combination
from .ablation_result import MEAN, write_twice
from .experiment_matrices import checked_gold, checked_groups, checked_members
from .member_fits import Fits, Progress, Scores, Tally
from .variants import quiet_pearson

FIRST_SIZE = 100
"""The smallest default size; each further one is twice as large."""


@dataclass(frozen=True)
class CurveRow:
    """Figures of one training size and seed, or their mean over the seeds."""

    n: int  # training pairs
    seed: str  # of the subset and of the models, or ``mean``
    # Pearson correlation with gold on the scored pairs; 0 if all scores are equal. For ``mean``, the mean of them.
    pearson: float
    # Ends of the 95 % percentile bootstrap interval of the mean, with the same resampled pairs for all seeds.
    low: float | None
    high: float | None
    std: float | None  # sample standard deviation of the correlations over the seeds; None for one seed
    seconds: float  # of its fits on one core; it alone differs between runs


@dataclass(frozen=True)
class LearningCurve:
    """Correlations by number of training pairs; the rows by size, of each the mean, then its seeds."""

    members: tuple[str, ...]
    seeds: tuple[int, ...]
    columns: tuple[str, ...]
    scored: int  # number of scored pairs
    rows: tuple[CurveRow, ...]
    notes: tuple[str, ...] = ()  # caveats for readers of the figures
    facts: Mapping[str, Any] = field(default_factory=dict)  # added by the caller, such as file names; plain JSON values

    def __repr__(self) -> str:
        return short_repr(
            self,
            members="+".join(self.members),
            seeds=self.seeds,
            columns=len(self.columns),
            scored=self.scored,
            pearson={row.n: row.pearson for row in self.means},
        )

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
        Settings of each member that replace its own; see `QUICK`.
    jobs
        Number of processes, as in joblib.
    groups
        Shape (n,): a subset takes one group after the other, so that only its last group can be incomplete; None
        groups pairs linked by a sentence.
    progress
        Called with (finished fits, all fits).
    folder
        Every finished fit is kept there, as by `ablate`, and is not repeated.

    Raises
    ------
    ValueError
        If matrices and scores do not match, a size is out of range, or a setting is unknown.
    """
    names = checked_members(members, params or {}, seeds)
    gold, truth = checked_gold(y_train, train, "y_train"), checked_gold(y_dev, dev, "y_dev")
    sizes = _sizes(sizes, len(train))
    target = FeatureMatrix(dev.reorder(train.columns), train.columns, dev.pairs)
    groups = checked_groups(train, groups)
    orders = [_order(groups, seed) for seed in range(seeds)]
    # Another process gets only what the member reads.
    plain = FeatureMatrix(train.values, train.columns), FeatureMatrix(target.values, target.columns)
    matrices = {name: plain if make_member(name).reads_columns else (train, target) for name in names}
    # The largest first, because it is the last to end.
    tasks = [(n, seed, name) for n in reversed(sizes) for seed in range(seeds) for name in names]
    calls = [
        joblib.delayed(_member_scores)(*matrices[name], gold, np.sort(orders[seed][:n]), name, seed, params, folder)
        for n, seed, name in tasks
    ]
    scores = dict(zip(tasks, _run(calls, jobs, Tally(progress), folder), strict=True))
    rows = [
        row
        for n in sizes
        for row in _curve_rows(n, truth, [[scores[n, seed, name] for name in names] for seed in range(seeds)])
    ]
    return LearningCurve(names, tuple(range(seeds)), train.columns, len(dev), tuple(rows), _NOTES)


def _run(calls: Sequence[Any], jobs: int | None, tally: Tally, folder: str | Path | None) -> Iterator[Scores]:
    tally.expect(len(calls))
    try:
        for scores in joblib.Parallel(n_jobs=jobs, return_as="generator")(calls):
            tally.step()
            yield scores
    except (KeyboardInterrupt, SystemExit) as error:
        if folder is not None:
            error.add_note(f"finished fits are kept in {folder}; the same command goes on from there")
        raise


_NOTES = (
    "statistics that features use, such as word frequencies, come from all training texts at every size: the curve "
    "shows the value of more scores",
    "the interval shows the variation over dev pairs, and the deviation over the seeds that over training pairs",
)


def _sizes(sizes: Sequence[int] | None, n: int) -> list[int]:
    if sizes is None:
        doubled = [FIRST_SIZE * 2**k for k in range(n.bit_length()) if FIRST_SIZE * 2**k < n]
        return [*doubled, n]
    if not sizes or any(not 2 <= size <= n for size in sizes):
        raise ValueError(
            f"sizes must be between 2 and {n}, the number of training pairs, got {list(sizes)}; correct them"
        )
    return sorted(set(sizes))


def _order(groups: np.ndarray, seed: int) -> np.ndarray:
    """Return the rows group by group, the groups in random order."""
    _, group = np.unique(groups, return_inverse=True)
    place = np.random.default_rng(seed).permutation(group.max() + 1)
    return np.argsort(place[group], kind="stable")


def _member_scores(
    train: FeatureMatrix,
    target: FeatureMatrix,
    gold: np.ndarray,
    rows: np.ndarray,
    name: str,
    seed: int,
    params: Mapping[str, Mapping[str, Any]] | None,
    folder: str | Path | None,
) -> Scores:
    """Return the scores of all target pairs by a member fitted on `rows`; with a folder, they are kept there."""
    fits = Fits(train, target, gold, [(rows, np.arange(len(target)))], params=params, n_jobs=1, folder=folder)
    fit = fits.fit(name, train.columns, seed)
    return fits.run([fit])[fit]


def _curve_rows(n: int, truth: np.ndarray, by_seed: Sequence[Sequence[Scores]]) -> list[CurveRow]:
    """Return the mean over the seeds and the row of each seed, from the scores of each member for each seed."""
    scores = [Combination().apply(np.column_stack([each.values for each in members])) for members in by_seed]
    figures = [quiet_pearson(truth, score) for score in scores]
    seconds = [sum(each.seconds for each in members) for members in by_seed]
    low, high = _interval(truth, scores)
    std = float(np.std(figures, ddof=1)) if len(figures) > 1 else None
    mean = CurveRow(n, MEAN, float(np.mean(figures)), low, high, std, sum(seconds))
    single = [
        CurveRow(n, str(seed), figure, None, None, None, spent)
        for seed, (figure, spent) in enumerate(zip(figures, seconds, strict=True))
    ]
    return [mean, *single]


def _interval(truth: np.ndarray, scores: Sequence[np.ndarray]) -> tuple[float, float]:
    """Return the interval of the mean of correlations, as `metrics.pearson_interval` does for one correlation."""
    from scipy.stats import bootstrap

    if len(truth) < 3 or any(np.ptp(side) == 0 for side in (truth, *scores)):
        return -1.0, 1.0
    with warnings.catch_warnings():
        # A resample of a tiny file can be constant; its NaN is ignored below.
        warnings.simplefilter("ignore")
        correlations = bootstrap(
            (truth, *scores),
            _mean_of_rows,
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=2_000,
            batch=max(1, 2_000_000 // len(truth)),
            rng=np.random.default_rng(0),
        ).bootstrap_distribution
    low, high = np.nanquantile(correlations, [0.025, 0.975])
    return float(low), float(high)


def _mean_of_rows(truth: np.ndarray, *scores: np.ndarray, axis: int = -1) -> np.ndarray:
    from scipy.stats import pearsonr

    return np.mean([pearsonr(truth, score, axis=axis).statistic for score in scores], axis=0)
