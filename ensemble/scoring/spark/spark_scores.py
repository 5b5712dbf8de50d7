"""A Spark DataFrame with scores: `score_batch` over its partitions, in the order and on the nodes where they are.

Nothing here schedules, shuffles or remembers rows: a task that Spark runs again gives the same rows again.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import ArrayType, DataType, DoubleType, StringType, StructType

from ...core.profiles import DEFAULT_PROFILE
from ...multilingual.model import Model
from ...multilingual.model_source import ModelLike, ModelSource
from ...tables.arrow_rows import split_rows
from ...tables.free_names import free_names
from ...tables.opening import BATCH
from ...tables.table_errors import TableError
from ...tables.table_reader import split_columns, text_columns
from ...tables.text_rows import NOT_UTF8
from .. import NEW_COLUMNS, score_batch
from .model_shipping import Shipment, ship, unpacked
from .spark_errors import quiet_about_pandas

MISSING = "missing"
"""Flag of a row that has no score because a text of it is null."""

UNDECODABLE = "not_utf8"
"""Flag of a row that has no score because a text of it holds bytes that are not UTF-8."""

_KINDS: tuple[DataType, ...] = (DoubleType(),) * 3 + (ArrayType(StringType()),)


def score(
    df: DataFrame,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: str | Sequence[str] | None = None,
    features_file: str | Path | None = None,
    vectors: str | Path | None = None,
    encoder: str | Path | None = None,
    languages: str | None = None,
    translate: str | None = None,
    batch_size: int = BATCH,
) -> DataFrame:
    """Return a DataFrame with the columns ``score``, ``low``, ``high`` (double) and ``flags`` (array of strings) added.

    Columns and model are checked here; no job runs before an action asks for rows. A row with a null text keeps its
    place with null scores and the flag ``missing``; bytes that are not UTF-8 give ``not_utf8``. A name that is taken,
    in the eyes of ``spark.sql.caseSensitive``, is prefixed: ``samewise_score``.

    Parameters
    ----------
    df
        Any DataFrame of a classic session.
    model
        A profile, which the executors have installed; or the folder of a bundle or a loaded model, which travel.
    columns
        The two columns with the texts, ``"A,B"`` or a list; without it ``sentence1`` and ``sentence2``, or SICK's.
    features_file
        Python file of your own features that the model was trained with; it travels.
    vectors, encoder
        Where the word vectors and the sentence encoder are that the model was trained with, if not where they were.
        They do not travel: the path must be there on every node.
    languages, translate
        As for `load_model`. The names travel: Apertium, or a module of yours, must be there on every node.
    batch_size
        Most rows scored at a time. Scores do not depend on it.

    Raises
    ------
    TableError
        If a column is missing, is there twice or holds no text.
    samewise.models.bundle.BundleError
        If the model cannot be loaded on the driver. On an executor it is raised in the job, and names the host.
    """
    texts = checked_columns(df, columns, batch_size)
    named = ModelSource.of(DEFAULT_PROFILE, features_file, vectors, encoder, languages=languages, translate=translate)
    shipment = ship(df.sparkSession, model, named)
    return scored(df, texts, shipment, batch_size)


def checked_columns(
    df: DataFrame, columns: str | Sequence[str] | None, batch_size: int, table: str = "the DataFrame"
) -> tuple[str, str]:
    """Return the columns with the texts; parameters and errors as for `score`, `table` for messages."""
    if batch_size < 1:
        raise ValueError(f"batch_size is {batch_size}; it must be at least 1")
    texts = text_columns(df.columns, split_columns(columns), table)
    for name in texts:
        kind = df.schema[name].dataType
        if not isinstance(kind, StringType):
            raise TableError(f"the column {name!r} of {table} holds {kind.simpleString()}, not text; cast it")
    return texts


def scored(df: DataFrame, texts: tuple[str, str], shipment: Shipment, batch_size: int) -> DataFrame:
    """Return the DataFrame with scores by the model that travels; the last column holds the flags."""
    names = df.columns
    schema = _with_new_columns(df.schema, df.sparkSession.conf.get("spark.sql.caseSensitive") != "true")
    # Under plain names, for Spark reads a dot in a name as a path and takes `a` and `A` for the same column.
    plain = [f"c{place}" for place in range(len(names))]
    a, b = (plain[names.index(name)] for name in texts)
    named = schema.names

    def score_partition(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for start in range(0, batch.num_rows, batch_size):
                scores = _score_rows(batch.slice(start, batch_size), a, b, unpacked(shipment))
                yield pa.record_batch(scores.columns, named)

    with quiet_about_pandas():
        return df.toDF(*plain).mapInArrow(score_partition, schema)


def _with_new_columns(schema: StructType, folded: bool) -> StructType:
    wider = StructType(list(schema.fields))
    names = free_names(NEW_COLUMNS, schema.names, str.lower if folded else str)
    for name, kind in zip(names, _KINDS, strict=True):
        wider = wider.add(name, kind)
    return wider


def _score_rows(batch: pa.RecordBatch, a: str, b: str, model: Model) -> pa.RecordBatch:
    good, _, _, rejects, rows = split_rows(batch, a, b, 0)
    scored = score_batch(good, a, b, model)
    if not rejects:
        return scored
    places = np.full(batch.num_rows, -1)
    places[rows] = np.arange(len(rows))
    numbers = [column.take(pa.array(places, mask=places < 0)) for column in scored.columns[-4:-1]]
    # The flags of the bad rows stand behind those of the good ones.
    places[[reject.line for reject in rejects]] = len(rows) + np.arange(len(rejects))
    reasons = [[UNDECODABLE if reject.reason == NOT_UTF8 else MISSING] for reject in rejects]
    flags = pa.concat_arrays([scored.columns[-1], pa.array(reasons, scored.schema.types[-1])]).take(pa.array(places))
    return pa.record_batch([*batch.columns, *numbers, flags], schema=scored.schema)
