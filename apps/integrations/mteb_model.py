"""Model for MTEB (Muennighoff et al., 2023), which measures it on tasks of semantic textual similarity.

MTEB encodes the two texts of a pair separately and then asks the model for their similarity. The score of samewise is
not a function of two vectors, so the vectors carry their texts. The results ``pearson`` and ``spearman`` of a task are
those of the scores; ``cosine_pearson`` and the like are those of the sentence encoder that ships.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from ...ensemble.loading import ModelLike, load
from ...ensemble.tables.labelled_pairs import need_scores, read_pairs
from ...models.profiles import DEFAULT_PROFILE

try:
    import mteb
    from datasets import Dataset, DatasetDict
    from mteb.abstasks import AbsTaskSTS
    from mteb.models import ModelMeta
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "mteb must be installed for its model, got none; pip install mteb", name=error.name
    ) from error


class TextVectors(np.ndarray):
    """Vectors, shape (n, d), float32, with the n texts that they stand for in ``texts``."""

    texts: Sequence[str]

    def __array_finalize__(self, other: Any) -> None:
        """Drop the texts from parts and results, which have other rows."""
        self.texts = ()


class SamewiseModel:
    """Model of samewise as an encoder of MTEB, for ``mteb.evaluate``.

    Parameters
    ----------
    model
        As for `load`.
    revision, device
        Arguments that MTEB passes; they are not used.
    """

    def __init__(
        self, model: ModelLike = DEFAULT_PROFILE, revision: str | None = None, device: str | None = None
    ) -> None:
        self._model = load(model)

    def encode(self, inputs: Iterable[Mapping[str, Any]], **settings: Any) -> TextVectors:
        """Return the vectors of texts by the sentence encoder, of length 1.

        Parameters
        ----------
        inputs
            Batches, each with a list of texts under ``text``.
        **settings
            Settings of MTEB, which change nothing.
        """
        from sklearn.preprocessing import normalize

        from ...features.encoders.sentence_encoder import shipped_encoder

        texts = [str(text) for batch in inputs for text in batch["text"]]
        found = normalize(shipped_encoder().vectors(texts)).view(TextVectors)
        found.texts = texts
        return found

    def similarity_pairwise(self, embeddings1: TextVectors, embeddings2: TextVectors) -> np.ndarray:
        """Return the score of each pair of texts, shape (n,), on the scale of the model.

        Raises
        ------
        ValueError
            If the vectors are not those that `encode` returned.
        """
        pairs = list(zip(_texts(embeddings1), _texts(embeddings2), strict=True))
        return self._model.predict_pairs(pairs).score

    def similarity(self, embeddings1: TextVectors, embeddings2: TextVectors) -> np.ndarray:
        """Return the score of every first with every second text, shape (n, m); raises as `similarity_pairwise`."""
        first, second = _texts(embeddings1), _texts(embeddings2)
        return self._model.predict_pairs(list(product(first, second))).score.reshape(len(first), len(second))

    @cached_property
    def mteb_model_meta(self) -> ModelMeta:
        """Name and signature of the model, as MTEB files its results."""
        facts = {"name": "samewise/samewise", "revision": self._model.signature, "license": "apache-2.0"}
        return ModelMeta.create_empty({**facts, "open_weights": True, "modalities": ["text"]})


def local_task(name: str, table: str | Path, columns: str | Sequence[str] | None = None) -> AbsTaskSTS:
    """Return a task of MTEB whose pairs come from a local table instead of a hub.

    Parameters
    ----------
    name
        Name of a task of similarity in one language, such as ``STSBenchmark.v2``.
    table
        Table of pairs with scores on 0..5, which becomes every split that the task measures.
    columns
        As for `open_table`; a third part is the column with the score.

    Raises
    ------
    ValueError
        If the task is of another kind or of several languages, or the table has no scores.
    """
    task = mteb.get_task(name)
    if not isinstance(task, AbsTaskSTS) or len(task.hf_subsets) != 1:
        raise ValueError(f"the task must be one of similarity in one language, got {name!r}; name another")
    pairs, scores, _ = read_pairs(table, columns)
    first, second = task.column_names
    texts = {first: [a for a, _ in pairs], second: [b for _, b in pairs]}
    rows = Dataset.from_dict({**texts, "score": need_scores(scores, str(table)).tolist()})
    task.dataset = DatasetDict(dict.fromkeys(task.metadata.eval_splits, rows))
    task.data_loaded = True
    return task


def _texts(vectors: Any) -> Sequence[str]:
    texts: Sequence[str] = getattr(vectors, "texts", ())
    if len(texts) != len(vectors):
        raise ValueError("the vectors must be what encode returned, got others; do not slice or copy them")
    return texts
