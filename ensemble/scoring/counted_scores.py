"""Scores of a batch, with the number of its sentences found in the cache, and the differences if wanted."""

from collections.abc import Sequence
from typing import NamedTuple

import pyarrow as pa

from ..multilingual.model import Model
from .batch_scores import scores_of
from .differences_column import differences_of


class Counted(NamedTuple):
    """Scores, and how many values came from the cache of sentences.

    Attributes
    ----------
    scores
        A batch of `batch_scores.PREDICTION`.
    sentences, known
        Number of requested values, and of those that were in the cache.
    differences
        Column of `differences_of`, if requested.
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
