"""Report of a decision: its thresholds and promise, errors by threshold, and the labelled pairs it was learned from."""

from collections.abc import Sequence

import numpy as np
from markupsafe import Markup

from ..core.decision import Decision
from ..core.scale import Scale
from ..differences.facts import Difference
from ..differences.keeping_apart import deciding_kind
from .evaluation_charts import Chart
from .html_pages import render
from .label_charts import calls_by, label_parts
from .svg_charts import Frame, limit, line


def threshold_report(
    decision: Decision,
    scores: Sequence[float] | np.ndarray,
    same: Sequence[bool] | np.ndarray,
    *,
    differences: Sequence[Sequence[Difference]] | None = None,
    pairs: Sequence[tuple[str, str]] | None = None,
    scale: Scale,
    signature: str,
    title: str,
    facts: Sequence[tuple[str, str]] = (),
    seed: int = 0,
) -> str:
    """Return the report of a decision and of the pairs that it was learned from, to be written as UTF-8.

    Parameters
    ----------
    decision
        The decision.
    scores
        Shape (n,), on `scale`.
    same
        Shape (n,): whether the label of each pair says that it is the same.
    differences
        Differences between the texts of each pair, which may keep it apart; None if none does.
    pairs
        The texts; adds the lists of the worst pairs.
    scale
        Scale of the model.
    signature
        Signature of the model.
    title
        Title of the page, such as the name of the file.
    facts
        Names and texts of what was decided, as ``samewise threshold`` prints them.
    seed
        Seed of the bootstrap.

    Raises
    ------
    ValueError
        If the lengths differ, or the decision keeps texts apart and no differences are given.
    """
    values, yes = np.asarray(scores, dtype=np.float64), np.asarray(same, dtype=bool)
    reasons = None if differences is None else [deciding_kind(one, decision.keep_apart) for one in differences]
    calls = calls_by(decision, scale, values, reasons)
    return render(
        "threshold.html",
        title=title,
        signature=signature,
        facts=facts,
        bounded=decision.rule.kind == "max_false",
        sure=None if decision.rule.kind == "cost" else f"{100 * decision.confidence:g} %",
        curve=_errors_by_threshold(decision, scale, calls.limits),
        found=_found_by_threshold(decision, scale, calls.limits),
        parts=label_parts(yes, values, calls, scale, pairs=pairs, seed=seed),
    )


def _errors_by_threshold(decision: Decision, scale: Scale, limits: Sequence[tuple[float, str]]) -> Chart:
    rows = [row for row in decision.curve.rows() if row[1]]  # a share needs a pair
    x = [row[0] for row in rows]
    shares, bounds = [row[2] / row[1] for row in rows], [row[3] for row in rows]
    frame = Frame((scale.low, scale.high), (0.0, max(0.05, *shares, *bounds)), scale.title, "share of false pairs")
    drawn = [line(frame, x, bounds, "second"), line(frame, x, shares), *_drawn(frame, limits)]
    if decision.rule.kind == "max_false":
        drawn.append(line(frame, frame.x, (decision.rule.value, decision.rule.value), "identity"))
    table = [
        (scale.text(at), f"{same:,.0f}", f"{false:,.0f}", f"{false / same:.2%}", f"{bound:.2%}")
        for at, same, false, bound, _ in rows
    ]
    header = ("score from", "called same", "false", "share", "at most")
    return Chart(frame.draw(drawn, "Share of false pairs by threshold; table below"), header, table)


def _found_by_threshold(decision: Decision, scale: Scale, limits: Sequence[tuple[float, str]]) -> Chart:
    rows = decision.curve.rows()
    frame = Frame((scale.low, scale.high), (0.0, 1.0), scale.title, "share of the same found")
    drawn = [line(frame, [row[0] for row in rows], [row[4] for row in rows]), *_drawn(frame, limits)]
    if decision.rule.kind == "recall":
        drawn.append(line(frame, frame.x, (decision.rule.value, decision.rule.value), "identity"))
    table = [(scale.text(row[0]), f"{row[4]:.1%}") for row in rows]
    svg = frame.draw(drawn, "Share of the same pairs found by threshold; table below")
    return Chart(svg, ("score from", "found"), table)


def _drawn(frame: Frame, limits: Sequence[tuple[float, str]]) -> list[Markup]:
    return [limit(frame, at, name, row) for row, (at, name) in enumerate(limits)]
