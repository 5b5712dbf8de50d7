"""Increasing curves from numbers to scores: means of equally many pairs, made increasing (Barlow et al., 1972)."""

import numpy as np

BINS = 20
FEWEST = 50
"""A curve has at most so many knots, and one for so many pairs at least."""

CLOSEST = 1e-9
"""Least distance of two knots."""


def monotone_curve(
    values: np.ndarray, gold: np.ndarray, weights: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the knots of a non-decreasing curve, and the scores there; its first and last slopes go on to the ends.

    Parameters
    ----------
    values, gold
        Shape (n,): numbers, and the scores to reach.
    weights
        Shape (n,): how much each pair counts; all the same if None.

    Returns
    -------
    tuple of numpy.ndarray
        Two arrays of one length; empty where there are fewer than 2 `FEWEST` pairs, or all values are equal.
    """
    from sklearn.isotonic import isotonic_regression

    count = min(BINS, len(values) // FEWEST)
    if count < 2 or np.ptp(values) == 0:
        return np.empty(0), np.empty(0)
    weights = np.ones(len(values)) if weights is None else weights
    parts = np.array_split(np.argsort(values, kind="stable"), count)
    x = np.asarray([np.average(values[part], weights=weights[part]) for part in parts])
    means = [np.average(gold[part], weights=weights[part]) for part in parts]
    y = isotonic_regression(means, sample_weight=[weights[part].sum() for part in parts])
    apart = np.append(True, np.diff(x) > CLOSEST)
    x, y = x[apart], y[apart]
    slope = np.diff(y) / np.diff(x)
    ends = np.asarray([values.min(), values.max()]) + [-1.0, 1.0]
    low, high = y[0] + slope[0] * (ends[0] - x[0]), y[-1] + slope[-1] * (ends[1] - x[-1])
    return np.concatenate([ends[:1], x, ends[1:]]), np.concatenate([[low], y, [high]])
