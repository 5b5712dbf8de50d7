"""Scores of one record batch of pairs, in this process or any other: the unit of work."""

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from ..core.prediction import Prediction
from ..tables.free_names import free_names
from ..tables.plain_values import AS_WORDS

NEW_COLUMNS = ("score", "low", "high", "flags")
"""Columns that are added to every row."""

SCORES = pa.schema(
    [pa.field(name, pa.float64()) for name in NEW_COLUMNS[:3]]
    + [pa.field(NEW_COLUMNS[3], pa.list_(pa.string()), metadata=AS_WORDS)]
)
"""The columns of `scores_of`."""


class PairScorer(Protocol):
    """Anything that scores pairs, such as a `Model`."""

    def predict_pairs(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        """Return scores, intervals and flags of n pairs."""
        ...


def score_batch(batch: pa.RecordBatch, a_name: str, b_name: str, model: PairScorer) -> pa.RecordBatch:
    """Return the batch with the columns ``score``, ``low``, ``high`` (float64) and ``flags`` (lists of words) added.

    It depends on nothing but its arguments. A name that the batch uses already is prefixed (``samewise_score``).

    Parameters
    ----------
    batch
        n rows.
    a_name, b_name
        The columns with the texts.
    model
        The fitted model.
    """
    return with_scores(batch, scores_of(batch.column(a_name), batch.column(b_name), model))


def scores_of(a: pa.Array, b: pa.Array, model: PairScorer) -> pa.RecordBatch:
    """Return the scores of n pairs of texts as a batch of `SCORES`."""
    prediction = model.predict_pairs(list(zip(a.to_pylist(), b.to_pylist(), strict=True)))
    numbers = [pa.array(values, pa.float64()) for values in (prediction.score, prediction.low, prediction.high)]
    return pa.record_batch([*numbers, pa.array(list(map(list, prediction.flags)), SCORES.types[3])], schema=SCORES)


def with_scores(batch: pa.RecordBatch, scores: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with the columns of `SCORES` added, under names that are free."""
    schema = batch.schema
    for name, field in zip(free_names(SCORES.names, schema.names), SCORES, strict=True):
        schema = schema.append(field.with_name(name))
    return pa.record_batch([*batch.columns, *scores.columns], schema=schema)
