"""A Spark DataFrame with scores: `counted_scores` over its partitions, in the order and on the nodes where they are.

This module does not schedule, shuffle or store rows: a task that Spark runs again gives the same rows.
"""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DataType, DoubleType, StringType, StructField, StructType

from ...ensemble.loading import Model, ModelLike, load
from ...ensemble.scoring.added_columns import AddedColumns, added_columns, counted_scores
from ...ensemble.scoring.batches import DIFFERENCES, with_scores
from ...ensemble.tables.arrow_rows import split_rows
from ...ensemble.tables.sources import BATCH
from ...ensemble.tables.table_reader import TableError, split_columns, text_columns
from ...ensemble.tables.table_writer import free_names
from ...ensemble.tables.text_rows import NOT_UTF8
from ...models.profiles import DEFAULT_PROFILE
from .model_shipping import Shipment, ship, unpacked
from .spark_errors import quiet_about_pandas

MISSING = "missing"
"""Flag of a row that has no score because a text of it is null."""

UNDECODABLE = "not_utf8"
"""Flag of a row that has no score because a text of it holds bytes that are not UTF-8."""

LISTED_DIFFERENCES = ArrayType(StructType([StructField(name, StringType()) for name in ("kind", "a", "b")]))
"""Type of the column ``differences``."""

_KINDS: dict[pa.DataType, DataType] = {
    pa.float64(): DoubleType(),
    pa.string(): StringType(),
    pa.list_(pa.string()): ArrayType(StringType()),
    DIFFERENCES.type: LISTED_DIFFERENCES,
}


def score(
    df: DataFrame,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: str | Sequence[str] | None = None,
    batch_size: int = BATCH,
    decide: bool = False,
    at_least: float | None = None,
    differences: bool = False,
    covers: bool = False,
    keep_apart: Sequence[str] | None = None,
) -> DataFrame:
    """Return a DataFrame with the columns ``score``, ``low``, ``high`` (double) and ``flags`` (array of strings) added.

    Columns and model are checked here; no job runs before an action asks for rows. A row with a null text keeps its
    place with null scores and the flag ``missing``; bytes that are not UTF-8 give ``not_utf8``. A name that is taken,
    as ``spark.sql.caseSensitive`` compares names, is prefixed: ``samewise_score``.

    Parameters
    ----------
    df
        Any DataFrame of a classic session.
    model
        As for `load`. A profile must be installed on the executors; the folder of a bundle, a file of features and a
        model that was fitted or changed in memory travel. A `ModelRef` names all else by path or name: word vectors, an
        encoder, a WordNet, Apertium or a module of yours must be there on every node.
    columns
        The two columns with the texts, ``"A,B"`` or a list; without it ``sentence1`` and ``sentence2``, or SICK's.
    batch_size
        Most rows scored at a time. Scores do not depend on it.
    decide, at_least, differences, covers, keep_apart
        Other columns to add, ``decision`` and ``reason``, ``probability``, ``differences``, ``covered`` and ``added``;
        see `added_columns`.

    Raises
    ------
    TableError
        If a column is missing, is there twice or holds no text.
    samewise.models.bundle.BundleError
        If the model cannot be loaded on the driver. On an executor it is raised in the job, and names the host.
    """
    texts = checked_columns(df, columns, batch_size)
    loaded = load(model)
    added = added_columns(loaded, decide, at_least, differences, covers, keep_apart)
    return scored(df, texts, ship(df.sparkSession, loaded), batch_size, added)


def checked_columns(
    df: DataFrame, columns: str | Sequence[str] | None, batch_size: int, table: str = "the DataFrame"
) -> tuple[str, str]:
    """Return the columns with the texts; parameters and errors as for `score`, `table` for messages."""
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, got {batch_size}")
    texts = text_columns(df.columns, split_columns(columns), table)
    for name in texts:
        kind = df.schema[name].dataType
        if not isinstance(kind, StringType):
            raise TableError(f"the column {name!r} of {table} holds {kind.simpleString()}, not text; cast it")
    return texts


def scored(
    df: DataFrame, texts: tuple[str, str], shipment: Shipment, batch_size: int, added: AddedColumns
) -> DataFrame:
    """Return the DataFrame with scores by the model that travels; the last column holds the flags."""
    names = df.columns
    schema = _with_new_columns(df.schema, added, df.sparkSession.conf.get("spark.sql.caseSensitive") != "true")
    # Under plain names, because Spark reads a dot in a name as a path, and `a` and `A` as the same column.
    plain = [f"c{place}" for place in range(len(names))]
    a, b = (plain[names.index(name)] for name in texts)
    named = schema.names

    def score_partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start in range(0, batch.num_rows, batch_size):
                scores = _score_rows(batch.slice(start, batch_size), a, b, unpacked(shipment), added)
                yield pa.record_batch(scores.columns, named)

    with quiet_about_pandas():
        return df.toDF(*plain).mapInArrow(score_partition, schema)


def _with_new_columns(schema: StructType, added: AddedColumns, folded: bool) -> StructType:
    wider = StructType(list(schema.fields))
    names = free_names(added.schema.names, schema.names, str.lower if folded else str)
    for name, kind in zip(names, added.schema.types, strict=True):
        wider = wider.add(name, _KINDS[kind])
    return wider


def _score_rows(batch: pa.RecordBatch, a: str, b: str, model: Model, added: AddedColumns) -> pa.RecordBatch:
    good, _, _, rejects, rows = split_rows(batch, a, b, 0)
    counted = counted_scores(good.select([a, b]), model, added.differences_from, added.covers)
    scored = with_scores(good, added.of(counted.scores, model, *counted.found))
    if not rejects:
        return scored
    places = np.full(batch.num_rows, -1)
    places[rows] = np.arange(len(rows))
    others = scored.columns[-len(added.schema) : -1]
    others = [column.take(pa.array(places, mask=places < 0)) for column in others]
    # The flags of the bad rows stand behind those of the good ones.
    places[[reject.line for reject in rejects]] = len(rows) + np.arange(len(rejects))
    reasons = [[UNDECODABLE if reject.reason == NOT_UTF8 else MISSING] for reject in rejects]
    flags = pa.concat_arrays([scored.columns[-1], pa.array(reasons, scored.schema.types[-1])]).take(pa.array(places))
    return pa.record_batch([*batch.columns, *others, flags], schema=scored.schema)
