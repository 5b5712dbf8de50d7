"""Scores of a batch with how many of its sentences were known, and the differences of its pairs if asked for."""

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from ..multilingual.model import Model
from .batch_scores import scores_of
from .differences_column import differences_of


class Counted(NamedTuple):
    """Scores, and what the memory of sentences did for them.

    Attributes
    ----------
    scores
        A batch of `batch_scores.PREDICTION`.
    sentences, known
        How many values were asked for, and how many of them were known.
    differences
        Column of `differences_of`, if it was asked for.
    """

    scores: pa.RecordBatch
    sentences: int
    known: int
    differences: pa.Array | None = None

    @classmethod
    def join(cls, parts: Sequence["Counted"]) -> "Counted":
        """Return the scores of a batch from those of its pieces, in order."""
        found = [part.differences for part in parts if part.differences is not None]
        return cls(
            pa.concat_batches([part.scores for part in parts]),
            sum(part.sentences for part in parts),
            sum(part.known for part in parts),
            pa.concat_arrays(found) if found else None,
        )


def counted_scores(texts: pa.RecordBatch, model: Model, differences: bool = False) -> Counted:
    """Return the scores of a batch whose two columns are the texts, and if asked their differences."""
    cache = getattr(model, "sentence_cache", None)
    asked, known = (cache.asked, cache.known) if cache is not None else (0, 0)
    scores = scores_of(texts.column(0), texts.column(1), model)
    found = differences_of(texts, model) if differences else None
    if cache is not None:
        asked, known = cache.asked - asked, cache.known - known
    return Counted(scores, asked, known, found)
