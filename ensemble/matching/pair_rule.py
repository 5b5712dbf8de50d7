"""Rule by which scored pairs are called the same, left for review, or called different."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from ..core.decision import DIFFERENT, SAME, UNSURE
from ..core.model_decision import decision_of
from ..differences.facts import KINDS
from ..loading import Model
from .texts import TextRows


def pair_table(
    sides: Sequence[TextRows],
    rows: Sequence[np.ndarray],
    results: pa.RecordBatch,
) -> pa.Table:
    """Return a table of k pairs of rows.

    The columns are ``row1`` and ``row2``, which count from 1, ``id1`` and ``id2`` where rows have names, ``sentence1``
    and ``sentence2``, and those of the results.

    Parameters
    ----------
    sides
        Tables of the first and of the second rows.
    rows
        For each side the rows, shape (k,), int64, from 0.
    results
        Scores and other columns, k rows.
    """
    columns: dict[str, pa.Array | pa.ChunkedArray] = {}
    fields: list[pa.Field] = []

    def add(field: pa.Field, values: pa.Array | pa.ChunkedArray) -> None:
        fields.append(field)
        columns[field.name] = values

    for side, of_side in enumerate(rows, 1):
        add(pa.field(f"row{side}", pa.int64()), pa.array(of_side + 1, pa.int64()))
    for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1):
        if table.ids is not None:
            add(pa.field(f"id{side}", table.ids.type), table.ids.take(pa.array(of_side)))
    for side, (table, of_side) in enumerate(zip(sides, rows, strict=True), 1):
        texts = pa.array([table.texts[row] for row in of_side.tolist()], pa.string())
        add(pa.field(f"sentence{side}", pa.string()), texts)
    for field, values in zip(results.schema, results.columns, strict=True):
        add(field, values)
    return pa.table([columns[field.name] for field in fields], schema=pa.schema(fields))


SHARE = 0.8
"""Place on the scale from which a pair is the same, if nothing is said: 4 of 0 to 5."""

APART = ("date", "unit", "number", "name", "modality", "quantifier", "negation", "role", "antonym")
"""Kinds of differences that keep two texts apart, if nothing is said: all but words that one text adds."""


@dataclass(frozen=True)
class PairRule:
    """Thresholds of the score, and differences that no score outweighs.

    Attributes
    ----------
    same_from
        Score, on the scale of the model, from which a pair is the same.
    unsure_from
        Score from which a pair that is not the same is left for review; at most `same_from`.
    apart
        Kinds of differences (`differences.KINDS`): a pair that has one is left for review, whatever its score.
    """

    same_from: float
    unsure_from: float
    apart: tuple[str, ...] = ()

    def verdicts(self, scores: np.ndarray) -> np.ndarray:
        """Return for each score, shape (n,), one of ``same``, ``unsure`` and ``different``."""
        return np.select([scores >= self.same_from, scores >= self.unsure_from], [SAME, UNSURE], DIFFERENT)


def pair_rule(
    model: Model,
    decide: bool = False,
    at_least: float | None = None,
    review_from: float | None = None,
    apart: Sequence[str] = (),
) -> PairRule:
    """Return the rule that is asked for.

    Parameters
    ----------
    model
        The fitted model.
    decide
        Whether the thresholds are those of the model's decision.
    at_least, review_from
        Scores otherwise: `PairRule.same_from`, by default the place `SHARE` on the scale, and `PairRule.unsure_from`,
        by default the same.
    apart
        Kinds of differences.

    Raises
    ------
    ValueError
        If a score is off the scale, the thresholds are out of order, or a kind is unknown.
    samewise.models.bundle.BundleError
        If a decision is asked for and the model has none.
    """
    unknown = next((kind for kind in apart if kind not in KINDS), None)
    if unknown is not None:
        raise ValueError(f"a kind of difference must be one of {', '.join(KINDS)}, got {unknown!r}; name one of these")
    scale = model.scale
    if decide:
        if at_least is not None or review_from is not None:
            raise ValueError("the thresholds must be those of the decision or be given, got both; leave one out")
        decision = decision_of(model.parts)
        if decision.same_from is None:
            raise ValueError(
                "the decision of the model must call some pairs the same, got none; run samewise threshold with "
                "another rule"
            )
        below = decision.same_from if decision.different_below is None else decision.different_below
        return PairRule(decision.same_from, below, tuple(apart))
    same_from = scale.low + SHARE * (scale.high - scale.low) if at_least is None else at_least
    unsure_from = same_from if review_from is None else review_from
    if not scale.low <= unsure_from <= same_from <= scale.high:
        raise ValueError(
            f"the scores for review and for sameness must be in order from {scale.low:g} to {scale.high:g}, got "
            f"{unsure_from:g} and {same_from:g}; correct them"
        )
    return PairRule(same_from, unsure_from, tuple(apart))
