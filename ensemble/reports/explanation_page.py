"""Report of explanations: for each pair its score, its aligned words joined by lines, and its contributions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..core.explanation import RULES, Explanation
from .bar_tables import Bar, Bars, bars
from .html_pages import render, signed

_MOST_BARS = 12
_SMALL = 0.005
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
    pairs: Sequence[tuple[str, str]],
    signature: str,
    *,
    title: str = "Why pairs have their scores",
) -> str:
    """Return the report of explained pairs as the text of one HTML file, to be written as UTF-8.

    Words stand below each other, one sentence on the left and one on the right, in rows of one height: so lines join
    them without a script that measures, at every width and on paper.

    Parameters
    ----------
    explanations
        Explanations, as `Predictor.explain` returns them.
    pairs
        The texts of each.
    signature, title
        Signature of the model, and title of the page.

    Raises
    ------
    ValueError
        If the numbers of explanations and pairs differ.
    """
    if len(explanations) != len(pairs):
        raise ValueError(
            f"there are {len(explanations)} explanations of {len(pairs)} pairs; give one explanation a pair"
        )
    cards = [_card(explanation, pair) for explanation, pair in zip(explanations, pairs, strict=True)]
    return render("explanation.html", title=title, signature=signature, cards=cards)


def _card(explanation: Explanation, pair: tuple[str, str]) -> dict[str, Any]:
    linked = [{ends[side] for ends in explanation.alignment} for side in (0, 1)]
    words = [[_Word(text, k in linked[side]) for k, text in enumerate(explanation.tokens[side])] for side in (0, 1)]
    lines = [
        _Line(i + 0.5, j + 0.5, f"{explanation.tokens[0][i]} \u2194 {explanation.tokens[1][j]}")
        for i, j in explanation.alignment
    ]
    return {
        "pair": pair,
        "score": explanation.score,
        "low": explanation.low,
        "high": explanation.high,
        "base": explanation.base,
        "flags": explanation.flags,
        "translations": explanation.translations,
        "translated": any(text is not None for text in explanation.translations),
        "words": words,
        "lines": lines,
        "height": max(map(len, words)),
        "open": max(map(len, words)) <= _MOST_OPEN,
        "bars": _contributions(explanation),
    }


def _contributions(explanation: Explanation) -> Bars:
    parts = sorted(explanation.contributions.items(), key=lambda part: -abs(part[1]))
    large = [part for part in parts if abs(part[1]) >= _SMALL][:_MOST_BARS]
    rest = parts[len(large) :]
    if rest:
        large.append((f"{len(rest)} smaller ones together", sum(points for _, points in rest)))
    rows = [Bar(_spoken(name), points, float("nan"), float("nan"), (signed(points),)) for name, points in large]
    most = max([abs(points) for _, points in large], default=0.1)
    return bars(rows, ("family of features", "less alike \u25c0 \u25b6 more alike", "points"), -most, most)


def _spoken(name: str) -> str:
    return "rules and the ends of the scale" if name == RULES else name.replace("_", " ")
