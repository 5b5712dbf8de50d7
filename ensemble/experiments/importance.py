"""What the fitted whole loses when a part of its input is shuffled (Breiman, 2001), and how far two rankings agree."""

import math
import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import joblib
import numpy as np

from ...features.matrix import FeatureMatrix
from ...models.member import Member
from ..core.combination import Combination
from ..evaluation.metrics import pearson
from ..evaluation.ranking import kendall
from .ablation_result import MEAN, WHOLE, AblationRow
from .member_fits import Fits
from .variants import Found, Study, Variant, mean_pearson

REPEATS = 10
"""Orders in which the rows of a part are shuffled, unless one says otherwise."""

Given = tuple[Member, ...] | np.ndarray
"""The fitted members of a seed, one a fold, or the scores of one that reads no columns."""


def permuted(study: Study, items: Sequence[str], repeats: int) -> Iterator[Found]:
    """Score the pairs with the rows of each part shuffled, all of its columns in the same order.

    The whole is fitted once a seed, and nothing is fitted again. The orders are drawn with a seed of their own: they
    are the same for every part, member and seed, and those of more repeats begin with those of fewer. In
    cross-validation the pairs of a fold are shuffled among themselves. Networks read the texts and keep their scores.
    scikit-learn's ``permutation_importance`` shuffles single columns only.

    Parameters
    ----------
    study
        The whole on its fits.
    items
        The parts: families or columns.
    repeats
        Number of orders, K.

    Yields
    ------
    Found
        The whole, then for every part scores of shape (K, n) a seed; its columns are those that were shuffled.
    """
    fits, whole = study.fits, study.whole
    wanted = [[fits.fit(name, whole.columns, seed) for name in whole.members] for seed in study.seeds]
    done = fits.run((fit for row in wanted for fit in row), models=True)
    given: list[list[Given]] = [
        [fits.models(fit) if fit.columns else done[fit].values for fit in row] for row in wanted
    ]
    plain = [np.column_stack([done[fit].values for fit in row]) for row in wanted]
    seconds = tuple(sum(done[fit].seconds for fit in row) for row in wanted)
    yield Found(whole, tuple(Combination().apply(scores) for scores in plain), seconds)
    orders = _orders(fits, repeats)
    target = FeatureMatrix(fits.target.values, fits.target.columns)
    variants = [study.variant(item, {item}) for item in items]
    fits.tally.expect(len(variants))
    parallel = joblib.Parallel(n_jobs=fits.n_jobs, return_as="generator")
    for found in parallel(
        joblib.delayed(_shuffled)(variant, given, target, fits.parts, orders) for variant in variants
    ):
        fits.tally.step()
        yield found


def _orders(fits: Fits, repeats: int) -> list[np.ndarray]:
    orders = []
    for k, (_, held_out) in enumerate(fits.parts):
        rng = np.random.default_rng(k)
        orders.append(np.stack([rng.permutation(len(held_out)) for _ in range(repeats)]))
    return orders


def _shuffled(
    variant: Variant,
    given: Sequence[Sequence[Given]],
    target: FeatureMatrix,
    parts: Sequence[tuple[np.ndarray, np.ndarray]],
    orders: Sequence[np.ndarray],
) -> Found:
    places = np.flatnonzero(np.isin(target.columns, variant.columns))
    scores = np.empty((len(given), len(given[0]), len(orders[0]), len(target)))
    seconds = [0.0 for _ in given]
    for k, ((_, held_out), order) in enumerate(zip(parts, orders, strict=True)):
        values = np.tile(target.values[held_out], (len(order), 1, 1))
        values[:, :, places] = values[0][:, places][order]
        matrix = FeatureMatrix(values.reshape(-1, len(target.columns)), target.columns)
        for seed, members in enumerate(given):
            start = time.perf_counter()
            for m, member in enumerate(members):
                if isinstance(member, np.ndarray):
                    scores[seed, m][:, held_out] = member[held_out]
                else:
                    scores[seed, m][:, held_out] = member[k].predict(matrix).reshape(order.shape)
            seconds[seed] += time.perf_counter() - start
    means = [[Combination().apply(one.T) for one in members.swapaxes(0, 1)] for members in scores]
    return Found(variant, tuple(np.stack(mean) for mean in means), tuple(seconds))


class Resamples:
    """Resamples of n pairs, on which the correlation of shuffled scores is compared with that of the whole.

    Written here, although ``scipy.stats.bootstrap`` does it too, because that gathers every resample of every order:
    1.06 s for a part with ten orders of 1,500 pairs, where sums weighted by how often a pair was drawn take 0.06 s.

    Parameters
    ----------
    truth, base
        Gold scores and those of the whole, shape (n,).
    seed, resamples
        Seed and number of the resamples; the pairs drawn are those of `comparison.pearson_difference`.
    """

    def __init__(self, truth: np.ndarray, base: np.ndarray, seed: int = 0, resamples: int = 2_000) -> None:
        n = len(truth)
        drawn = np.random.default_rng(seed).integers(0, n, (resamples, n))
        self._counts = np.stack([np.bincount(row, minlength=n) for row in drawn]).astype(np.float64)
        self._truth, self._base = truth, base
        self._of_base = self._correlations(base[None])[:, 0]

    def compare(self, scores: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
        """Tell how far the mean correlation of scores may lie above that of the whole, and whether that is chance.

        Parameters
        ----------
        scores
            Shape (K, n).
        level
            Nominal coverage.

        Returns
        -------
        low, high
            Percentiles of the resampled differences, each -2..2; all of that where a side is constant.
        p
            Two-sided p-value of the difference over its standard error, which is the deviation of the resampled ones
            (Efron and Tibshirani, 1993); NaN where that is 0. Williams' test knows no mean over orders; for K of 1 the
            two agree up to the resampling.
        """
        from scipy.special import ndtr

        if any(np.ptp(side) == 0 for side in (self._truth, self._base, *scores)):
            return -2.0, 2.0, math.nan
        found = self._correlations(scores).mean(axis=1) - self._of_base
        low, high = np.nanquantile(found, [(1 - level) / 2, (1 + level) / 2])
        error = float(np.nanstd(found, ddof=1))
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
    """A part in two ablations: how far it changes the correlation in each, and its rank (1: matters most)."""

    what: str
    delta: float
    rank: int
    other_delta: float
    other_rank: int


class Agreement(NamedTuple):
    """How far two ablations rank the same parts alike.

    Attributes
    ----------
    changes
        What was done with the parts in each: ``drop``, ``only`` or ``permute``.
    rows
        The parts by their rank in the first.
    spearman, kendall
        Rank correlations, -1..1 (Kendall's is tau-b); NaN where one ranks all parts alike.
    """

    changes: tuple[str, str]
    rows: tuple[Ranked, ...]
    spearman: float
    kendall: float

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values, None for what is not defined."""
        figures = {"spearman": self.spearman, "kendall": self.kendall}
        known = {key: None if math.isnan(value) else value for key, value in figures.items()}
        return {"changes": list(self.changes), **known, "rows": [row._asdict() for row in self.rows]}


def agreement(first: Sequence[AblationRow], second: Sequence[AblationRow]) -> Agreement:
    """Compare how two ablations rank their parts.

    Parameters
    ----------
    first, second
        `Ablation.rows` of each, of modes that measure every part for itself: not ``add``.

    Raises
    ------
    ValueError
        If one is made of steps, or the parts are not the same, or there is one only.
    """
    from scipy.stats import rankdata

    sides = [{row.what: row for row in rows if row.seed == MEAN and row.change != WHOLE} for rows in (first, second)]
    changes = [next((row.change for row in side.values()), "") for side in sides]
    if "add" in changes:
        raise ValueError("the steps of an ablation that adds are no ranking; compare drop, only or permute")
    alone = sorted(sides[0].keys() ^ sides[1].keys())
    if alone:
        raise ValueError(f"{alone[0]!r} is a part of one ablation only; compare ablations of the same parts")
    if len(sides[0]) < 2:
        raise ValueError("there is one part only, so there is no ranking; compare ablations of more")
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
    # Alone, a part that matters scores high; left out or shuffled, what remains scores low.
    return _delta(row) if row.change == "only" else -_delta(row)
