"""The classifier of pairs in scikit-learn's tools, with labels of every kind, and as a bundle."""

import json

import joblib
import numpy as np
import pandas as pd
import pytest
from samewise.ensemble.core.classifier import SimilarityClassifier
from samewise.models.bundle import BundleError
from samewise.models.profiles import bundle_folder
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV, cross_val_score

from samewise import SimilarityEnsemble

WORDS = "fern moss oak ash elm yew birch larch pine beech alder hazel".split()
# No two pairs share a sentence, as probabilities are fitted on folds that keep such pairs together.
X = [
    pair
    for k, word in enumerate(WORDS)
    for pair in ((f"The {word} grows.", f"A {word} grows."), (f"The {word} fell.", f"My {WORDS[k - 5]} rose."))
]
SAYS_YES = np.arange(len(X)) % 2 == 0
SETTINGS = {"members": ["gbm"], "member_params": {"gbm": {"n_estimators": 5, "min_samples_leaf": 1}}}
KINDS = {
    "bool": (True, False),
    "numbers": (1, 0),
    "words": ("yes", "no"),
    "sides": ("same", "different"),
    "first": ("duplicate", "not duplicate"),
}


def small():
    return SimilarityClassifier(SimilarityEnsemble(["bow.one_hot", "length"], **SETTINGS))


def labels_of(kind):
    yes, no = KINDS[kind]
    return [yes if mark else no for mark in SAYS_YES]


@pytest.fixture(scope="module")
def model():
    return small().fit(X, labels_of("words"))


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_every_kind(model, kind):
    labels = labels_of(kind)
    fitted = small().fit(pd.DataFrame(X, columns=["sentence1", "sentence2"]), pd.Series(labels))
    assert fitted.classes_.tolist() == sorted(set(labels))
    found = fitted.predict(X)
    assert found.dtype.kind == np.array(labels).dtype.kind
    yes = fitted.classes_.tolist().index(KINDS[kind][0])
    probabilities = fitted.predict_proba(X)
    assert probabilities.shape == (len(X), 2)
    np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
    np.testing.assert_array_equal(probabilities[:, yes], model.ensemble_.predict(X))
    np.testing.assert_array_equal(found == KINDS[kind][0], probabilities[:, yes] >= 0.5)
    assert fitted.score(X, labels) == accuracy_score(labels, found) > 0.9


def test_identical_texts_are_yes_and_empty_ones_no(model):
    assert model.predict([("Fog.", "Fog."), ("", "Fog.")]).tolist() == ["yes", "no"]


def test_tools_of_scikit_learn(model):
    assert is_classifier(model) and not model.__sklearn_tags__().classifier_tags.multi_class
    assert clone(model).get_params()["ensemble__gbm__n_estimators"] == 5
    assert model.ensemble.scale == "0..5", "the given estimator stays as it was"
    grid = GridSearchCV(small(), {"ensemble__gbm__n_estimators": [3]}, cv=2, scoring="roc_auc")
    assert grid.fit(X, labels_of("words")).best_score_ > 0.5
    assert cross_val_score(small(), X, labels_of("bool"), cv=2).shape == (2,)
    with pytest.raises(NotFittedError):
        small().predict(X)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["yes"] * len(X), r"labels must be two, one that says yes and one that says no, got \['yes'\]"),
        (["yes", "no", "same", "no"] * 6, r"labels must be two, .*got \['no', 'same', 'yes'\]"),
        (["yes", "maybe"] * 12, "a label must be yes or no, or 1 or 0, got 'maybe' for pair 1"),
        ([4.5, 1.0] * 12, "a label must be yes or no, or 1 or 0, got 4.5 for pair 0"),
        (["yes", "no"], "y must have one score a pair"),
    ],
)
def test_other_labels_are_refused(labels, message):
    with pytest.raises(ValueError, match=message):
        small().fit(X, labels)


def test_bundles_and_snapshots(model, tmp_path):
    model.save(tmp_path / "m", training={"data": "trees"})
    joblib.dump(model, tmp_path / "m.joblib")
    for again in (SimilarityClassifier.load(tmp_path / "m"), joblib.load(tmp_path / "m.joblib")):
        assert again.classes_.tolist() == ["no", "yes"]
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text(encoding="utf-8"))
    assert (manifest["training"]["data"], manifest["training"]["classes"]) == ("trees", ["no", "yes"])
    model.ensemble_.save(tmp_path / "plain")
    plain = SimilarityClassifier.load(tmp_path / "plain")
    assert plain.predict(X).tolist() == [int(label == "yes") for label in model.predict(X)]
    with pytest.raises(BundleError, match=r"the scale of a classifier must be yes/no, got 0\.\.5"):
        SimilarityClassifier.load(bundle_folder("surface"))
    for stored in (["no"], ["no", "maybe"], [["no"], []], {"no": 1}):
        model.ensemble_.save(tmp_path / "bad", training={"classes": stored})
        with pytest.raises(BundleError, match="the stored labels cannot be read"):
            SimilarityClassifier.load(tmp_path / "bad")
