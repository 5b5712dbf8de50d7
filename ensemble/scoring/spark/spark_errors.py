"""Errors of Spark in one sentence, instead of the Java trace that they come in."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ....models.bundle import BundleError
from ...tables.table_errors import TableError

_OURS = re.compile(r"^(?:samewise\.[\w.]+Error|ValueError|OSError): (.+)$", re.MULTILINE)
_ABSENT = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'$", re.MULTILINE)
_DIED = re.compile(r"ExecutorLostFailure|Python worker exited unexpectedly|OutOfMemoryError|SparkContext was shut down")
_NAMED = re.compile(r"^\[[A-Z_.]+\] ", re.MULTILINE)
_CAUSE = re.compile(r"(?:Caused by: |^: )?(?:java|org|com)[\w.$]*(?:Exception|Error): (.+)$", re.MULTILINE)


@contextmanager
def in_one_sentence(source: str) -> Iterator[None]:
    """Raise what Spark raises as a `ValueError` or `OSError` of one sentence; the original is its cause.

    Parameters
    ----------
    source
        The table that is read, for messages.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _translated(error, source) from error


@contextmanager
def quiet_about_pandas() -> Iterator[None]:
    """Suppress Spark's warning that it does not know a pandas so new: no data frame of pandas is made here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def _translated(error: Exception, source: str) -> Exception:
    text = str(error)
    if ours := _OURS.findall(text):
        return BundleError(ours[-1])
    if absent := _ABSENT.findall(text):
        return BundleError(
            f"the executors have no Python package {absent[-1]!r}; install samewise[spark] on every node"
        )
    if "JAVA_GATEWAY_EXITED" in text:
        return OSError("Spark found no Java that it can use; install Java 17 or later, or set JAVA_HOME")
    if "PATH_NOT_FOUND" in text:
        return TableError(f"there is no file {source}")
    if "UNABLE_TO_INFER_SCHEMA" in text:
        return TableError(f"{source} holds no data files")
    if "CSV header does not conform" in text:
        return TableError(f"{source} has a column twice, or files with other columns than the first; make them alike")
    if _DIED.search(text):
        return ChildProcessError(
            "executors of Spark died again and again, perhaps for want of memory; raise "
            "spark.executor.memoryOverhead, or lower spark.executor.cores"
        )
    return TableError(f"Spark: {_gist(text)}")


def _gist(text: str) -> str:
    # The innermost cause, or Spark's named condition, or the first line; without what comes on further lines.
    if named := _NAMED.search(text):
        return text[named.end() :].splitlines()[0]
    causes = _CAUSE.findall(text)
    return causes[-1] if causes else text.strip().splitlines()[0]
