"""Report of a search for duplicates: its figures, the scores of the candidates, large groups and borderline pairs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..core.scale import Scale
from ..differences.facts import Difference
from .evaluation_charts import Chart
from .explanation_page import gauge, gauged, percent_places
from .html_pages import render
from .svg_charts import Frame, columns, limit

if TYPE_CHECKING:
    from ..loading import Model
    from ..matching.dedupe_files import DedupeRun, DedupeSummary
    from ..matching.options import PairRule
    from ..matching.pair_scores import ScoredPairs
    from ..matching.texts import TextRows

GROUPS = 50
"""Number of the largest groups that are listed."""

MEMBERS = 20
"""Most removed rows of a group that are listed."""

PAIRS = 50
"""Number of the pairs for review that are listed."""

_BANDS = 50
_MOST_CHARACTERS = 1_000
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


def duplicates_report(run: "DedupeRun") -> str:
    """Return the report of a search for duplicates as the text of one HTML file, to be written as UTF-8.

    Of the rows and the pairs, it holds the `GROUPS` largest groups with up to `MEMBERS` removed rows each, and the
    `PAIRS` pairs for review whose scores are nearest to the score from which two texts are the same.

    Parameters
    ----------
    run
        Results of the search.
    """
    scale = run.model.scale
    bands = np.linspace(scale.low, scale.high, _BANDS + 1)
    counts, _ = np.histogram(run.scores.score, bands)
    # Most candidates are far below the thresholds; the few above have a chart with an axis of their own.
    first = int(np.searchsorted(bands, run.rule.unsure_from - 0.1 * (scale.high - scale.low)))
    charts = [_histogram(counts[start:], bands[start:], run.rule, scale) for start in sorted({0, first})]
    limits = {run.rule.unsure_from: "left for review", run.rule.same_from: "the same"}
    return render(
        "duplicates.html",
        title=run.source.replace("\\", "/").rpartition("/")[2],
        signature=run.summary.signature,
        figures=_figures(run.summary, run.rule, scale),
        apart=run.rule.keep_apart,
        files={name: path.name for name, path in run.files.items()},
        thresholds=[(scale.text(at), f"{count:,}") for at, count in run.summary.rows_removed.items()],
        charts=charts if counts.any() else [],
        groups=_groups(run),
        all_groups=run.summary.groups,
        pairs=_pairs(run),
        all_pairs=len(run.groups.review.reasons),
        most_characters=_MOST_CHARACTERS,
        gauge=gauge(scale),
        limits=[(percent_places(scale, at)[0], f"{name} from {scale.text(at)}") for at, name in limits.items()],
    )


def _figures(summary: "DedupeSummary", rule: "PairRule", scale: Scale) -> list[tuple[str, str, str]]:
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(summary.review.items()))
    resumed = f", {summary.resumed:,} of them by an earlier run" if summary.resumed else ""
    share = summary.removed / summary.rows if summary.rows else 0.0
    rejected = f"; {summary.rejects:,} rejected" if summary.rejects else ""
    recall = ", ".join(f"{found:.1%} by {name}" for name, found in sorted(summary.recall.items()))
    links = f"{min(summary.recall.values()):.1%}" if summary.recall else "all"
    return [
        ("Rows", f"{summary.rows:,}", f"by column {summary.columns[0]}{rejected}"),
        ("Kept", f"{summary.kept:,}", "rows in the output"),
        ("Removed", f"{summary.removed:,}", f"{share:.1%} of the rows; {summary.equal:,} with an equal text"),
        ("Groups", f"{summary.groups:,}", "of two rows or more"),
        ("For review", f"{summary.review.total():,}", f"pairs: {reasons}" if reasons else "pairs"),
        ("Candidates", f"{summary.candidates:,}", f"pairs scored{resumed}"),
        ("Links found", links, f"of a sample: {recall}" if recall else "no graphs were searched"),
        ("The same from", scale.text(rule.same_from), f"{scale.title} on {scale}"),
        ("Review from", scale.text(rule.unsure_from), f"{scale.title} on {scale}"),
        ("Time", f"{summary.seconds:,.1f}", "seconds"),
    ]


def _histogram(counts: np.ndarray, bands: np.ndarray, rule: "PairRule", scale: Scale) -> Chart:
    ends = bands.tolist()
    frame = Frame((ends[0], ends[-1]), (0.0, max(5.0, float(counts.max()))), scale.title, "candidates")
    limits = {rule.unsure_from: "review", rule.same_from: "the same"}
    drawn = columns(frame, counts.tolist(), ends)
    # One below the other where both are near.
    drawn += [limit(frame, at, name, row) for row, (at, name) in enumerate(limits.items())]
    label = f"Candidates by {scale.title} from {scale.text(ends[0])} to {scale.text(ends[-1])}; table below"
    rows = [
        (f"{scale.text(low)} to {scale.text(high)}", f"{count:,}")
        for count, low, high in zip(counts.tolist(), ends, ends[1:], strict=False)
    ]
    return Chart(frame.draw(drawn, label), (scale.title, "candidates"), rows)


def _groups(run: "DedupeRun") -> list[dict[str, Any]]:
    groups, rows = run.groups, run.rows
    sizes = np.bincount(groups.representatives, minlength=len(rows))
    largest = np.argsort(-sizes, kind="stable")[:GROUPS]
    return [
        {
            "name": _name(rows, kept),
            "text": rows.texts[kept],
            "members": [_member(run, row) for row in _shown_members(run, kept)],
            "more": max(0, int(sizes[kept]) - 1 - MEMBERS),
        }
        for kept in largest[sizes[largest] > 1].tolist()
    ]


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


def _member(run: "DedupeRun", row: int) -> dict[str, Any]:
    rows, scale, pair = run.rows, run.model.scale, int(run.groups.pairs[row])
    equal = {"score": scale.text(scale.high), "low": None, "flags": ()}
    scored = _scored(run.scores, pair, scale) if pair >= 0 else equal
    return {"name": _name(rows, row), "text": rows.texts[row], **scored}


def _scored(scores: "ScoredPairs", pair: int, scale: Scale) -> dict[str, Any]:
    numbers = (float(column[pair]) for column in (scores.score, scores.low, scores.high))
    return {**gauged(scale, *numbers), "flags": scores.flag_sets[int(scores.flags[pair])]}


def _name(rows: "TextRows", row: int) -> tuple[str, str]:
    # In two parts, because the value of an id can be in a script that is read from right to left.
    value = None if rows.ids is None else rows.ids[row].as_py()
    return ("row", f"{row + 1:,}") if value is None else ("id", str(value))


def _pairs(run: "DedupeRun") -> list[dict[str, Any]]:
    rows, scores, review = run.rows, run.scores, run.groups.review
    distances = np.abs(scores.score[review.pairs] - run.rule.same_from)
    nearest = np.argsort(distances, kind="stable")[:PAIRS].tolist()
    ends = [(int(review.first[place]), int(review.second[place])) for place in nearest]
    texts = [(rows.texts[a], rows.texts[b]) for a, b in ends]
    drawings = _drawings(run.model, texts)
    return [
        {
            "names": (_name(rows, a), _name(rows, b)),
            "texts": pair,
            "reason": review.reasons[place],
            "drawing": drawings.get(k),
            "differences": review.differences[place].as_py(),
            **_scored(scores, int(review.pairs[place]), run.model.scale),
        }
        for k, (place, (a, b), pair) in enumerate(zip(nearest, ends, texts, strict=True))
    ]


def _drawings(model: "Model", texts: Sequence[tuple[str, str]]) -> dict[int, tuple[_Drawing, list[Difference]]]:
    """Return for each pair of texts that is short enough its drawing and its differences, by the place of the pair."""
    places = [place for place, pair in enumerate(texts) if max(map(len, pair)) <= _MOST_CHARACTERS]
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
