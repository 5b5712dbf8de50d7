"""Permutation importance of parts of the input (Breiman, 2001), and agreement of two rankings of parts."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import joblib
import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import Member
from ..core.combination import Combination
from ..evaluation.metrics import pearson
from ..evaluation.ranking import kendall
from .ablation_result import MEAN, WHOLE, AblationRow
from .member_fits import Fits
from .variants import Study, Variant, VariantScores, mean_pearson

REPEATS = 10
"""Default number of orders in which the rows of a part are shuffled."""

FittedMember = tuple[Member, ...] | np.ndarray
"""A member fitted with a seed, once for each fold, or its scores if it reads no columns."""


def permuted(study: Study, items: Sequence[str], repeats: int) -> Iterator[VariantScores]:
    """Score the pairs with the rows of each part shuffled, all its columns in the same order.

    The whole is fitted once for each seed. The orders are drawn with a seed of their own: they are the same for every
    part, member and seed, and a larger number of repeats begins with the orders of a smaller one. In cross-validation
    the pairs of a fold are shuffled among themselves. Networks read the texts and keep their scores. scikit-learn's
    ``permutation_importance`` shuffles single columns only.
    """
    fits, whole = study.fits, study.whole
    seed_fits = [[fits.fit(name, whole.columns, seed) for name in whole.members] for seed in study.seeds]
    scores = fits.run((fit for row in seed_fits for fit in row), models=True)
    fitted: list[list[FittedMember]] = [
        [fits.models(fit) if fit.columns else scores[fit].values for fit in row] for row in seed_fits
    ]
    unshuffled = [np.column_stack([scores[fit].values for fit in row]) for row in seed_fits]
    seconds = tuple(sum(scores[fit].seconds for fit in row) for row in seed_fits)
    yield VariantScores(whole, tuple(Combination().apply(columns) for columns in unshuffled), seconds)
    orders = _orders(fits, repeats)
    target = FeatureMatrix(fits.target.values, fits.target.columns)
    variants = [study.variant(item, {item}) for item in items]
    fits.tally.expect(len(variants))
    parallel = joblib.Parallel(n_jobs=fits.n_jobs, return_as="generator")
    for shuffled in parallel(
        joblib.delayed(_shuffled)(variant, fitted, target, fits.parts, orders) for variant in variants
    ):
        fits.tally.step()
        yield shuffled


def _orders(fits: Fits, repeats: int) -> list[np.ndarray]:
    orders = []
    for k, (_, held_out) in enumerate(fits.parts):
        rng = np.random.default_rng(k)
        orders.append(np.stack([rng.permutation(len(held_out)) for _ in range(repeats)]))
    return orders


def _shuffled(
    variant: Variant,
    fitted: Sequence[Sequence[FittedMember]],
    target: FeatureMatrix,
    parts: Sequence[tuple[np.ndarray, np.ndarray]],
    orders: Sequence[np.ndarray],
) -> VariantScores:
    places = np.flatnonzero(np.isin(target.columns, variant.columns))
    scores = np.empty((len(fitted), len(fitted[0]), len(orders[0]), len(target)))
    seconds = [0.0 for _ in fitted]
    for k, ((_, held_out), order) in enumerate(zip(parts, orders, strict=True)):
        values = np.tile(target.values[held_out], (len(order), 1, 1))
        values[:, :, places] = values[0][:, places][order]
        matrix = FeatureMatrix(values.reshape(-1, len(target.columns)), target.columns)
        for seed, members in enumerate(fitted):
            start = time.perf_counter()
            for m, member in enumerate(members):
                if isinstance(member, np.ndarray):
                    scores[seed, m][:, held_out] = member[held_out]
                else:
                    scores[seed, m][:, held_out] = member[k].predict(matrix).reshape(order.shape)
            seconds[seed] += time.perf_counter() - start
    means = [[Combination().apply(one.T) for one in members.swapaxes(0, 1)] for members in scores]
    return VariantScores(variant, tuple(np.stack(mean) for mean in means), tuple(seconds))


class Resamples:
    """Resamples of n pairs, on which the correlation of shuffled scores is compared with that of the whole.

    ``scipy.stats.bootstrap`` is slower because it gathers every resample of every order: 1.06 s for a part with ten
    orders of 1,500 pairs. Sums weighted by how often a pair was drawn take 0.06 s.
    """

    def __init__(self, truth: np.ndarray, base: np.ndarray, seed: int = 0, resamples: int = 2_000) -> None:
        n = len(truth)
        drawn = np.random.default_rng(seed).integers(0, n, (resamples, n))
        self._counts = np.stack([np.bincount(row, minlength=n) for row in drawn]).astype(np.float64)
        self._truth, self._base = truth, base
        self._of_base = self._correlations(base[None])[:, 0]

    def compare(self, scores: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
        """Return the interval and p-value of the mean correlation of scores minus that of the whole."""
        from scipy.special import ndtr

        if any(np.ptp(side) == 0 for side in (self._truth, self._base, *scores)):
            return -2.0, 2.0, math.nan
        differences = self._correlations(scores).mean(axis=1) - self._of_base
        low, high = np.nanquantile(differences, [(1 - level) / 2, (1 + level) / 2])
        error = float(np.nanstd(differences, ddof=1))
        difference = mean_pearson(self._truth, scores) - pearson(self._truth, self._base)
        p = math.nan if error < 1e-12 else float(2 * ndtr(-abs(difference) / error))
        return float(low), float(high), p

    def _correlations(self, scores: np.ndarray) -> np.ndarray:
        # Centred first: the sums of squares lose no digits then.
        x, y = self._truth - self._truth.mean(), (scores - scores.mean(axis=1, keepdims=True)).T
        n, counts = len(x), self._counts
        mean_x, mean_y = (counts @ x / n)[:, None], counts @ y / n
        covariance = counts @ (x[:, None] * y) / n - mean_x * mean_y
        variances = ((counts @ x**2 / n)[:, None] - mean_x**2) * (counts @ y**2 / n - mean_y**2)
        with np.errstate(divide="ignore", invalid="ignore"):  # a resample of a tiny file can be constant
            return np.where(variances > 1e-24, covariance / np.sqrt(variances), np.nan)


class Ranked(NamedTuple):
    """Part in two ablations: its change of the correlation and its rank (1: largest effect) in each."""

    what: str
    delta: float
    rank: int
    other_delta: float
    other_rank: int


class Agreement(NamedTuple):
    """Agreement of two ablations on the ranking of the same parts.

    Attributes
    ----------
    changes
        Change of the parts in each: ``drop``, ``only`` or ``permute``.
    rows
        The parts by their rank in the first.
    spearman, kendall
        Rank correlations, -1..1 (Kendall's is tau-b); NaN if one gives all parts the same rank.
    """

    changes: tuple[str, str]
    rows: tuple[Ranked, ...]
    spearman: float
    kendall: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, None for undefined figures."""
        figures = {"spearman": self.spearman, "kendall": self.kendall}
        defined = {key: None if math.isnan(value) else value for key, value in figures.items()}
        return {"changes": list(self.changes), **defined, "rows": [row._asdict() for row in self.rows]}


def agreement(first: Sequence[AblationRow], second: Sequence[AblationRow]) -> Agreement:
    """Compare how two ablations rank their parts.

    Parameters
    ----------
    first, second
        `Ablation.rows` of each, of any mode but ``add``.

    Raises
    ------
    ValueError
        If one is of the mode ``add``, the parts differ, or there is only one part.
    """
    from scipy.stats import rankdata

    sides = [{row.what: row for row in rows if row.seed == MEAN and row.change != WHOLE} for rows in (first, second)]
    changes = [next((row.change for row in side.values()), "") for side in sides]
    if "add" in changes:
        raise ValueError('the mode must be "drop", "only" or "permute", got "add"; compare rankings of all parts')
    unshared = sorted(sides[0].keys() ^ sides[1].keys())
    if unshared:
        raise ValueError(
            f"both ablations must have the same parts, got {unshared[0]!r} in one only; "
            "compare ablations of the same parts"
        )
    if len(sides[0]) < 2:
        raise ValueError(f"the parts must be at least 2 to rank them, got {len(sides[0])}; compare ablations of more")
    order = list(sides[0])
    worth = [np.asarray([_worth(side[what]) for what in order]) for side in sides]
    ranks = [rankdata(-values, method="min") for values in worth]
    rows = [
        Ranked(what, _delta(sides[0][what]), int(ranks[0][k]), _delta(sides[1][what]), int(ranks[1][k]))
        for k, what in enumerate(order)
    ]
    averaged = [rankdata(values) for values in worth]
    constant = any(np.ptp(values) == 0 for values in worth)
    spearman = math.nan if constant else pearson(*averaged)
    ordered = tuple(sorted(rows, key=lambda row: row.rank))
    return Agreement((changes[0], changes[1]), ordered, spearman, kendall(*worth))


def _delta(row: AblationRow) -> float:
    assert row.delta is not None
    return row.delta


def _worth(row: AblationRow) -> float:
    # Alone, an important part scores high; without it or with it shuffled, the rest scores low.
    return _delta(row) if row.change == "only" else -_delta(row)
