import numpy as np
import pytest
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.linear_correction import LinearCorrection
from samewise.models.member import load_member, make_member
from samewise.models.npz import pack_arrays
from sklearn.linear_model import Ridge

NAMES = ("ngram.one.a", "ngram.one.b", "style.two.c")


def labelled(count=40, seed=0):
    rng = np.random.default_rng(seed)
    values = rng.uniform(-1, 1, (count, 3)).astype(np.float32)
    wrong = 0.3 * values[:, 0] - 0.5 * values[:, 2] + 0.2 + rng.normal(size=count) * 0.05
    return FeatureMatrix(values, NAMES), wrong


def test_it_is_the_ridge_regression_of_scikit_learn():
    matrix, wrong = labelled()
    found = LinearCorrection().fit(matrix, wrong)
    values = matrix.values.astype(np.float64)
    units = (values - values.mean(axis=0)) / values.std(axis=0)
    # The mean of the products over 3 columns: a penalty of 3 on it is one of 9 on their sum.
    expected = Ridge(alpha=9.0).fit(units, wrong)
    assert found.weights == pytest.approx(expected.coef_, abs=1e-6)
    assert found.predict(matrix) == pytest.approx(expected.predict(units), abs=1e-6)


def test_a_column_that_does_not_vary_has_no_weight():
    matrix, wrong = labelled()
    values = matrix.values.copy()
    values[:, 1] = 7.0
    found = LinearCorrection().fit(FeatureMatrix(values, NAMES), wrong)
    assert found.weights[1] == 0.0
    values[:, 1] = -100.0
    assert np.isfinite(found.predict(FeatureMatrix(values, NAMES))).all()


def test_far_values_count_as_three_deviations():
    matrix, wrong = labelled()
    found = LinearCorrection().fit(matrix, wrong)
    at = (found.centre + 3 * found.width).astype(np.float32)
    far = FeatureMatrix(np.stack([at, at * 0 + 1e6]), NAMES)
    near, beyond = found.predict(far)
    assert near == pytest.approx(beyond, abs=1e-6)


def test_points_of_families_add_up_and_do_not_depend_on_the_batch():
    matrix, wrong = labelled()
    found = LinearCorrection().fit(matrix, wrong)
    mean, points = found.contributions(matrix)
    assert list(points) == ["ngram", "style"]
    whole = found.predict(matrix)
    assert mean + sum(points.values()) == pytest.approx(whole, abs=1e-12)
    for row in range(len(matrix)):
        assert found.predict(matrix.take(np.asarray([row])))[0] == whole[row]


def test_a_file_gives_the_same_correction():
    matrix, wrong = labelled()
    found = LinearCorrection().fit(matrix, wrong)
    again = load_member("correction", found.to_bytes(), NAMES, found.params)
    assert again.predict(matrix).tolist() == found.predict(matrix).tolist()
    assert again.to_bytes() == found.to_bytes()


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"weights": np.zeros(2)}, "does not fit the 3 columns"),
        ({"width": np.zeros(3)}, "must be finite and up to 100"),
        ({"weights": np.asarray([np.nan, 0, 0])}, "must be finite and up to 100"),
        ({"weights": np.asarray([101.0, 0, 0])}, "must be finite and up to 100"),
        ({"constant": np.zeros(2)}, "does not fit the 3 columns"),
    ],
)
def test_a_bad_file_is_refused(changes, text):
    arrays = {"centre": np.zeros(3), "width": np.ones(3), "weights": np.zeros(3), "constant": np.zeros(1)}
    with pytest.raises(ValueError, match=text):
        load_member("correction", pack_arrays({**arrays, **changes}), NAMES, {})


def test_it_is_no_member_to_train():
    with pytest.raises(ValueError, match="member 'correction' is unknown"):
        make_member("correction")
