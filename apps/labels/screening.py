"""Screening of annotators: drop the one who agrees least with the others, repeat, then judge the dropped ones again.

Agirre et al. (2016) dropped workers whose labels correlate with those of the others at under 0.80, or whose kappa is
under 0.20. Two changes make the rule drop the unreliable annotators only (docs/labels.md has the measurements):

- Applied to all at once, it fails if many are unreliable: honest annotators are then compared with unreliable ones and
  fall under the threshold too. So only the worst is dropped, and the rest are compared again. An honest annotator who
  was dropped early is taken back at the end if the remaining panel agrees.
- A correlation of a few dozen pairs is uncertain, and honest annotators fall under 0.80 by chance. So an annotator is
  dropped if the upper end of the confidence interval is under the threshold. A confidence of 0.5 is the published rule.
"""

from collections.abc import Mapping
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from .agreement import Aggregate, Agreement, Panel
from .annotations import Annotations

MIN_CORRELATION, MIN_KAPPA = 0.80, 0.20
"""Thresholds of Agirre et al. (2016)."""

MIN_COMMON = 10
"""Least number of pairs to judge an annotator by; our choice."""

CONFIDENCE = 0.95
"""One-sided confidence that an annotator is under a threshold; our choice."""


class Judgement(NamedTuple):
    """Judgement of an annotator.

    Attributes
    ----------
    annotator, labels
        Name, and number of labels.
    kept
        True if the labels count.
    common, pearson, kappa
        Number of compared pairs, and correlation and kappa with the aggregate of the other kept annotators; None if
        undefined.
    note
        Reason for dropping the annotator, or for keeping one with a figure under its threshold; else empty.
    """

    annotator: str
    labels: int
    kept: bool
    common: int
    pearson: float | None
    kappa: float | None
    note: str


class _Rule(NamedTuple):
    correlation: float
    kappa: float
    common: int
    confidence: float

    def unjudged(self, agreement: Agreement) -> np.ndarray:
        """Return the mask of annotators with too few pairs, or with pairs that the others all score the same."""
        return (agreement.common < self.common) | (np.isnan(agreement.pearson) & ~agreement.constant)

    def ends(self, agreement: Agreement) -> tuple[np.ndarray, np.ndarray]:
        """Return the upper ends of correlation (Fisher, 1921) and kappa (Cohen, 1960), -2 where undefined."""
        z = NormalDist().inv_cdf(self.confidence)
        with np.errstate(divide="ignore"):  # a correlation of 1 is infinite on Fisher's scale
            correlation = np.tanh(np.arctanh(agreement.pearson) + z / np.sqrt(np.maximum(agreement.common - 3, 1)))
        ends = correlation, agreement.kappa + z * agreement.kappa_error
        # Rounded like the figures, so that equal values compare equal and a value on a threshold passes.
        return np.round(np.nan_to_num(ends[0], nan=-2.0), 9), np.round(np.nan_to_num(ends[1], nan=-2.0), 9)

    def passes(self, agreement: Agreement) -> np.ndarray:
        correlation, kappa = self.ends(agreement)
        return ~self.unjudged(agreement) & (correlation >= self.correlation) & (kappa >= self.kappa)

    def worst(self, agreement: Agreement, members: np.ndarray) -> np.ndarray:
        """Return the mask of the members to drop next: those without a judgement, else the worst and its equals."""
        unjudged = members & self.unjudged(agreement)
        if unjudged.any():
            return unjudged
        worst = members & ~self.passes(agreement)
        correlation, kappa = self.ends(agreement)
        if (worst & (correlation < self.correlation)).any():
            worst &= correlation == correlation[worst].min()
        if worst.any():
            worst &= kappa == kappa[worst].min()
        return worst

    def note(self, agreement: Agreement, place: int, kept: bool) -> str:
        """Return the reason why an annotator does not pass, or passes in spite of a figure."""
        common, pearson, kappa = int(agreement.common[place]), agreement.pearson[place], agreement.kappa[place]
        if common < self.common:
            return f"{common} pairs in common with the annotators kept; {self.common} are needed to judge"
        if agreement.constant[place]:
            return f"the same label on all {common} pairs"
        if np.isnan(pearson):
            return f"the others' scores of the {common} pairs are all the same, which judges nobody"
        reason = f"correlation {pearson:.2f}, under {self.correlation:g}" if pearson < self.correlation else ""
        if not reason and not kappa >= self.kappa:
            reason = f"kappa {kappa:.2f}, under {self.kappa:g}"
        if kept:
            return f"{reason}, but on {common} pairs that may be chance" if reason else ""
        return reason if reason and not self.passes(agreement)[place] else "failed twice while others were dropped"


def screen(
    annotations: Annotations,
    *,
    aggregate: Aggregate = "median",
    min_correlation: float = MIN_CORRELATION,
    min_kappa: float = MIN_KAPPA,
    min_common: int = MIN_COMMON,
    confidence: float = CONFIDENCE,
    known: Mapping[str, float] | None = None,
) -> list[Judgement]:
    """Judge each annotator by the labels of the others.

    Parameters
    ----------
    annotations
        Labels of the annotators.
    aggregate
        Aggregation of the labels of the others into the score to compare with.
    min_correlation, min_kappa
        Least Pearson correlation and least Cohen's kappa with the others.
    min_common
        Least number of pairs to judge by, at least 2; annotators with fewer are dropped.
    confidence
        One-sided confidence that an annotator is under a threshold; 0.5 compares the figures themselves.
    known
        Scores, 0..5, of control pairs. Annotators with at least ``min_common`` of them who fail on these alone are
        dropped first, and on these pairs all are compared with the known scores.

    Returns
    -------
    list of Judgement
        In the order of ``annotations.annotators``. Every kept annotator passes in comparison with the others; no
        dropped one would pass, except those who were taken back once and failed again.

    Raises
    ------
    ValueError
        If a setting is out of range.
    """
    _check(min_correlation, min_kappa, min_common, confidence)
    rule = _Rule(min_correlation, min_kappa, min_common, confidence)
    panel = Panel(annotations, aggregate, known)
    members = np.ones(panel.size, dtype=bool)
    on_controls = panel.agreement(members, controls_only=True)
    members &= rule.passes(on_controls) | rule.unjudged(on_controls)
    members, agreement = _settled(panel, rule, members)
    counts = np.bincount(annotations.who, minlength=panel.size)
    return [
        Judgement(
            name,
            int(counts[k]),
            bool(members[k]),
            int(agreement.common[k]),
            _or_none(agreement.pearson[k]),
            _or_none(agreement.kappa[k]),
            rule.note(agreement, k, bool(members[k])),
        )
        for k, name in enumerate(annotations.annotators)
    ]


def _settled(panel: Panel, rule: _Rule, members: np.ndarray) -> tuple[np.ndarray, Agreement]:
    """Drop the worst members one after the other, take back each dropped one once; return the rest and the figures."""
    returned = np.zeros(panel.size, dtype=bool)
    while True:
        agreement = panel.agreement(members)
        worst = rule.worst(agreement, members)
        if worst.any():
            members = members & ~worst
            continue
        back = ~members & ~returned & rule.passes(agreement)
        if not back.any():
            return members, agreement
        members = members | back
        returned |= back


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _check(min_correlation: float, min_kappa: float, min_common: int, confidence: float) -> None:
    for name, value in (("least correlation", min_correlation), ("least kappa", min_kappa)):
        if not -1.0 <= value <= 1.0:
            raise ValueError(f"the {name} must be between -1 and 1, got {value:g}; correct it")
    if min_common < 2:
        raise ValueError(f"the least number of pairs must be at least 2 for a correlation, got {min_common}; raise it")
    if not 0.5 <= confidence < 1.0:
        raise ValueError(f"the confidence must be at least 0.5 and under 1, got {confidence:g}; correct it")
