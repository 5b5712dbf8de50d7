"""A model adapted to labels: the same members, another combination, scale and uncertainty."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...features.matrix import FeatureMatrix
from ...models.member import scores_of_member
from .adaptation import Adaptation, Labelled, adapted, adapted_to_yes_and_no
from .folds import sentence_groups
from .prediction import ruled
from .predictor import Predictor
from .scale import POINTS, SCALE, Scale

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
        sentences, or if yes/no labels are all the same.
    """
    batch = model.analyse(pairs)
    # Rules for texts come after everything that is adapted here.
    rows = np.flatnonzero(~ruled(model.flags(batch)))
    if len(rows) < FEWEST:
        raise ValueError(
            f"labels must be of at least {FEWEST} pairs of two different texts, got {len(rows)}; label more pairs"
        )
    batch, points = batch.take(rows), scale.points(np.asarray(labels, dtype=np.float64)[rows])
    matrix = model.extract(batch)
    scores = np.column_stack([scores_of_member(member, matrix) for member in model.members])
    labelled = Labelled(scores, FeatureMatrix(matrix.values, matrix.columns), points, sentence_groups(batch))
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
