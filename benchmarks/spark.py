"""Score distinct pairs with Spark and without: whether the scores are equal to the last bit, and how long both take.

Spark runs here on a cluster of executors of one core each, processes of their own on this machine.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from samewise.apps.spark import predict_spark
from samewise.ensemble.loading import load
from samewise.ensemble.scoring import predict_file
from sentences import make_pairs

NEW = ["score", "low", "high", "flags"]


def session(executors: int, memory: int) -> SparkSession:
    """Return a session with so many executors of so many MB."""
    os.environ |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    builder = SparkSession.builder.master(f"local-cluster[{executors},1,{memory}]")
    for key in ("spark.driver.host", "spark.driver.bindAddress"):
        builder.config(key, "127.0.0.1")
    for key in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
        builder.config(key, "false")
    spark = builder.config("spark.executor.memory", f"{memory}m").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def write_parts(folder: Path, count: int, parts: int) -> None:
    """Write pairs with their numbers, in order, in files of the same size."""
    folder.mkdir()
    pairs = enumerate(make_pairs(count))
    size = -(-count // parts)
    for part in range(parts):
        rows = [{"id": k, "sentence1": a, "sentence2": b} for k, (a, b) in islice(pairs, size)]
        pq.write_table(pa.Table.from_pylist(rows), folder / f"{part:05}.parquet")


def main() -> None:
    """Run and print one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=50_000)
    parser.add_argument("--parts", type=int, default=16, help="files of the input")
    parser.add_argument("--model", default="surface", help="a profile or a folder")
    parser.add_argument("--executors", type=int, default=2, help="as many processes score without Spark")
    parser.add_argument("--memory", type=int, default=1024, help="of an executor's Java, in MB")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_parts(folder / "pairs", options.pairs, options.parts)
        pq.write_table(pq.read_table(folder / "pairs"), folder / "pairs.parquet")
        here = predict_file(
            folder / "pairs.parquet", folder / "here.parquet", model=options.model, workers=options.executors
        )
        started = time.perf_counter()
        spark = session(options.executors, options.memory)
        seconds = {"start": time.perf_counter() - started, "local": here.seconds}
        for run in ("first", "second"):
            target = folder / run
            source = str(folder / "pairs")
            there = predict_spark(source, str(target), model=options.model, format="parquet")
            seconds[run] = there.seconds
        # Workers of such a cluster keep what their executors print in Spark's own folder.
        printed = Path(spark._jvm.System.getenv("SPARK_HOME"), "work", spark.sparkContext.applicationId)
        spark.stop()
        shutil.rmtree(printed)
        expected, found = pq.read_table(folder / "here.parquet"), pq.read_table(target).sort_by("id")
        facts = {
            "pairs": options.pairs,
            "model": load(options.model).signature,
            "executors": options.executors,
            "seconds": {key: round(value, 1) for key, value in seconds.items()},
            "rows": found.num_rows,
            "equal": all(found.column(name).to_pylist() == expected.column(name).to_pylist() for name in ["id", *NEW]),
            "flags": there.flags == here.flags,
        }
        print(json.dumps(facts))


if __name__ == "__main__":
    main()
