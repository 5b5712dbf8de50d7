"""Errors of Spark in one sentence, instead of a Java trace."""

import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from ...ensemble.tables.table_reader import TableError
from ...models.bundle import BundleError

_OURS = re.compile(r"^(?:samewise\.[\w.]+Error|ValueError|OSError): (.+)$", re.MULTILINE)
_ABSENT = re.compile(r"^ModuleNotFoundError: No module named '([\w.]+)'$", re.MULTILINE)
_DIED = re.compile(r"ExecutorLostFailure|Python worker exited unexpectedly|OutOfMemoryError|SparkContext was shut down")
_NAMED = re.compile(r"^\[[A-Z_.]+\] ", re.MULTILINE)
_CAUSE = re.compile(r"(?:Caused by: |^: )?(?:java|org|com)[\w.$]*(?:Exception|Error): (.+)$", re.MULTILINE)


@contextmanager
def in_one_sentence(source: str) -> Iterator[None]:
    """Raise errors of Spark as a `ValueError` or `OSError` of one sentence, with the original as the cause.

    Parameters
    ----------
    source
        Name of the input table, for messages.
    """
    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _translated(error, source) from error


@contextmanager
def quiet_about_pandas() -> Iterator[None]:
    """Suppress Spark's warning about a new version of pandas, because no pandas data frame is made here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        yield


def _translated(error: Exception, source: str) -> Exception:
    text = str(error)
    if ours := _OURS.findall(text):
        return BundleError(ours[-1])
    if absent := _ABSENT.findall(text):
        return BundleError(
            f"the executors must have the Python package {absent[-1]!r}; install samewise[spark] on every node"
        )
    if "JAVA_GATEWAY_EXITED" in text:
        return OSError("Spark needs Java 17 or later and found none; install it, or set JAVA_HOME")
    if "PATH_NOT_FOUND" in text:
        return TableError(f"the file {source} does not exist; correct the path")
    if "UNABLE_TO_INFER_SCHEMA" in text:
        return TableError(f"{source} must hold data files, got none; name another folder")
    if "CSV header does not conform" in text:
        return TableError(
            f"the files of {source} must have the same columns, each once, got others; correct their headers"
        )
    if _DIED.search(text):
        return ChildProcessError(
            "executors of Spark died repeatedly, perhaps for lack of memory; raise "
            "spark.executor.memoryOverhead, or lower spark.executor.cores"
        )
    return TableError(f"Spark: {_gist(text)}")


def _gist(text: str) -> str:
    # Spark's named condition, or the innermost cause, or the first line, each without further lines.
    if named := _NAMED.search(text):
        return text[named.end() :].splitlines()[0]
    causes = _CAUSE.findall(text)
    return causes[-1] if causes else text.strip().splitlines()[0]
