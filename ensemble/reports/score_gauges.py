"""Gauges: a score with its interval on the scale of the model, as numbers and as places in percent of the width."""

from collections.abc import Sequence
from typing import Any

from ..core.scale import Scale
from .chart_scales import tick_texts, ticks


def gauge(scale: Scale) -> dict[str, Any]:
    """Return what all gauges of a page share: the ends of the scale, the words behind a score, and the ticks."""
    marks = ticks(scale.low, scale.high)
    whole = "probability of yes" if scale.binary else f"of {scale.high:g}" if scale.low == 0 else f"on {scale}"
    texts = list(zip(percent_places(scale, *marks), tick_texts(marks), strict=True))
    ends = {"low": f"{scale.low:g}", "high": f"{scale.high:g}"}
    return {**ends, "of": whole, "ticks": texts, "binary": scale.binary, "title": scale.title}


def gauged(scale: Scale, score: float, low: float, high: float) -> dict[str, Any]:
    """Return the texts of a score and of the ends of its interval, and the places of the three."""
    texts = dict(zip(("score", "low", "high"), map(scale.text, (score, low, high)), strict=True))
    return {**texts, "places": percent_places(scale, score, low, high)}


def percent_places(scale: Scale, *scores: float) -> Sequence[float]:
    """Return the places of scores in percent of the scale."""
    return [round(100 * (score - scale.low) / (scale.high - scale.low), 6) for score in scores]
