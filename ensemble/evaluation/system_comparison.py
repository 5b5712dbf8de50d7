"""Comparison of systems on the same pairs, with tests of their differences."""

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ..._messages import short_repr
from ..._notebook_html import html_in_notebooks
from .metrics import Evaluation, evaluate, pearson

_ROUNDING = 1e-12
"""Values of Williams' determinant or denominator below this are zero but for rounding."""


@dataclass(frozen=True)
class Difference:
    """Difference of the Pearson correlation of a system from that of the reference.

    Attributes
    ----------
    value, low, high
        Difference of the correlations (-2..2) with the ends of its 95 % paired bootstrap interval.
    t, p
        Williams' t and its two-sided p-value; NaN where the test is undefined.
    p_holm
        The p-value corrected for the number of systems compared (Holm, 1979).
    """

    value: float
    low: float
    high: float
    t: float
    p: float
    p_holm: float

    def as_dict(self) -> dict[str, float | None]:
        """Return plain JSON values, None where the test is undefined."""
        return {key: None if math.isnan(value) else value for key, value in vars(self).items()}


@dataclass(frozen=True)
class Row:
    """One system of a comparison.

    Attributes
    ----------
    system
        Its name.
    evaluation
        Its agreement with gold.
    difference
        Its distance from the reference; None for the reference itself.
    """

    system: str
    evaluation: Evaluation
    difference: Difference | None

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values: the figures of the evaluation and, nested, the difference."""
        figures = {key: value for key, value in self.evaluation.as_dict().items() if value is not None and value != {}}
        return {"system": self.system, **figures, "difference": self.difference and self.difference.as_dict()}


@dataclass(frozen=True)
class Williams:
    """Williams' test of one system against another.

    Attributes
    ----------
    first, second
        Their names.
    difference
        Pearson correlation of the first less that of the second, -2..2.
    t, p
        Williams' t and its two-sided p-value; NaN where the test is undefined.
    p_holm
        The p-value corrected for the number of all pairs of systems (Holm, 1979).
    """

    first: str
    second: str
    difference: float
    t: float
    p: float
    p_holm: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, None where the test is undefined."""
        return {key: None if value != value else value for key, value in vars(self).items()}


@dataclass(frozen=True)
class Comparison:
    """Several systems on the same n pairs.

    Attributes
    ----------
    n
        Number of pairs.
    reference
        Name of the system that the others are compared with.
    rows
        The systems in the order given.
    williams
        Williams' test of every pair of systems, each against all that follow it.
    """

    n: int
    reference: str
    rows: tuple[Row, ...]
    williams: tuple[Williams, ...] = ()

    def __repr__(self) -> str:
        pearson_of = {row.system: row.evaluation.pearson for row in self.rows}
        return short_repr(self, n=self.n, reference=self.reference, pearson=pearson_of)

    def _repr_html_(self) -> str:
        return html_in_notebooks(self)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        facts: dict[str, Any] = {"n": self.n, "reference": self.reference}
        tests = [test.as_dict() for test in self.williams]
        return {**facts, "systems": [row.as_dict() for row in self.rows], "williams": tests}


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """Test whether two systems correlate differently with the same gold (Williams, 1959; Graham and Baldwin, 2014).

    Parameters
    ----------
    r12, r13
        Pearson correlations of the first and of the second system with gold.
    r23
        Pearson correlation of the two systems.
    n
        Number of pairs.

    Returns
    -------
    t, p
        Student's t with n - 3 degrees of freedom, positive where the first system is better, and its two-sided
        p-value. Both are NaN where the test is undefined: n of 3 or less, correlations that no three variables have,
        or two systems that are the same up to a straight line.
    """
    from scipy.special import stdtr

    undefined = math.nan, math.nan
    if n <= 3:
        return undefined
    determinant = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    squared = 2 * max(determinant, 0.0) * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if determinant < -_ROUNDING or not squared > _ROUNDING:
        return undefined
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / squared)
    return t, float(2 * stdtr(n - 3, -abs(t)))


def holm(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return p-values corrected for their number so that the chance of any false claim keeps its level (Holm, 1979).

    Parameters
    ----------
    p
        Shape (k,), 0..1; NaN stays NaN and is not counted.
    """
    values = np.asarray(p, dtype=np.float64)
    corrected = np.full(values.shape, np.nan)
    order = np.argsort(values, kind="stable")[: np.isfinite(values).sum()]
    steps = values[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return corrected


def pearson_difference(
    gold: np.ndarray,
    score: np.ndarray,
    other: np.ndarray,
    seed: int = 0,
    resamples: int = 2_000,
    level: float = 0.95,
) -> tuple[float, float, float]:
    """Return the difference of two systems' correlations with gold, with its paired bootstrap interval."""
    from scipy.stats import bootstrap

    columns = [np.asarray(column, dtype=np.float64) for column in (gold, score, other)]
    value = pearson(columns[0], columns[1]) - pearson(columns[0], columns[2])
    if any(np.ptp(column) == 0 for column in columns):
        return value, -2.0, 2.0
    with warnings.catch_warnings():
        # A resample of a tiny file can be constant; it is left out below.
        warnings.simplefilter("ignore")
        resampled = bootstrap(
            columns,
            _difference_of_rows,
            paired=True,
            vectorized=True,
            method="percentile",
            n_resamples=resamples,
            batch=max(1, 2_000_000 // len(columns[0])),
            rng=np.random.default_rng(seed),
        ).bootstrap_distribution
    low, high = np.nanquantile(resampled, [(1 - level) / 2, (1 + level) / 2])
    return value, float(low), float(high)


def _difference_of_rows(gold: np.ndarray, score: np.ndarray, other: np.ndarray, axis: int = -1) -> np.ndarray:
    from scipy.stats import pearsonr

    return pearsonr(gold, score, axis=axis).statistic - pearsonr(gold, other, axis=axis).statistic


def compare(
    gold: Sequence[float] | np.ndarray,
    scores: Mapping[str, Sequence[float] | np.ndarray],
    reference: str | None = None,
    seed: int = 0,
) -> Comparison:
    """Compare systems that scored the same pairs.

    Parameters
    ----------
    gold
        Shape (n,), 0..5, n at least 2.
    scores
        The scores of each system by its name, shape (n,).
    reference
        The system that the others are compared with; the last one if None.
    seed
        Seed of the bootstrap.

    Raises
    ------
    ValueError
        If there is no system, the reference is not one of them, or gold and scores differ in length.
    """
    if not scores:
        raise ValueError("scores must have at least one system, got none; give the scores of one or more")
    base = list(scores)[-1] if reference is None else reference
    if base not in scores:
        raise ValueError(f"the reference must be one of {', '.join(scores)}, got {base!r}")
    x = np.asarray(gold, dtype=np.float64)
    columns = {name: np.asarray(values, dtype=np.float64) for name, values in scores.items()}
    evaluations = {name: evaluate(x, column, seed=seed) for name, column in columns.items()}
    others = [name for name in columns if name != base]
    matrix = _williams_of_all(columns, evaluations)
    tests = {name: _williams_of(columns[name], columns[base], evaluations[name], evaluations[base]) for name in others}
    corrected = dict(zip(others, holm([tests[name][1] for name in others]).tolist(), strict=True))
    differences = {
        name: Difference(*pearson_difference(x, columns[name], columns[base], seed), *tests[name], corrected[name])
        for name in others
    }
    rows = tuple(Row(name, evaluation, differences.get(name)) for name, evaluation in evaluations.items())
    return Comparison(len(x), base, rows, matrix)


def _williams_of_all(columns: Mapping[str, np.ndarray], evaluations: Mapping[str, Evaluation]) -> tuple[Williams, ...]:
    pairs = list(combinations(columns, 2))
    tests = [_williams_of(columns[a], columns[b], evaluations[a], evaluations[b]) for a, b in pairs]
    corrected = holm([p for _, p in tests]).tolist()
    return tuple(
        Williams(a, b, evaluations[a].pearson - evaluations[b].pearson, t, p, p_holm)
        for (a, b), (t, p), p_holm in zip(pairs, tests, corrected, strict=True)
    )


def _williams_of(score: np.ndarray, other: np.ndarray, first: Evaluation, second: Evaluation) -> tuple[float, float]:
    if np.ptp(score) == 0 or np.ptp(other) == 0:
        return math.nan, math.nan
    return williams(first.pearson, second.pearson, pearson(score, other), first.n)
