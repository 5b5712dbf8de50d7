"""The shipped regressors: the predictions of their libraries, and errors in what they are given."""

import numpy as np
import pytest
import xgboost
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import load_member, make_member
from samewise.models.tree_ensembles.tree_regressor import columns_of_split
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

KINDS = {"rf": RandomForestRegressor, "gbm": GradientBoostingRegressor, "xgb": xgboost.XGBRegressor}
NAMES = list(KINDS)
FEW = {"n_estimators": 12}


@pytest.fixture(scope="module")
def matrix():
    values = np.random.default_rng(0).random((300, 8), dtype=np.float32)
    return FeatureMatrix(values, tuple(f"family.feature.c{j}" for j in range(8)))


@pytest.fixture(scope="module")
def y(matrix):
    noise = np.random.default_rng(1).normal(0, 0.1, len(matrix))
    return 5 * np.clip(matrix.values[:, :3].mean(axis=1) + noise, 0, 1)


@pytest.mark.parametrize("name", NAMES)
def test_they_learn(name, matrix, y):
    fitted = make_member(name).fit(matrix, y)
    assert fitted.name == name and fitted.columns == matrix.columns
    assert np.corrcoef(fitted.predict(matrix), y)[0, 1] > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_predictions_are_those_of_the_library(name, matrix, y):
    weights = np.linspace(0.5, 2, len(matrix))
    more = {"n_jobs": 1} if name == "xgb" else {"max_features": 6}  # of eight columns
    library = KINDS[name](**{**make_member(name).params, **FEW, **more}, random_state=5)
    library.fit(matrix.values, y, sample_weight=weights)
    ours = make_member(name, FEW, random_state=5).fit(matrix, y, weights)
    np.testing.assert_allclose(ours.predict(matrix), library.predict(matrix.values), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("setting", ["n_estimator", "random_state", "kwargs"])
def test_unknown_setting(name, setting, matrix, y):
    with pytest.raises(ValueError, match=f"{name} has no setting '{setting}' here; it has .*n_estimators"):
        make_member(name, {setting: 3}).fit(matrix, y)


@pytest.mark.parametrize(
    ("bad", "weights", "message"),
    [
        (np.ones(299), None, r"scores must be 300 finite numbers.*\(299,\)"),
        (np.full(300, np.nan), None, "scores must be 300 finite numbers"),
        (np.ones((300, 1)), None, "scores must be"),
        (np.ones(300), np.ones(2), "weights must be 300 finite numbers"),
    ],
)
def test_scores_must_fit(bad, weights, message, matrix):
    with pytest.raises(ValueError, match=message):
        make_member("rf", FEW).fit(matrix, bad, weights)


def test_values_must_be_finite(matrix, y):
    values = matrix.values.copy()
    values[4, 4] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        make_member("xgb", FEW).fit(FeatureMatrix(values, matrix.columns), y)


def test_a_file_damaged_in_its_midst(matrix, y):
    data = make_member("gbm", FEW).fit(matrix, y).to_bytes()
    with pytest.raises(ValueError, match="file of member 'gbm' cannot be used"):
        load_member("gbm", data[:400] + b"!" + data[401:], matrix.columns)


def test_columns_must_fit(matrix, y):
    fitted = make_member("gbm", FEW).fit(matrix, y)
    with pytest.raises(ValueError, match="trees of gbm read 8 columns, not 7"):
        load_member("gbm", fitted.to_bytes(), fitted.columns[1:])


def test_a_split_of_few_columns_reads_six():
    assert [columns_of_split(0.08, columns) for columns in (3, 21, 263)] == [3, 6, 21]


@pytest.mark.filterwarnings("error")
def test_a_forest_of_few_rows_is_fitted_without_a_warning():
    rng = np.random.default_rng(0)
    matrix = FeatureMatrix(rng.normal(size=(8, 4)).astype(np.float32), ("a.b.c", "a.b.d", "a.b.e", "a.b.f"))
    fitted = make_member("rf", {"n_estimators": 5}).fit(matrix, np.linspace(0, 5, 8), np.full(8, 0.2))
    assert np.ptp(fitted.predict(matrix)) > 0
