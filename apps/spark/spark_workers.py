"""Batches of `Workers` on the executors of Spark: the same batches and functions, and so the same results."""

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql.types import BinaryType, LongType, StructField, StructType

from ...ensemble.loading import Model
from ...ensemble.scoring.worker_processes import Task, Workers
from .model_shipping import Shipment, ship, unpacked
from .spark_errors import in_one_sentence, quiet_about_pandas

AHEAD = 4
"""Batches of a job for each task that runs at a time: memory of the driver against waiting for the last task."""

_ROWS = pa.schema([pa.field("place", pa.int64()), pa.field("content", pa.binary())])
_SCHEMA = StructType([StructField("place", LongType()), StructField("content", BinaryType())])


class SparkWorkers(Workers):
    """Processes of the executors that score batches of texts; they stand in for `Workers`.

    Parameters
    ----------
    model
        The fitted model; it travels as for `spark_scores.score`.
    spark
        A classic session.
    tasks
        As for `results_of_batches`.
    """

    def __init__(self, model: Model, spark: SparkSession, tasks: int | None = None) -> None:
        super().__init__(model, 1)
        self._spark, self._tasks = spark, tasks
        self._shipment: Shipment | None = None

    def map(self, task: Task, join: Callable[[Sequence[Any]], Any], batches: Iterable[pa.RecordBatch]) -> Iterator[Any]:
        """Yield what a task returns for each batch, in order.

        Parameters
        ----------
        task
            Function that the executors import by name.
        join
            Not used: batches are not cut.
        batches
            Batches of texts; those of a job are taken together.

        Raises
        ------
        samewise.models.bundle.BundleError
            If the model cannot be loaded on an executor.
        OSError
            If executors die repeatedly.
        """
        if self._shipment is None:
            self._shipment = ship(self._spark, self._model)
        work = partial(_with_model, task=task, shipment=self._shipment)
        yield from results_of_batches(self._spark, work, batches, self._tasks)


def results_of_batches(
    spark: SparkSession,
    work: Callable[[pa.RecordBatch], Any],
    batches: Iterable[pa.RecordBatch],
    tasks: int | None = None,
) -> Iterator[Any]:
    """Yield what a function returns for each batch, in order; each batch is a task of Spark.

    Parameters
    ----------
    spark
        A classic session.
    work
        Function that the executors import by name, or a `functools.partial` of one.
    batches
        Record batches.
    tasks
        Tasks that run at a time, from which the size of a job follows; None for the default of the session. No result
        depends on it.
    """
    remaining = iter(batches)
    while job := list(islice(remaining, AHEAD * (tasks or spark.sparkContext.defaultParallelism))):
        with in_one_sentence("the table"):
            results = _run(spark, work, job)
        yield from results


def _run(spark: SparkSession, work: Callable[[pa.RecordBatch], Any], job: list[pa.RecordBatch]) -> list[Any]:
    def work_on(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for row in rows:
            for place, content in zip(*(column.to_pylist() for column in row.columns), strict=True):
                # Pickled as Spark itself and the local processes do: results are of any type.
                yield _row(place, work(pickle.loads(content)))

    # A batch of the table becomes a partition.
    table = pa.Table.from_batches([_row(place, batch) for place, batch in enumerate(job)])
    with quiet_about_pandas():
        found = spark.createDataFrame(table).mapInArrow(work_on, _SCHEMA).toArrow()
    contents = dict(zip(*(column.to_pylist() for column in found.columns), strict=True))
    return [pickle.loads(contents[place]) for place in range(len(job))]


def _row(place: int, value: Any) -> pa.RecordBatch:
    return pa.record_batch([pa.array([place]), pa.array([pickle.dumps(value)], pa.binary())], schema=_ROWS)


def _with_model(batch: pa.RecordBatch, task: Task, shipment: Shipment) -> Any:
    return task(batch, unpacked(shipment))
