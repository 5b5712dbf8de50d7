"""Decision that a model carries in its manifest."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...models.bundle import BundleError, digest
from .adapted_model import ScoreBands
from .decision import Decision, Rule
from .manifest import DECISION
from .predictor import Predictor
from .scale import Scale
from .threshold_choice import Tally, Thresholds, choose_thresholds


class LabelledScores(NamedTuple):
    """Scores of labelled pairs by a model, and the labels.

    Attributes
    ----------
    scores
        Shape (n,), on the scale of the model.
    labels, scale
        Shape (n,), and the scale that they are on.
    data, sha256
        Name of the table, and the SHA-256 of its file, None for a stream.
    """

    scores: np.ndarray
    labels: np.ndarray
    scale: Scale
    data: str
    sha256: str | None = None

    def same_from(self, label: float) -> np.ndarray:
        """Return whether the label of each pair is at least a given label, shape (n,).

        Raises
        ------
        ValueError
            If that is not a label above the lowest.
        """
        if not self.scale.low < label <= self.scale.high:
            raise ValueError(
                f"the label from which pairs are the same must be above {self.scale.low:g} and up to "
                f"{self.scale.high:g}, got {label:g}; give one on the scale of the labels"
            )
        return np.asarray(self.labels >= label)


def with_thresholds(
    model: Predictor, labelled: LabelledScores, rule: Rule, gold_from: float, confidence: float = 0.95
) -> tuple[Predictor, Decision, Thresholds]:
    """Return a model with a decision, which replaces an earlier one.

    Parameters
    ----------
    model
        The model that gave the scores.
    labelled
        Pairs drawn like those to be decided, which no member of the model was fitted on.
    rule, confidence
        Demand, and the confidence, between 0 and 1, with which it is to be met.
    gold_from
        Label from which a pair counts as the same.

    Returns
    -------
    model, decision, thresholds
        The model, its decision, and the thresholds with their figures under the rule ``cost``.

    Raises
    ------
    ValueError
        If the labelled pairs do not show that a threshold meets the demand.
    """
    model = model.with_statement()  # a manifest that does not describe the model is sealed again now, not by `save`
    tally = Tally.of(labelled.scores, labelled.same_from(gold_from), model.scale)
    found = choose_thresholds(tally, rule, confidence)
    decision = Decision(
        found.same_from,
        found.different_below,
        rule,
        confidence,
        gold_from,
        str(labelled.scale),
        labelled.data,
        labelled.sha256,
        tally.pairs,
        tally.curve(confidence, found.same_from, found.different_below),
        ScoreBands.of(labelled.scores),
        digest(model.manifest),
    )
    return replace(model, manifest={**model.manifest, DECISION: decision.to_dict()}), decision, found


def decision_of(parts: Mapping[str, Predictor]) -> Decision:
    """Return the decision of a model, given by its parts.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model has no decision, or one that is malformed or was made for another model.
    ValueError
        If the model has several parts, whose scores no threshold was chosen on.
    """
    model = parts.get("model")
    if model is None:
        raise ValueError(
            "a decision must be that of a single model, got one that also reads other languages; leave out --languages "
            "and --translate"
        )
    name = "the model" if model.ref is None else str(model.ref.model)
    name += "" if model.glossary is None else " with its glossary"
    if DECISION not in model.manifest:
        raise BundleError(f"{name} must have a decision, got none; make one with samewise threshold")
    decision = Decision.from_dict(model.manifest[DECISION], digest(model.manifest), name)
    for threshold in (decision.same_from, decision.different_below):
        if threshold is not None and not model.scale.low <= threshold <= model.scale.high:
            raise BundleError(
                f"the thresholds of {name} must be on its scale, {model.scale}, got {threshold:g}; run samewise "
                "threshold again"
            )
    return decision
