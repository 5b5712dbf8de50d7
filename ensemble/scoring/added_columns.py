"""Columns that scoring adds to a table, and the counts of its rows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ..core.decision import Decision
from ..core.model_decision import decision_of
from ..core.prediction import Prediction
from ..loading import Model, main_part
from .batches import COVERS, DIFFERENCES, PREDICTION, SCORES, covers_of, differences_of, prediction_of, scores_of

PROBABILITY, DECISION = "probability", "decision"
"""Columns that are added if they are asked for, before ``flags``."""


def added_schema(
    decide: bool = False, at_least: float | None = None, differences: bool = False, covers: bool = False
) -> pa.Schema:
    """Return the names and types of the columns that are added; see `added_columns`."""
    fields = [*SCORES]
    if at_least is not None:
        fields.insert(-1, pa.field(PROBABILITY, pa.float64()))
    if decide:
        fields.insert(-1, pa.field(DECISION, pa.string()))
    if differences:
        fields.insert(-1, DIFFERENCES)
    if covers:
        fields[-1:-1] = COVERS
    return pa.schema(fields)


@dataclass(frozen=True)
class AddedColumns:
    """Columns that follow from the prediction of a model, and the differences; small and picklable.

    Attributes
    ----------
    decision
        Decision of the model; None if not requested.
    at_least
        Score, on the scale of the model, for the column ``probability``: that people give a pair this score or more.
    differences
        Whether the differences between the texts are added.
    covers
        Whether the shares that the texts say of each other are added.
    """

    decision: Decision | None = None
    at_least: float | None = None
    differences: bool = False
    covers: bool = False

    @property
    def schema(self) -> pa.Schema:
        """Names and types of the columns."""
        return added_schema(self.decision is not None, self.at_least, self.differences, self.covers)

    def of(
        self,
        scores: pa.RecordBatch,
        model: Model,
        differences: pa.Array | None = None,
        covers: pa.StructArray | None = None,
    ) -> pa.RecordBatch:
        """Return the columns of n rows.

        Parameters
        ----------
        scores
            Batch of `PREDICTION`.
        model
            The model that made it.
        differences, covers
            The columns of `differences_of` and `covers_of`, if requested.
        """
        columns = {name: scores.column(name) for name in SCORES.names}
        if self.at_least is not None:
            probabilities = main_part(model).probability(prediction_of(scores, model.scale), self.at_least)
            columns[PROBABILITY] = pa.array(probabilities, pa.float64())
        if self.decision is not None:
            columns[DECISION] = pa.array(self.decision.decide(scores_array(scores)).tolist(), pa.string())
        if self.differences:
            columns[DIFFERENCES.name] = differences
        if covers is not None:
            columns |= zip((field.name for field in COVERS), covers.flatten(), strict=True)
        return pa.record_batch([columns[name] for name in self.schema.names], schema=self.schema)


def added_columns(
    model: Model,
    decide: bool = False,
    at_least: float | None = None,
    differences: bool = False,
    covers: bool = False,
) -> AddedColumns:
    """Return the columns that are asked for.

    Parameters
    ----------
    model
        The fitted model.
    decide
        Whether the column ``decision`` is added: ``same``, ``different`` or ``unsure``.
    at_least
        Score of the column ``probability``.
    differences
        Whether the column ``differences`` is added: a list of the differences between the texts, each with ``kind``
        and the words ``a`` and ``b``.
    covers
        Whether the columns ``covered`` and ``added`` are added: how much of the first text the second says, and how
        much it adds, 0..1; empty where the texts are not compared.

    Raises
    ------
    samewise.models.bundle.BundleError
        If a decision is requested and the model has none, or one that was made for another model.
    ValueError
        If `at_least` is not on the scale of the model.
    """
    if at_least is not None:
        main_part(model).probability(Prediction.of_rows(0, [], model.scale), at_least)  # or refuses it
    return AddedColumns(decision_of(model.parts) if decide else None, at_least, differences, covers)


def no_rows(added: AddedColumns) -> pa.RecordBatch:
    """Return a batch of the columns without rows."""
    return pa.RecordBatch.from_pylist([], added.schema)


def scores_array(scores: pa.RecordBatch) -> np.ndarray:
    """Return the scores of a batch of `PREDICTION`, shape (n,)."""
    return np.asarray(scores.column(PREDICTION.names[0]).to_numpy(zero_copy_only=False))


class Found(NamedTuple):
    """Columns of `differences_of` and `covers_of`, each if requested."""

    differences: pa.Array | None = None
    covers: pa.StructArray | None = None

    @classmethod
    def join(cls, parts: Sequence["Found"]) -> "Found":
        """Return the columns of a batch from those of its pieces, in order."""
        columns = zip(*parts, strict=True)
        return cls(*(None if column[0] is None else pa.concat_arrays(column) for column in columns))


def found_in(texts: pa.RecordBatch, model: Model, differences: bool = False, covers: bool = False) -> Found:
    """Return what is requested of a batch whose two columns are the texts."""
    return Found(differences_of(texts, model) if differences else None, covers_of(texts, model) if covers else None)


class Counted(NamedTuple):
    """Scores, and how many values came from the cache of sentences.

    Attributes
    ----------
    scores
        A batch of `batches.PREDICTION`.
    sentences, known
        Number of requested values, and of those that were in the cache.
    found
        Columns that follow from the texts.
    """

    scores: pa.RecordBatch
    sentences: int
    known: int
    found: Found = Found()

    @classmethod
    def join(cls, parts: Sequence["Counted"]) -> "Counted":
        """Return the scores of a batch from those of its pieces, in order."""
        return cls(
            pa.concat_batches([part.scores for part in parts]),
            sum(part.sentences for part in parts),
            sum(part.known for part in parts),
            Found.join([part.found for part in parts]),
        )


def counted_scores(texts: pa.RecordBatch, model: Model, differences: bool = False, covers: bool = False) -> Counted:
    """Return the scores of a batch whose two columns are the texts, and what is requested of `found_in`."""
    before = _cache_counts(model)
    scores = scores_of(texts.column(0), texts.column(1), model)
    found = found_in(texts, model, differences, covers)
    sentences, known = (_cache_counts(model) - before).tolist()
    return Counted(scores, sentences, known, found)


def _cache_counts(model: Model) -> np.ndarray:
    """Return how many values were requested of the cache of sentences, and found there; all parts share it."""
    caches = [part.sentence_cache for part in getattr(model, "parts", {}).values()]
    return np.asarray([caches[0].asked, caches[0].known] if caches else [0, 0])
