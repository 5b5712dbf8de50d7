"""Scores of Spark DataFrames, and of tables that Spark reads and writes."""

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .spark_files import predict_spark
    from .spark_matching import spark_engine
    from .spark_scores import MISSING, UNDECODABLE, score
    from .spark_session import session_of
    from .spark_workers import SparkWorkers, results_of_batches

__all__ = [
    "MISSING",
    "UNDECODABLE",
    "SparkWorkers",
    "predict_spark",
    "results_of_batches",
    "score",
    "session_of",
    "spark_engine",
]

_HOME = {
    "predict_spark": ".spark_files",
    "score": ".spark_scores",
    "MISSING": ".spark_scores",
    "UNDECODABLE": ".spark_scores",
    "session_of": ".spark_session",
    "spark_engine": ".spark_matching",
    "SparkWorkers": ".spark_workers",
    "results_of_batches": ".spark_workers",
}


def __getattr__(name: str) -> object:
    # On demand, so that listing the package needs no Spark.
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    for needed in ("pyspark", "pandas"):  # Spark asks for pandas before it hands over Arrow batches
        if find_spec(needed) is None:
            raise ModuleNotFoundError(f"scoring with Spark needs {needed}; pip install 'samewise[spark]'", name=needed)
    return getattr(import_module(_HOME[name], __name__), name)
