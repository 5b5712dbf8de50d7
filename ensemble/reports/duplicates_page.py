"""Report of a search for duplicates: its figures, the scores of the candidates, large groups and borderline pairs."""

from typing import TYPE_CHECKING

import numpy as np

from ..core.scale import Scale
from .duplicate_pairs import MOST_CHARACTERS, groups, pairs_for_review
from .evaluation_charts import Chart
from .explanation_page import gauge, percent_places
from .html_pages import render
from .svg_charts import Frame, columns, limit

if TYPE_CHECKING:
    from ..matching.dedupe_files import DedupeRun, DedupeSummary
    from ..matching.options import PairRule

_BANDS = 50


def duplicates_report(run: "DedupeRun") -> str:
    """Return the report of a search for duplicates as the text of one HTML file, to be written as UTF-8.

    Of the rows and the pairs, it holds the `GROUPS` largest groups with up to `MEMBERS` removed rows each, and the
    `PAIRS` pairs for review whose scores are nearest to the score from which two texts are the same. Each is a line
    that opens. A script of the page writes the pairs that are ticked to a CSV file; without it there are no boxes.

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
        script="duplicates.js",
        title=run.source.replace("\\", "/").rpartition("/")[2],
        signature=run.summary.signature,
        figures=_figures(run.summary, run.rule, scale),
        apart=run.rule.keep_apart,
        files={name: path.name for name, path in run.files.items()},
        ticked=f"{run.files['kept'].name.partition('.')[0]}.ticked.csv",
        thresholds=[(scale.text(at), f"{count:,}") for at, count in run.summary.rows_removed.items()],
        charts=charts if counts.any() else [],
        groups=groups(run),
        all_groups=run.summary.groups,
        pairs=pairs_for_review(run),
        all_pairs=len(run.groups.review.reasons),
        most_characters=MOST_CHARACTERS,
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
