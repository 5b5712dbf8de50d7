"""Trees as arrays: the predictions of the libraries to the last bit, and nothing but trees gets in."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
import xgboost
from samewise.models.tree_ensembles.conversion import from_boosting, from_forest, from_xgboost
from samewise.models.tree_ensembles.tree_arrays import TreeEnsemble
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

WIDTH = 12


@pytest.fixture(scope="module")
def data():
    """Values with ties, tiny, denormal and huge ones; scores on 0..5."""
    rng = np.random.default_rng(3)
    values = rng.random((600, WIDTH), dtype=np.float32)
    values[:, 3] = np.round(values[:, 3] * 4) / 4
    values[:, 4] *= np.float32(1e-40)
    values[:, 5] *= np.float32(3e38)
    values[:, 6] = (values[:, 6] > 0.5) - np.float32(0.0)
    values[:, 7] = -values[:, 7]
    score = 5 * np.clip(values[:, [0, 3, 6]].mean(1) + (values[:, 4] > 5e-41) / 4 + values[:, 7] / 9, 0, 1)
    return values, score


@pytest.fixture(scope="module")
def fitted(data):
    values, score = data
    settings = {"max_depth": 4, "eta": 0.3, "nthread": 1, "min_child_weight": 3}
    booster = xgboost.train(settings, xgboost.DMatrix(values, label=score), 40)
    return {
        "rf": RandomForestRegressor(40, min_samples_leaf=2, max_features=0.5, random_state=0).fit(values, score),
        "gbm": GradientBoostingRegressor(n_estimators=40, max_depth=4, random_state=0).fit(values, score),
        "zero": GradientBoostingRegressor(n_estimators=5, init="zero", random_state=0).fit(values, score),
        "stump": RandomForestRegressor(3, max_depth=1, random_state=0).fit(values, score),
        "leaf": RandomForestRegressor(3, min_samples_leaf=600, bootstrap=False, random_state=0).fit(values, score),
        "xgb": booster,
    }


@pytest.fixture(scope="module")
def converted(fitted):
    convert = {"rf": from_forest, "stump": from_forest, "leaf": from_forest, "xgb": from_xgboost}
    return {name: convert.get(name, from_boosting)(model) for name, model in fitted.items()}


def probes(values, trees):
    """Rows seen and unseen, and rows that hold each threshold itself and the float32 before and after it."""
    rng = np.random.default_rng(4)
    rows = [values, rng.random((300, WIDTH), dtype=np.float32), np.zeros((1, WIDTH), np.float32)]
    rows.append(np.full((1, WIDTH), np.finfo(np.float32).max, np.float32))
    inner = trees.feature[trees.feature >= 0]
    for shift in (-np.inf, None, np.inf):
        edge = trees.threshold if shift is None else np.nextafter(trees.threshold, np.float32(shift))
        chosen = values[np.arange(len(inner)) % len(values)].copy()
        chosen[np.arange(len(inner)), inner] = edge
        rows.append(chosen)
    return np.concatenate(rows)


def own_prediction(model, values):
    if isinstance(model, xgboost.Booster):
        return model.predict(xgboost.DMatrix(values)).astype(np.float64)
    return model.predict(values)


@pytest.mark.parametrize("name", ["rf", "gbm", "zero", "stump", "leaf", "xgb"])
def test_predictions_are_those_of_the_library(name, fitted, converted, data):
    values = probes(data[0], converted[name])
    predicted = converted[name].predict(values)
    assert predicted.dtype == np.float64 and predicted.shape == (len(values),)
    np.testing.assert_array_equal(predicted, own_prediction(fitted[name], values))


@pytest.mark.parametrize("name", ["rf", "gbm", "leaf", "xgb"])
def test_a_row_does_not_depend_on_the_batch(name, converted, data):
    trees, values = converted[name], np.concatenate([data[0]] * 4)  # more rows than are walked at a time
    whole = trees.predict(values)
    assert [trees.predict(values[i : i + 1])[0] for i in range(40)] == whole[:40].tolist()
    np.testing.assert_array_equal(trees.predict(values[::-7]), whole[::-7])
    np.testing.assert_array_equal(trees.predict(np.asfortranarray(values)), whole)


def test_no_rows(converted):
    assert converted["rf"].predict(np.empty((0, WIDTH), np.float32)).shape == (0,)


@pytest.mark.parametrize("name", ["rf", "gbm", "xgb"])
def test_arrays_give_the_same_trees(name, converted, data):
    again = TreeEnsemble.from_arrays(converted[name].to_arrays())
    np.testing.assert_array_equal(again.predict(data[0]), converted[name].predict(data[0]))
    assert len(again) == 40


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_values_must_be_finite(bad, converted):
    values = np.zeros((3, WIDTH), np.float32)
    values[1, 2] = bad
    with pytest.raises(ValueError, match="row 1, column 2 is not finite"):
        converted["rf"].predict(values)


@pytest.mark.parametrize("shape", [(3, WIDTH - 1), (3,)])
def test_values_must_fit(shape, converted):
    with pytest.raises(ValueError, match="reads 12 columns"):
        converted["rf"].predict(np.zeros(shape, np.float32))


def small():
    """Two trees: one of a root and two leaves, one of two inner nodes and three leaves."""
    return {
        "width": np.asarray(2),
        "roots": np.asarray([0, 3], np.int32),
        "feature": np.asarray([0, -1, -1, 1, 0, -1, -1, -1], np.int16),
        "threshold": np.asarray([0.5, 0.5, 0.25], np.float32),
        "value": np.arange(5, dtype=np.float64),
        "base": np.asarray(0.0),
        "divisor": np.asarray(1),
        "cover": np.ones(5, np.float32),
    }


def test_by_hand():
    values = np.asarray([[0, 0], [0.5, 0.5], [0.3, 0.1], [0.3, 0.5]], np.float32)
    # The first tree gives 0 or 1; the second 2 at its root's right, and 3 or 4 below its root's left.
    assert TreeEnsemble.from_arrays(small()).predict(values).tolist() == [0 + 3, 1 + 2, 0 + 4, 0 + 2]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        ({"feature": np.asarray([0, -1, -1, 2, 0, -1, -1, -1], np.int16)}, "reads column 2, but the model has 2"),
        ({"feature": np.asarray([0, -1, -1, -2, 0, -1, -1, -1], np.int16)}, "reads column -2"),
        ({"feature": np.asarray([-1, 0, -1, 1, 0, -1, -1, -1], np.int16)}, "do not form a tree"),
        (
            {"feature": np.asarray([0, -1, -1, 1, -1, -1, 0, -1], np.int16), "roots": [0, 4]},
            "tree 0 do not form a tree",
        ),
        ({"feature": np.asarray([0, -1, -1, 1, -1, -1, -1, 0], np.int16)}, "do not form a tree"),
        ({"feature": np.asarray([0.0] * 8)}, "'feature' of the trees must be one row of int16 or int32"),
        ({"feature": np.zeros((8, 1), np.int16)}, "'feature' of the trees must be one row"),
        ({"roots": []}, "roots of the trees must increase from 0"),
        ({"roots": [1, 3]}, "roots of the trees must increase from 0"),
        ({"roots": [0, 0]}, "roots of the trees must increase from 0"),
        ({"roots": [0, 8]}, "stay below the number of nodes, 8"),
        ({"roots": [0, -3]}, "roots of the trees must increase from 0"),
        ({"roots": [0]}, "tree 0 do not form a tree"),
        ({"threshold": np.asarray([0.5, np.inf, 0.5], np.float32)}, "threshold of the trees is not finite"),
        ({"threshold": np.asarray([0.5, 0.5], np.float32)}, "3 inner nodes and 5 leaves, but 2 thresholds"),
        ({"threshold": np.asarray([0.5, 0.5, 0.5])}, "'threshold' of the trees must be one row of float32"),
        ({"value": np.asarray([0, 1, 2, 3, np.nan])}, "value of the trees is not finite"),
        ({"value": np.zeros(4)}, "3 thresholds and 4 values"),
        ({"value": np.zeros(5, np.int64)}, "'value' of the trees must be one row of float32 or float64"),
        ({"value": np.full(5, 1e308)}, r"must add up to 1e\+09 at most"),
        ({"value": np.full(5, 3e38, np.float32)}, r"must add up to 1e\+09 at most"),
        ({"base": np.asarray(np.nan)}, "base nan must be finite"),
        ({"base": np.asarray(1)}, "'base' of the trees must be one float64"),
        ({"divisor": np.asarray(0)}, "divisor 0 at least 1"),
        ({"cover": np.ones(4, np.float32)}, "5 leaves, but 4 covers"),
        ({"cover": np.ones(8, np.float32)}, "5 leaves, but 8 covers"),
        ({"cover": np.ones((5, 1), np.float32)}, "'cover' of the trees must be one row of float32, not 2-d"),
        ({"cover": np.ones(5)}, "'cover' of the trees must be one row of float32, not 1-d float64"),
        ({"cover": np.ones(5, np.int32)}, "'cover' of the trees must be one row of float32, not 1-d int32"),
        ({"cover": np.asarray([1, 1, -1, 1, 1], np.float32)}, "cover of the trees is not a positive number"),
        ({"cover": np.asarray([1, 1, 0, 1, 1], np.float32)}, "cover of the trees is not a positive number"),
        ({"cover": np.asarray([1, 1, np.nan, 1, 1], np.float32)}, "cover of the trees is not a positive number"),
        ({"cover": np.asarray([1, 1, np.inf, 1, 1], np.float32)}, "cover of the trees is not a positive number"),
        ({"width": np.asarray([2])}, "'width' of the trees must be one int64"),
        ({"width": np.asarray(1)}, "reads column 1, but the model has 1"),
    ],
)
def test_damaged_arrays_are_refused(damage, message):
    if "roots" in damage:
        damage = {**damage, "roots": np.asarray(damage["roots"], np.int32)}
    with pytest.raises(ValueError, match=message):
        TreeEnsemble.from_arrays({**small(), **damage})


@pytest.mark.parametrize("name", sorted(small()))
def test_a_missing_array_is_named(name):
    with pytest.raises(ValueError, match=f"no array '{name}'"):
        TreeEnsemble.from_arrays({key: array for key, array in small().items() if key != name})


def chain(depth):
    """One tree that only goes on to the left."""
    feature = np.asarray([0, *[0, -1] * (depth - 1), -1, -1], np.int16)
    threshold, value = np.ones(depth, np.float32), np.arange(depth + 1, dtype=np.float64)
    return TreeEnsemble(1, np.zeros(1, np.int32), feature, threshold, value, cover=np.ones(depth + 1, np.float32))


def test_the_deepest_tree():
    assert chain(1_024).predict(np.zeros((2, 1), np.float32)).tolist() == [1023, 1023]
    with pytest.raises(ValueError, match="deeper than 1024 levels"):
        chain(1_025)


@pytest.mark.slow
def test_arbitrary_arrays_are_refused_or_predict():
    rng = np.random.default_rng(0)
    accepted = 0
    for _ in range(3_000):
        nodes = int(rng.integers(1, 9))
        feature = rng.integers(-1, 2, nodes).astype(np.int16)
        inner = int((feature >= 0).sum())
        roots = np.unique(np.append(0, rng.integers(0, nodes, rng.integers(0, 3)))).astype(np.int32)
        try:
            leaves = np.ones(nodes - inner)
            trees = TreeEnsemble(2, roots, feature, np.zeros(inner, np.float32), leaves, cover=leaves.astype("f4"))
        except ValueError:
            continue
        accepted += 1
        # Each tree must end in a leaf, whose value is 1; an inner node has 0.
        assert trees.predict(rng.normal(size=(5, 2)).astype(np.float32)).tolist() == [len(trees)] * 5
    assert accepted > 50


def test_what_cannot_be_kept_is_named(data):
    values, score = data
    with pytest.raises(ValueError, match="2 outputs"):
        from_forest(RandomForestRegressor(2, max_depth=2).fit(values, np.column_stack([score, score])))
    booster = xgboost.train({"objective": "reg:logistic", "nthread": 1}, xgboost.DMatrix(values, label=score / 5), 2)
    with pytest.raises(ValueError, match="gbtree with reg:logistic cannot be kept"):
        from_xgboost(booster)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # XGBoost 3.4 prefers to be asked for dropout without naming dart
        dropout = {"booster": "dart", "rate_drop": 0.5, "nthread": 1}
        booster = xgboost.train(dropout, xgboost.DMatrix(values, label=score), 8)
    with pytest.raises(ValueError, match=r"(dart|dropout).*cannot be kept"):
        from_xgboost(booster)
    first = RandomForestRegressor(2, max_depth=2)
    with pytest.raises(ValueError, match="leave out `init`"):
        from_boosting(GradientBoostingRegressor(n_estimators=2, init=first).fit(values, score))


@pytest.mark.slow
def test_prediction_imports_no_learning_library():
    module = "samewise.models.tree_ensembles.tree_regressor"
    code = f"import sys, {module}; print(sorted({{'sklearn', 'xgboost', 'scipy'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
