"""Rows of a table that describe the decision of a model."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..core.decision import Decision
    from ..core.scale import Scale


def decision_rows(decision: "Decision", scale: "Scale") -> list[tuple[str, str]]:
    """Return the thresholds of a decision, its rule, and what it was chosen on, with their names."""
    ends = (("same from", decision.same_from), ("different below", decision.different_below))
    rows = [(name, "no score" if end is None else threshold_text(end, scale)) for name, end in ends]
    sure = "" if decision.rule.kind == "cost" else f"; confidence {100 * decision.confidence:g} %"
    which = "labelled yes" if decision.labels == "yes/no" else f"labelled {decision.gold_from:g} or more"
    chosen = f"{decision.pairs:,} pairs of {decision.data}, the same where {which}"
    return [*rows, ("rule", f"{decision.rule}{sure}"), ("chosen on", chosen)]


def threshold_text(score: float, scale: "Scale") -> str:
    """Return a threshold as text, without rounding: thresholds are multiples of a five-hundredth of the scale."""
    exact = f"{score:.{scale.digits + 1}f}"
    return exact.removesuffix("0") if exact.endswith("0") and scale.digits else exact
