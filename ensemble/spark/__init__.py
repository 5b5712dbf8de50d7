"""Scores of Spark DataFrames, and of tables that Spark reads and writes."""

from importlib.util import find_spec

for name in ("pyspark", "pandas"):  # Spark asks for pandas before it hands over Arrow batches
    if find_spec(name) is None:
        raise ModuleNotFoundError(f"scoring with Spark needs {name}; pip install 'samewise[spark]'", name=name)

from .files import predict_spark  # noqa: E402
from .scoring import MISSING, UNDECODABLE, score  # noqa: E402

__all__ = ["MISSING", "UNDECODABLE", "predict_spark", "score"]
