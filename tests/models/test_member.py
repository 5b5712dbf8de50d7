"""The contract of members, held by each regressor of the folder, one that was just added too."""

import pickle
import subprocess
import sys

import numpy as np
import pytest
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import COLUMN_MEMBERS, MEMBERS, REGRESSORS, load_member, make_member

FAMILIES = {"length": [0, 3, 4], "ngram": [1, 2, 5], "style": [6, 7]}
COLUMNS = tuple(f"{name}.feature.c{j}" for j in range(8) for name, places in FAMILIES.items() if j in places)


@pytest.fixture(scope="module")
def matrix():
    return FeatureMatrix(np.random.default_rng(0).random((120, 8), dtype=np.float32), COLUMNS)


@pytest.fixture(scope="module")
def y(matrix):
    noise = np.random.default_rng(1).normal(0, 0.1, len(matrix))
    return 5 * np.clip(matrix.values[:, :3].mean(axis=1) + noise, 0, 1)


@pytest.fixture(scope="module", params=REGRESSORS)
def fitted(request, matrix, y):
    return make_member(request.param).fit(matrix, y)


def test_names_and_their_order():
    assert REGRESSORS[:3] == ("rf", "gbm", "xgb")
    assert COLUMN_MEMBERS == (*REGRESSORS, "sentence_cosine", "word_cosine")
    networks = "base_cross_encoder cross_encoder bi_encoder cnn dl_dan dl_lstm dl_proj dl_word esim"
    assert list(MEMBERS) == [*COLUMN_MEMBERS, *networks.split()]


@pytest.mark.parametrize("name", MEMBERS)
def test_a_member_is_declared_under_its_name(name):
    member = make_member(name, random_state=4, n_jobs=2)
    assert (member.name, member.random_state, member.n_jobs) == (name, 4, 2)
    assert member.reads_columns == (name in COLUMN_MEMBERS) and member.averaged == (name in REGRESSORS)
    assert member.suffix.startswith(".")


def test_unknown_name():
    with pytest.raises(ValueError, match="member 'svm' is unknown; the members are rf, gbm, xgb"):
        make_member("svm")
    with pytest.raises(ValueError, match="member 'svm' is unknown"):
        load_member("svm", b"", ())


def test_it_learns(fitted, matrix, y):
    assert np.corrcoef(fitted.predict(matrix), y)[0, 1] > 0.7
    assert fitted.predict(matrix).dtype == np.float64


def test_the_same_seed_gives_the_same_bytes(fitted, matrix, y):
    assert make_member(fitted.name, n_jobs=2).fit(matrix, y).to_bytes() == fitted.to_bytes()


def test_read_and_copied_it_predicts_as_fitted(fitted, matrix):
    read = load_member(fitted.name, fitted.to_bytes(), COLUMNS, fitted.params)
    for other in (read, pickle.loads(pickle.dumps(fitted))):
        np.testing.assert_array_equal(other.predict(matrix), fitted.predict(matrix))
        assert other.to_bytes() == fitted.to_bytes() and other.params == fitted.params


def test_a_score_depends_on_its_row_alone(fitted, matrix):
    together = fitted.predict(matrix)
    for row in (0, 7, 119):
        assert fitted.predict(matrix.take(np.asarray([row])))[0] == together[row]
    assert fitted.predict(matrix.take(np.arange(0))).shape == (0,)


def test_columns_are_found_by_name(fitted, matrix):
    turned = FeatureMatrix(matrix.values[:, ::-1], matrix.columns[::-1])
    np.testing.assert_array_equal(fitted.predict(turned), fitted.predict(matrix))
    with pytest.raises(ValueError, match=f"no column '{COLUMNS[0]}'"):
        fitted.predict(matrix.drop("*.c0"))


def test_points_of_families_add_up_to_the_score(fitted, matrix):
    read = load_member(fitted.name, fitted.to_bytes(), COLUMNS, fitted.params)
    base, points = read.contributions(matrix)
    assert sorted(points) == sorted(FAMILIES)
    assert all(array.shape == (len(matrix),) for array in points.values())
    np.testing.assert_allclose(base + sum(points.values()), fitted.predict(matrix), rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", REGRESSORS)
def test_fit_leaves_the_unfitted_member_unfitted(name, matrix, y):
    member = make_member(name)
    member.fit(matrix, y)
    for use in (lambda: member.predict(matrix), lambda: member.contributions(matrix), member.to_bytes):
        with pytest.raises(ValueError, match=f"'{name}' is not fitted"):
            use()


@pytest.mark.parametrize("name", REGRESSORS)
def test_unknown_setting(name, matrix, y):
    with pytest.raises(ValueError, match=f"{name} has no setting 'colour'"):
        make_member(name, {"colour": 3}).fit(matrix, y)


@pytest.mark.parametrize("damage", [lambda data: data[:-30], lambda data: b"", lambda data: b"!" + data[1:]])
def test_damaged_file(fitted, damage):
    with pytest.raises(ValueError, match=f"file of member '{fitted.name}' cannot be used"):
        load_member(fitted.name, damage(fitted.to_bytes()), COLUMNS)


@pytest.mark.slow
@pytest.mark.parametrize("name", REGRESSORS)
def test_prediction_imports_no_learning_library(name, tmp_path, matrix, y):
    (tmp_path / "file").write_bytes(make_member(name).fit(matrix, y).to_bytes())
    code = (
        "import sys; from pathlib import Path; import numpy as np; "
        "from samewise.features.pipeline.matrix import FeatureMatrix; from samewise.models.member import load_member; "
        f"member = load_member({name!r}, Path({str(tmp_path / 'file')!r}).read_bytes(), {COLUMNS}); "
        f"matrix = FeatureMatrix(np.zeros((2, 8), np.float32), {COLUMNS}); "
        "member.predict(matrix); member.contributions(matrix); "
        "print(sorted({'sklearn', 'xgboost', 'scipy', 'torch'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
