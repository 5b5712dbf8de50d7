"""Chart of the errors that each threshold makes on labelled pairs."""

import numpy as np
from markupsafe import Markup

from ...ensemble.core.scale import Scale
from ...ensemble.core.threshold_choice import Tally
from ...ensemble.reports.evaluation_charts import Chart
from ...ensemble.reports.svg_charts import Frame

LEGEND = ((3, "all errors"), (0, "false: called the same, and you said different"), (1, "missed: you said the same"))
"""Series of the chart, and their names."""

_ROWS = 12
"""Most rows of the table of numbers."""

_MARGIN = 0.05
"""Part of the scale that is drawn beyond the lowest and the highest score."""


def error_chart(scores: np.ndarray, same: np.ndarray, scale: Scale) -> tuple[Chart, str]:
    """Return the chart of the errors by the score from which two texts are called the same, and a sentence on the best.

    Parameters
    ----------
    scores
        Shape (n,), on the scale.
    same
        Shape (n,), bool: whether a person called each pair the same; both answers occur.
    scale
        Scale of the scores.
    """
    tally = Tally.of(scores, same, scale)
    margin = _MARGIN * (scale.high - scale.low)
    ends = max(scores.min() - margin, scale.low), min(scores.max() + margin, scale.high)
    inside = (tally.thresholds >= ends[0]) & (tally.thresholds <= ends[1])
    counts = {3: tally.false + tally.unfound, 0: tally.false, 1: tally.unfound}
    frame = Frame(ends, (0.0, float(max(counts[3][inside].max(), 5))), f"the same from this {scale.title}", "errors")
    drawn = [_steps(frame, tally.thresholds[inside], each[inside], series) for series, each in counts.items()]
    label = f"Errors on {len(scores):,} labelled pairs by threshold; table below"
    places = np.flatnonzero(inside)
    errors = counts[3][places]
    best = places[errors == errors.min()]
    summary = (
        f"Calling two texts the same from {scale.title} {scale.text(tally.thresholds[best[len(best) // 2]])} on makes "
        f"the fewest errors: {errors.min():,} in {len(scores):,} answers."
    )
    rows = [
        (scale.text(tally.thresholds[at]), *(f"{each[at]:,}" for each in (tally.called, *counts.values())))
        for at in np.unique(places[np.linspace(0, len(places) - 1, _ROWS).round().astype(int)]).tolist()
    ]
    header = ("the same from", "called the same", "errors", "false", "missed")
    return Chart(frame.draw(drawn, label), header, rows), summary


def _steps(frame: Frame, thresholds: np.ndarray, counts: np.ndarray, series: int) -> Markup:
    # The count changes from one threshold of the grid to the next.
    changes = [0, *(np.flatnonzero(np.diff(counts)) + 1).tolist(), len(counts) - 1]
    (x, y), *others = (frame.at(float(thresholds[at]), float(counts[at])) for at in changes)
    path = f"M{x:g} {y:g}" + "".join(f"H{a:g}V{b:g}" for a, b in others)
    return Markup('<path class="errors series{}" d="{}"/>').format(series, path)
