"""Spark: on a cluster of two executors of their own on this machine, as far apart as executors elsewhere."""

import csv
import json
import os
import shutil
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import samewise.apps.spark
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.model_decision import LabelledScores, with_thresholds
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.loading import ModelRef, load
from samewise.ensemble.tables.table_reader import TableError
from samewise.features.pipeline.catalogue import load_features
from samewise.models.bundle import BundleError

from ..conftest import PAIRS

pytest.importorskip("pyspark", reason="pyspark is not installed")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("there is no Java", allow_module_level=True)

from pyspark.sql import functions as F  # noqa: E402
from samewise.apps.spark import model_shipping as shipping  # noqa: E402
from samewise.apps.spark import predict_spark, score
from samewise.apps.spark.spark_errors import in_one_sentence  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

OWN = '''
import samewise

@samewise.feature("shorter")
def mine(pairs):
    """How long the shorter text is."""
    return [[min(1.0, min(len(s.text) for s in pair) / 100)] for pair in pairs]
'''
COUNT = 2_000
PARTS = 6
QUICK = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def texts(count):
    """Pairs of sentences, no two pairs alike."""
    for k in range(count):
        a, b = PAIRS[k % len(PAIRS)]
        yield f"{a} Number {k} of {count}.", b if k % 3 else f"{b} That is {k * k}."


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the folder ``pairs`` of Parquet files, all rows together in order of ``id``."""
    folder = tmp_path_factory.mktemp("spark")
    (folder / "pairs").mkdir()
    rows = [{"id": k, "sentence1": a, "sentence2": b} for k, (a, b) in enumerate(texts(COUNT))]
    for part in range(PARTS):
        pq.write_table(pa.Table.from_pylist(rows[part::PARTS]), folder / "pairs" / f"{part}.parquet")
    return folder


@pytest.fixture(scope="module")
def spark():
    """A session with two executors, each a Java process of its own with one Python worker."""
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.extraJavaOptions": QUICK,
        "spark.executor.extraJavaOptions": QUICK,
        "spark.sql.files.minPartitionNum": PARTS,
        "spark.sql.shuffle.partitions": 2,
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        session = SparkSession.builder.master("local-cluster[2,1,1024]").config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        # Workers of such a cluster keep what their executors print in Spark's own folder; some remove it themselves.
        printed = Path(session._jvm.System.getenv("SPARK_HOME"), "work", session.sparkContext.applicationId)
        yield session
        session.stop()
        shutil.rmtree(printed, ignore_errors=True)


@pytest.fixture
def pairs(spark, place):
    """The pairs as a DataFrame of `PARTS` partitions."""
    return spark.read.parquet(str(place / "pairs"))


@pytest.fixture(scope="module")
def surface():
    return load("surface")


def jobs(spark):
    """How many jobs the session has begun."""
    return len(spark.sparkContext.statusTracker().getJobIdsForGroup())


def assert_equal(rows, model):
    """The rows, by name, are `texts` with the scores that the model gives here."""
    rows = sorted((row.asDict() if hasattr(row, "asDict") else row for row in rows), key=lambda row: row["id"])
    assert [row["id"] for row in rows] == list(range(COUNT))
    found = model.predict_pairs([(row["sentence1"], row["sentence2"]) for row in rows])
    assert [(row["sentence1"], row["sentence2"]) for row in rows] == list(texts(COUNT))
    for name, values in zip(("score", "low", "high"), found, strict=False):
        assert np.array_equal([row[name] for row in rows], values)
    assert [tuple(row["flags"]) for row in rows] == found.flags


def test_the_same_scores_as_here(pairs, spark, surface):
    before = jobs(spark)
    scored = score(pairs, model="surface", batch_size=100)
    assert jobs(spark) == before
    assert [(f.name, f.dataType.simpleString()) for f in scored.schema][-4:] == [
        ("score", "double"),
        ("low", "double"),
        ("high", "double"),
        ("flags", "array<string>"),
    ]
    assert scored.rdd.getNumPartitions() == pairs.rdd.getNumPartitions() >= PARTS
    assert_equal(scored.collect(), surface)
    assert spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() == 3  # with the driver


def test_decisions_and_probabilities_as_here(pairs, surface):
    scores = np.linspace(0, 5, 200)
    labelled = LabelledScores(scores, np.where(scores > 3, 5.0, 0.0), POINTS, "made up")
    decided, decision, _ = with_thresholds(surface, labelled, Rule("recall", 0.9), 4.0)
    some = pairs.filter("id < 30").withColumn("sentence2", F.when(F.col("id") > 0, F.col("sentence2")))
    scored = score(some, model=decided, decide=True, at_least=3.0)
    rows = sorted((row.asDict() for row in scored.collect()), key=lambda row: row["id"])
    assert scored.columns[-7:] == ["score", "low", "high", "probability", "decision", "reason", "flags"]
    assert (rows[0]["probability"], rows[0]["decision"], rows[0]["flags"]) == (None, None, ["missing"])
    prediction = surface.predict_pairs([(row["sentence1"], row["sentence2"]) for row in rows[1:]])
    assert [row["decision"] for row in rows[1:]] == decision.decide(prediction.score).tolist()
    assert [row["probability"] for row in rows[1:]] == surface.probability(prediction, 3.0).tolist()
    with pytest.raises(BundleError, match="surface must have a decision"):
        score(pairs, model="surface", decide=True)


def kill_once(victims, marks):
    """Return a function that passes batches on, but in some partitions, the first time, kills a process half-way."""

    def pass_on(batches):
        import os
        import signal

        from pyspark import TaskContext

        task = TaskContext.get()
        for batch in batches:
            half = batch.num_rows // 2
            yield batch.slice(0, half)
            mark = f"{marks}/{task.partitionId()}"
            if task.partitionId() in victims and not os.path.exists(mark):
                open(mark, "x").close()
                victim = os.getpid()
                while victims[task.partitionId()] not in os.readlink(f"/proc/{victim}/exe"):
                    victim = int(open(f"/proc/{victim}/stat").read().rpartition(")")[2].split()[1])  # its parent
                os.kill(victim, signal.SIGKILL)
            yield batch.slice(half)

    return pass_on


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_a_killed_worker_and_a_killed_executor_cost_nothing(pairs, surface, tmp_path):
    doomed = pairs.mapInArrow(kill_once({2: "python", 5: "java"}, tmp_path), pairs.schema)
    score(doomed, model="surface", batch_size=50).write.parquet(str(tmp_path / "out"))
    assert {"2", "5"} <= set(os.listdir(tmp_path))
    assert_equal(pq.read_table(tmp_path / "out").to_pylist(), surface)


def test_a_model_of_ones_own_travels(pairs, spark, place, tmp_path):
    (tmp_path / "own.py").write_text(OWN)
    [own] = load_features(tmp_path / "own.py")
    small = {"gbm": {"n_estimators": 20}}
    ensemble = SimilarityEnsemble(["bow.one_hot", own], members=("gbm",), member_params=small, interval=None)
    ensemble.fit(PAIRS, np.linspace(0, 5, len(PAIRS)))
    ensemble.save(tmp_path / "model")
    model = ensemble.predictor_
    before = len(shipping._broadcasts)
    ref = ModelRef(tmp_path / "model", features_file=tmp_path / "own.py")
    scored = score(pairs, model=ref)
    again = score(pairs, model=load(ref))
    assert len(shipping._broadcasts) == before + 1
    shutil.rmtree(tmp_path / "model")
    (tmp_path / "own.py").rename(tmp_path / "elsewhere.py")
    assert_equal(scored.collect(), model)
    assert again.schema == scored.schema
    with pytest.raises(
        ValueError, match=r"features must come from a file .* got own\.mine of own\.py from memory; name "
    ):
        score(pairs, model=model)


def test_an_executor_with_something_else_is_refused(pairs, monkeypatch):
    monkeypatch.setattr(shipping, "installed_version", lambda name: "9.9")
    with pytest.raises(
        BundleError, match=r"^the executor on \S+ has samewise \S+ and the driver 9.9; install the same"
    ):
        with in_one_sentence("pairs"):
            score(pairs.coalesce(1), model="surface").collect()


def test_what_is_checked_of_a_model_that_arrived(monkeypatch, surface):
    shipment = shipping.ship(None, surface)
    assert shipment.files is None
    monkeypatch.setattr(shipping, "_models", {})
    with pytest.raises(
        BundleError, match=r"^the executor on \S+ must score the probe as the driver does, got a difference of 0.01"
    ):
        shipping.unpacked(shipment._replace(probe=tuple(score + 0.01 for score in shipment.probe)))
    with pytest.raises(BundleError, match=r"has the model samewise:\S+ and the driver another; install the same"):
        shipping.unpacked(shipment._replace(signature="another"))
    with pytest.raises(
        BundleError,
        match=r"^the executor on \S+ cannot load the model: word vectors must be a file or folder, got '/nowh",
    ):
        shipping.unpacked(shipment._replace(ref=ModelRef("surface", vectors="/nowhere")))
    assert not shipping._models
    assert shipping.unpacked(shipment).signature == surface.signature
    assert shipping.unpacked(shipment) is shipping.unpacked(shipment)


def test_languages_and_translators_travel_by_name(monkeypatch):
    model = load("surface", languages="es,en", translate="dictionary")
    shipment = shipping.ship(None, model)
    assert shipment.files is None
    assert shipment.signature == model.signature
    pairs = [("Una mujer corta cebollas.", "Someone cuts an onion."), PAIRS[0]]
    assert shipping.unpacked(shipment).predict_pairs(pairs).score.tolist() == model.predict(pairs).tolist()
    monkeypatch.setenv("PATH", "/nowhere")
    apertium = ModelRef("surface", languages="es,en", translate="apertium")
    with pytest.raises(
        BundleError, match=r"^the executor on \S+ cannot load .*: Apertium is not installed here; install"
    ):
        shipping.unpacked(shipment._replace(ref=apertium, signature="another"))


def test_a_glossary_travels_with_the_reference(pairs, tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("chef, cook\nbill = draft law\n")
    model = load("surface", glossary=path)
    path.unlink()
    assert shipping.ship(None, model).files is None
    assert model.predict(PAIRS).tolist() != load("surface").predict(PAIRS).tolist()
    assert_equal(score(pairs, model=model).collect(), model)


def test_without_spark_one_is_told_what_to_install(monkeypatch):
    monkeypatch.setattr(samewise.apps.spark, "find_spec", lambda name: None)
    with pytest.raises(ModuleNotFoundError, match=r"needs pyspark; pip install 'samewise\[spark\]'"):
        samewise.apps.spark.score  # noqa: B018
    with pytest.raises(AttributeError, match="has no attribute 'scores'"):
        samewise.apps.spark.scores  # noqa: B018


def test_faults_of_a_table_are_found_before_any_job(spark):
    before = jobs(spark)
    wrong = {
        "a string, sentence2 string": "the DataFrame has no column 'sentence1'; its columns are: a, sentence2",
        "sentence1 string, sentence2 int": "the column 'sentence2' of the DataFrame holds int, not text; cast it",
        "sentence1 string, sentence2 string, sentence1 string": "the DataFrame has two columns named 'sentence1'",
        "sentence1 string, sentence2 void": "'sentence2' of the DataFrame holds void, not text",
    }
    for schema, message in wrong.items():
        table = spark.createDataFrame([], "x int").selectExpr(
            *(f"cast(null as {field.split()[1]}) as {field.split()[0]}" for field in schema.split(", "))
        )
        with pytest.raises(TableError, match=message):
            score(table, model="surface")
    fine = spark.createDataFrame([], "p string, q string")
    with pytest.raises(TableError, match="the columns are given as 'p'; name the two columns"):
        score(fine, model="surface", columns="p")
    with pytest.raises(ValueError, match="batch_size must be at least 1, got 0"):
        score(fine, model="surface", columns="p,q", batch_size=0)
    with pytest.raises(BundleError, match="got 'nowhere', which does not exist"):
        score(fine, model="nowhere", columns="p,q")
    assert jobs(spark) == before


def test_missing_texts_and_names_that_clash(spark, surface):
    schema = "sentence_A string, sentence_B string, Score double, `a.b` int, samewise_SCORE array<int>, low string"
    rows = [
        ("a cat", "a dog", 0.5, 1, [1], "x"),
        (None, "a dog", None, None, None, None),
        ("a cat", "a cat", 1.5, 2, [], "y"),
        ("a cat", None, 2.5, 3, [None, 2], "z"),
        (None, None, 3.5, 4, [3], ""),
        ("", "a dog", 4.5, 5, [4], "w"),
    ]
    table = spark.createDataFrame(rows, schema).coalesce(1)
    found = score(table, model="surface", batch_size=4).collect()  # also in two parts
    added = [*(f"samewise_samewise_{name}" for name in ("score", "low", "high")), "flags"]
    assert found[0].__fields__ == [*table.columns, *added]
    assert [tuple(row)[:6] for row in found] == rows
    assert [row["flags"] for row in found] == [[], ["missing"], ["identical"], ["missing"], ["missing"], ["empty"]]
    here = surface.predict_pairs([("a cat", "a dog"), ("a cat", "a cat"), ("", "a dog")])
    expected = iter(zip(here.score, here.low, here.high, strict=True))
    for row in found:
        assert tuple(row)[6:9] == ((None,) * 3 if row["flags"] == ["missing"] else next(expected))


def test_values_of_every_type_and_bytes_that_are_no_text(spark):
    columns = {
        "sentence1": "cast(unhex('80ff41') as string)",
        "sentence2": "'b'",
        "at": "timestamp '2021-03-04 05:06:07.891'",
        "day": "date '2021-03-04'",
        "sum": "cast(1.25 as decimal(10, 2))",
        "bytes": "unhex('80ff')",
        "map": "map('k', array(1, null))",
        "struct": "named_struct('x', 1, 'y', null)",
        "text": "cast(unhex('ff') as string)",
    }
    table = spark.range(1).selectExpr(*(f"{value} as {name}" for name, value in columns.items()))
    before, after = table.drop("text", "sentence1"), score(table, model="surface")
    assert after.schema.fields[:9] == table.schema.fields
    assert after.select("score", "flags").collect() == [(None, ["not_utf8"])]
    assert after.select(before.columns).collect() == before.collect()
    assert after.selectExpr("hex(text)", "hex(sentence1)").collect() == [("FF", "80FF41")]


def test_the_same_differences_as_here(spark, tmp_path, surface):
    rent = ("Tenants must pay 300 euros.", "Tenants may pay 450 euros.")
    expected = [{"kind": one.kind, "a": one.a, "b": one.b} for one in surface.differences([rent])[0]]
    assert [one["kind"] for one in expected] == ["modality", "number"]
    table = spark.createDataFrame([rent, (None, "a dog")], "sentence1 string, sentence2 string").coalesce(1)
    found = score(table, model="surface", differences=True)
    assert found.columns[2:] == ["score", "low", "high", "differences", "flags"]
    rows = found.collect()
    assert [one.asDict() for one in rows[0]["differences"]] == expected
    assert (rows[1]["differences"], rows[1]["flags"]) == (None, ["missing"])
    source, out = tmp_path / "in.csv", tmp_path / "out"
    source.write_text("sentence1,sentence2\n" + ",".join(rent) + "\n")
    predict_spark(str(source), str(out), model="surface", format="csv", differences=True)
    [row] = [row for part in out.glob("*.csv") for row in csv.DictReader(part.read_text().splitlines())]
    assert json.loads(row["differences"]) == expected


def test_case_counts_where_spark_says_so(spark):
    table = spark.createDataFrame([], "sentence1 string, sentence2 string, SCORE int")
    assert score(table, model="surface").columns[3:] == ["samewise_score", "samewise_low", "samewise_high", "flags"]
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        assert score(table, model="surface").columns[3:] == ["score", "low", "high", "flags"]
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_a_folder_to_a_folder(spark, place, surface):
    target = place / "scores"
    summary = predict_spark(str(place / "pairs"), str(target), model="surface", format="parquet")
    assert (summary.rows, summary.rejects, summary.signature) == (COUNT, 0, surface.signature)
    assert (target / "_SUCCESS").exists()
    rows = pq.read_table(target).to_pylist()
    assert_equal(rows, surface)
    assert summary.flags == Counter(flag for row in rows for flag in row["flags"])
    with pytest.raises(TableError, match=r"the target must not exist, got .*scores; name another folder"):
        predict_spark(str(place / "pairs"), str(target), model="surface", format="parquet")


def test_text_files(spark, tmp_path, surface):
    source, out, again = tmp_path / "in.csv", tmp_path / "out", tmp_path / "again.jsonl"
    hard = ['say "a", b', "line\nbreak", "", "crlf\r\nand\rcr", " blanks ", "\\", '"', "é\t"]
    lines = [f'{k},"{text.replace(chr(34), chr(34) * 2)}",a b' for k, text in enumerate(hard)]
    source.write_bytes("\n".join(["id,x.y,sentence2", *lines, "8,too,many,fields", "9,few", ""]).encode())
    summary = predict_spark(str(source), str(out), model="surface", columns="x.y,sentence2", format="csv")
    assert (summary.rows, summary.flags["missing"], summary.flags["empty"]) == (10, 2, 1)
    assert predict_spark(str(out), str(again), model="surface", columns="2,3", format="csv").rows == 10
    rows = [json.loads(line) for part in again.glob("*.json") for line in part.read_text().splitlines()]
    assert sorted(row["raw"] for row in rows if not row["id"]) == ["8,too,many,fields", "9,few"]
    rows = {int(row["id"]): row for row in rows if row["id"]}
    here = surface.predict_pairs([(text, "a b") for text in hard])
    for k, text in enumerate(hard):
        assert rows[k]["x.y"] == text
        assert float(rows[k]["score"]) == rows[k]["samewise_score"] == here.score[k]
        assert rows[k]["samewise_flags"] == list(here.flags[k]) == rows[k]["flags"].split()


def test_what_cannot_be_read_or_written(spark, tmp_path):
    (tmp_path / "empty.csv").touch()
    (tmp_path / "lines.jsonl").write_text('{"a": 1}\nnot JSON\n')
    (tmp_path / "broken.parquet").write_text("not Parquet at all")
    for name, first in {"1.csv": "sentence1,sentence2", "2.csv": "sentence2,sentence1"}.items():
        (tmp_path / "two").mkdir(exist_ok=True)
        (tmp_path / "two" / name).write_text(f"{first}\na,b\n")
    wrong = {
        "nowhere.parquet": "the file .*nowhere.parquet does not exist",
        "empty.csv": "empty.csv is empty",
        "broken.parquet": "broken.parquet is not a Parquet file",
        "lines.jsonl": "lines.jsonl has no column 'sentence1'; its columns are: ",
        "two/*.csv": "must have the same columns, each once, got others; correct their headers",
        "pairs.tsv": "pairs.tsv must be one of parquet, csv, jsonl with Spark, got tsv",
        "pairs": "pairs must be one of parquet, csv, jsonl with Spark, got None",
    }
    for name, message in wrong.items():
        with pytest.raises(TableError, match=message):
            predict_spark(str(tmp_path / name), str(tmp_path / "out"), model="surface")
        assert not (tmp_path / "out").exists()
    with pytest.raises(TableError, match="must be files for Spark, got standard input or output"):
        predict_spark("-", str(tmp_path / "out"), model="surface")
