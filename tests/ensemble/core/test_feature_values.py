"""A bundle refuses a feature that computes something else, and accepts one that was reworded or moved."""

import json
import shutil
import warnings

import pytest
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.predictor import Predictor
from samewise.features.pipeline.catalogue import load_features
from samewise.models.bundle import BundleError

from ...conftest import PAIRS

GOLD = [(k % 11) / 2 for k in range(len(PAIRS))]
OWN = """
from samewise.features.base.feature import feature

@feature("size", high=1e9)
def letters(pairs):
    return [[len(pair.a.text) + len(pair.b.text)] for pair in pairs]
"""


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "own.py").write_text(OWN, encoding="utf-8")
    settings = {"members": ("gbm",), "member_params": {"gbm": {"n_estimators": 20}}, "interval": None}
    features = ["length", *load_features(folder / "own.py")]
    SimilarityEnsemble(features, **settings).fit(PAIRS, GOLD).save(folder / "model")
    return folder


def load(folder, model="model"):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return Predictor.load(folder / model, load_features(folder / "own.py"))


def test_a_feature_that_is_written_otherwise_is_accepted(own, tmp_path):
    shutil.copytree(own, tmp_path, dirs_exist_ok=True)
    (tmp_path / "own.py").write_text(
        OWN.replace("len(pair.a.text) + len(pair.b.text)", "len(pair.a.text + pair.b.text)")
    )
    assert load(tmp_path).probe_difference() == 0


def test_a_user_supplied_feature_that_computes_something_else_is_refused(own, tmp_path):
    shutil.copytree(own, tmp_path, dirs_exist_ok=True)
    (tmp_path / "own.py").write_text(OWN.replace("+ len(pair.b.text)", ""))
    with pytest.raises(BundleError, match=r"own.letters computes other values .* restore own.py, or train the model"):
        load(tmp_path)


@pytest.mark.parametrize("change", [lambda value: value + 1, lambda value: None])
def test_a_shipped_feature_that_computes_something_else_is_refused(own, tmp_path, change):
    shutil.copytree(own, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "model" / "manifest.json"
    manifest = json.loads(path.read_text(encoding="utf-8"))
    value = change(manifest["checksums"].pop("length.size"))
    manifest["checksums"] |= {} if value is None else {"length.size": value}
    path.write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(BundleError, match=r"the feature length.size computes other values .* install samewise"):
        load(tmp_path)


def test_checksums_are_no_part_of_the_signature(own):
    model = load(own)
    assert set(model.manifest["checksums"]) == {feature.full_name for feature in model.features}
    signature = model.signature
    model.manifest["checksums"]["length.size"] += 1
    assert model.signature == signature
