"""The three regressors: seeded, kept as trees, the same after reading as after fitting."""

import numpy as np
import pytest
import xgboost
from samewise.features.matrix import FeatureMatrix
from samewise.models.member import make
from samewise.models.tree_ensembles.regressors import HYPERPARAMETERS, Regressor
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

NAMES = list(HYPERPARAMETERS)
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
def test_it_learns(name, matrix, y):
    fitted = make(name).fit(matrix, y)
    assert fitted.name == name and fitted.columns == matrix.columns
    assert np.corrcoef(fitted.predict(matrix), y)[0, 1] > 0.9


@pytest.mark.parametrize("name", NAMES)
def test_predictions_are_those_of_the_library(name, matrix, y):
    kind = {"rf": RandomForestRegressor, "gbm": GradientBoostingRegressor, "xgb": xgboost.XGBRegressor}[name]
    weights = np.linspace(0.5, 2, len(matrix))
    more = {"n_jobs": 1} if name == "xgb" else {}
    library = kind(**{**HYPERPARAMETERS[name], **FEW, **more}, random_state=5)
    library.fit(matrix.values, y, sample_weight=weights)
    ours = make(name, FEW, random_state=5).fit(matrix, y, weights)
    np.testing.assert_allclose(ours.predict(matrix), library.predict(matrix.values), rtol=0, atol=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_bytes(name, matrix, y):
    first, again = (make(name, FEW, random_state=2, n_jobs=n_jobs).fit(matrix, y).to_bytes() for n_jobs in (1, 2))
    assert first == again


@pytest.mark.parametrize("name", NAMES)
def test_read_predicts_as_fitted(name, matrix, y):
    fitted = make(name, FEW).fit(matrix, y)
    read = Regressor.from_bytes(name, fitted.to_bytes(), fitted.columns, fitted.params)
    np.testing.assert_array_equal(read.predict(matrix), fitted.predict(matrix))
    assert read.to_bytes() == fitted.to_bytes()


def test_columns_are_found_by_name(matrix, y):
    fitted = make("rf", FEW).fit(matrix, y)
    turned = FeatureMatrix(matrix.values[:, ::-1], matrix.columns[::-1])
    np.testing.assert_array_equal(fitted.predict(turned), fitted.predict(matrix))
    with pytest.raises(ValueError, match="no column 'family.feature.c0'"):
        fitted.predict(matrix.drop("*.c0"))


def test_fit_changes_nothing_in_place(matrix, y):
    regressor = make("rf", FEW)
    regressor.fit(matrix, y)
    with pytest.raises(ValueError, match="'rf' is not fitted"):
        regressor.predict(matrix)


def test_unknown_name():
    with pytest.raises(ValueError, match="member 'svm' is unknown; the members are rf, gbm, xgb, dl_word"):
        make("svm")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("setting", ["n_estimator", "random_state", "kwargs"])
def test_unknown_setting(name, setting, matrix, y):
    with pytest.raises(ValueError, match=f"{name} has no setting '{setting}' here; it has .*n_estimators"):
        make(name, {setting: 3}).fit(matrix, y)


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
        make("rf", FEW).fit(matrix, bad, weights)


def test_values_must_be_finite(matrix, y):
    values = matrix.values.copy()
    values[4, 4] = np.nan
    with pytest.raises(ValueError, match="not finite"):
        make("xgb", FEW).fit(FeatureMatrix(values, matrix.columns), y)


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-30], lambda data: b"", lambda data: data[:400] + b"!" + data[401:]]
)
def test_damaged_file(damage, matrix, y):
    fitted = make("gbm", FEW).fit(matrix, y)
    with pytest.raises(ValueError, match="file of member 'gbm' cannot be used"):
        Regressor.from_bytes("gbm", damage(fitted.to_bytes()), fitted.columns)


def test_columns_must_fit(matrix, y):
    fitted = make("gbm", FEW).fit(matrix, y)
    with pytest.raises(ValueError, match="trees of gbm read 8 columns, not 7"):
        Regressor.from_bytes("gbm", fitted.to_bytes(), fitted.columns[1:])
