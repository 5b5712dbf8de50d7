"""Pairs in the report of duplicates: removed rows beside those that stand for them, and pairs for review."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.scale import Scale
from ..differences.facts import Difference
from .explanation_page import gauged
from .html_pages import shortened

if TYPE_CHECKING:
    from ..loading import Model
    from ..matching.dedupe_files import DedupeRun
    from ..matching.pair_scores import ScoredPairs
    from ..matching.texts import TextRows

GROUPS = 50
"""Number of the largest groups that are listed."""

MEMBERS = 20
"""Most removed rows of a group that are listed."""

PAIRS = 50
"""Number of the pairs for review that are listed."""

MOST_CHARACTERS = 1_000
"""Characters of a text from which a pair is listed without a drawing; `shortened` cuts such a text."""

_MOST_OPEN = 30
"""Number of words from which a drawing is folded."""


class _Word(NamedTuple):
    text: str
    linked: bool
    differs: bool


class _Line(NamedTuple):
    """Line between two words: places from the top, in rows, and its text."""

    start: float
    end: float
    text: str


class _Drawing(NamedTuple):
    words: list[list[_Word]]
    lines: list[_Line]
    height: int
    open: bool


_Aligned = tuple[tuple[tuple[str, ...], tuple[str, ...]], list[tuple[int, int]]]


def groups(run: "DedupeRun") -> list[dict[str, Any]]:
    """Return the largest groups: the row that is kept, and lines of removed rows, the least sure first."""
    rows, found = run.rows, run.groups
    sizes = np.bincount(found.representatives, minlength=len(rows))
    largest = np.argsort(-sizes, kind="stable")[:GROUPS]
    kept_rows = largest[sizes[largest] > 1].tolist()
    members = {kept: _shown_members(run, kept) for kept in kept_rows}
    # The differences of all of them are found at once; rows with equal texts have no pair and none.
    scored = [(kept, row) for kept, shown in members.items() for row in shown if found.pairs[row] >= 0]
    differing = _differences(run.model, [(rows.texts[kept], rows.texts[row]) for kept, row in scored])
    by_row = {row: differing.get(place) for place, (_, row) in enumerate(scored)}
    return [
        {
            "name": _name(rows, kept),
            "text": rows.texts[kept],
            "members": [_member(run, kept, row, by_row.get(row)) for row in shown],
            "more": max(0, int(sizes[kept]) - 1 - MEMBERS),
        }
        for kept, shown in members.items()
    ]


def _differences(model: "Model", texts: Sequence[tuple[str, str]]) -> dict[int, list[Difference]]:
    """Return for each pair of texts that is short enough its differences, by the place of the pair."""
    places = _short(texts)
    return dict(zip(places, model.differences([texts[place] for place in places]), strict=True)) if places else {}


def _short(texts: Sequence[tuple[str, str]]) -> list[int]:
    return [place for place, pair in enumerate(texts) if max(map(len, pair)) <= MOST_CHARACTERS]


def _shown_members(run: "DedupeRun", kept: int) -> list[int]:
    # The lowest scores first, because they need more attention than equal texts.
    groups, scores = run.groups, run.scores
    members = np.flatnonzero(groups.representatives == kept)
    members = members[members != kept]
    pairs = groups.pairs[members]
    scored = np.full(len(members), np.inf)
    scored[pairs >= 0] = scores.score[pairs[pairs >= 0]]
    shown: list[int] = members[np.argsort(scored, kind="stable")[:MEMBERS]].tolist()
    return shown


def _member(run: "DedupeRun", kept: int, row: int, differences: Sequence[Difference] | None) -> dict[str, Any]:
    rows, scale, pair = run.rows, run.model.scale, int(run.groups.pairs[row])
    equal = {"score": scale.text(scale.high), "low": None, "flags": ()}
    scored = _scored(run.scores, pair, scale) if pair >= 0 else equal
    line = {"name": _name(rows, row), "text": rows.texts[row], "differences": differences, **scored}
    return {**line, "ticked": _ticked(rows, (kept, row), line, "removed")}


def _ticked(rows: "TextRows", pair: tuple[int, int], line: Mapping[str, Any], reason: str) -> str:
    # The cells that the script of the page writes to a file.
    ids = ["" if rows.ids is None or rows.ids[row].as_py() is None else str(rows.ids[row].as_py()) for row in pair]
    texts = [shortened(rows.texts[row], MOST_CHARACTERS) for row in pair]
    numbers = [str(row + 1) for row in pair]
    return json.dumps([numbers[0], ids[0], numbers[1], ids[1], *texts, line["score"], reason], ensure_ascii=False)


def _scored(scores: "ScoredPairs", pair: int, scale: Scale) -> dict[str, Any]:
    numbers = (float(column[pair]) for column in (scores.score, scores.low, scores.high))
    return {**gauged(scale, *numbers), "flags": scores.flag_sets[int(scores.flags[pair])]}


def _name(rows: "TextRows", row: int) -> tuple[str, str]:
    # In two parts, because the value of an id can be in a script that is read from right to left.
    value = None if rows.ids is None else rows.ids[row].as_py()
    return ("row", f"{row + 1:,}") if value is None else ("id", str(value))


def pairs_for_review(run: "DedupeRun") -> list[dict[str, Any]]:
    """Return lines of the pairs for review, those nearest to the score from which two texts are the same first."""
    rows, scores, review = run.rows, run.scores, run.groups.review
    distances = np.abs(scores.score[review.pairs] - run.rule.same_from)
    nearest = np.argsort(distances, kind="stable")[:PAIRS].tolist()
    ends = [(int(review.first[place]), int(review.second[place])) for place in nearest]
    texts = [(rows.texts[a], rows.texts[b]) for a, b in ends]
    drawings = _drawings(run.model, texts)
    lines = []
    for k, (place, (a, b), pair) in enumerate(zip(nearest, ends, texts, strict=True)):
        scored = _scored(scores, int(review.pairs[place]), run.model.scale)
        line = {
            "names": (_name(rows, a), _name(rows, b)),
            "texts": pair,
            "reason": review.reasons[place],
            "drawing": drawings.get(k),
            "differences": review.differences[place].as_py(),
            **scored,
        }
        lines.append({**line, "ticked": _ticked(rows, (a, b), line, line["reason"])})
    return lines


def _drawings(model: "Model", texts: Sequence[tuple[str, str]]) -> dict[int, tuple[_Drawing, list[Difference]]]:
    """Return for each pair of texts that is short enough its drawing and its differences, by the place of the pair."""
    places = _short(texts)
    short = [texts[place] for place in places]
    if not short:
        return {}
    from ..loading import main_part

    found = model.differences(short)
    drawn = map(_drawing, main_part(model).aligned_tokens(short), found)
    return dict(zip(places, zip(drawn, found, strict=True), strict=True))


def _drawing(aligned: _Aligned, differences: Sequence[Difference]) -> _Drawing:
    tokens, links = aligned
    linked = [{ends[side] for ends in links} for side in (0, 1)]
    differing: list[set[int]] = [set(), set()]
    for one in differences:
        for side, text, places in ((0, one.a, one.places_a), (1, one.b, one.places_b)):
            # The places of a translated pair are those of its translations.
            differing[side] |= {k for k in places if k < len(tokens[side]) and tokens[side][k] in text}
    words = [
        [_Word(text, k in linked[side], k in differing[side]) for k, text in enumerate(tokens[side])] for side in (0, 1)
    ]
    lines = [_Line(i + 0.5, j + 0.5, f"{tokens[0][i]} \u2194 {tokens[1][j]}") for i, j in links]
    height = max(map(len, words))
    return _Drawing(words, lines, height, height <= _MOST_OPEN)
