"""Copies of models by pickle and deepcopy: they work before and after the first prediction, and score the same."""

import copy
import pickle
from functools import lru_cache

import joblib
import numpy as np
import pytest
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.pair_features import PairFeatures
from samewise.ensemble.loading import ModelRef, load
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.features.analysis.annotator import load_annotator
from samewise.models.profiles import ALL_PROFILES, is_installed

from ...conftest import PAIRS

TWO = [("A dog runs in the park.", "The dogs were running."), ("Shares fell by 4 %.", "It rains in Spain.")]
SMALL = {"rf": {"n_estimators": 5}, "gbm": {"n_estimators": 5}, "xgb": {"n_estimators": 5}}
WAYS = {"pickle": lambda value: pickle.loads(pickle.dumps(value)), "deepcopy": copy.deepcopy}


def check_copies(model, predict):
    """Copies of a model that was not used yet, and of the same after it scored."""
    first = {name: way(model) for name, way in WAYS.items()}
    size = len(pickle.dumps(model))
    expected = predict(model)
    assert len(pickle.dumps(model)) <= size + 1_000  # what was cached meanwhile is left out
    for name, way in WAYS.items():
        np.testing.assert_array_equal(predict(first[name]), expected)
        np.testing.assert_array_equal(predict(way(model)), expected)


@pytest.mark.slow
@pytest.mark.parametrize("profile", ALL_PROFILES)
def test_profiles(profile):
    if not is_installed(profile):
        pytest.skip(f"the profile {profile} is not installed")
    model = load(profile)
    check_copies(model, lambda model: model.predict(TWO))
    assert pickle.loads(pickle.dumps(model)).signature == model.signature
    assert pickle.loads(pickle.dumps(model)).ref == model.ref


@pytest.mark.slow
def test_a_model_of_several_languages():
    if not is_installed("multilingual"):
        pytest.skip("samewise-languages is not installed")
    pairs = [*TWO, ("El perro corre.", "A dog runs."), ("Llueve en la ciudad.", "Está lloviendo.")]
    check_copies(ModelRef("surface", languages="auto").load(), lambda model: model.predict(pairs))


@pytest.mark.parametrize("features", ["surface", ["bow.one_hot", "lexical_relations.*", "negation_scope.*"]])
def test_an_estimator_after_fitting(features):
    gold = np.linspace(0, 5, len(PAIRS))
    model = SimilarityEnsemble(features, members=("rf", "gbm", "xgb"), member_params=SMALL, interval=None)
    check_copies(model.fit(PAIRS, gold), lambda model: model.predict(TWO))


def test_fitted_features():
    found = PairFeatures(["bow.one_hot", "lexical_relations.*"]).fit(PAIRS)
    check_copies(found, lambda found: found.transform(TWO))


def test_an_annotator_is_that_of_the_process():
    annotator = load_annotator(None)
    for way in WAYS.values():
        assert way(annotator) is annotator


def test_models_are_keys_by_identity(tmp_path):
    gold = np.linspace(0, 5, len(PAIRS))
    ensemble = SimilarityEnsemble("surface", members=["gbm"], member_params=SMALL, interval=None).fit(PAIRS, gold)
    model, changed = ensemble.predictor_, ensemble.predictor_.with_statement(metrics={"pearson": 0.8})
    loads = lru_cache(lambda model: model.signature)
    assert loads(model) == loads(model) == loads(changed)
    assert loads.cache_info()[:2] == (1, 2)
    assert model == model and model != changed and len({model, changed}) == 2
    polyglot = MultilingualModel(model)
    assert {polyglot: 1}[polyglot] == 1
    for value in (ensemble, model):
        joblib.dump(value, tmp_path / "model.joblib")
        np.testing.assert_array_equal(joblib.load(tmp_path / "model.joblib").predict(TWO), model.predict(TWO))
