"""Models that read word vectors: those of the user's are named and not stored, those that ship are recorded."""

import json
import os
import shutil
import subprocess
import sys

import joblib
import numpy as np
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.loading import ModelRef, load
from samewise.ensemble.scoring import predict_file
from samewise.features.lexicon.vector_files import convert_vectors, read_vectors
from samewise.features.pipeline.registry import SHIPPED_TABLES
from samewise.models.bundle import BundleError
from sklearn.base import clone
from typer.testing import CliRunner

from ...conftest import PAIRS

GOLD = np.linspace(0, 5, len(PAIRS))
SMALL = {"gbm": {"n_estimators": 10, "min_samples_leaf": 2}}
FEATURES = ["user_embedding.cosine", "user_embedding.match", "bow.one_hot"]


def write_vectors(path, seed=0):
    words = sorted({word.strip(".,;?").lower() for pair in PAIRS for text in pair for word in text.split()})
    rows = np.random.default_rng(seed).normal(size=(len(words), 4)).round(3)
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, rows, strict=True)))
    return path


def fitted(vectors, features=FEATURES, **settings):
    settings = {"members": ("gbm",), "member_params": SMALL, "interval": None, **settings}
    return SimilarityEnsemble(features, vectors=vectors, **settings).fit(PAIRS, GOLD)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with vectors, text and converted, and a model on the converted ones."""
    folder = tmp_path_factory.mktemp("vectors")
    convert_vectors(write_vectors(folder / "mine.vec"), folder / "mine")
    fitted(folder / "mine").save(folder / "model")
    return folder


@pytest.fixture
def moved(made, tmp_path):
    """The model without the vectors where it was, and the vectors elsewhere."""
    shutil.copytree(made / "model", tmp_path / "model")
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    manifest["training"]["vectors"]["path"] = str(tmp_path / "gone")
    (tmp_path / "model" / "manifest.json").write_text(json.dumps(manifest))
    shutil.copytree(made / "mine", tmp_path / "elsewhere")
    return tmp_path


def run(*arguments):
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def test_the_bundle_names_the_vectors_and_does_not_hold_them(made):
    model = load(made / "model")
    path = (made / "mine").resolve()
    assert model.manifest["training"]["vectors"] == {"name": "mine", "path": str(path)}
    assert model.manifest["given"] == {"user_vectors": read_vectors(made / "mine").digest}
    assert "user_vectors" not in model.manifest["resources"]
    assert not any("vectors" in file.name for file in (made / "model").iterdir())
    assert model.user_files == {"vectors": path}
    assert model.probe_difference() == 0


def test_the_same_vectors_as_text_are_the_same(made):
    model = load(made / "model")
    again = fitted(made / "mine.vec")
    np.testing.assert_array_equal(again.predict(PAIRS), model.predict(PAIRS))
    assert again.signature == model.signature
    np.testing.assert_array_equal(load(made / "model", vectors=made / "mine.vec").predict(PAIRS), model.predict(PAIRS))


def test_the_values_come_from_the_vectors(made, tmp_path):
    other = fitted(write_vectors(tmp_path / "other.vec", seed=1))
    assert other.signature != load(made / "model").signature
    assert np.abs(other.predict(PAIRS) - load(made / "model").predict(PAIRS)).max() > 0.01


def test_moved_vectors_are_found_where_one_says(moved):
    with pytest.raises(BundleError, match="needs the word vectors 'mine', not found at '.*gone'; pass --vectors"):
        load(moved / "model")
    model = load(moved / "model", vectors=moved / "elsewhere")
    assert model.probe_difference() == 0
    assert SimilarityEnsemble.load(moved / "model", vectors=moved / "elsewhere").vectors == moved / "elsewhere"


def test_a_place_of_a_bundle_from_elsewhere_is_not_quoted(moved):
    # A manifest may name any file of whoever loads it, or a pipe that nobody writes to.
    place = moved / "gone"
    place.write_text("password hunter2\nuser nobody\n")
    with pytest.raises(BundleError, match="got another file at") as error:
        load(moved / "model")
    assert "hunter2" not in str(error.value) and error.value.__cause__ is None
    place.unlink()
    os.mkfifo(place)
    with pytest.raises(BundleError, match="not found at"):
        load(moved / "model")
    place.unlink()


def test_other_vectors_are_refused(moved):
    other = write_vectors(moved / "other.vec", seed=1)
    with pytest.raises(
        BundleError, match=r"needs the word vectors 'mine': .* '.*other.vec' must have the digest \w+, got"
    ):
        load(moved / "model", vectors=other)
    with pytest.raises(
        BundleError, match="needs the word vectors 'mine': .* must be a file or folder, got '.*nowhere'"
    ):
        load(moved / "model", vectors=moved / "nowhere")
    (moved / "elsewhere" / "codes.npy").write_bytes(b"")
    with pytest.raises(BundleError, match="needs the word vectors 'mine': .* is not the file that its manifest"):
        load(moved / "model", vectors=moved / "elsewhere")


def test_a_manifest_without_the_place_asks_for_it(moved):
    manifest = json.loads((moved / "model" / "manifest.json").read_text())
    del manifest["training"]["vectors"]
    (moved / "model" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(BundleError, match="pass --vectors"):
        load(moved / "model")
    assert load(moved / "model", vectors=moved / "elsewhere").probe_difference() == 0


def test_features_without_vectors_and_vectors_without_features(made):
    with pytest.raises(ValueError, match=r"user_embedding.cosine needs your word vectors; pass --vectors \(in Python"):
        fitted(None)
    with pytest.raises(ValueError, match="no feature reads the word vectors '.*mine'; add user_embedding"):
        fitted(made / "mine", features="bow.one_hot")


def test_workers_read_the_vectors_where_they_are(moved):
    table = moved / "pairs.jsonl"
    texts = [(f"{a} {k}", b) for k in range(4) for a, b in PAIRS]
    table.write_text("".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in texts))
    model = load(moved / "model", vectors=moved / "elsewhere")
    for given in (ModelRef(moved / "model", vectors=moved / "elsewhere"), model):
        predict_file(table, moved / "out.jsonl", workers=2, batch_size=16, model=given)
        rows = [json.loads(line) for line in (moved / "out.jsonl").read_text().splitlines()]
        assert [row["score"] for row in rows] == model.predict(texts).tolist()


def test_the_estimator_is_cloned_and_dumped(made, tmp_path):
    model = fitted(made / "mine")
    assert clone(model).vectors == made / "mine"
    model.dump(tmp_path / "snapshot")
    np.testing.assert_array_equal(joblib.load(tmp_path / "snapshot").predict(PAIRS), model.predict(PAIRS))


@pytest.fixture
def table(tmp_path):
    rows = [
        f'"{a} {k}","{b}",{score:.2f}'
        for (a, b), score in zip(PAIRS, GOLD, strict=True)
        for k in range(12)
        if '"' not in a
    ]
    (tmp_path / "pairs.csv").write_text("\n".join(["sentence1,sentence2,score", *rows]) + "\n")
    return tmp_path / "pairs.csv"


@pytest.mark.slow
def test_commands(made, table, tmp_path):
    code, out, err = run("features", "vectors", made / "mine.vec", "-o", tmp_path / "v", "--most", 5, "--json")
    assert code == 0, err
    found = json.loads(out)
    assert (found["words"], found["dimension"], found["storage"]) == (5, 4, "int8")
    code, out, err = run("features", "vectors", made / "mine.vec", "-o", tmp_path / "w", "--storage", "float16")
    assert code == 0, err
    assert "MB of float16" in out

    options = ("--features", "user_embedding,bow.one_hot", "--members", "gbm", "--workers", 1)
    code, _, err = run("train", table, "-o", tmp_path / "model", *options)
    assert code == 1
    assert err == "samewise: user_embedding.cosine needs your word vectors; pass --vectors (in Python, vectors=)\n"
    code, _, err = run("train", table, "-o", tmp_path / "model", *options, "--vectors", tmp_path / "w")
    assert code == 0, err
    assert load(tmp_path / "model").manifest["training"]["command"].endswith(" --vectors w")

    (tmp_path / "w").rename(tmp_path / "x")
    commands = [
        ("score", "A dog chases a cat.", "A cat runs."),
        ("predict", table, "-o", tmp_path / "out.csv"),
        ("evaluate", table),
        ("features", "extract", table, "-o", tmp_path / "out.parquet"),
    ]
    for command in commands:
        code, _, err = run(*command, "--model", tmp_path / "model")
        assert code == 1
        assert "needs the word vectors 'w', not found at" in err
        assert err.count("\n") == 1
        code, _, err = run(*command, "--model", tmp_path / "model", "--vectors", tmp_path / "x")
        assert code == 0, err
    code, out, err = run("info", tmp_path / "model", "--vectors", tmp_path / "x")
    digest = read_vectors(tmp_path / "x").digest
    assert code == 0, err
    assert f"w {digest} at {tmp_path / 'x'}" in out


def test_a_model_that_reads_none_extracts_with_them_and_predicts_without(made, table, tmp_path):
    extract = ("features", "extract", table, "-o", tmp_path / "out.parquet", "--model", "surface")
    extract = (*extract, "--features", "user_embedding.match,user_embedding.kernels")
    code, _, err = run(*extract, "--vectors", made / "mine")
    assert code == 0, err
    assert pq.read_table(tmp_path / "out.parquet").num_columns == 14
    code, _, err = run(*extract)
    assert (code, err) == (1, "samewise: user_embedding.match needs your word vectors; pass --vectors\n")
    code, _, err = run(*extract, "--vectors", made / "nowhere")
    assert code == 1
    assert err.startswith("samewise: word vectors must be a file or folder")
    code, _, err = run("score", "a", "b", "--model", "surface", "--vectors", made / "mine")
    assert code == 1
    assert err == f"samewise: the model 'surface' reads no user-supplied word vectors; leave '{made / 'mine'}' out\n"


def test_a_model_records_the_shipped_vectors_that_it_reads(tmp_path, monkeypatch):
    model = fitted(None, features=["embedding_match.distilled", "bow.one_hot"])
    assert model.predictor_.level == "tokens"
    then = model.predictor_.manifest["foundations"]
    assert then == {"distilled": SHIPPED_TABLES["distilled"].digest()}
    assert model.predictor_.annotator is None
    model.save(tmp_path / "model")
    table = SHIPPED_TABLES["distilled"]
    monkeypatch.setitem(SHIPPED_TABLES.core, "distilled", table._replace(digest=lambda: "0123"))
    with pytest.raises(BundleError, match=f"trained with the distilled {then['distilled']} and here is 0123; install"):
        Predictor.load(tmp_path / "model").predict(PAIRS)


@pytest.mark.slow
def test_surface_loads_neither_vectors_nor_wordnet_nor_spacy():
    code = (
        "import sys, samewise\n"
        "from samewise.features.pipeline.registry import SHIPPED_TABLES\n"
        "samewise.load('surface').predict([('a dog', 'the dog'), ('a cat', 'one cat')])\n"
        "assert all(sum(table.load.cache_info()[:2]) == 0 for table in SHIPPED_TABLES.values())\n"
        "assert not {'spacy', 'scipy', 'sklearn', 'xgboost', 'safetensors'} & sys.modules.keys()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
