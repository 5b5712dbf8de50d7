"""Contributions of columns to trees: Shapley's definition, XGBoost's own values, and sums that are the prediction."""

from itertools import combinations
from math import factorial

import numpy as np
import pytest
import xgboost
from samewise.models.tree_ensembles import attribution
from samewise.models.tree_ensembles.attribution import contributions
from samewise.models.tree_ensembles.conversion import from_boosting, from_forest, from_xgboost
from samewise.models.tree_ensembles.tree_arrays import TreeEnsemble
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor

WIDTH = 9
GROUPS = np.asarray([0, 0, 1, 2, 2, 2, 3, 1, 4])


@pytest.fixture(scope="module")
def data():
    """Values with ties, scores that join columns, and weights of the rows."""
    rng = np.random.default_rng(5)
    values = rng.random((500, WIDTH), dtype=np.float32)
    values[:, 3] = np.round(values[:, 3] * 4) / 4
    score = 5 * np.clip(values[:, 0] * values[:, 3] + (values[:, 6] > 0.5) * values[:, 2] / 2, 0, 1)
    return values, score, rng.integers(1, 4, 500) / 2


@pytest.fixture(scope="module")
def fitted(data):
    values, score, weights = data
    settings = {"max_depth": 6, "eta": 0.3, "nthread": 1, "subsample": 0.7, "colsample_bytree": 0.8}
    booster = xgboost.train(settings, xgboost.DMatrix(values, label=score), 30)
    forest = RandomForestRegressor(12, min_samples_leaf=2, max_features=0.5, random_state=0)
    boosting = GradientBoostingRegressor(n_estimators=20, max_depth=4, subsample=0.6, random_state=0)
    return {"rf": forest.fit(values, score, weights), "gbm": boosting.fit(values, score), "xgb": booster}


@pytest.fixture(scope="module")
def converted(fitted):
    convert = {"rf": from_forest, "gbm": from_boosting, "xgb": from_xgboost}
    return {name: convert[name](model) for name, model in fitted.items()}


def expected(tree, row, known, node=0):
    """The value of a scikit-learn tree for a row of which only some columns are known; written from the definition."""
    left, right = tree.children_left[node], tree.children_right[node]
    if left < 0:
        return tree.value[node, 0, 0]
    if tree.feature[node] in known:
        return expected(tree, row, known, left if row[tree.feature[node]] <= tree.threshold[node] else right)
    weight = tree.weighted_n_node_samples
    below = [weight[child] * expected(tree, row, known, child) for child in (left, right)]
    return sum(below) / weight[node]


def shapley(tree, row, groups):
    """The Shapley value of each group of columns, over all sets of groups."""
    count = groups.max() + 1
    sets = {}
    for size in range(count + 1):
        for some in combinations(range(count), size):
            sets[some] = expected(tree, row, set(np.flatnonzero(np.isin(groups, some)).tolist()))
    found = np.zeros(count)
    for some, value in sets.items():
        for group in set(range(count)) - set(some):
            share = factorial(len(some)) * factorial(count - len(some) - 1) / factorial(count)
            found[group] += share * (sets[tuple(sorted((*some, group)))] - value)
    return sets[()], found


@pytest.mark.slow
@pytest.mark.parametrize(("single", "tolerance"), [(20, 1e-6), (0, 1e-12)])
@pytest.mark.parametrize("groups", [GROUPS, np.arange(WIDTH)], ids=["groups", "columns"])
@pytest.mark.parametrize("name", ["rf", "gbm"])
def test_contributions_are_shapley_values_by_definition(
    name, groups, single, tolerance, fitted, converted, data, monkeypatch
):
    monkeypatch.setattr(attribution, "_SINGLE", single)
    trees = [*fitted[name].estimators_] if name == "rf" else [*fitted[name].estimators_[:, 0]]
    if len(np.unique(groups)) == WIDTH:
        trees = trees[:3]  # 512 sets a tree
        some = trees if name == "rf" else np.asarray(trees)[:, None]
        model = fitted[name]
        whole, model.estimators_ = model.estimators_, some
        try:
            kept = (from_forest if name == "rf" else from_boosting)(model)
        finally:
            model.estimators_ = whole
    else:
        kept = converted[name]
    rows = data[0][:4]
    base, added = contributions(kept, rows, groups)
    factor = 1 / len(trees) if name == "rf" else fitted[name].learning_rate
    start = 0.0 if name == "rf" else fitted[name].init_.constant_[0, 0]
    by_hand = [[shapley(tree.tree_, row, groups) for tree in trees] for row in rows]
    assert base == pytest.approx(start + factor * sum(mean for mean, _ in by_hand[0]), rel=1e-12)
    truth = np.asarray([factor * sum(values for _, values in row) for row in by_hand])
    np.testing.assert_allclose(added, truth, rtol=0, atol=tolerance)


def test_contributions_are_those_of_xgboost(fitted, converted, data):
    rows = np.concatenate([data[0][:200], np.zeros((1, WIDTH), np.float32)])
    theirs = fitted["xgb"].predict(xgboost.DMatrix(rows), pred_contribs=True)
    base, added = contributions(converted["xgb"], rows)
    np.testing.assert_allclose(added, theirs[:, :-1], rtol=0, atol=3e-6)
    np.testing.assert_allclose(base, theirs[:, -1], rtol=0, atol=3e-6)


@pytest.mark.parametrize("name", ["rf", "gbm", "xgb"])
def test_float32_is_enough(name, converted, data, monkeypatch):
    monkeypatch.setattr(attribution, "_SINGLE", 0)
    double = contributions(converted[name], data[0], GROUPS)[1]
    monkeypatch.undo()
    np.testing.assert_allclose(contributions(converted[name], data[0], GROUPS)[1], double, rtol=0, atol=2e-6)


@pytest.mark.parametrize("groups", [GROUPS, None], ids=["groups", "columns"])
@pytest.mark.parametrize("name", ["rf", "gbm", "xgb"])
def test_sums_are_the_prediction(name, groups, converted, data):
    rows = np.concatenate([data[0], np.random.default_rng(0).normal(size=(300, WIDTH)).astype(np.float32)])
    base, added = contributions(converted[name], rows, groups)
    assert added.shape == (len(rows), WIDTH if groups is None else 5) and added.dtype == np.float64
    np.testing.assert_allclose(base + added.sum(axis=1), converted[name].predict(rows), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["rf", "xgb"])
def test_a_row_does_not_depend_on_the_batch(name, converted, data):
    trees, values = converted[name], data[0]
    base, whole = contributions(trees, values, GROUPS)
    for some in (slice(7, 8), slice(0, 300, 3), slice(None, None, -1)):
        other, part = contributions(trees, values[some], GROUPS)
        assert other == pytest.approx(base, rel=1e-14)
        np.testing.assert_allclose(part, whole[some], rtol=0, atol=1e-6)
    assert contributions(trees, values[:0], GROUPS)[1].shape == (0, 5)


def tree():
    """One tree: 0 where x0 < 0.5, else 4 where x1 < 0.5, else 8; x2 is not read."""
    feature = np.asarray([0, -1, 1, -1, -1], np.int16)
    value, cover = np.asarray([0.0, 4.0, 8.0]), np.asarray([1, 1, 2], np.float32)
    return TreeEnsemble(3, np.zeros(1, np.int32), feature, np.full(2, 0.5, np.float32), value, cover=cover)


def test_by_hand():
    base, added = contributions(tree(), np.asarray([[1, 1, 1], [0, 1, 0]], np.float32))
    # Mean (0 + 4 + 8 + 8) / 4. First row: with x0 alone 20/3, with x1 alone 0/4 + 3 * 8/4 = 6, with both 8.
    assert base == 5
    first = [(20 / 3 - 5) / 2 + (8 - 6) / 2, (6 - 5) / 2 + (8 - 20 / 3) / 2, 0]
    # Second row: with x0 alone 0, with x1 alone 6, with both 0.
    second = [(0 - 5) / 2 + (0 - 6) / 2, (6 - 5) / 2 + 0, 0]
    np.testing.assert_allclose(added, [first, second], rtol=0, atol=1e-6)


def test_one_group_gets_all_and_a_lone_leaf_gives_none():
    base, added = contributions(tree(), np.asarray([[1, 0, 0]], np.float32), np.zeros(3, np.int64))
    assert base == 5 and added == pytest.approx(np.asarray([[-1.0]]), abs=1e-12)
    leaf = TreeEnsemble(
        1,
        np.zeros(1, np.int32),
        np.full(1, -1, np.int16),
        np.empty(0, np.float32),
        np.ones(1),
        0.5,
        1,
        cover=np.ones(1, "f4"),
    )
    base, added = contributions(leaf, np.zeros((2, 1), np.float32))
    assert base == 1.5 and added.tolist() == [[0.0], [0.0]]


@pytest.mark.parametrize("width", [1, 150])
def test_the_deepest_tree_and_covers_of_any_size(width):
    depth = 1_024 if width == 1 else 150
    feature = np.full(2 * depth + 1, -1, np.int16)
    feature[0], feature[1::2] = 0, [*(np.arange(1, depth) % width), -1]
    rng = np.random.default_rng(1)
    cover = (10.0 ** rng.uniform(-37, 37, depth + 1)).astype(np.float32)
    trees = TreeEnsemble(
        *(width, np.zeros(1, np.int32), feature, rng.random(depth, dtype=np.float32), rng.random(depth + 1)),
        cover=cover,
    )
    rows = rng.random((5, width), dtype=np.float32)
    base, added = contributions(trees, rows)
    assert np.isfinite(added).all()
    np.testing.assert_allclose(base + added.sum(axis=1), trees.predict(rows), rtol=0, atol=1e-10)


@pytest.mark.parametrize("groups", [[0, 1], [0, 1, -1], [0.0, 1.0, 1.0], [[0, 0, 0]]])
def test_groups_must_fit(groups):
    with pytest.raises(ValueError, match="groups must be 3 integers from 0"):
        contributions(tree(), np.zeros((1, 3), np.float32), np.asarray(groups))


def test_values_must_fit():
    with pytest.raises(ValueError, match="reads 3 columns"):
        contributions(tree(), np.zeros((1, 2), np.float32))
    with pytest.raises(ValueError, match="row 0, column 1 is not finite"):
        contributions(tree(), np.asarray([[0, np.nan, 0]], np.float32))


def test_covers_are_the_weights_of_the_training_rows(data, converted):
    # Bootstrap weights differ from tree to tree, but boosting with a share of 0.6 sees 300 of 500 rows each time.
    trees = converted["gbm"]
    leaves = np.flatnonzero(trees.feature < 0)
    sums = np.add.reduceat(trees.cover, np.searchsorted(leaves, trees.roots))
    assert sums.tolist() == [300] * len(trees)
    again = TreeEnsemble.from_arrays(trees.to_arrays())
    np.testing.assert_array_equal(contributions(again, data[0][:9])[1], contributions(trees, data[0][:9])[1])
