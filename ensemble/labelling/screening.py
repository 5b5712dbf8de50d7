"""Which annotators to rely on: drop the one who agrees least with the others, again and again, then look again at all.

Agirre et al. (2016) dropped workers whose labels correlate with those of the others at under 0.80, or whose kappa is
under 0.20. Two things keep that rule from dropping exactly the bad (docs/labelling.md has the measurements):

- Applied to all at once, it fails when many are bad: the others are then bad too, and honest annotators fall under the
  threshold with them. So only the worst goes, and the rest are compared again. An honest annotator who went while the
  panel was still foul comes back at the end, if the clean panel agrees.
- A correlation of a few dozen pairs is itself uncertain, and honest annotators fall under 0.80 by chance. So one goes
  when the upper end of the confidence interval is under the threshold. A confidence of 0.5 is the rule as published.
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
"""Fewest pairs that an annotator is judged on; our choice."""

CONFIDENCE = 0.95
"""How sure it must be that an annotator is under a threshold; our choice."""


class Judgement(NamedTuple):
    """What is said of an annotator.

    Attributes
    ----------
    annotator, labels
        Name, and number of labels.
    kept
        Whether the labels count.
    common, pearson, kappa
        Pairs to compare on, and correlation and kappa with the aggregate of the other annotators that are kept; None
        where undefined.
    note
        Why the annotator was dropped, or was kept although a figure is under its threshold; else an empty text.
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

    def unjudged(self, found: Agreement) -> np.ndarray:
        """Tell who cannot be judged: too few pairs, or the others' scores of them are all the same."""
        return (found.common < self.common) | (np.isnan(found.pearson) & ~found.constant)

    def ends(self, found: Agreement) -> tuple[np.ndarray, np.ndarray]:
        """Return the upper ends of correlation (Fisher, 1921) and kappa (Cohen, 1960), -2 where undefined."""
        z = NormalDist().inv_cdf(self.confidence)
        with np.errstate(divide="ignore"):  # a correlation of 1 is one of infinity on Fisher's scale
            correlation = np.tanh(np.arctanh(found.pearson) + z / np.sqrt(np.maximum(found.common - 3, 1)))
        ends = correlation, found.kappa + z * found.kappa_error
        # Rounded like the figures: what is equal must be seen to be, and what lies on a threshold must not fall by it.
        return np.round(np.nan_to_num(ends[0], nan=-2.0), 9), np.round(np.nan_to_num(ends[1], nan=-2.0), 9)

    def passes(self, found: Agreement) -> np.ndarray:
        correlation, kappa = self.ends(found)
        return ~self.unjudged(found) & (correlation >= self.correlation) & (kappa >= self.kappa)

    def worst(self, found: Agreement, members: np.ndarray) -> np.ndarray:
        """Return the mask of the member to drop next; several if nothing tells them apart, or none is judged."""
        unjudged = members & self.unjudged(found)
        if unjudged.any():
            return unjudged
        worst = members & ~self.passes(found)
        correlation, kappa = self.ends(found)
        if (worst & (correlation < self.correlation)).any():
            worst &= correlation == correlation[worst].min()
        if worst.any():
            worst &= kappa == kappa[worst].min()
        return worst

    def note(self, found: Agreement, place: int, kept: bool) -> str:
        """Tell why an annotator does not pass, or passes in spite of a figure."""
        common, pearson, kappa = int(found.common[place]), found.pearson[place], found.kappa[place]
        if common < self.common:
            return f"{common} pairs in common with the annotators kept; {self.common} are needed to judge"
        if found.constant[place]:
            return f"the same label on all {common} pairs"
        if np.isnan(pearson):
            return f"the others' scores of the {common} pairs are all the same, which judges nobody"
        told = f"correlation {pearson:.2f}, under {self.correlation:g}" if pearson < self.correlation else ""
        if not told and not kappa >= self.kappa:
            told = f"kappa {kappa:.2f}, under {self.kappa:g}"
        if kept:
            return f"{told}, but on {common} pairs that may be chance" if told else ""
        return told if told and not self.passes(found)[place] else "failed twice while others were dropped"


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
    """Judge annotators by the others.

    Parameters
    ----------
    annotations
        Their labels.
    aggregate
        How the labels of the others become the score to compare with.
    min_correlation, min_kappa
        Least Pearson correlation and least Cohen's kappa with the others.
    min_common
        Fewest pairs to judge on, at least 2; who has fewer is dropped.
    confidence
        How sure it must be, one-sided, that an annotator is under a threshold; 0.5 compares the figures themselves.
    known
        Scores, 0..5, of control pairs. Annotators with ``min_common`` of them who fail on these alone go first, and on
        these pairs all are compared with the known scores.

    Returns
    -------
    list of Judgement
        In the order of ``annotations.annotators``. Everyone kept passes beside the others kept; nobody dropped would
        pass, but for those who came back once and failed again.

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
    returned = np.zeros(panel.size, dtype=bool)
    while True:
        found = panel.agreement(members)
        worst = rule.worst(found, members)
        if worst.any():
            members &= ~worst
            continue
        back = ~members & ~returned & rule.passes(found)
        if not back.any():
            break
        members |= back
        returned |= back
    counts = np.bincount(annotations.who, minlength=panel.size)
    return [
        Judgement(
            name,
            int(counts[k]),
            bool(members[k]),
            int(found.common[k]),
            _or_none(found.pearson[k]),
            _or_none(found.kappa[k]),
            rule.note(found, k, bool(members[k])),
        )
        for k, name in enumerate(annotations.annotators)
    ]


def _or_none(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _check(min_correlation: float, min_kappa: float, min_common: int, confidence: float) -> None:
    for name, value in (("least correlation", min_correlation), ("least kappa", min_kappa)):
        if not -1.0 <= value <= 1.0:
            raise ValueError(f"the {name} is {value:g}; give one from -1 to 1")
    if min_common < 2:
        raise ValueError(f"annotators are to be judged on {min_common} pairs; a correlation needs at least 2")
    if not 0.5 <= confidence < 1.0:
        raise ValueError(f"the confidence is {confidence:g}; give one from 0.5 to under 1")
