"""Report of explanations: for each pair its score, contributions, aligned words joined by lines, and differences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..core.explanation import RULES, Explanation
from ..core.scale import POINTS, Scale
from .bar_tables import Bar, Bars, bars
from .chart_scales import tick_texts, ticks
from .html_pages import render, signed

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

    Words stand below each other, one sentence on the left and one on the right, in rows of one height: so lines join
    them without a script that measures, at every width and on paper.

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
    return render("explanation.html", title=title, signature=signature, cards=cards, gauge=_gauge(scale))


def _gauge(scale: Scale) -> dict[str, Any]:
    # The ends of the scale, what stands behind a score, and the ticks with their places in percent.
    places = ticks(scale.low, scale.high)
    whole = "probability of yes" if scale.binary else f"of {scale.high:g}" if scale.low == 0 else f"on {scale}"
    ends = f"{scale.low:g}", f"{scale.high:g}"
    marks = list(zip(_places(scale, *places), tick_texts(places), strict=True))
    return {"low": ends[0], "high": ends[1], "of": whole, "ticks": marks, "binary": scale.binary, "title": scale.title}


def _places(scale: Scale, *scores: float) -> list[float]:
    return [round(100 * (score - scale.low) / (scale.high - scale.low), 6) for score in scores]


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
        "score": scale.text(explanation.score),
        "low": scale.text(explanation.low),
        "high": scale.text(explanation.high),
        "base": scale.text(explanation.base),
        "places": _places(scale, explanation.score, explanation.low, explanation.high),
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
    if rest:
        large.append((f"{len(rest)} smaller ones together", sum(points for _, points in rest)))
    rows = [Bar(_spoken(name), points, float("nan"), float("nan"), (signed(points, digits),)) for name, points in large]
    most = max([abs(points) for _, points in large], default=0.1)
    return bars(rows, ("family of features", "less alike \u25c0 \u25b6 more alike", "points"), -most, most)


def _spoken(name: str) -> str:
    return "rules and the ends of the scale" if name == RULES else name.replace("_", " ")
