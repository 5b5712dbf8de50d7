"""Models that read a sentence encoder of the user's: it is named, checked and not stored, as word vectors are."""

import json
import shutil
import sys
from types import ModuleType

import numpy as np
import pyarrow.parquet as pq
import pytest
from samewise.ensemble.core.bundle_parts import USER_RESOURCES
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.loading import ModelRef, load
from samewise.ensemble.scoring import predict_file
from samewise.features.encoders.encoder_folders import load_encoder
from samewise.features.pipeline.catalogue import all_features
from samewise.features.pipeline.user_supplied import GIVEN
from samewise.models.bundle import BundleError
from sklearn.base import clone

from ...conftest import PAIRS
from ...features.encoders.test_sentence_encoder import made_folder
from .test_user_vectors import GOLD, SMALL, run, write_vectors

FEATURES = ["user_contextual.cosine", "user_contextual.match", "bow.one_hot"]


def fitted(encoder, features=FEATURES, **settings):
    settings = {"members": ("gbm",), "member_params": SMALL, "interval": None, **settings}
    return SimilarityEnsemble(features, encoder=encoder, **settings).fit(PAIRS, GOLD)


def other_encoder(folder):
    """An encoder that differs from that of `made` in how it pools."""
    path = made_folder(folder)
    (path / "1_Pooling" / "config.json").write_text(json.dumps({"pooling_mode_cls_token": True}))
    return path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with an encoder and a model on it."""
    folder = tmp_path_factory.mktemp("encoder")
    fitted(made_folder(folder)).save(folder / "model")
    return folder


@pytest.fixture
def moved(made, tmp_path):
    """The model without the encoder where it was, and the encoder elsewhere."""
    shutil.copytree(made / "model", tmp_path / "model")
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    manifest["training"]["encoder"]["path"] = str(tmp_path / "gone")
    (tmp_path / "model" / "manifest.json").write_text(json.dumps(manifest))
    shutil.copytree(made / "mine", tmp_path / "elsewhere")
    return tmp_path


def test_what_a_user_gives_has_a_keyword_an_option_and_a_family():
    assert {kind.name: f"--{key}" for key, kind in USER_RESOURCES.items()} == GIVEN
    for kind in USER_RESOURCES.values():
        readers = {
            value.family for value in all_features() if kind.name in value.needs or kind.replaces in value.tables
        }
        assert kind.family in readers and (kind.replaces is not None or len(readers) == 1)


def test_the_bundle_names_the_encoder_and_does_not_hold_it(made):
    model = load(made / "model")
    path = (made / "mine").resolve()
    assert model.manifest["training"]["encoder"] == {"name": "mine", "path": str(path)}
    assert model.manifest["given"] == {"user_encoder": load_encoder(path).digest}
    assert "user_encoder" not in model.manifest["resources"]
    assert not any("encoder" in file.name or file.suffix == ".onnx" for file in (made / "model").iterdir())
    assert model.user_files == {"encoder": path}
    assert model.probe_difference() == 0


def test_the_values_come_from_the_encoder(made, tmp_path):
    other, model = fitted(other_encoder(tmp_path)), load(made / "model")
    assert other.signature != model.signature
    assert np.abs(other.predict(PAIRS) - model.predict(PAIRS)).max() > 0.01


def test_a_moved_encoder_is_found_where_one_says(moved):
    with pytest.raises(BundleError, match="needs the sentence encoder 'mine', not found at '.*gone'; pass --encoder"):
        load(moved / "model")
    elsewhere = moved / "elsewhere"
    assert load(moved / "model", encoder=elsewhere).probe_difference() == 0
    estimator = SimilarityEnsemble.load(moved / "model", encoder=elsewhere)
    assert (estimator.encoder, estimator.vectors) == (elsewhere, None)
    assert clone(estimator).encoder == elsewhere


def test_another_encoder_is_refused(moved):
    with pytest.raises(
        BundleError, match=r"needs the sentence encoder 'mine': the sentence encoder '.*' must have the digest \w+"
    ):
        load(moved / "model", encoder=other_encoder(moved))
    with pytest.raises(
        BundleError, match="needs the sentence encoder 'mine': an encoder must be a folder, got '.*nowhere'"
    ):
        load(moved / "model", encoder=moved / "nowhere")


def test_features_without_an_encoder_and_an_encoder_without_features(made):
    with pytest.raises(ValueError, match=r"cosine needs your sentence encoder; pass --encoder \(in Python, encoder=\)"):
        fitted(None)
    with pytest.raises(ValueError, match="no feature reads the sentence encoder '.*mine'; add user_contextual"):
        fitted(made / "mine", features="bow.one_hot")
    with pytest.raises(
        ValueError, match="the model 'surface' reads no user-supplied sentence encoder; leave '.*mine' out"
    ):
        load("surface", encoder=made / "mine")


def test_workers_read_the_encoder_where_it_is(moved):
    table, out, elsewhere = moved / "pairs.jsonl", moved / "out.jsonl", moved / "elsewhere"
    texts = [(f"{a} {k}", b) for k in range(3) for a, b in PAIRS]
    table.write_text("".join(json.dumps({"sentence1": a, "sentence2": b}) + "\n" for a, b in texts))
    predict_file(table, out, model=ModelRef(moved / "model", encoder=elsewhere), workers=2, batch_size=16)
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [row["score"] for row in rows] == load(moved / "model", encoder=elsewhere).predict(texts).tolist()


def test_an_encoder_from_a_hub_keeps_its_name(made, monkeypatch):
    hub = ModuleType("huggingface_hub")
    hub.snapshot_download = lambda name, allow_patterns: str(made / "mine")
    monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
    model = fitted("some/encoder")
    path = str((made / "mine").resolve())
    assert model.predictor_.manifest["training"]["encoder"] == {"name": "some/encoder", "path": path}
    assert model.signature == load(made / "model", encoder="some/encoder").signature


@pytest.mark.slow
def test_commands_with_vectors_too(made, tmp_path):
    table, model = tmp_path / "pairs.csv", tmp_path / "model"
    rows = [f'"{a} {k}","{b}",{score:.2f}' for (a, b), score in zip(PAIRS, GOLD, strict=True) for k in range(12)]
    table.write_text("\n".join(["sentence1,sentence2,score", *(row for row in rows if '""' not in row)]) + "\n")
    vectors = write_vectors(tmp_path / "words.vec")
    shutil.copytree(made / "mine", tmp_path / "here")
    given = ("--vectors", vectors, "--encoder", tmp_path / "here")
    features = "user_contextual.distance,user_embedding.cosine,bow.one_hot"
    code, _, err = run("train", table, "-o", model, "--features", features, "--members", "gbm", "--workers", 1, *given)
    assert code == 0, err
    assert load(model).manifest["training"]["command"].endswith(" --vectors words.vec --encoder here")
    assert list(load(model).user_files) == ["vectors", "encoder"]

    (tmp_path / "here").rename(tmp_path / "there")
    score = ("score", "A dog chases a cat.", "A cat runs.", "--model", model)
    code, _, err = run(*score)
    assert (code, err.count("\n")) == (1, 1)
    assert "needs the sentence encoder 'here', not found at" in err
    there = ("--encoder", tmp_path / "there")
    commands = [score[:-2], ("predict", table, "-o", tmp_path / "out.csv"), ("evaluate", table), ("info",)]
    for command in commands:
        place = (model,) if command == ("info",) else ("--model", model)
        code, out, err = run(*command, *place, *there)
        assert code == 0, err
    assert f"here {load_encoder(tmp_path / 'there').digest} at {tmp_path / 'there'}" in out

    extract = ("features", "extract", table, "-o", tmp_path / "out.parquet", "--model", "surface")
    extract = (*extract, "--features", "user_contextual.distance")
    code, _, err = run(*extract, *there)
    assert code == 0, err
    assert pq.read_table(tmp_path / "out.parquet").num_rows == len(table.read_text().splitlines()) - 1
    code, _, err = run(*extract)
    assert (code, err) == (1, "samewise: user_contextual.distance needs your sentence encoder; pass --encoder\n")
