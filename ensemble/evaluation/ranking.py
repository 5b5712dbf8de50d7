"""Measures of ranking and of finding similar pairs: (n)CG, (n)DCG and F1, as Reimers et al. (2016) recommend."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

Gain = Literal["linear", "exponential"]

SHARES = (0.1, 0.25, 1.0)
"""The lengths of the tops of the list, as shares of the pairs."""

ALIKE = (3.0, 4.0, 5.0)
"""Gold scores from which a pair counts as similar in F1."""


def depth(share: float, n: int) -> int:
    """Return the number of pairs in a share of n: rounded up, at least 1."""
    # Rounded first, for 0.1 * 30 is a little over 3.
    return max(1, math.ceil(round(share * n, 9)))


def cumulative_gain(gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, k: int) -> float:
    r"""Return the expected sum of the gold scores of the k pairs that score highest (Järvelin and Kekäläinen, 2002)."""
    x, y = _checked(gold, score, k)
    return _expected(x, y, np.ones(len(x)), k)


def ncg(gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, k: int) -> float:
    r"""Return nCG\@k: the cumulative gain as a share of the best order's, 0..1 (Järvelin and Kekäläinen, 2002)."""
    return _share(cumulative_gain(gold, score, k), cumulative_gain(gold, gold, k))


def dcg(
    gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, k: int, gain: Gain = "linear"
) -> float:
    r"""Return the expected discounted cumulative gain (Järvelin and Kekäläinen, 2002).

    :math:`\mathrm{DCG}@k=\sum_{i\le k}\mathrm{gain}(g_{(i)})/\log_2(i+1)`. Pairs with the same score may stand in any
    order; the mean over these orders is returned (McSherry and Najork, 2008), as by scikit-learn's ``dcg_score``.
    """
    x, y = _checked(gold, score, k)
    if gain not in ("linear", "exponential"):
        raise ValueError(f"gain must be 'linear' or 'exponential', got {gain!r}")
    return _expected(x if gain == "linear" else np.exp2(x) - 1.0, y, 1.0 / np.log2(np.arange(len(x)) + 2.0), k)


def ndcg(
    gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, k: int, gain: Gain = "linear"
) -> float:
    r"""Return nDCG\@k: the discounted cumulative gain as a share of the best order's, 0..1.

    NaN where all gold scores are 0, for then every order is equally good. For the parameters and errors see `dcg`.
    """
    return _share(dcg(gold, score, k, gain), dcg(gold, gold, k, gain))


def f1(
    gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, alike: float, threshold: float
) -> float:
    r"""Return F1 of finding similar pairs, 0..1: :math:`2\,tp/(2\,tp+fp+fn)`; NaN where no gold score is high enough.

    Parameters
    ----------
    gold, score
        Shape (n,).
    alike
        Pairs are similar whose gold score is at least this.
    threshold
        Pairs are called similar whose score is at least this; see `best_threshold`.

    Raises
    ------
    ValueError
        If the lengths differ, there is no pair or a value is not finite.
    """
    x, y = _checked(gold, score)
    positive, called = x >= alike, y >= threshold
    if not positive.any():
        return math.nan
    return float(2 * (positive & called).sum() / (positive.sum() + called.sum()))


def best_threshold(gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, alike: float) -> float:
    """Return the score that gives the highest F1 as a threshold; of several such scores the highest.

    Choose it on development data and keep it: if it is chosen on the pairs that are measured, F1 is too high.

    Parameters
    ----------
    gold, score, alike
        As for `f1`.

    Raises
    ------
    ValueError
        As `f1`, or if no gold score is at least `alike`.
    """
    x, y = _checked(gold, score)
    positive = x >= alike
    if not positive.any():
        raise ValueError(
            f"a gold score must be {alike:g} or more to choose a threshold, got at most {x.max():g}; add pairs"
        )
    values = np.unique(y)[::-1]
    order = np.argsort(-y, kind="stable")
    called = np.searchsorted(-y[order], -values, side="right")
    hits = np.cumsum(positive[order])[called - 1]
    return float(values[np.argmax(2 * hits / (positive.sum() + called))])


def tuned_thresholds(gold: np.ndarray, score: np.ndarray) -> dict[float, float]:
    """Return the best threshold for each of `ALIKE` that a gold score reaches; see `best_threshold`."""
    return {alike: best_threshold(gold, score, alike) for alike in ALIKE if (np.asarray(gold) >= alike).any()}


def ranking(
    gold: Sequence[float] | np.ndarray,
    score: Sequence[float] | np.ndarray,
    thresholds: Mapping[float, float] | None = None,
) -> dict[str, Any]:
    """Return the measures of ranking as plain JSON, None where one is undefined.

    Parameters
    ----------
    gold, score
        Shape (n,), n at least 1, gold scores 0..5.
    thresholds
        The score from which a pair is called similar, for each of `ALIKE`; without one, the value of `ALIKE` itself.

    Returns
    -------
    measures
        ``kendall`` (tau-b, -1..1); ``top``: for each share of the list its ``share``, ``k``, ``ncg``, ``ndcg`` and
        ``ndcg_exponential``; ``f1``: for each of `ALIKE` the ``gold`` score, the number of pairs that are ``alike``,
        the ``threshold`` of the score, whether it was ``tuned``, and ``f1``.

    Raises
    ------
    ValueError
        As `cumulative_gain`.
    """
    x, y = _checked(gold, score, 1)
    tops = []
    for share in SHARES:
        k = depth(share, len(x))
        values = {"ncg": ncg(x, y, k), "ndcg": ndcg(x, y, k), "ndcg_exponential": ndcg(x, y, k, "exponential")}
        tops.append({"share": share, "k": k, **{name: _plain(value) for name, value in values.items()}})
    rows = []
    for alike in ALIKE:
        threshold = alike if thresholds is None else thresholds.get(alike, alike)
        value = _plain(f1(x, y, alike, threshold))
        tuned = thresholds is not None and alike in thresholds
        similar = int((x >= alike).sum())
        rows.append({"gold": alike, "alike": similar, "threshold": threshold, "tuned": tuned, "f1": value})
    return {"kendall": _plain(kendall(x, y)), "top": tops, "f1": rows}


def kendall(gold: np.ndarray, score: np.ndarray) -> float:
    """Return Kendall's tau-b, -1..1 (Kendall, 1945); NaN where a side is constant or there is one pair."""
    from scipy.stats import kendalltau

    if len(gold) < 2 or np.ptp(gold) == 0 or np.ptp(score) == 0:
        return math.nan
    return float(kendalltau(gold, score).statistic)


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value


def _share(value: float, best: float) -> float:
    return min(value / best, 1.0) if best > 0 else math.nan


def _expected(gains: np.ndarray, score: np.ndarray, discounts: np.ndarray, k: int) -> float:
    # On average over all orders of tied pairs, each of their places holds their mean gain.
    _, tie = np.unique(-score, return_inverse=True)
    sizes = np.bincount(tie)
    means = np.bincount(tie, weights=gains) / sizes
    return float(np.repeat(means, sizes)[:k] @ discounts[:k])


def _checked(
    gold: Sequence[float] | np.ndarray, score: Sequence[float] | np.ndarray, k: int | None = None
) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    if x.shape != y.shape or x.ndim != 1:
        raise ValueError(f"gold and score must have one shape (n,), got {x.shape} and {y.shape}; give one each a pair")
    if not len(x):
        raise ValueError("gold must have at least one pair, got none; give one or more")
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        raise ValueError("gold and score must be finite, got NaN or infinity; remove the pairs without a score")
    if k is not None and k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    if k is not None and x.min() < 0:
        raise ValueError(f"gold scores must not be negative to be gains, got {x.min():g}; shift the scale")
    return x, y
