"""Scores as distributions over the whole grades 0 to 5, and back (Tai et al., 2015)."""

import numpy as np

GRADES = 6


def grade_distribution(scores: np.ndarray) -> np.ndarray:
    """Return the probability of each grade, shape (n, 6), float64, not 0 for the two next to a score, their mean.

    Parameters
    ----------
    scores
        Shape (n,), on 0..5.

    Examples
    --------
    >>> grade_distribution(np.array([3.2])).round(1).tolist()
    [[0.0, 0.0, 0.0, 0.8, 0.2, 0.0]]
    """
    scores = np.asarray(scores, dtype=np.float64)[:, None]
    return np.maximum(1 - np.abs(scores - np.arange(GRADES)), 0.0)


def expected_score(distribution: np.ndarray, grades: np.ndarray | None = None) -> np.ndarray:
    """Return the mean of each distribution, shape (n,), float64; the inverse of `grade_distribution`.

    Parameters
    ----------
    distribution
        Shape (n, 6).
    grades
        The score that each grade stands for, shape (6,); 0 to 5 unless given.
    """
    worth = np.arange(GRADES, dtype=np.float64) if grades is None else grades
    mean: np.ndarray = (np.asarray(distribution, dtype=np.float64) * worth).sum(axis=1)
    return mean
