"""Decision that a model carries in its manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...models.bundle import BundleError, digest
from ..differences.facts import Difference
from ..differences.keeping_apart import check_kinds, deciding_kind
from .adapted_model import ScoreBands
from .decision import Decision, Rule
from .kind_choice import ComparedPairs, choose, kinds_in
from .manifest import DECISION
from .pair_inputs import Pairs, as_pairs
from .prediction import Prediction
from .predictor import Predictor
from .scale import Scale
from .threshold_choice import Thresholds


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
    differences
        Differences between the texts of each pair, from which the kinds that keep texts apart are learned; None to
        learn none.
    """

    scores: np.ndarray
    labels: np.ndarray
    scale: Scale
    data: str
    sha256: str | None = None
    differences: Sequence[Sequence[Difference]] | None = None

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
    model: Predictor,
    labelled: LabelledScores,
    rule: Rule,
    gold_from: float,
    confidence: float = 0.95,
    keep_apart: Sequence[str] | None = None,
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
    keep_apart
        Kinds of differences that keep texts apart; None to choose them on the labelled pairs, see `kind_choice`.

    Returns
    -------
    model, decision, thresholds
        The model, its decision, and the thresholds with their figures under the rule ``cost``.

    Raises
    ------
    ValueError
        If the labelled pairs do not show that a threshold meets the demand, or kinds are given that are unknown or
        without the differences of the pairs.
    """
    model = model.with_statement()  # a manifest that does not describe the model is sealed again now, not by `save`
    given = None if keep_apart is None else check_kinds(keep_apart)
    if given and labelled.differences is None:
        raise ValueError(
            f"the differences of the pairs must be given for {', '.join(given)}, got none; find them first"
        )
    differs = kinds_in(labelled.differences or [()] * len(labelled.scores))
    pairs = ComparedPairs(labelled.scores, model.scale, labelled.same_from(gold_from), differs)
    found, kinds, tally = choose(pairs, rule, confidence, given)
    decision = Decision(
        found.same_from,
        found.different_below,
        kinds,
        rule,
        float(confidence),
        float(gold_from),
        str(labelled.scale),
        labelled.data,
        labelled.sha256,
        tally.pairs,
        tally.curve(confidence, found.same_from, found.different_below),
        ScoreBands.of(labelled.scores),
        digest(model.manifest),
    )
    return replace(model, manifest={**model.manifest, DECISION: decision.to_dict()}), decision, found


def decision_of(parts: Mapping[str, Predictor], keep_apart: Sequence[str] | None = None) -> Decision:
    """Return the decision of a model, given by its parts.

    Parameters
    ----------
    parts
        The parts.
    keep_apart
        Kinds of differences that keep texts apart; None for those of the decision.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the model has no decision, or one that is malformed, was changed or was made for another model.
    ValueError
        If the model has several parts, whose scores no threshold was chosen on, or a kind is unknown.
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
    return decision if keep_apart is None else replace(decision, keep_apart=check_kinds(keep_apart))


class Decided(NamedTuple):
    """Decisions about n pairs.

    Attributes
    ----------
    decisions
        Shape (n,): ``same``, ``different`` or ``unsure``.
    reasons
        For each pair that is unsure because a difference keeps its texts apart, the kind; None for all others, whose
        score decided.
    prediction
        The scores.
    """

    decisions: np.ndarray
    reasons: list[str | None]
    prediction: Prediction


def decide_pairs(model: Predictor, pairs: Pairs, keep_apart: Sequence[str] | None = None) -> Decided:
    """Decide about n pairs by the decision of a model; `keep_apart` and errors as for `decision_of`."""
    decision, pairs = decision_of(model.parts, keep_apart), as_pairs(pairs)
    prediction = model.predict_pairs(pairs)
    reasons = reasons_of(model, decision, pairs, prediction.score)
    return Decided(decision.decide(prediction.score, reasons), reasons, prediction)


def reasons_of(
    model: Predictor, decision: Decision, pairs: Sequence[tuple[str, str]], scores: np.ndarray
) -> list[str | None]:
    """Return for each of n pairs with a score of the same the kind of difference that keeps it apart; None for others.

    Differences are found only where they can change a decision.
    """
    reasons: list[str | None] = [None] * len(pairs)
    rows = np.flatnonzero(decision.of_same(scores)).tolist() if decision.keep_apart else []
    for row, found in zip(rows, model.differences([pairs[row] for row in rows]) if rows else [], strict=True):
        reasons[row] = deciding_kind(found, decision.keep_apart)
    return reasons
