"""Session of Spark that is running, or one that is started for a run."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

from .spark_errors import quiet_about_pandas


@contextmanager
def session_of(master: str | None, name: str, progress: bool) -> Iterator[SparkSession]:
    """Yield the session that is active, or a new one, which ends with the block.

    Parameters
    ----------
    master
        Master of Spark, such as ``yarn`` or ``spark://host:7077``. The default is that of ``spark-submit``, or else
        this machine with all its cores.
    name
        Name of the application.
    progress
        Whether a new session shows Spark's own progress on a terminal.
    """
    if (active := SparkSession.getActiveSession()) is not None:
        yield active
        return
    if master is None and "PYSPARK_GATEWAY_PORT" not in os.environ:  # which spark-submit sets
        master = "local[*]"
    settings: dict[str, bool | float | int | str | None]
    settings = {"spark.ui.showConsoleProgress": str(progress and sys.stderr.isatty()).lower()}
    here = master is not None and master.startswith("local")
    if here:
        # Only this machine can connect.
        settings |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
        settings |= {"spark.ui.enabled": "false"}
    builder = SparkSession.builder.appName(name).config(map=settings)
    with quiet_about_pandas():
        spark = (builder if master is None else builder.master(master)).getOrCreate()
    try:
        if here:
            spark.sparkContext.setLogLevel("OFF")  # an error is reported once, by the exception
            if "PYSPARK_PYTHON" not in os.environ:
                spark.sparkContext.pythonExec = sys.executable
        yield spark
    finally:
        spark.stop()
