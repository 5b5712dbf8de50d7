"""Whether scores mean what they say, and whether intervals hold as often as they say."""

from collections.abc import Sequence
from typing import Any

import numpy as np

EDGES = (1.0, 2.0, 3.0, 4.0)
"""Borders of the bands of the predicted score; a score on one belongs to the band above it."""


def calibration(gold: np.ndarray, score: np.ndarray) -> dict[str, Any]:
    """Compare scores with the mean gold score of pairs that were scored alike.

    Parameters
    ----------
    gold, score
        Shape (n,), 0..5, n at least 1.

    Returns
    -------
    facts
        Plain JSON. ``bias``: mean of score less gold. ``slope`` and ``intercept``: the least-squares line of gold on
        score, 1 and 0 where scores are calibrated; a slope under 1 says that they are too extreme (Cox, 1958). None
        where scores are constant. ``error``: how far the bands' means of score and gold are apart, weighted by size,
        0..5 (the expected calibration error of Naeini et al., 2015, on the scale of the scores). ``bands``: of each
        band its name, ``n``, ``mean_score`` and ``mean_gold``, None where it is empty.
    """
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    band = np.searchsorted(np.asarray(EDGES), y, side="right")
    ends = [f"{end:g}" for end in (0, *EDGES, 5)]
    rows: list[dict[str, Any]] = []
    error = 0.0
    for k in range(len(EDGES) + 1):
        mask = band == k
        means = [float(values[mask].mean()) if mask.any() else None for values in (y, x)]
        rows.append(
            {"band": f"{ends[k]}-{ends[k + 1]}", "n": int(mask.sum()), "mean_score": means[0], "mean_gold": means[1]}
        )
        if means[0] is not None and means[1] is not None:
            error += abs(means[0] - means[1]) * mask.sum() / len(x)
    centred = y - y.mean()
    spread = centred @ centred
    slope = float(centred @ x / spread) if spread > 1e-12 * len(y) else None
    intercept = None if slope is None else float(x.mean() - slope * y.mean())
    facts = {"bias": float((y - x).mean()), "slope": slope, "intercept": intercept, "error": float(error)}
    return {**facts, "bands": rows}


def interval_facts(gold: np.ndarray, low: np.ndarray, high: np.ndarray, level: float) -> dict[str, Any]:
    """Tell how often intervals hold the gold score, how wide they are, and what both together are worth.

    Parameters
    ----------
    gold, low, high
        Shape (n,), n at least 1.
    level
        The share of gold scores that the intervals were made to hold, over 0 and up to 1.

    Returns
    -------
    facts
        Plain JSON. ``level``. ``coverage``: the share held, with ``coverage_low`` and ``coverage_high``, the ends of
        its 95 % interval (Wilson, 1927). ``below`` and ``above``: the share of gold scores below and above the
        interval. ``mean_width``. ``score``: the mean interval score (Gneiting and Raftery, 2007), which is the width
        and, for a gold score outside, 2 / (1 - level) times its distance; the lower the better, None for a level of 1.

    Raises
    ------
    ValueError
        If the level is not over 0 and up to 1.
    """
    if not 0 < level <= 1:
        raise ValueError(f"the level of an interval is {level}; it must be over 0 and at most 1")
    x, bottom, top = (np.asarray(values, dtype=np.float64) for values in (gold, low, high))
    below, above = x < bottom, x > top
    held = int(len(x) - below.sum() - above.sum())
    ends = wilson(held, len(x))
    missed = np.where(below, bottom - x, 0.0) + np.where(above, x - top, 0.0)
    return {
        "level": level,
        "coverage": held / len(x),
        "coverage_low": ends[0],
        "coverage_high": ends[1],
        "below": float(below.mean()),
        "above": float(above.mean()),
        "mean_width": float((top - bottom).mean()),
        "score": None if level == 1 else float((top - bottom + 2.0 / (1.0 - level) * missed).mean()),
    }


def wilson(hits: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """Return the ends of the score interval of a share, 0..1, from hits among n of 1 or more (Wilson, 1927)."""
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    share = hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return float(max(centre - half, 0.0)), float(min(centre + half, 1.0))


def coverage_by_band(
    gold: np.ndarray,
    score: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    edges: Sequence[float] = EDGES,
) -> list[dict[str, Any]]:
    """Return how often predicted intervals hold the gold score, by band of the predicted score.

    Parameters
    ----------
    gold, score, low, high
        Shape (n,), 0..5: gold, prediction, and the ends of its interval.
    edges
        Increasing borders of the bands within 0..5; a score on a border belongs to the band above it.

    Returns
    -------
    bands
        From the lowest up, plain JSON: ``band`` (such as ``"0-1"``), ``n``, and ``coverage`` (0..1) and
        ``mean_width``, None for a band without scores.
    """
    ends = [f"{end:g}" for end in (0, *edges, 5)]
    band = np.searchsorted(np.asarray(edges), score, side="right")
    covered, width = (low <= gold) & (gold <= high), high - low
    rows: list[dict[str, Any]] = []
    for k in range(len(edges) + 1):
        mask = band == k
        means = [float(values[mask].mean()) if mask.any() else None for values in (covered, width)]
        rows.append(
            {
                "band": f"{ends[k]}-{ends[k + 1]}",
                "n": int(mask.sum()),
                "coverage": means[0],
                "mean_width": means[1],
            }
        )
    return rows
