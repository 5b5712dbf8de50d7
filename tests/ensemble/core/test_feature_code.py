"""A bundle notices a shipped feature that computes something else, and accepts one that was only reworded."""

import json
import os
import subprocess
import sys

import pytest
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.feature_code import changed_features
from samewise.ensemble.core.predictor import Predictor
from samewise.models.bundle import BundleError

from ...conftest import PAIRS
from ...recipes import copy_of_package

GOLD = [(k % 11) / 2 for k in range(len(PAIRS))]
LOAD = "import sys, samewise; print(samewise.load(sys.argv[1]).probe_difference())"


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model") / "model"
    settings = {"members": ("gbm",), "member_params": {"gbm": {"n_estimators": 20}}, "interval": None}
    SimilarityEnsemble("length", **settings).fit(PAIRS, GOLD).save(folder)
    return folder


@pytest.fixture
def load_with(tmp_path, bundle):
    """Return a function that loads the bundle with a package whose file was changed by replacing one text."""
    package = copy_of_package(tmp_path)

    def load(path, old, new):
        target = package / path
        text = target.read_text(encoding="utf-8")
        assert old in text
        target.unlink()
        target.write_text(text.replace(old, new), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-W", "error::UserWarning", "-c", LOAD, str(bundle)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600)

    return load


def test_a_reworded_helper_is_accepted(load_with):
    done = load_with("features/token_sequences.py", '"""Return the code points', '"""Give the code points')
    assert done.returncode == 0, done.stderr
    assert float(done.stdout) == 0.0


def test_a_helper_that_the_features_do_not_import_may_change(load_with):
    done = load_with("features/tree_kernels/node_arrays.py", "import numpy", "ANY = 1\nimport numpy")
    assert done.returncode == 0, done.stderr


def test_a_feature_that_computes_something_else_is_refused(load_with):
    done = load_with("features/families/length.py", "return np.stack", "return 3 * np.stack")
    assert done.returncode != 0
    assert "BundleError: the feature length.size computes other values than when" in done.stderr


def test_a_feature_that_is_written_otherwise_is_named(load_with):
    done = load_with("features/families/length.py", "return np.stack", "return 1 * np.stack")
    assert done.returncode != 0, "the warning is an error here"
    assert "UserWarning: the code of length." in done.stderr and "and its values did not" in done.stderr


def test_a_malformed_record_is_refused(bundle, tmp_path):
    model = Predictor.load(bundle)
    with pytest.raises(BundleError, match="the manifest holds 'x' for the code of its features; train the model again"):
        changed_features({"feature_code": "x"}, model.features)
    assert changed_features({}, model.features) == []


def test_the_record_is_no_part_of_the_signature(bundle):
    model = Predictor.load(bundle)
    manifest = json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    assert set(manifest["feature_code"]["features"]) == {feature.full_name for feature in model.features}
    del manifest["feature_code"]
    model.manifest.pop("feature_code")
    assert model.signature == Predictor.load(bundle).signature
