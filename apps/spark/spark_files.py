"""Tables read, scored and written by Spark, for ``samewise predict --engine spark``."""

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StringType, StructField, StructType

from ...ensemble.loading import ModelLike, load
from ...ensemble.scoring import Summary
from ...ensemble.scoring.added_columns import added_columns
from ...ensemble.tables.sources import BATCH
from ...ensemble.tables.table_format import format_of_name
from ...ensemble.tables.table_reader import TableError
from ...ensemble.tables.table_writer import free_names
from ...models.profiles import DEFAULT_PROFILE
from .model_shipping import ship
from .spark_errors import in_one_sentence
from .spark_internals import SparkPath
from .spark_scores import LISTED_DIFFERENCES, checked_columns, scored
from .spark_session import session_of

RAW = "raw"
"""Name of the column with the text of malformed rows, if there are any."""

# Name of that column while Spark reads. An input column of this name would be lost, hence an unlikely name.
_BROKEN = "samewise: broken row"
_JSON: dict[str, Any] = {"columnNameOfCorruptRecord": _BROKEN}
_CSV: dict[str, Any] = {"quote": '"', "escape": '"', "header": True, "multiLine": True, **_JSON}


def predict_spark(
    source: str,
    target: str,
    *,
    model: ModelLike = DEFAULT_PROFILE,
    columns: str | Sequence[str] | None = None,
    batch_size: int = BATCH,
    format: str | None = None,
    master: str | None = None,
    decide: bool = False,
    at_least: float | None = None,
    differences: bool = False,
    covers: bool = False,
    keep_apart: Sequence[str] | None = None,
) -> Summary:
    """Write a table with scores, intervals and flags beside the columns of another, read and written by Spark.

    No row is set aside: a row that cannot be scored has null scores and a flag with the reason, as for `score`. A row
    that is not CSV or JSON is null except for its text in a column ``raw``, which exists only if there are such rows.

    Parameters
    ----------
    source
        Parquet, CSV (with a header) or JSONL: a file, a folder, a pattern, or a URL that Spark knows.
    target
        A folder or URL that does not exist, which Spark fills with files and completes with ``_SUCCESS``.
    model, columns, batch_size
        As for `score`.
    format
        Format of the source, if its name does not show it, and of a target whose name does not; without it, Parquet.
    master
        Master of Spark, such as ``yarn`` or ``spark://host:7077``. The default is that of the running session or of
        ``spark-submit``, or else this machine with all its cores.
    decide, at_least, differences, covers, keep_apart
        As for `score`.

    Returns
    -------
    Summary
        Numbers of rows and flags in the written table; `rejects` is 0.

    Raises
    ------
    TableError
        If the table cannot be read or written.
    samewise.models.bundle.BundleError
        If the model cannot be loaded on the driver or on an executor.
    OSError
        If executors die repeatedly, or Java is missing.
    """
    begin = time.perf_counter()
    if "-" in (source, target):
        raise TableError(
            "source and target must be files for Spark, got standard input or output; name a file and a folder"
        )
    source_format = _format(source, format, None)
    output_format = _format(target, format, "parquet")
    with in_one_sentence(source), session_of(master, "samewise predict", progress=True) as spark:
        place = SparkPath(spark, target)
        if place.exists():
            raise TableError(f"the target must not exist, got {target}; name another folder")
        table = _FORMATS[source_format].read(spark, source)
        texts = checked_columns(table, columns, batch_size, source)
        loaded = load(model)
        added = added_columns(loaded, decide, at_least, differences, covers, keep_apart)
        shipment = ship(spark, loaded)
        written = scored(table, texts, shipment, batch_size, added)
        try:
            summary = _counted(_FORMATS[output_format].write(written, target))
        except BaseException:
            place.remove_if_empty()
            raise
    summary.signature = shipment.signature
    summary.seconds = time.perf_counter() - begin
    return summary


def _format(path: str, given: str | None, default: str | None) -> str:
    name = format_of_name(path.rstrip("/"))[0] or given or default
    if name not in _FORMATS:
        raise TableError(
            f"the format of {path} must be one of {', '.join(_FORMATS)} with Spark, got {name}; "
            "name it, or convert the file"
        )
    return name


def _read_parquet(spark: SparkSession, source: str) -> DataFrame:
    return spark.read.parquet(source)


def _read_json(spark: SparkSession, source: str) -> DataFrame:
    return _with_raw(spark.read.json(source, **_JSON))


def _read_csv(spark: SparkSession, source: str) -> DataFrame:
    names = spark.read.csv(source, **_CSV).columns
    if not names:
        raise TableError(f"{source} is empty")
    schema = StructType([StructField(name, StringType()) for name in [*names, _BROKEN]])
    table = spark.read.schema(schema).csv(source, enforceSchema=False, **_CSV)
    # An empty field is an empty text, and a row with too few or too many fields has none.
    broken = _column(_BROKEN).isNotNull()
    columns = [F.when(~broken, F.coalesce(_column(name), F.lit(""))).alias(name) for name in names]
    # Spark looks for broken rows only with another column at hand.
    any_broken = table.select(_column(names[0]), _column(_BROKEN)).filter(broken).head(1)
    return _with_raw(table.select(*columns, _column(_BROKEN))) if any_broken else table.select(*columns)


def _with_raw(table: DataFrame) -> DataFrame:
    [raw] = free_names([RAW], table.columns, str.lower)
    return table.withColumnRenamed(_BROKEN, raw)


def _column(name: str) -> Column:
    return F.col("`" + name.replace("`", "``") + "`")


def _write_parquet(scored: DataFrame, target: str) -> DataFrame:
    scored.write.mode("errorifexists").parquet(target)
    return _reader(scored).parquet(target).select(scored.columns[-1])


def _write_json(scored: DataFrame, target: str) -> DataFrame:
    scored.write.mode("errorifexists").json(target, ignoreNullFields=False)
    return _reader(scored).json(target, **_JSON).select(scored.columns[-1])


def _write_csv(scored: DataFrame, target: str) -> DataFrame:
    flags = scored.columns[-1]
    scored = scored.withColumn(flags, F.array_join(_column(flags), " "))
    beside = scored.schema[-2]
    if beside.dataType == LISTED_DIFFERENCES:
        scored = scored.withColumn(beside.name, F.to_json(_column(beside.name)))
    quoting = {key: _CSV[key] for key in ("quote", "escape", "header")}
    writer = scored.write.mode("errorifexists")
    writer.csv(target, emptyValue="", ignoreLeadingWhiteSpace=False, ignoreTrailingWhiteSpace=False, **quoting)
    words = _reader(scored).csv(target, **_CSV).select(flags)
    return words.select(F.split(F.coalesce(flags, F.lit("")), " ").alias(flags))


def _reader(scored: DataFrame) -> DataFrameReader:
    return scored.sparkSession.read.schema(scored.schema)


class _SparkFormat(NamedTuple):
    # Writing returns the flags of what was written, read again.
    read: Callable[[SparkSession, str], DataFrame]
    write: Callable[[DataFrame, str], DataFrame]


_FORMATS = {
    "parquet": _SparkFormat(_read_parquet, _write_parquet),
    "csv": _SparkFormat(_read_csv, _write_csv),
    "jsonl": _SparkFormat(_read_json, _write_json),
}


def _counted(flags: DataFrame) -> Summary:
    summary = Summary()
    for found, count in flags.groupBy(flags.columns[0]).count().collect():
        summary.rows += count
        summary.flags.update({flag: count for flag in found if flag})
    return summary
