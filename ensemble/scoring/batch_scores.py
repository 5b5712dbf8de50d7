"""The unit of work: a record batch of pairs in, the same batch with scores out; in this process or any other."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from ..core.predictor import USER_RESOURCES, Prediction, Predictor, load
from ..tables.free_names import free_names
from ..tables.plain_values import AS_WORDS

NEW_COLUMNS = ("score", "low", "high", "flags")
"""What is added to every row."""

SCORES = pa.schema(
    [pa.field(name, pa.float64()) for name in NEW_COLUMNS[:3]]
    + [pa.field(NEW_COLUMNS[3], pa.list_(pa.string()), metadata=AS_WORDS)]
)
"""The columns of `scores_of`."""


class Model(Protocol):
    """What scores pairs: a `Predictor` or anything with this method."""

    def predict_pairs(self, pairs: Sequence[tuple[str, str]]) -> Prediction:
        """Return scores, intervals and flags of n pairs."""
        ...


def score_batch(batch: pa.RecordBatch, a_name: str, b_name: str, model: Model) -> pa.RecordBatch:
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


def scores_of(a: pa.Array, b: pa.Array, model: Model) -> pa.RecordBatch:
    """Return the scores of n pairs of texts as a batch of `SCORES`."""
    found = model.predict_pairs(list(zip(a.to_pylist(), b.to_pylist(), strict=True)))
    numbers = [pa.array(values, pa.float64()) for values in (found.score, found.low, found.high)]
    return pa.record_batch([*numbers, pa.array(list(map(list, found.flags)), SCORES.types[3])], schema=SCORES)


def with_scores(batch: pa.RecordBatch, scores: pa.RecordBatch) -> pa.RecordBatch:
    """Return a batch with the columns of `SCORES` added, under names that are free."""
    schema = batch.schema
    for name, field in zip(free_names(SCORES.names, schema.names), SCORES, strict=True):
        schema = schema.append(field.with_name(name))
    return pa.record_batch([*batch.columns, *scores.columns], schema=schema)


def load_model(
    model: str | Path,
    features_file: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    *,
    others: bool = False,
    cache: str | Path | None = None,
    languages: str | None = None,
    translate: str | None = None,
) -> Predictor:
    """Load a profile or a bundle, and the user's own features, word vectors and encoder that it was trained with.

    Parameters
    ----------
    model, features_file, vectors, encoder, cache
        As for `predict_file`.
    others
        Whether features are wanted that the model does not have, for which vectors and encoder may be.
    languages, translate
        What texts in other languages than English are in, and what puts them into English; see `Polyglot.of`.

    Raises
    ------
    ValueError
        If word vectors or an encoder are given to a model that reads none, or a language or translator is unknown.
    """
    from ...features.catalogue import load_features
    from ...features.sentence_cache import SentenceMemory

    loaded = load(model, load_features(features_file) if features_file is not None else (), vectors, encoder)
    for key, place in {"vectors": vectors, "encoder": encoder}.items():
        if place is not None and not (others or key in loaded.given):
            title = USER_RESOURCES[key].title
            raise ValueError(f"the model {str(model)!r} reads no {title} of yours; leave {str(place)!r} out")
    if languages is not None or translate is not None:
        from ..multilingual.multilingual_model import Polyglot

        named = "auto" if languages is None else languages
        loaded = Polyglot.of(loaded, named, "dictionary" if translate is None else translate)
    if cache is not None:
        loaded.memory = SentenceMemory(cache)
    return loaded
