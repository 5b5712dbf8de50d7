"""A model adapted to labels: the same members, another combination, scale and uncertainty.

Scores of labelled pairs and of a table are compared. Scores are counted in bands that each hold about a tenth of the
labelled pairs. Two measures must both be large: the population stability index (Siddiqi, 2006), so that a small
difference in a large table is not reported, and the chi-square test of homogeneity, so that chance in a small one is
not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ...features.analysis.annotator import load_annotator
from ...features.base.feature import highest_level
from ...features.pipeline.matrix import FeatureMatrix
from ...features.pipeline.registry import record_of_tables
from ...models.member import scores_of_member
from .adaptation import Adaptation, Labelled, adapted, adapted_to_yes_and_no
from .folds import sentence_groups
from .prediction import ruled
from .predictor import Predictor
from .scale import POINTS, SCALE, Scale, stored_numbers
from .summary_correction import SUMMARY, SummaryCorrection, summary_of

ADAPTED = "adapted"
"""Key of the manifest: what an adaptation changed."""

FEWEST = 10
"""Fewest labels that a model can be adapted to."""


def adapt(
    model: Predictor, pairs: Sequence[tuple[str, str]], labels: np.ndarray, scale: Scale
) -> tuple[Predictor, Adaptation]:
    """Return a model adapted to labels, which answers on their scale, and the adaptation.

    Parameters
    ----------
    model
        A fitted model.
    pairs, labels
        n labelled pairs and their labels, shape (n,), on the scale.
    scale
        Scale of the labels.

    Raises
    ------
    ValueError
        If fewer than `FEWEST` labels are of pairs without identical or empty texts, if these pairs share all
        sentences, or if their labels are all the same.
    """
    batch = model.analyse(pairs)
    # Rules for texts come after everything that is adapted here.
    rows = np.flatnonzero(~ruled(model.flags(batch)))
    if len(rows) < FEWEST:
        raise ValueError(
            f"labels must be of at least {FEWEST} pairs of two different texts, got {len(rows)}; label more pairs"
        )
    labels = np.asarray(labels, dtype=np.float64)[rows]
    scale.check_varied(labels)
    batch, points = batch.take(rows), scale.points(labels)
    matrix = model.extract(batch)
    scores = np.column_stack([scores_of_member(member, matrix) for member in model.members])
    names = [member.name for member in model.members]
    # A model has one correction of each kind; an adapted one keeps its own.
    columns = matrix.select() if "correction" in names else FeatureMatrix(matrix.values, matrix.columns)
    summary = None
    if model.languages is None and SUMMARY not in names:
        level = highest_level((model, SummaryCorrection()))
        summary = summary_of(model.analyse([pairs[row] for row in rows.tolist()], level))
    labelled = Labelled(scores, columns, points, sentence_groups(batch), summary)
    if scale.binary:
        result = adapted_to_yes_and_no(model.combination, model.scale.binary, labelled)
    elif model.scale.binary:
        raise ValueError(
            f"a model of labels yes and no cannot be adapted to scores on {scale}; adapt one of scores, such as full"
        )
    else:
        result = adapted(model.combination, model.interval, labelled)
    manifest = {key: value for key, value in model.manifest.items() if key not in (SCALE, "decision")}
    manifest |= {} if scale == POINTS else {SCALE: scale.to_json()}
    manifest[ADAPTED] = _facts(model, result, len(rows))
    rule = result.corrected
    members = model.members if rule.correction is None else (*model.members, rule.correction)
    if isinstance(rule.correction, SummaryCorrection):
        annotator = model.annotator or load_annotator(model.pipeline)
        read = record_of_tables(rule.correction.tables, annotator)
        manifest["foundations"] = {**manifest.get("foundations", {}), **read}
    changed = replace(
        model, manifest=manifest, members=members, combination=rule.combination, interval=result.uncertainty
    )
    return changed, result


def _facts(model: Predictor, result: Adaptation, count: int) -> Mapping[str, Any]:
    tried = {each.name: {"error": each.error, "standard_error": each.standard_error} for each in result.tried}
    return {
        "from": model.signature,
        "labels": count,
        "change": result.chosen,
        "measure": result.measure,
        "tried": tried,
    }


BANDS = 10

FEWEST_SCORES = 50
"""With fewer scores on either side nothing is said."""

LEAST_INDEX = 0.1
"""Index from which a distribution is usually said to have shifted somewhat; from 0.25, clearly."""

LARGEST_CHANCE = 0.001
"""Largest p-value of the test at which a shift is reported."""


class Shift(NamedTuple):
    """Difference of two distributions of scores."""

    stability_index: float  # population stability index, 0 or more
    chance: float  # the p-value of the chi-square test, 0..1

    @property
    def clear(self) -> bool:
        """True if the difference is to be reported."""
        return self.stability_index >= LEAST_INDEX and self.chance <= LARGEST_CHANCE


@dataclass(frozen=True)
class ScoreBands:
    """Counts of scores in bands.

    Attributes
    ----------
    edges
        Increasing scores; a score that is an edge belongs to the band above it.
    counts
        Scores in each band, one more than edges.
    """

    edges: tuple[float, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, scores: np.ndarray) -> "ScoreBands":
        """Return bands with about equally many of the scores, shape (n,), in each; fewer bands if many are equal."""
        edges = np.unique(np.quantile(scores, np.arange(1, BANDS) / BANDS, method="inverted_cdf"))
        edges = edges[edges > scores.min()]
        return cls(tuple(edges.tolist()), tuple(_counts(edges, scores).tolist()))

    def counts_of(self, scores: np.ndarray) -> np.ndarray:
        """Return the number of other scores, shape (n,), in each band."""
        return _counts(np.asarray(self.edges), scores)

    def shift(self, counts: np.ndarray) -> Shift | None:
        """Return the shift of other scores, counted by `counts_of`; None if there are too few to measure it."""
        own, other = np.asarray(self.counts), np.asarray(counts)
        if min(own.sum(), other.sum()) < FEWEST_SCORES or len(own) < 2:
            return None
        from scipy.stats import chi2_contingency

        # Half a score more in each band, so that an empty one has a logarithm.
        expected, seen = ((each + 0.5) / (each + 0.5).sum() for each in (own, other))
        index = float(((seen - expected) * np.log(seen / expected)).sum())
        filled = own + other > 0
        table = np.stack([own[filled], other[filled]])
        return Shift(index, float(chi2_contingency(table, correction=False).pvalue))

    def to_dict(self) -> dict[str, Any]:
        """Return the bands as JSON values."""
        return {"edges": list(self.edges), "counts": list(self.counts)}

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> "ScoreBands":
        """Return the bands of `to_dict`; raise KeyError, TypeError or ValueError for other facts."""
        edges, counts = stored_numbers(facts["edges"]), facts["counts"]
        whole = all(type(count) is int and count >= 0 for count in counts)
        if not (whole and len(counts) == len(edges) + 1 and bool((np.diff(edges) > 0).all())):
            raise ValueError("bands of scores must be one more than their increasing edges")
        return cls(edges, tuple(counts))


class ShiftWatch:
    """Comparison of scores that come in parts with the scores of some bands."""

    def __init__(self, bands: ScoreBands) -> None:
        self._bands = bands
        self._counts = np.zeros(len(bands.counts), np.int64)

    def add(self, scores: np.ndarray) -> None:
        """Count scores, shape (n,)."""
        self._counts += self._bands.counts_of(scores)

    @property
    def shift(self) -> Shift | None:
        """The difference; see `ScoreBands.shift`."""
        return self._bands.shift(self._counts)


def _counts(edges: np.ndarray, scores: np.ndarray) -> np.ndarray:
    return np.bincount(np.searchsorted(edges, scores, side="right"), minlength=len(edges) + 1)
