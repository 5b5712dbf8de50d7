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
from .batches import (
    COVERS,
    DIFFERENCES,
    PREDICTION,
    SCORES,
    covers_of,
    deciding_kinds,
    differences_of,
    prediction_of,
    scores_of,
)

PROBABILITY, DECISION, REASON = "probability", "decision", "reason"
"""Columns that are added if they are asked for, before ``flags``."""


def added_schema(
    decide: bool = False, at_least: float | None = None, differences: bool = False, covers: bool = False
) -> pa.Schema:
    """Return the names and types of the columns that are added; see `added_columns`."""
    fields = [*SCORES]
    if at_least is not None:
        fields.insert(-1, pa.field(PROBABILITY, pa.float64()))
    if decide:
        fields[-1:-1] = [pa.field(DECISION, pa.string()), pa.field(REASON, pa.string())]
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

    @property
    def differences_from(self) -> float | None:
        """Score from which the columns follow from the differences of a pair; None if they never do."""
        if self.differences:
            return -np.inf
        return self.decision.same_from if self.decision is not None and self.decision.keep_apart else None

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
        differences
            The column of `differences_of`, if any follow from `differences_from`.
        covers
            The columns of `covers_of`, if requested.
        """
        columns = {name: scores.column(name) for name in SCORES.names}
        if self.at_least is not None:
            probabilities = main_part(model).probability(prediction_of(scores, model.scale), self.at_least)
            columns[PROBABILITY] = pa.array(probabilities, pa.float64())
        if self.decision is not None:
            values = scores_array(scores)
            reasons: list[str | None] = [None] * len(values)
            if differences is not None:
                same = self.decision.of_same(values).tolist()
                kinds = deciding_kinds(differences, self.decision.keep_apart)
                reasons = [kind if one else None for kind, one in zip(kinds, same, strict=True)]
            columns[DECISION] = pa.array(self.decision.decide(values, reasons).tolist(), pa.string())
            columns[REASON] = pa.array(reasons, pa.string())
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
    keep_apart: Sequence[str] | None = None,
) -> AddedColumns:
    """Return the columns that are asked for.

    Parameters
    ----------
    model
        The fitted model.
    decide
        Whether two columns are added: ``decision``, which is ``same``, ``different`` or ``unsure``, and ``reason``, the
        kind of difference that makes a pair unsure although its score is that of the same, null where the score
        decided.
    at_least
        Score of the column ``probability``.
    differences
        Whether the column ``differences`` is added: a list of the differences between the texts, each with ``kind``
        and the words ``a`` and ``b``.
    covers
        Whether the columns ``covered`` and ``added`` are added: how much of the first text the second says, and how
        much it adds, 0..1; empty where the texts are not compared.
    keep_apart
        Kinds of differences that keep texts apart: no such pair is called the same. None for those of the decision.

    Raises
    ------
    samewise.models.bundle.BundleError
        If a decision is requested and the model has none, or one that was made for another model.
    ValueError
        If `at_least` is not on the scale of the model, a kind is unknown, or kinds are given without a decision.
    """
    if keep_apart is not None and not decide:
        raise ValueError(
            f"kinds that keep texts apart must be given with a decision, got {', '.join(keep_apart) or 'none'} alone; "
            "ask for the decision, or leave them out"
        )
    if at_least is not None:
        main_part(model).probability(Prediction.of_rows(0, [], model.scale), at_least)  # or refuses it
    return AddedColumns(decision_of(model.parts, keep_apart) if decide else None, at_least, differences, covers)


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


def counted_scores(
    texts: pa.RecordBatch, model: Model, differences_from: float | None = None, covers: bool = False
) -> Counted:
    """Return the scores of a batch whose two columns are the texts, and what is requested of it.

    Parameters
    ----------
    texts
        Two columns of n rows.
    model
        The fitted model.
    differences_from
        Score from which the differences of a pair are found; None for no pair.
    covers
        Whether the shares of `covers_of` are.
    """
    before = _cache_counts(model)
    scores, differences = scores_of(texts.column(0), texts.column(1), model), None
    if differences_from is not None:
        wanted = scores_array(scores) >= differences_from
        rows = np.where(wanted, np.cumsum(wanted) - 1, wanted.sum())
        some = pa.concat_arrays(
            [differences_of(texts.filter(pa.array(wanted)), model), pa.array([[]], DIFFERENCES.type)]
        )
        differences = some.take(pa.array(rows))
    found = Found(differences, covers_of(texts, model) if covers else None)
    sentences, known = (_cache_counts(model) - before).tolist()
    return Counted(scores, sentences, known, found)


def _cache_counts(model: Model) -> np.ndarray:
    """Return how many values were requested of the cache of sentences, and found there; all parts share it."""
    caches = [part.sentence_cache for part in getattr(model, "parts", {}).values()]
    return np.asarray([caches[0].asked, caches[0].known] if caches else [0, 0])
