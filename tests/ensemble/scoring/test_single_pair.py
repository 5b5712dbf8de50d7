import shutil

import pytest
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.loading import ModelRef
from samewise.models.bundle import BundleError

import samewise

A, B = "A baker kneads the dough.", "The dough is kneaded by a baker."


@pytest.fixture(scope="module")
def model():
    return samewise.load("surface")


@pytest.fixture
def loads(monkeypatch):
    """The folders that are loaded from now on, by name."""
    read, load = [], Predictor.load

    def counted(folder, *arguments, **named):
        read.append(folder.name)
        return load(folder, *arguments, **named)

    monkeypatch.setattr(Predictor, "load", counted)
    return read


@pytest.fixture
def bundles(tmp_path):
    """Two ensembles of one setting and other labels, saved."""
    pairs = [(f"{k} bakers knead dough.", f"{k % 5} bakers knead dough.") for k in range(40)]
    for name, scores in {"low": [0.5, 1.5] * 20, "high": [4.0, 5.0] * 20}.items():
        ensemble = samewise.SimilarityEnsemble("length", members=["gbm"], interval=None)
        ensemble.fit(pairs, scores).save(tmp_path / name)
    return tmp_path


def test_the_score_is_that_of_the_model(model):
    found = samewise.score(A, B, model="surface")
    assert type(found) is float
    assert found == model.predict([(A, B)])[0] == samewise.score(B, A, model=model)
    assert samewise.score(A, A, "surface") == 5.0


def test_without_a_name_the_default_profile_scores():
    assert samewise.score(A, B) == samewise.load().predict([(A, B)])[0]


def test_a_source_and_an_estimator_score(model):
    source = ModelRef("surface", languages="auto")
    assert samewise.score(A, B, source) == pytest.approx(samewise.score(A, B, model), abs=1e-12)
    pairs = [(f"{k} bakers.", f"{k % 5} bakers.") for k in range(40)]
    ensemble = samewise.SimilarityEnsemble("length", members=["gbm"], interval=None).fit(pairs, [1.0, 2.0] * 20)
    assert samewise.score(A, B, ensemble) == ensemble.predict([(A, B)])[0]


@pytest.mark.slow
def test_a_model_is_loaded_once(bundles, loads):
    for _ in range(3):
        samewise.score(A, B, model=bundles / "low")
    samewise.score(A, B, model=str(bundles / "low"))
    assert loads == ["low"]


def test_a_bundle_that_was_written_again_is_loaded_again(bundles, loads):
    before = samewise.score(A, B, model=bundles / "low")
    shutil.rmtree(bundles / "low")
    (bundles / "high").rename(bundles / "low")
    after = samewise.score(A, B, model=bundles / "low")
    assert loads == ["low", "low"]
    assert before < 2 < after


@pytest.mark.parametrize(("first", "second", "name"), [(1, "b", "first"), ("a", None, "second"), ([A], [B], "first")])
def test_a_text_must_be_a_string(first, second, name, model):
    with pytest.raises(TypeError, match=rf"^{name} must be a string, got \w+; for many pairs use "):
        samewise.score(first, second, model=model)


def test_a_model_must_exist(tmp_path):
    with pytest.raises(BundleError, match="does not exist"):
        samewise.score(A, B, model="no-such-model")
    with pytest.raises(BundleError):
        samewise.score(A, B, model=tmp_path)
    with pytest.raises(TypeError, match="model must be a profile"):
        samewise.score(A, B, model=7)
