"""Matching on the executors of Spark: the search for candidates, and all that a model reads.

The driver reads and writes the tables. It prepares the searched texts once, as an `Index` whose files travel to the
executors, and decides for all queries together whether graphs are searched, so that no link depends on a partition.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np
import pyarrow as pa

from ...ensemble.loading import Model
from ...ensemble.matching.graph_index import can_index
from ...ensemble.matching.index import Index
from ...ensemble.matching.text_index import CandidateSettings, Links, TextIndex
from .spark_session import session_of
from .spark_workers import SparkWorkers, results_of_batches

if TYPE_CHECKING:
    from pyspark import Broadcast
    from pyspark.sql import SparkSession

QUERIES = 8_192
"""Most queries of a task."""

_TEXT = "text"


@contextmanager
def spark_engine(master: str | None = None) -> Iterator["SparkEngine"]:
    """Yield the engine of the active session of Spark, or of a new one with this master; see `session_of`."""
    with session_of(master, "samewise", progress=False) as spark:
        yield SparkEngine(spark)


class SparkEngine:
    """Engine that searches and scores on the executors of a session; see `pipeline.MatchingEngine`."""

    def __init__(self, spark: "SparkSession", tasks: int | None = None) -> None:
        self._spark, self._tasks = spark, tasks

    def pool(self, model: Model) -> SparkWorkers:
        """Return the processes of the executors that read texts by a model."""
        return SparkWorkers(model, self._spark, self._tasks)

    def links(
        self,
        index: TextIndex,
        queries: Sequence[str],
        codes: Mapping[str, np.ndarray],
        settings: CandidateSettings,
        threads: int,
    ) -> Links:
        """Return the texts close to each query; as `TextIndex.links`."""
        prepared = index.prepared(len(queries), settings, threads)
        tasks = self._tasks or self._spark.sparkContext.defaultParallelism
        size = min(QUERIES, -(-len(queries) // tasks)) or 1
        batches = (_batch(queries, codes, index.codes, start, size) for start in range(0, len(queries), size))
        files = self._spark.sparkContext.broadcast(_files_of(index))
        try:
            work = partial(_links_of_batch, name=uuid4().hex, files=files, settings=prepared)
            found = list(results_of_batches(self._spark, work, batches, tasks))
        finally:
            files.destroy()
        nothing = np.empty(0, np.int64)
        rows = np.concatenate([nothing, *(links.queries + part * size for part, links in enumerate(found))])
        places = np.concatenate([nothing, *(links.texts for links in found)])
        return Links(rows, places, index.recall(codes, prepared, threads))


def _batch(
    queries: Sequence[str], codes: Mapping[str, np.ndarray], views: Mapping[str, np.ndarray], start: int, size: int
) -> pa.RecordBatch:
    part = slice(start, start + size)
    columns = {_TEXT: pa.array(queries[part], pa.string())}
    for name in views:
        values = codes[name][part]
        columns[f"{name} codes"] = pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), values.shape[1])
    return pa.record_batch(columns)


def _files_of(index: TextIndex) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        Index(index, np.empty(0, np.int64)).save(folder)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir()}


_opened: dict[str, TextIndex] = {}


def _links_of_batch(
    batch: pa.RecordBatch, name: str, files: "Broadcast[dict[str, bytes]]", settings: CandidateSettings
) -> Links:
    index = _unpacked(name, files, settings)
    codes = {
        view: batch.column(f"{view} codes").flatten().to_numpy().reshape(batch.num_rows, -1) for view in index.codes
    }
    return index.close(batch.column(_TEXT).to_pylist(), codes, settings, 1)


def _unpacked(name: str, files: "Broadcast[dict[str, bytes]]", settings: CandidateSettings) -> TextIndex:
    if not settings.exact and not can_index():
        raise ModuleNotFoundError("No module named 'usearch'", name="usearch")
    if name not in _opened:
        _opened.clear()  # that of another search
        # What is mapped into memory outlives its file.
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            for file, content in files.value.items():
                Path(folder, file).write_bytes(content)
            _opened[name] = Index.open(folder).texts
    return _opened[name]
