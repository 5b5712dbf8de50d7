"""Curves and errors of scores against labels that say yes or no, with intervals by resampling the pairs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

LEVELS = np.linspace(0.0, 1.0, 51)
"""Places of the intervals: shares of the pairs labelled no in the ROC curve, and recalls beside the precision."""

_CELLS, _RESAMPLES, _ENDS = 500, 1_000, (0.025, 0.975)


@dataclass(frozen=True)
class LabelCurves:
    """ROC curve and precision-recall curve of n scores, both by scikit-learn.

    Attributes
    ----------
    false_positives, true_positives
        Shape (m,), ascending, 0..1: shares of the pairs labelled no, and of those labelled yes, that score at least as
        high as a threshold; a point a threshold.
    recall, precision
        Shape (k,), 0..1, from the lowest threshold up.
    true_positive_ends, precision_ends
        Shape (2, `LEVELS`): ends of the 95 % bootstrap intervals of the share found, at each share of `LEVELS` of the
        pairs labelled no, and of the precision at each recall of `LEVELS`.
    auc_ends, average_precision_ends
        Ends of the intervals of the area under the ROC curve and of the average precision, 0..1.
    """

    false_positives: np.ndarray
    true_positives: np.ndarray
    recall: np.ndarray
    precision: np.ndarray
    true_positive_ends: np.ndarray
    precision_ends: np.ndarray
    auc_ends: tuple[float, float]
    average_precision_ends: tuple[float, float]


@dataclass(frozen=True)
class Share:
    """Share of pairs, 0..1, with the ends of its 95 % bootstrap interval; None where there is no pair to share."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class LabelErrors:
    """Calls of n pairs against their labels.

    Attributes
    ----------
    counts
        By the call, ``same``, ``unsure`` or ``different``: number of the pairs labelled yes, and of those labelled no.
    precision
        Share of those called same that are labelled yes.
    recall
        Share of those labelled yes that are called same.
    f1
        Harmonic mean of the two.
    """

    counts: dict[str, tuple[int, int]]
    precision: Share
    recall: Share
    f1: Share


def label_curves(yes: Sequence[bool] | np.ndarray, score: Sequence[float] | np.ndarray, seed: int = 0) -> LabelCurves:
    """Return the curves of n scores against labels.

    Intervals are percentiles of 1,000 resamples of the pairs (Efron and Tibshirani, 1993), for which more than 500
    different scores are put into 500 bands.

    Parameters
    ----------
    yes
        Shape (n,): whether the label is yes.
    score
        Shape (n,), on any scale.
    seed
        Seed of the bootstrap.

    Raises
    ------
    ValueError
        If the shapes differ, or the labels are all the same.
    """
    from sklearn.metrics import precision_recall_curve, roc_curve

    truth, values = np.asarray(yes, dtype=bool), np.asarray(score, dtype=np.float64)
    if truth.shape != values.shape or truth.ndim != 1:
        raise ValueError(f"labels and scores must have one shape (n,), got {truth.shape} and {values.shape}; give both")
    if truth.all() or not truth.any():
        raise ValueError(f"labels must be of both kinds, got {len(truth):,} that are all the same; give other pairs")
    across, up, _ = roc_curve(truth, values)
    precision, recall, _ = precision_recall_curve(truth, values, drop_intermediate=True)
    found, wrong = _resampled(truth, values, seed)
    auc = ((wrong[:, 1:] - wrong[:, :-1]) * (found[:, 1:] + found[:, :-1])).sum(axis=1) / 2
    rates, precisions = _at_levels(found, wrong, truth.mean())
    average = (np.diff(found, axis=1) * _precision(found, wrong, truth.mean())[:, 1:]).sum(axis=1)
    return LabelCurves(
        across,
        up,
        recall,
        precision,
        np.quantile(rates, _ENDS, axis=0),
        np.quantile(precisions, _ENDS, axis=0),
        _ends(auc),
        _ends(average),
    )


def _resampled(yes: np.ndarray, score: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray]:
    # Shares of the pairs labelled yes and of those labelled no that score highest, from none to all, a row a resample.
    distinct = np.unique(score)
    starts = distinct if len(distinct) <= _CELLS else distinct[np.linspace(0, len(distinct) - 1, _CELLS).astype(int)]
    place = np.searchsorted(starts, score, side="right") - 1
    cells = [np.bincount(place[part], minlength=len(starts))[::-1] for part in (yes, ~yes)]
    # Each kind of label is resampled on its own, so that no resample lacks one.
    random = np.random.default_rng(seed)
    shares = []
    for counts in cells:
        drawn = random.multinomial(counts.sum(), counts / counts.sum(), _RESAMPLES)
        shares.append(np.cumsum(drawn, axis=1) / counts.sum())
    nothing = np.zeros((_RESAMPLES, 1))
    return np.hstack([nothing, shares[0]]), np.hstack([nothing, shares[1]])


def _precision(found: np.ndarray, wrong: np.ndarray, share: float) -> np.ndarray:
    right, false = share * found, (1.0 - share) * wrong
    return np.divide(right, right + false, out=np.ones_like(right), where=right + false > 0)


def _at_levels(found: np.ndarray, wrong: np.ndarray, share: float) -> tuple[np.ndarray, np.ndarray]:
    precision = _precision(found, wrong, share)
    rates = np.asarray([np.interp(LEVELS, across, up) for across, up in zip(wrong, found, strict=True)])
    # The precision at the first threshold that reaches a recall: between two thresholds it is no straight line.
    first = [np.minimum(np.searchsorted(row, LEVELS - 1e-12), found.shape[1] - 1) for row in found]
    return rates, np.take_along_axis(precision, np.maximum(np.asarray(first), 1), axis=1)


def label_errors(yes: Sequence[bool] | np.ndarray, calls: Sequence[str] | np.ndarray, seed: int = 0) -> LabelErrors:
    """Return how n calls agree with labels.

    Parameters
    ----------
    yes
        Shape (n,): whether the label is yes.
    calls
        Shape (n,): ``same``, ``unsure`` or ``different``.
    seed
        Seed of the bootstrap: 1,000 resamples of the pairs.

    Raises
    ------
    ValueError
        If the lengths differ, there is no pair, or a call is another word.
    """
    truth, words = np.asarray(yes, dtype=bool), np.asarray(calls, dtype=str)
    if truth.shape != words.shape or truth.ndim != 1 or not len(truth):
        raise ValueError(
            f"labels and calls must have one shape (n,), n at least 1, got {truth.shape} and {words.shape}; give one "
            "of each a pair"
        )
    names = ("same", "unsure", "different")
    if odd := set(words.tolist()) - set(names):
        raise ValueError(f"a call must be {', '.join(names)}, got {min(odd)!r:.40}; correct it")
    counts = {name: (int((truth & (words == name)).sum()), int((~truth & (words == name)).sum())) for name in names}
    cells = np.asarray([counts["same"][0], counts["same"][1], counts["unsure"][0] + counts["different"][0]])
    rest = len(truth) - cells.sum()
    drawn = np.random.default_rng(seed).multinomial(len(truth), np.append(cells, rest) / len(truth), _RESAMPLES)
    precision, recall, f1 = (
        _share(*pair) for pair in zip(_three(*cells[:, None]), _three(*drawn[:, :3].T), strict=True)
    )
    return LabelErrors(counts, precision, recall, f1)


def _three(right: np.ndarray, false: np.ndarray, missed: np.ndarray) -> list[np.ndarray]:
    # Precision, recall and F1; NaN where there is nothing to divide by.
    parts = [(right, right + false), (right, right + missed), (2 * right, 2 * right + false + missed)]
    return [np.divide(a, b, out=np.full(len(a), np.nan), where=b > 0) for a, b in parts]


def _share(value: np.ndarray, resampled: np.ndarray) -> Share:
    if np.isnan(value[0]):
        return Share(None, None, None)
    return Share(float(value[0]), *_ends(resampled[~np.isnan(resampled)]))


def _ends(values: np.ndarray) -> tuple[float, float]:
    low, high = np.quantile(values, _ENDS).tolist()
    return low, high
