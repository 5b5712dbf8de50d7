"""Calibration of scores and of intervals against gold scores."""

from collections.abc import Sequence
from typing import Any

import numpy as np

EDGES = (1.0, 2.0, 3.0, 4.0)
"""Borders of the bands of the predicted score; a score on one belongs to the band above it."""


def calibration(gold: np.ndarray, score: np.ndarray) -> dict[str, Any]:
    """Compare scores with the mean gold score of pairs with similar scores.

    Parameters
    ----------
    gold, score
        Shape (n,), 0..5, n at least 1.

    Returns
    -------
    facts
        Plain JSON. ``bias``: mean of score less gold. ``slope`` and ``intercept``: the least-squares line of gold on
        score, 1 and 0 where scores are calibrated; a slope under 1 shows that they are too extreme (Cox, 1958). None
        where scores are constant. ``error``: the mean distance between the bands' means of score and gold, weighted by
        size, 0..5 (the expected calibration error of Naeini et al., 2015, on the scale of the scores). ``bands``: for
        each band its name, ``n``, ``mean_score`` and ``mean_gold``, None where it is empty.
    """
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    rows = _by_band(y, EDGES, mean_score=y, mean_gold=x)
    error = sum(abs(row["mean_score"] - row["mean_gold"]) * row["n"] / len(x) for row in rows if row["n"])
    centred = y - y.mean()
    spread = centred @ centred
    slope = float(centred @ x / spread) if spread > 1e-12 * len(y) else None
    intercept = None if slope is None else float(x.mean() - slope * y.mean())
    facts = {"bias": float((y - x).mean()), "slope": slope, "intercept": intercept, "error": float(error)}
    return {**facts, "bands": rows}


def interval_facts(gold: np.ndarray, low: np.ndarray, high: np.ndarray, level: float) -> dict[str, Any]:
    """Return coverage, width and score of intervals."""
    if not 0 < level <= 1:
        raise ValueError(f"the level of an interval must be over 0 and at most 1, got {level}")
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
    """Return the coverage of predicted intervals by band of the predicted score.

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
    return _by_band(score, edges, coverage=(low <= gold) & (gold <= high), mean_width=high - low)


def _by_band(score: np.ndarray, edges: Sequence[float], **columns: np.ndarray) -> list[dict[str, Any]]:
    """Return name, size and the means of columns for each band of the scores; None where a band is empty."""
    ends = [f"{end:g}" for end in (0, *edges, 5)]
    band = np.searchsorted(np.asarray(edges), score, side="right")
    rows: list[dict[str, Any]] = []
    for k in range(len(edges) + 1):
        mask = band == k
        means = {name: float(values[mask].mean()) if mask.any() else None for name, values in columns.items()}
        rows.append({"band": f"{ends[k]}-{ends[k + 1]}", "n": int(mask.sum()), **means})
    return rows
