import pickle
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.experiments.experiment_matrices import matrices
from samewise.features.pipeline.extraction import Extraction
from samewise.features.pipeline.matrix import FeatureMatrix
from sklearn.base import clone
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import (
    RFECV,
    SelectFromModel,
    SelectKBest,
    SequentialFeatureSelector,
    f_regression,
    mutual_info_regression,
)
from sklearn.linear_model import Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from samewise import PairFeatures, SentenceKFold, SimilarityEnsemble

from ...conftest import PAIRS

X = [(f"{a} {i}", f"{b} {i}") for i in range(4) for a, b in PAIRS]
y = np.tile([4.2, 0.2, 4.6, 2.0, 1.8, 1.6, 3.8, 2.0, 4.4, 3.0, 4.4, 4.8, 0.4, 3.0, 0.2], 4)
SPEC = ["length", "ngram.words", "bow.smooth"]


@pytest.fixture(scope="module")
def matrix():
    found, _ = matrices(X, None, SPEC)
    return found


def test_columns_are_those_of_the_estimator(matrix):
    features = PairFeatures(SPEC).fit(X)
    assert features.get_feature_names_out().tolist() == list(matrix.columns)
    values = features.transform(X)
    assert values.dtype == np.float32
    np.testing.assert_array_equal(values, matrix.values)
    np.testing.assert_array_equal(PairFeatures(SPEC).fit_transform(X, y), matrix.values)
    model = SimilarityEnsemble(SPEC, ("gbm",), member_params={"gbm": {"n_estimators": 3}}, interval=None).fit(X, y)
    assert model.predictor_.columns == matrix.columns
    assert features.transform([]).shape == (0, len(matrix.columns))


def test_resources_are_of_the_training_pairs_only(matrix):
    features = PairFeatures(SPEC).fit(X[:15])
    assert not np.array_equal(features.transform(X), matrix.values)
    alone = np.vstack([features.transform([pair]) for pair in X])
    np.testing.assert_array_equal(features.transform(X), alone)
    again = PairFeatures(SPEC).fit(X[:15]).transform(X[:15])
    np.testing.assert_array_equal(features.transform(X)[:15], again)


def test_frames_go_in_and_come_out(matrix):
    frame = pd.DataFrame(X, columns=["sentence1", "sentence2"], index=np.arange(len(X)) + 7)
    features = PairFeatures(SPEC).set_output(transform="pandas")
    for found in (features.fit_transform(frame), features.fit(frame).transform(frame)):
        assert list(found.columns) == list(matrix.columns)
        assert found.index.tolist() == frame.index.tolist()
        np.testing.assert_array_equal(found.to_numpy(), matrix.values)
    np.testing.assert_array_equal(PairFeatures(SPEC).fit_transform(np.array(X)), matrix.values)


def test_pipelines_of_scikit_learn():
    pipeline = make_pipeline(
        PairFeatures("surface"), SelectKBest(mutual_info_regression, k=40), StandardScaler(), Ridge()
    )
    scores = cross_val_score(pipeline, X, y, cv=SentenceKFold(3), scoring=make_scorer(pearson))
    assert scores.shape == (3,)
    assert (scores > 0.5).all()


def test_searches_of_scikit_learn(tmp_path):
    pipeline = make_pipeline(PairFeatures(cache=tmp_path), StandardScaler(), Ridge())
    grid = {"pairfeatures__features": ["length", SPEC], "ridge__alpha": [1.0, 100.0]}
    found = GridSearchCV(pipeline, grid, cv=SentenceKFold(2), scoring=make_scorer(pearson)).fit(X, y)
    assert found.best_params_["pairfeatures__features"] == SPEC
    assert list(tmp_path.glob("ngram.words-*.npy"))
    names = found.best_estimator_[:-1].get_feature_names_out()
    assert names.tolist() == PairFeatures(SPEC).fit(X).get_feature_names_out().tolist()


def test_it_is_cloned_and_pickled(matrix):
    features = PairFeatures(SPEC, cache=None)
    assert clone(features).get_params() == features.get_params() | {"features": SPEC}
    fitted = pickle.loads(pickle.dumps(features.fit(X)))
    np.testing.assert_array_equal(fitted.transform(X), matrix.values)


def test_what_is_given_is_read(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("dog 1.0 0.0 0.5\ncat 0.5 1.0 0.0\ncar 0.0 0.5 1.0\nred 0.2 0.4 0.6\n")
    features = PairFeatures("user_embedding", vectors=path).fit(X)
    assert features.transform(X).shape == (len(X), len(features.get_feature_names_out()))
    with pytest.raises(ValueError, match=r"needs your word vectors; pass --vectors \(in Python, vectors=\)"):
        PairFeatures("user_embedding").fit(X)
    with pytest.raises(ValueError, match="no feature reads the sentence encoder 'mine'"):
        PairFeatures("length", encoder="mine").fit(X)


def test_what_cannot_be_is_said():
    with pytest.raises(NotFittedError):
        PairFeatures("length").transform(X)
    with pytest.raises(NotFittedError):
        PairFeatures("length").get_feature_names_out()
    with pytest.raises(ValueError, match="no pairs to fit on"):
        PairFeatures("length").fit([])
    with pytest.raises(ValueError, match="no feature matches 'nosuch'"):
        PairFeatures("nosuch").fit(X)
    with pytest.raises(ValueError, match="item 0 of X must be a pair of two texts"):
        PairFeatures("length").fit(["one text"])


def test_an_extraction_without_columns():
    extraction, batch = Extraction.fit(X, None)
    assert extraction.matrix(batch).values.shape == (len(X), 0)
    assert extraction.annotator is None


@pytest.mark.slow
def test_nothing_of_scikit_learn_is_imported_with_the_name():
    code = "import sys, samewise; import samewise.features.pipeline.extraction; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=600).returncode == 0
    code = "import sys, samewise; samewise.PairFeatures; samewise.SentenceKFold; sys.exit('sklearn' not in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=600).returncode == 0


@pytest.mark.parametrize(
    "selector",
    [
        SelectKBest(f_regression, k=5),
        SelectFromModel(ExtraTreesRegressor(n_estimators=10, random_state=0), max_features=5, threshold=-np.inf),
        RFECV(Ridge(), step=5, min_features_to_select=3, cv=3),
        SequentialFeatureSelector(Ridge(), n_features_to_select=2, cv=2),
    ],
    ids=lambda selector: type(selector).__name__,
)
def test_selectors_give_matrices(matrix, selector):
    small = matrix.select("length", "bow.smooth")
    selector.fit(small.values, y)
    kept = small.keep(selector)
    assert 0 < len(kept.columns) < len(small.columns)
    assert list(kept.columns) == selector.get_feature_names_out(list(small.columns)).tolist()
    np.testing.assert_array_equal(kept.values, selector.transform(small.values))
    np.testing.assert_array_equal(small.select(*kept.columns).values, kept.values)
    assert kept.pairs is small.pairs


def test_masks_that_do_not_fit_are_refused():
    small = FeatureMatrix(np.zeros((2, 3), dtype=np.float32), ("x.f.a", "x.f.b", "y.g.a"))
    assert small.keep([True, False, True]).columns == ("x.f.a", "y.g.a")
    assert small.keep(np.zeros(3, dtype=bool)).columns == ()
    for mask in ([True, False], [0, 1, 2], np.ones((3, 1), dtype=bool)):
        with pytest.raises(ValueError, match="a mask must have one boolean for each of the 3 columns, got"):
            small.keep(mask)


def test_a_model_of_the_columns_that_were_kept(matrix):
    kept = matrix.keep(SelectKBest(f_regression, k=6).fit(matrix.values, y))
    model = SimilarityEnsemble(kept.columns, ("gbm",), member_params={"gbm": {"n_estimators": 3}}, interval=None)
    assert model.fit(X, y).predictor_.columns == kept.columns
