"""The learners of the published systems: parity with hand-built models, golden values, groups, weights and errors."""

import subprocess
import sys

import numpy as np
import pytest
import xgboost
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import make_member
from samewise.research.learners import LEARNERS, SCALES, make_learner
from samewise.research.learners.model_tree import ModelTree
from scipy.optimize import minimize, nnls
from scipy.special import expit
from scipy.stats import multivariate_normal
from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import Lasso, LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, GroupKFold
from sklearn.neural_network import MLPRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MaxAbsScaler, StandardScaler
from sklearn.svm import SVR
from sklearn.tree import DecisionTreeRegressor

# What makes each learner quick here, and leaves it nothing to search for.
QUICK = {
    "rf": {"n_estimators": 10},
    "gbm": {"n_estimators": 10, "learning_rate": 0.3},
    "xgb": {"n_estimators": 10, "learning_rate": 0.3},
    "ridge": {"alpha": 1.0},
    "non_negative_ridge": {"alpha": 1.0},
    "lasso_lars": {"alpha": 0.001},
    "svr": {"C": 2.0, "gamma": 0.1, "epsilon": 0.1},
    "logistic": {"C": 0.5},
    "mlp": {"hidden_layer_sizes": [20], "learning_rate_init": 0.02, "max_iter": 30, "early_stopping": False},
    "model_tree": {"max_depth": 1, "alpha": 1.0},
}
SINGLE = ("isotonic", "identity")
SEARCHED = ("ridge", "non_negative_ridge", "lasso_lars", "svr", "logistic", "model_tree")


def _matrix(values, names="abcdefgh"):
    return FeatureMatrix(np.asarray(values, dtype=np.float32), tuple(names[: values.shape[1]]))


def _make(name, **params):
    return make_learner(name, {**QUICK.get(name, {}), **params}, random_state=4)


@pytest.fixture(scope="module")
def matrix():
    return _matrix(np.random.default_rng(0).random((160, 5)))


@pytest.fixture(scope="module")
def y(matrix):
    noise = np.random.default_rng(1).normal(0, 0.2, len(matrix))
    return np.clip(5 * (matrix.values[:, :3] @ [0.7, 0.2, 0.1]) + noise, 0, 5)


def _read_by(name, matrix):
    return matrix.select("a") if name in SINGLE else matrix


@pytest.mark.parametrize("name", LEARNERS)
def test_it_learns_and_reads_each_row_alone(name, matrix, y):
    read = _read_by(name, matrix)
    fitted = _make(name).fit(read, y)
    scores = fitted.predict(read)
    assert scores.shape == (160,) and scores.dtype == np.float64
    assert np.corrcoef(scores, y)[0, 1] > 0.8
    alone = np.concatenate([fitted.predict(read.take(np.array([i]))) for i in range(0, 160, 20)])
    np.testing.assert_allclose(alone, scores[::20], rtol=0, atol=1e-9)
    np.testing.assert_array_equal(_make(name).fit(read, y).predict(read), scores)
    turned = FeatureMatrix(read.values[:, ::-1], read.columns[::-1])
    np.testing.assert_array_equal(fitted.predict(turned), scores)
    assert fitted.predict(read.take(np.arange(0))).shape == (0,)


@pytest.mark.parametrize("name", [name for name in LEARNERS if name not in SINGLE])
@pytest.mark.parametrize("scale", SCALES)
def test_constant_columns_and_a_single_column(name, scale, matrix, y):
    values = matrix.values[:, :2].copy()
    values[:, 1] = 0.3
    fitted = _make(name, scale=scale).fit(_matrix(values), y)
    assert np.isfinite(fitted.predict(_matrix(values))).all()
    for column in (0, 1):
        one = _matrix(values[:, [column]])
        scores = _make(name, scale=scale).fit(one, y).predict(one)
        assert np.isfinite(scores).all() and (np.ptp(scores) < 1e-9) == (column == 1)


SCALERS = {
    "standard": StandardScaler(),
    "max_abs": MaxAbsScaler(),
    "log": make_pipeline(FunctionTransformer(np.log1p), StandardScaler()),
    "none": "passthrough",
}
MODELS = {
    "linear": LinearRegression(),
    "ridge": Ridge(1.0),
    "lasso_lars": Lasso(0.001, tol=1e-9),
    "svr": SVR(C=2.0, gamma=0.1, epsilon=0.1),
    "linear_svr": SVR(kernel="linear", C=1.0, epsilon=0.1),
    "mlp": MLPRegressor(hidden_layer_sizes=[20], learning_rate_init=0.02, max_iter=30, random_state=4),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("scale", SCALES)
def test_predictions_are_those_of_a_pipeline(name, scale, matrix, y):
    values = matrix.values.astype(np.float64)
    library = make_pipeline(SCALERS[scale], MODELS[name]).fit(values, y)
    ours = _make(name, scale=scale).fit(matrix, y)
    np.testing.assert_allclose(ours.predict(matrix), library.predict(values), rtol=0, atol=1e-6)


def test_the_logarithm_of_a_negative_value(matrix, y):
    values = matrix.values - np.float32(0.5)
    ours = _make("linear", scale="log").fit(_matrix(values), y).predict(_matrix(values))
    logs = np.where(values < 0, -np.log1p(np.abs(values)), np.log1p(np.maximum(values, 0)))
    np.testing.assert_allclose(ours, LinearRegression().fit(logs, y).predict(logs), atol=1e-5)


@pytest.mark.parametrize("scale", ["none", "max_abs"])
@pytest.mark.parametrize(
    ("name", "kind"),
    [("rf", RandomForestRegressor), ("gbm", GradientBoostingRegressor), ("xgb", xgboost.XGBRegressor)],
)
@pytest.mark.parametrize("defaults", ["tuned", "library"])
def test_trees_have_tuned_settings_or_those_of_the_library(name, kind, defaults, scale, matrix, y):
    others = {**(make_member(name).params if defaults == "tuned" else {}), **QUICK[name], "max_depth": 3}
    if defaults == "tuned" and name != "xgb":
        others["max_features"] = 5  # a split of few columns reads all of them
    values = matrix.values / np.abs(matrix.values).max(axis=0) if scale == "max_abs" else matrix.values
    library = kind(**others, random_state=4, n_jobs=1) if name != "gbm" else kind(**others, random_state=4)
    expected = library.fit(values, y, sample_weight=np.ones(160)).predict(values)
    ours = _make(name, defaults=defaults, max_depth=3, scale=scale).fit(matrix, y).predict(matrix)
    np.testing.assert_allclose(ours, expected, rtol=0, atol=1e-5)


def test_no_weight_is_negative(matrix, y):
    down = _matrix(np.column_stack([matrix.values[:, :2], -matrix.values[:, 0] + matrix.values[:, 3]]))
    ours = _make("non_negative_ridge", alpha=3.0).fit(down, y)
    scaled = StandardScaler().fit_transform(down.values.astype(np.float64))
    rows = np.vstack([scaled, np.sqrt(3.0) * np.eye(3)])
    weights, _ = nnls(rows, np.concatenate([y - y.mean(), np.zeros(3)]))
    assert weights.min() == 0 < weights.max()
    np.testing.assert_allclose(ours.predict(down), y.mean() + scaled @ weights, atol=1e-6)


def test_isotonic(matrix, y):
    one = matrix.select("a")
    library = IsotonicRegression(out_of_bounds="clip").fit(one.values[:, 0].astype(float), y)
    beyond = _matrix(np.array([[-1.0], [0.2], [0.9], [4.0]]))
    scores = make_learner("isotonic").fit(one, y).predict(beyond)
    np.testing.assert_allclose(scores, library.predict(beyond.values[:, 0].astype(float)))
    assert (np.diff(scores) >= 0).all()


def test_identity(matrix, y):
    one = matrix.select("b")
    column = one.values[:, 0].astype(np.float64)
    np.testing.assert_array_equal(make_learner("identity").fit(one, y).predict(one), 5 * column)
    half = make_learner("identity", {"times": 0.5}).fit(one, np.zeros(160))
    np.testing.assert_array_equal(half.predict(one), column / 2)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", ["l1", "l2"])
def test_logistic_minimises_the_cross_entropy(penalty, weighted, matrix, y):
    weights = np.linspace(0.5, 2, len(y)) if weighted else np.ones(len(y))
    x, share, strength = StandardScaler().fit_transform(matrix.values.astype(np.float64)), y / 5, 0.1

    def loss(w):
        z = x @ (w[:5] - w[5:10]) + w[10]
        entropy = weights @ (np.logaddexp(0, z) - share * z)
        return strength * entropy + (w[:10].sum() if penalty == "l1" else 0.5 * ((w[:5] - w[5:10]) ** 2).sum())

    best = minimize(loss, np.zeros(11), bounds=[(0, None)] * 10 + [(None, None)], options={"ftol": 1e-14, "gtol": 1e-8})
    expected = 5 * expit(x @ (best.x[:5] - best.x[5:10]) + best.x[10])
    ours = make_learner("logistic", {"penalty": penalty, "C": strength}).fit(matrix, y, weights)
    np.testing.assert_allclose(ours.predict(matrix), expected, atol=5e-3)


def test_a_mixture_of_grades_by_the_rule_of_bayes(matrix, y):
    x = StandardScaler().fit_transform(matrix.values.astype(np.float64))
    grades = np.floor(y + 0.5)
    found, size = np.unique(grades, return_counts=True)
    shared = np.zeros((5, 5))
    for grade, n in zip(found, size, strict=True):
        covariance = np.cov(x[grades == grade].T, bias=True)
        shared += n / len(y) * (0.7 * covariance + 0.3 * np.trace(covariance) / 5 * np.eye(5))
    density = np.stack([multivariate_normal(x[grades == grade].mean(axis=0), shared).pdf(x) for grade in found], axis=1)
    posterior = density * size / (density * size).sum(axis=1, keepdims=True)
    ours = make_learner("gaussian_mixture", {"shrinkage": 0.3}).fit(matrix, y)
    np.testing.assert_allclose(ours.predict(matrix), posterior @ found, atol=1e-8)


def test_a_grade_of_a_single_pair():
    one = _matrix(np.array([[0.0], [0.1], [0.5], [0.6], [1.0]]))
    fitted = make_learner("gaussian_mixture").fit(one, np.array([0, 0.4, 2.5, 3.4, 5]))
    np.testing.assert_allclose(fitted.predict(one), [0, 0, 3, 3, 5], atol=0.01)


def test_a_model_tree_finds_a_rule_of_two_lines(matrix):
    x = matrix.values.astype(np.float64)
    y = np.where(x[:, 0] < 0.5, 1 + x[:, 1], 4 - x[:, 1])
    exact = make_learner("model_tree", {"max_depth": 1, "alpha": 1e-8, "smoothing": 0.0})
    np.testing.assert_allclose(exact.fit(matrix, y).predict(matrix), y, atol=1e-5)
    assert np.corrcoef(make_learner("linear").fit(matrix, y).predict(matrix), y)[0, 1] < 0.95


def test_a_leaf_is_smoothed_by_what_stands_above_it(matrix, y):
    x = matrix.values.astype(np.float64)
    tree = DecisionTreeRegressor(max_depth=2, min_samples_leaf=20, random_state=0).fit(x, y)
    row = x[:1]
    path = tree.decision_path(row).indices
    assert len(path) == 3
    scores, sizes = [], []
    for node in path:
        inside = tree.decision_path(x).toarray()[:, node].astype(bool)
        scores.append(Ridge(1.0).fit(x[inside], y[inside]).predict(row)[0])
        sizes.append(inside.sum())
    middle = (sizes[2] * scores[2] + 15 * scores[1]) / (sizes[2] + 15)
    expected = (sizes[1] * middle + 15 * scores[0]) / (sizes[1] + 15)
    assert ModelTree(max_depth=2).fit(x, y).predict(row)[0] == pytest.approx(expected)


@pytest.mark.parametrize("name", SEARCHED)
def test_settings_are_chosen_and_given_ones_stay(name, matrix, y):
    groups = np.arange(len(y)) // 2
    params = {"svr": {"epsilon": 0.3}, "model_tree": {"alpha": 2.0}}.get(name, {})
    fitted = make_learner(name, params).fit(matrix, y, groups=groups)
    assert fitted.chosen and not set(fitted.chosen) & set(params)
    again = make_learner(name, {**params, **fitted.chosen}).fit(matrix, y)
    assert not again.chosen
    np.testing.assert_array_equal(again.predict(matrix), fitted.predict(matrix))


def test_the_search_is_that_of_the_library(matrix, y):
    groups = np.arange(len(y)) // 3
    scaled = StandardScaler().fit_transform(matrix.values.astype(np.float64))
    grid = {"C": [0.5, 2.0, 8.0], "gamma": [1 / 80, 1 / 20, 1 / 5], "epsilon": [0.1, 0.4]}
    folds = GroupKFold(5).split(scaled, groups=groups)
    library = GridSearchCV(SVR(), grid, scoring="neg_mean_squared_error", cv=list(folds)).fit(scaled, y)
    chosen = make_learner("svr").fit(matrix, y, groups=groups).chosen
    assert chosen == pytest.approx(library.best_params_)


def test_groups_are_not_torn():
    """Scores are noise, the same for the copies of a pair: whoever sees a copy does well to learn it by heart."""
    random = np.random.default_rng(5)
    values, noise = np.repeat(random.random((40, 3)), 4, axis=0), np.repeat(random.random(40) * 5, 4)
    order = random.permutation(160)
    matrix, y, groups = _matrix(values[order]), noise[order], np.repeat(np.arange(40), 4)[order]
    torn = make_learner("svr").fit(matrix, y).chosen
    whole = make_learner("svr").fit(matrix, y, groups=groups).chosen
    assert torn["C"] == 8.0 and torn["gamma"] == pytest.approx(1 / 3)
    assert whole["C"] == 0.5 and whole["gamma"] < torn["gamma"]


def test_a_long_search_takes_whole_groups():
    groups = np.arange(6_000) // 3
    rows = make_learner("svr")._searched(groups)
    assert 1_900 < len(rows) <= 2_000
    taken = np.unique(groups[rows], return_counts=True)[1]
    assert (taken == 3).all()
    np.testing.assert_array_equal(rows, make_learner("svr")._searched(groups))
    assert len(make_learner("ridge")._searched(groups)) == 6_000
    assert len(make_learner("svr")._searched(np.zeros(6_000))) == 6_000


@pytest.mark.parametrize("name", LEARNERS)
def test_a_weight_of_zero_leaves_a_pair_out(name, matrix, y):
    read, weights = _read_by(name, matrix), np.arange(160) % 4 > 0
    spoilt = FeatureMatrix(np.where(weights[:, None], read.values, 100).astype(np.float32), read.columns)
    rows = np.flatnonzero(weights)
    fitted = _make(name).fit(spoilt, np.where(weights, y, 0), weights.astype(float), np.arange(160))
    expected = _make(name).fit(read.take(rows), y[rows], groups=rows)
    np.testing.assert_array_equal(fitted.predict(read), expected.predict(read))


@pytest.mark.parametrize("name", ["linear", "ridge", "model_tree", "isotonic"])
def test_a_weight_of_two_counts_twice(name, matrix, y):
    read, weights = _read_by(name, matrix), 1.0 + (np.arange(160) % 3 == 0)
    rows = np.repeat(np.arange(160), weights.astype(int))
    params = {"scale": "none", **({"min_samples_leaf": 1, "smoothing": 0.0} if name == "model_tree" else {})}
    fitted, doubled = _make(name, **params).fit(read, y, weights), _make(name, **params).fit(read.take(rows), y[rows])
    np.testing.assert_allclose(fitted.predict(read), doubled.predict(read), atol=1e-6)


@pytest.mark.parametrize("name", ["lasso_lars", "gaussian_mixture"])
def test_learners_without_weights(name, matrix, y):
    with pytest.raises(ValueError, match=f"{name} takes no weights other than 0 and 1"):
        _make(name).fit(matrix, y, np.linspace(0, 1, len(y)))


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("svm", {}, "learner must be one of rf, gbm, xgb, linear, ridge, .*, got 'svm'"),
        ("ridge", {"scale": "log2"}, "scale must be one of standard, max_abs, log, none, got 'log2'"),
        ("identity", {"scale": "none"}, "identity has no setting 'scale'"),
    ],
)
def test_unknown_names(name, params, message):
    with pytest.raises(ValueError, match=message):
        make_learner(name, params)


@pytest.mark.parametrize(
    ("name", "params", "message"),
    [
        ("ridge", {"C": 3}, "setting of ridge must be one of alpha, .*, got 'C'"),
        ("svr", {"kernel": "linear"}, "setting of svr must be one of C, .*, got 'kernel'"),
        ("mlp", {"random_state": 1}, "setting of mlp must be one of .*, got 'random_state'"),
        ("rf", {"defaults": "best"}, "defaults of rf must be tuned or library, got 'best'"),
        ("rf", {"alpha": 1}, "rf has no setting 'alpha' here"),
        ("logistic", {"penalty": "l3", "C": 1.0}, "penalty must be l1 or l2, got 'l3'"),
        ("ridge", {"alpha": -1.0}, "alpha"),
    ],
)
def test_unknown_settings(name, params, message, matrix, y):
    with pytest.raises(ValueError, match=message):
        make_learner(name, params).fit(matrix, y)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        (
            "ridge",
            {"y": np.ones(3)},
            r"scores must be 160 finite numbers, got an array of shape \(3,\); give one a row",
        ),
        ("ridge", {"y": np.full(160, np.inf)}, "scores must be 160 finite numbers"),
        ("ridge", {"sample_weight": np.ones((160, 1))}, "weights must be 160 finite numbers"),
        ("ridge", {"sample_weight": np.zeros(160)}, "weights must be 0 or more and include one above 0, got 0 to 0;"),
        ("ridge", {"sample_weight": np.linspace(-1, 1, 160)}, "weights must be 0 or more .*, got -1 to 1;"),
        ("ridge", {"groups": np.ones(3)}, r"groups must be 160 numbers, got an array of shape \(3,\); give one a row"),
        (
            "ridge",
            {"groups": np.ones(160)},
            "ridge chooses alpha by cross-validation, which needs .* two groups of pairs, got 1;",
        ),
        ("logistic", {"y": np.linspace(0, 5.5, 160)}, "scores must be between 0 and 5, got 5.01"),
        ("gaussian_mixture", {"y": np.full(160, 3.2)}, "scores must round to at least two grades, got only 3;"),
        ("identity", {}, "matrix must have exactly one column for identity, got 5;"),
        ("isotonic", {}, "matrix must have exactly one column for isotonic, got 5;"),
    ],
)
def test_bad_input(name, given, message, matrix, y):
    with pytest.raises(ValueError, match=message):
        make_learner(name).fit(matrix, **{"y": y, **given})


def test_a_matrix_without_columns(y):
    with pytest.raises(ValueError, match="matrix must have at least one column for ridge, got 0;"):
        make_learner("ridge").fit(FeatureMatrix(np.empty((160, 0), np.float32), ()), y)


@pytest.mark.parametrize("name", ["svr", "rf", "identity"])
def test_values_must_be_finite(name, matrix, y):
    read = _read_by(name, matrix)
    fitted, values = _make(name).fit(read, y), read.values.copy()
    values[7, 0] = np.nan
    spoilt = FeatureMatrix(values, read.columns)
    for use in (lambda: _make(name).fit(spoilt, y), lambda: fitted.predict(spoilt)):
        with pytest.raises(ValueError, match="value that is not finite"):
            use()


def test_predicting_needs_a_fit_and_the_columns(matrix, y):
    learner = make_learner("linear")
    fitted = learner.fit(matrix, y)
    with pytest.raises(ValueError, match="'linear' is not fitted"):
        learner.predict(matrix)
    with pytest.raises(ValueError, match="no column 'c'"):
        fitted.predict(matrix.drop("c"))


def test_names_are_told_without_a_library():
    code = "import sys; from samewise.research import learners; learners.make_learner('svr'); "
    code += "print({'sklearn', 'scipy'} & set(sys.modules))"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "set()"
