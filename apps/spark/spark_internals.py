"""File systems known to Spark, through its Java objects: the one module that uses private names of pyspark.

`SparkSession._jvm` and `SparkSession._jsc`, of a classic session, were read in pyspark 4.3.
"""

from typing import Any

from pyspark.sql import SparkSession


class SparkPath:
    """Path on any file system that Spark knows."""

    def __init__(self, spark: SparkSession, path: str) -> None:
        java: Any = spark._jvm
        self._path = java.org.apache.hadoop.fs.Path(path)
        self._files = self._path.getFileSystem(spark._jsc.hadoopConfiguration())

    def exists(self) -> bool:
        """Return whether there is a file or folder at the path."""
        return bool(self._files.exists(self._path))

    def remove_if_empty(self) -> None:
        """Remove the folder at the path if it is empty: Spark removes what a failed job wrote, but not the folder."""
        if self.exists() and not len(self._files.listStatus(self._path)):
            self._files.delete(self._path, False)
