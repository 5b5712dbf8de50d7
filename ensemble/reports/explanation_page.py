"""Report of explanations: for each pair its score, contributions, aligned words joined by lines, and differences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.explanation import Explanation
from ..core.scale import POINTS, Scale
from .bar_tables import Bar, Bars, bars
from .html_pages import part_name, render, signed
from .svg_charts import tick_texts, ticks


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


_MOST_BARS = 12
_MOST_OPEN = 60
"""Number of words from which a drawing is folded."""


class _Word(NamedTuple):
    text: str
    linked: bool


class _Line(NamedTuple):
    """Line between two words: places from the top, in rows, and its text."""

    start: float
    end: float
    text: str


def explanation_report(
    explanations: Sequence[Explanation],
    pairs: Sequence[tuple[str, str]] | None,
    signature: str,
    *,
    title: str = "Why pairs have their scores",
    scale: Scale = POINTS,
) -> str:
    """Return the report of explained pairs as the text of one HTML file, to be written as UTF-8.

    Words stand below each other, one sentence on the left and one on the right, in rows of one height. Lines can
    then join them without a script that measures, at every width and on paper.

    Parameters
    ----------
    explanations
        Explanations, as `Predictor.explain` returns them.
    pairs
        The texts of each; None to show their words alone.
    signature, title
        Signature of the model, and title of the page.
    scale
        Scale of the scores.

    Raises
    ------
    ValueError
        If the numbers of explanations and pairs differ.
    """
    if pairs is not None and len(explanations) != len(pairs):
        raise ValueError(
            f"there are {len(explanations)} explanations of {len(pairs)} pairs; give one explanation a pair"
        )
    texts: Sequence[tuple[str, ...]] = [()] * len(explanations) if pairs is None else pairs
    cards = [_card(explanation, pair, scale) for explanation, pair in zip(explanations, texts, strict=True)]
    return render("explanation.html", title=title, signature=signature, cards=cards, gauge=gauge(scale))


def _card(explanation: Explanation, pair: tuple[str, ...], scale: Scale) -> dict[str, Any]:
    linked = [{ends[side] for ends in explanation.alignment} for side in (0, 1)]
    words = [[_Word(text, k in linked[side]) for k, text in enumerate(explanation.tokens[side])] for side in (0, 1)]
    lines = [
        _Line(i + 0.5, j + 0.5, f"{explanation.tokens[0][i]} \u2194 {explanation.tokens[1][j]}")
        for i, j in explanation.alignment
    ]
    return {
        "pair": pair,
        "meaning": round(float(scale.points(np.asarray(explanation.score)))),
        **gauged(scale, explanation.score, explanation.low, explanation.high),
        "base": scale.text(explanation.base),
        "flags": explanation.flags,
        "translations": explanation.translations,
        "translated": any(text is not None for text in explanation.translations),
        "words": words,
        "lines": lines,
        "height": max(map(len, words)),
        "open": max(map(len, words)) <= _MOST_OPEN,
        "differences": explanation.differences,
        "bars": _contributions(explanation, scale.digits),
    }


def _contributions(explanation: Explanation, digits: int) -> Bars:
    parts = sorted(explanation.contributions.items(), key=lambda part: -abs(part[1]))
    large = [part for part in parts if abs(part[1]) >= 0.5 * 10.0**-digits][:_MOST_BARS]
    rest = parts[len(large) :]
    shown = [(part_name(name).title, points, part_name(name).note(name)) for name, points in large]
    if rest:
        together = f"{len(rest)} smaller ones together" if len(rest) > 1 else "1 smaller one"
        shown.append((together, sum(points for _, points in rest), ""))
    nan = float("nan")
    rows = [Bar(title, points, nan, nan, (signed(points, digits),), note) for title, points, note in shown]
    most = max([abs(points) for _, points, _ in shown], default=0.1)
    return bars(rows, ("family of features", "less \u25c0 \u25b6 more alike", "points"), -most, most)
