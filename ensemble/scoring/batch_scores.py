"""Scores of one record batch of pairs, in this process or any other: the unit of work."""

from collections.abc import Sequence
from typing import Protocol

import pyarrow as pa

from ..core.prediction import Prediction
from ..core.scale import Scale
from ..tables.free_names import free_names
from ..tables.plain_values import AS_WORDS

NEW_COLUMNS = ("score", "low", "high", "flags")
"""Columns that are added to every row."""

SCORES = pa.schema(
    [pa.field(name, pa.float64()) for name in NEW_COLUMNS[:3]]
    + [pa.field(NEW_COLUMNS[3], pa.list_(pa.string()), metadata=AS_WORDS)]
)
"""The columns that are added, by type."""

DEVIATION = "deviation"

PREDICTION = SCORES.append(pa.field(DEVIATION, pa.float64()))
"""The columns of `scores_of`: those of `SCORES`, and the deviation, from which probabilities follow."""


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
    """Return the scores of n pairs of texts as a batch of `PREDICTION`."""
    prediction = model.predict_pairs(list(zip(a.to_pylist(), b.to_pylist(), strict=True)))
    score, low, high, deviation = (pa.array(values, pa.float64()) for values in prediction.numbers)
    flags = pa.array(list(map(list, prediction.flags)), SCORES.types[3])
    return pa.record_batch([score, low, high, flags, deviation], schema=PREDICTION)


def prediction_of(scores: pa.RecordBatch, scale: Scale) -> Prediction:
    """Return the prediction that `scores_of` put into a batch of `PREDICTION`.

    Parameters
    ----------
    scores
        n rows.
    scale
        Scale of the model.

    Raises
    ------
    ValueError
        If it breaks a promise of `Prediction`.
    """
    score, low, high, deviation = (
        scores.column(name).to_numpy(zero_copy_only=False) for name in ("score", "low", "high", "deviation")
    )
    return Prediction(score, low, high, list(map(tuple, scores.column("flags").to_pylist())), deviation, scale)


def with_scores(batch: pa.RecordBatch, scores: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with other columns added, all but the deviation, under names that are free."""
    added = scores.select([name for name in scores.schema.names if name != DEVIATION])
    schema = batch.schema
    for name, field in zip(free_names(added.schema.names, schema.names), added.schema, strict=True):
        schema = schema.append(field.with_name(name))
    return pa.record_batch([*batch.columns, *added.columns], schema=schema)
