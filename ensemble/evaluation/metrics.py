"""Metrics of scores against gold, each with its definition."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np

from ..._messages import short_repr
from ..._notebook_html import html_in_notebooks
from ...features.analysis.analysis import analyse
from ...features.base.sentences import PairBatch
from ...features.pipeline.catalogue import core_features
from ..core.scale import yes_labels
from .binary_metrics import BinaryEvaluation, evaluate_binary


@dataclass(frozen=True)
class Evaluation:
    """Agreement of n scores with gold.

    Attributes
    ----------
    n
        Number of pairs.
    pearson, pearson_low, pearson_high
        Pearson correlation (-1..1) with the ends of its 95 % percentile bootstrap interval.
    spearman
        Rank correlation, -1..1.
    rmse
        Root mean squared error on the 0..5 scale.
    within_1
        Share of scores at most 1.0 from gold.
    coverage
        Share of gold scores inside the predicted interval; None without intervals.
    groups
        The same by group, for each group of two pairs or more.
    weighted_mean
        Mean of the groups' Pearson correlations weighted by size (the official score of 2013 to 2016); None without
        groups.
    """

    n: int
    pearson: float
    pearson_low: float
    pearson_high: float
    spearman: float
    rmse: float
    within_1: float
    coverage: float | None = None
    groups: dict[str, "Evaluation"] = field(default_factory=dict)
    weighted_mean: float | None = None

    def __repr__(self) -> str:
        return short_repr(self, **{**vars(self), "groups": list(self.groups) or None})

    def _repr_html_(self) -> str:
        return html_in_notebooks(self)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, groups nested."""
        facts = {key: value for key, value in vars(self).items() if key != "groups"}
        return {**facts, "groups": {name: group.as_dict() for name, group in self.groups.items()}}


def pearson(gold: np.ndarray, score: np.ndarray) -> float:
    """Return the Pearson correlation, -1..1; 0 with a warning where either side is constant."""
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    return _correlation(x - x.mean(), y - y.mean(), (x[0], y[0]))


def _correlation(x: np.ndarray, y: np.ndarray, first: tuple[float, float]) -> float:
    # Of deviations from the mean, and the first value of each side.
    scale = float(np.sqrt((x @ x) * (y @ y)))
    if scale <= 1e-12 * len(x):
        side, value = ("gold scores", first[0]) if x @ x <= y @ y else ("scores", first[1])
        warnings.warn(f"all {side} are {value:g}, so the Pearson correlation is undefined; 0 is returned", stacklevel=3)
        return 0.0
    return float(np.clip((x @ y) / scale, -1.0, 1.0))


def weighted_pearson(
    gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, weights: Sequence[float] | np.ndarray
) -> float:
    """Return the Pearson correlation, every mean a weighted one, -1..1 (SemEval-2012 Task 6; Agirre et al., 2012)."""
    x, y, c = (np.asarray(values, dtype=np.float64) for values in (gold, score, weights))
    if not (x.ndim == 1 and x.shape == y.shape == c.shape):
        raise ValueError(
            f"gold, score and weights must be of one length, got {len(x)}, {len(y)} and {len(c)}; give one each a pair"
        )
    bad = ~(np.isfinite(c) & (c >= 0))
    if bad.any():
        raise ValueError(f"weights must be numbers from 0 on, got {c[bad][0]:g}; correct it")
    if not c.any():
        raise ValueError("at least one weight must be above 0, got 0 for all pairs; give one or more pairs a weight")
    # Only pairs with a weight, so that a side that is constant among them is noticed. The root of the weights turns the
    # weighted correlation into a plain one.
    x, y, c = x[c > 0], y[c > 0], c[c > 0] / c.max()
    total = c.sum()
    root = np.sqrt(c)
    return _correlation(root * (x - c @ x / total), root * (y - c @ y / total), (x[0], y[0]))


def pearson_interval(
    gold: np.ndarray, score: np.ndarray, seed: int = 0, resamples: int = 2_000, level: float = 0.95
) -> tuple[float, float]:
    """Return the ends of the percentile bootstrap interval of the Pearson correlation (Efron and Tibshirani, 1993)."""
    from scipy.stats import bootstrap

    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return -1.0, 1.0
    with warnings.catch_warnings():
        # A resample of a tiny file can be constant; it is left out below.
        warnings.simplefilter("ignore")
        resampled = bootstrap(
            (x, y),
            _pearson_rows,
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=resamples,
            batch=max(1, 2_000_000 // len(x)),
            rng=np.random.default_rng(seed),
        ).bootstrap_distribution
    low, high = np.nanquantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _pearson_rows(x: np.ndarray, y: np.ndarray, axis: int = -1) -> np.ndarray:
    x, y = x - x.mean(axis=axis, keepdims=True), y - y.mean(axis=axis, keepdims=True)
    scale = np.sqrt((x * x).sum(axis=axis) * (y * y).sum(axis=axis))
    return (x * y).sum(axis=axis) / np.where(scale > 0, scale, np.nan)


@overload
def evaluate(
    gold: Sequence[float] | np.ndarray,
    score: Sequence[float] | np.ndarray,
    low: np.ndarray | None = None,
    high: np.ndarray | None = None,
    groups: Sequence[str] | np.ndarray | None = None,
    seed: int = 0,
) -> Evaluation: ...


@overload
def evaluate(
    gold: Sequence[bool | str | float] | np.ndarray, score: Sequence[float] | np.ndarray, *, same_from: float
) -> BinaryEvaluation: ...


def evaluate(
    gold: Any,
    score: Sequence[float] | np.ndarray,
    low: np.ndarray | None = None,
    high: np.ndarray | None = None,
    groups: Sequence[str] | np.ndarray | None = None,
    seed: int = 0,
    *,
    same_from: float | None = None,
) -> Evaluation | BinaryEvaluation:
    """Compare scores with gold scores, or with labels that say yes or no.

    Parameters
    ----------
    gold
        Shape (n,): gold scores, 0..5, n at least 2; with `same_from` labels instead: True and False, 1 and 0, or words
        such as ``yes`` and ``no``, n at least 1.
    score
        Shape (n,): scores, 0..5; with `same_from` on any scale.
    low, high
        Ends of the predicted intervals, shape (n,).
    groups
        A label for each pair; adds the table by group and the size-weighted mean.
    seed
        Seed of the bootstrap.
    same_from
        Score from which a pair is called yes: 0.5 for probabilities of a model of yes and no, such as 4 for scores of
        0..5. Below 1 and with all scores from 0 to 1, these are probabilities.

    Returns
    -------
    Evaluation or BinaryEvaluation
        The latter with `same_from`.

    Raises
    ------
    ValueError
        If the lengths differ, a value is not finite, there are too few pairs, or a label says neither yes nor no.
    """
    if same_from is not None:
        if not (low is None and high is None and groups is None):
            raise ValueError(
                "low, high and groups must be None for labels that say yes or no, got others; leave them out"
            )
        values = np.asarray(score, dtype=np.float64)
        probabilities = same_from < 1 and bool(((values >= 0) & (values <= 1)).all())
        return evaluate_binary(yes_labels(gold), values, probabilities=probabilities, same_from=same_from)
    if np.asarray(gold).dtype.kind in "OSU":
        raise ValueError(
            f"gold must be numbers, got {list(gold)[0]!r:.40}; for labels that say yes or no give same_from, the score "
            "from which a pair is called yes"
        )
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"gold and score must have one shape (n,), got {x.shape} and {y.shape}; give one each a pair")
    if len(x) < 2:
        raise ValueError(f"a correlation must have at least two pairs, got {len(x)}; give a longer file")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("gold and score must be finite, got NaN or infinity; remove the pairs without a score")
    overall = _one(x, y, low, high, seed)
    if groups is None:
        return overall
    tables = evaluate_groups(x, y, groups, low, high, seed)
    sizes = sum(group.n for group in tables.values())
    mean = sum(group.n * group.pearson for group in tables.values()) / sizes if sizes else None
    return Evaluation(**{**vars(overall), "groups": tables, "weighted_mean": mean})


def evaluate_groups(
    gold: np.ndarray,
    score: np.ndarray,
    groups: Sequence[str] | np.ndarray,
    low: np.ndarray | None = None,
    high: np.ndarray | None = None,
    seed: int = 0,
) -> dict[str, Evaluation]:
    """Compare scores with gold in each group, in order of appearance; a group of one pair is left out."""
    labels = np.asarray([str(label) for label in groups])
    if len(labels) != len(gold):
        raise ValueError(f"group labels must be as many as the {len(gold)} pairs, got {len(labels)}; give one a pair")
    tables = {}
    for label in dict.fromkeys(labels.tolist()):
        mask = labels == label
        if mask.sum() > 1:
            ends = [None if side is None else side[mask] for side in (low, high)]
            tables[label] = _one(gold[mask], score[mask], ends[0], ends[1], seed)
    return tables


def _one(x: np.ndarray, y: np.ndarray, low: np.ndarray | None, high: np.ndarray | None, seed: int) -> Evaluation:
    from scipy.stats import rankdata

    r = pearson(x, y)
    ends = pearson_interval(x, y, seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a constant side, as said of the Pearson correlation
        spearman = pearson(rankdata(x), rankdata(y))
    error = y - x
    return Evaluation(
        n=len(x),
        pearson=r,
        pearson_low=ends[0],
        pearson_high=ends[1],
        spearman=spearman,
        rmse=float(np.sqrt(np.mean(error**2))),
        within_1=float(np.mean(np.abs(error) <= 1.0)),
        coverage=None if low is None or high is None else float(np.mean((low <= x) & (x <= high))),
    )


def one_hot_cosine(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return the baseline of SemEval-2017 Task 1 (Cer et al., 2017) for n pairs, scaled to 0..5, shape (n,)."""
    baseline = next(value for value in core_features() if value.full_name == "bow.one_hot")
    batch = analyse(pairs)
    # Its words have their accents.
    written = [one._replace(words=tuple(token.lower() for token in one.tokens)) for one in batch.sentences]
    return 5.0 * baseline(PairBatch(written, batch.left, batch.right))[:, 0].astype(np.float64)
