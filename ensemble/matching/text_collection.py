"""Distinct texts of one or several tables, in an order that does not depend on the rows, and their codes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from ...features.analysis import normalise
from ..multilingual.model import Model
from ..scoring.worker_processes import Workers
from .text_view import TextView
from .view_catalogue import text_views

BATCH = 4_096
"""Texts whose codes are computed together."""


class TextCollection(NamedTuple):
    """Distinct texts.

    Attributes
    ----------
    texts
        The n normalised texts, ascending.
    rows
        For each table the place of the text of each row, int64.
    """

    texts: list[str]
    rows: list[np.ndarray]

    @classmethod
    def of(cls, *tables: Sequence[str]) -> "TextCollection":
        """Return the distinct texts of tables; texts that are equal after `normalise` count as one."""
        normal = [[normalise(text) for text in table] for table in tables]
        texts = sorted({text for table in normal for text in table})
        places = {text: place for place, text in enumerate(texts)}
        rows = [np.fromiter(map(places.__getitem__, table), np.int64, len(table)) for table in normal]
        return cls(texts, rows)

    def arrow(self) -> pa.Array:
        """Return the texts as an array, from which batches of pairs are taken."""
        return pa.array(self.texts, pa.large_string())


def codes_by_view(texts: Sequence[str], names: Iterable[str], pool: Workers | None) -> dict[str, np.ndarray]:
    """Return the codes of texts, shape (n, d), int8, for each view that has any.

    Parameters
    ----------
    texts
        n texts.
    names
        Names of views.
    pool
        Processes for views that are slow; None for this process.
    """
    views: Mapping[str, TextView] = text_views()
    return {name: codes_of(texts, views[name], pool) for name in names if name in views}


def codes_of(texts: Sequence[str], view: TextView, pool: Workers | None) -> np.ndarray:
    """Return the codes of texts by a view, shape (n, d), int8; computed in batches."""
    task = partial(_codes_of_batch, name=view.name)
    if view.slow and pool is not None:
        parts = list(pool.map(task, np.concatenate, _batches(texts)))
    else:
        parts = [view.codes(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)]
    return np.concatenate(parts) if parts else view.codes([])


def _batches(texts: Sequence[str]) -> Iterator[pa.RecordBatch]:
    for start in range(0, len(texts), BATCH):
        yield pa.record_batch([pa.array(texts[start : start + BATCH], pa.string())], names=["text"])


def _codes_of_batch(batch: pa.RecordBatch, model: Model, name: str) -> np.ndarray:
    return text_views()[name].codes(batch.column(0).to_pylist())
