"""Scorers by one cosine: their curves, their files, and their share in an ensemble."""

import numpy as np
import pytest
from samewise.features.pipeline.matrix import FeatureMatrix
from samewise.models.member import load_member, make_member
from samewise.models.monotone_curve import monotone_curve
from sklearn.isotonic import IsotonicRegression

from samewise import SimilarityEnsemble

COLUMN = "embedding.cosine_distilled.mean"
RANDOM = np.random.default_rng(2)
COSINES = RANDOM.uniform(-1, 1, 400)
GOLD = 2.5 + 2.5 * np.sign(COSINES) * COSINES**2
MATRIX = FeatureMatrix(np.column_stack([RANDOM.normal(size=400), COSINES]).astype(np.float32), ("a.b.c", COLUMN))


@pytest.fixture(scope="module")
def fitted():
    return make_member("word_cosine").fit(MATRIX, GOLD)


def test_a_curve_by_hand():
    x = np.arange(100.0)
    knots, values = monotone_curve(x, np.where(x < 50, 1.0, 3.0))
    # The means of two halves, 24.5 and 74.5, and the line through them up to 1 beyond both ends.
    assert knots == pytest.approx([-1.0, 24.5, 74.5, 100.0])
    assert values == pytest.approx([1 - 25.5 / 25, 1.0, 3.0, 3 + 25.5 / 25])
    assert monotone_curve(x[:99], x[:99])[0].size == monotone_curve(np.ones(200), np.arange(200.0))[0].size == 0


def test_a_curve_does_not_fall_and_follows_weights():
    x, y = np.arange(150.0), np.repeat([1.0, 4.0, 2.0], 50)
    assert monotone_curve(x, y)[1][1:-1] == pytest.approx(IsotonicRegression().fit_transform([0, 1, 2], [1, 4, 2]))
    weighted = monotone_curve(x, y, np.repeat([1.0, 1.0, 3.0], 50))[1]
    assert weighted[1:-1] == pytest.approx([1.0, 2.5, 2.5])


def test_it_follows_its_column_alone(fitted):
    scores = fitted.predict(MATRIX)
    assert np.corrcoef(scores, GOLD)[0, 1] > 0.99 and np.abs(scores - GOLD).max() < 0.5
    assert (np.diff(scores[np.argsort(COSINES)]) >= 0).all()
    alone = FeatureMatrix(MATRIX.values[:, 1:], (COLUMN,))
    np.testing.assert_array_equal(fitted.predict(alone), scores)


def test_points_add_up_to_the_score(fitted):
    base, points = fitted.contributions(MATRIX)
    assert base == pytest.approx(GOLD.mean()) and list(points) == ["embedding"]
    np.testing.assert_allclose(base + points["embedding"], fitted.predict(MATRIX), atol=1e-12)


def test_read_it_predicts_as_fitted(fitted):
    read = load_member("word_cosine", fitted.to_bytes(), MATRIX.columns, fitted.params)
    np.testing.assert_array_equal(read.predict(MATRIX), fitted.predict(MATRIX))
    assert read.to_bytes() == fitted.to_bytes()


@pytest.mark.parametrize("damage", [lambda data: data[:-20], lambda data: b"", lambda data: b"!" + data[1:]])
def test_a_damaged_file_is_refused(fitted, damage):
    with pytest.raises(ValueError, match="file of member 'word_cosine' cannot be used"):
        load_member("word_cosine", damage(fitted.to_bytes()), MATRIX.columns)


@pytest.mark.parametrize("facts", [{"knots": np.arange(3.0)[::-1]}, {"values": np.array([1.0, np.nan, 2.0])}])
def test_a_curve_that_is_none_is_refused(fitted, facts):
    from dataclasses import replace

    broken = replace(fitted, **{"knots": np.arange(3.0), "values": np.arange(3.0), **facts})
    with pytest.raises(ValueError, match="must hold an increasing curve"):
        load_member("word_cosine", broken.to_bytes(), MATRIX.columns)
    with pytest.raises(ValueError, match="must hold an increasing curve of a column of the model"):
        load_member("word_cosine", fitted.to_bytes(), ("a.b.c",))


def test_what_it_cannot_be_fitted_on():
    member = make_member("sentence_cosine")
    with pytest.raises(
        ValueError, match="features must hold contextual.cosine.vectors, which the member sentence_cosi"
    ):
        member.fit(MATRIX, GOLD)
    with pytest.raises(ValueError, match="the member word_cosine must have at least 100 pairs .* got 20"):
        make_member("word_cosine").fit(MATRIX.take(np.arange(20)), GOLD[:20])
    with pytest.raises(ValueError, match="is not fitted"):
        make_member("word_cosine").predict(MATRIX)
    with pytest.raises(ValueError, match="word_cosine has no setting 'columns'"):
        make_member("word_cosine", {"columns": COLUMN})


@pytest.fixture(scope="module")
def stacked():
    words = "cat dog cow hen fox owl bee ant elk ape".split()
    drawn = [RANDOM.permutation(words)[:4].tolist() for _ in range(240)]
    others = [[*one[: k % 4], *RANDOM.permutation(words)[: 4 - k % 4]] for k, one in enumerate(drawn)]
    pairs = [(" ".join(one), " ".join(other)) for one, other in zip(drawn, others, strict=True)]
    few = {"n_estimators": 5, "learning_rate": 0.5}
    params = {"gbm": few, "xgb": few, "word_cosine": {"column": "ngram.words.n1"}}  # no vectors to read
    model = SimilarityEnsemble(["ngram.words"], list(params), combine="stack", member_params=params)
    return model.fit(pairs, [k % 4 + 0.5 for k in range(240)]), pairs


def test_in_a_stack_it_has_a_weight_of_its_own_and_regressors_one_for_all(stacked, tmp_path):
    model, pairs = stacked
    names = [member.name for member in model.predictor_.members]
    weights = dict(zip(names, model.predictor_.combination.weights, strict=True))
    assert weights["gbm"] == weights["xgb"] != weights.get("word_cosine", 0.0)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(SimilarityEnsemble.load(tmp_path / "model").predict(pairs), model.predict(pairs))


@pytest.mark.slow
def test_its_points_are_part_of_an_explanation(stacked):
    model, pairs = stacked
    for explained in model.explain(pairs[:5]):
        assert explained.base + sum(explained.contributions.values()) == pytest.approx(explained.score, abs=1e-9)
