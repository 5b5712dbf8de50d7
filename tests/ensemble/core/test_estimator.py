import json
import warnings
from dataclasses import replace

import joblib
import numpy as np
import pandas as pd
import pytest
from samewise.ensemble.commands.cli import app
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.folds import sentence_groups
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.loading import load
from samewise.features.analysis.analysis import analyse
from samewise.models.bundle import BundleError
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.inspection import permutation_importance
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, learning_curve
from sklearn.pipeline import make_pipeline
from typer.testing import CliRunner

from samewise import SentenceKFold, SimilarityEnsemble, feature

from ...conftest import HOSTILE, PAIRS

SMALL = {
    "rf": {"n_estimators": 10},
    "gbm": {"n_estimators": 10},
    "xgb": {"n_estimators": 10},
}
# For a fold of a few pairs, of which the tuned settings would make a single leaf.
LEAFY = {
    "gbm": {"n_estimators": 10, "learning_rate": 0.2, "min_samples_leaf": 1},
    "xgb": {"n_estimators": 10, "learning_rate": 0.2, "min_child_weight": 1},
}
SCORES = [4.2, 0.2, 4.6, 2.0, 1.8, 1.6, 3.8, 2.0, 4.4, 3.0, 4.4, 4.8, 0.4, 3.0, 0.2]
X = [(f"{a} {i}", f"{b} {i}") for i in range(4) for a, b in PAIRS]
y = np.clip(np.tile(SCORES, 4) + np.repeat([0.0, 0.1, -0.1, 0.2], len(PAIRS)), 0, 5)


def small(**settings):
    return SimilarityEnsemble(**{"features": ["length", "ngram", "bow"], "member_params": SMALL, **settings})


@pytest.fixture(scope="module")
def model():
    return small().fit(X, y)


def test_fit_and_predict(model):
    scores = model.predict(X)
    assert scores.shape == (len(X),)
    assert scores.dtype == np.float64
    assert np.corrcoef(scores, y)[0, 1] > 0.8
    assert model.score(X, y) == pytest.approx(1 - ((scores - y) ** 2).sum() / ((y - y.mean()) ** 2).sum())


def test_intervals_come_from_out_of_fold_predictions(model):
    score, low, high = model.predict(X, return_interval=True)
    assert ((low <= score) & (score <= high)).all()
    assert model.oof_prediction_.shape == (len(X),)
    assert not np.allclose(model.oof_prediction_, score)
    assert model.predictor_.interval.level == 0.9


def test_without_an_interval_the_whole_scale_is_given():
    _, low, high = small(interval=None, members=("gbm",)).fit(X, y).predict(X[:3], return_interval=True)
    assert low.tolist() == [0.0] * 3
    assert high.tolist() == [5.0] * 3


@pytest.mark.parametrize("table", [np.array(X), pd.DataFrame(X, columns=["sentence1", "sentence2"])])
def test_tables_are_accepted(model, table):
    np.testing.assert_array_equal(model.predict(table), model.predict(X))


def test_the_score_is_the_clipped_mean_of_the_members(model):
    from samewise.features.analysis.analysis import analyse

    members = model.predictor_.member_scores(analyse(X))
    np.testing.assert_allclose(model.predict(X), np.clip(members.mean(axis=1), 0, 5), rtol=1e-12)
    assert Combination().apply(np.array([[6.0, 7.0], [-1.0, 0.5]])).tolist() == [5.0, 0.0]


def test_rules_and_flags(model):
    pairs = [
        ("A dog barks loudly.", " A dog  barks loudly. "),
        ("", ""),
        ("", "A dog barks."),
        ("word " * 150, "A dog barks."),
        ("word " * 1_000, "A dog barks."),
        ("Собака лает на кошку.", "A dog barks."),
        ("The bill was rejected by parliament.", "A cat chases a dog."),
    ]
    found = model.predict_pairs(pairs)
    assert found.score[:3].tolist() == [5.0, 5.0, 0.0]
    assert found.low[:3].tolist() == found.high[:3].tolist() == [5.0, 5.0, 0.0]
    assert found.flags == [
        ("identical",),
        ("empty", "identical"),
        ("empty",),
        ("long",),
        ("long", "truncated"),
        ("non_english",),
        (),
    ]


def test_the_same_seed_gives_the_same_bytes(model, tmp_path):
    model.save(tmp_path / "one")
    small().fit(X, y).save(tmp_path / "two")
    small(random_state=1).fit(X, y).save(tmp_path / "three")
    bytes_of = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two", "three")
    ]
    assert bytes_of[0] == bytes_of[1]
    assert bytes_of[0] != bytes_of[2]


def test_save_and_load_predict_the_same(model, tmp_path):
    model.save(tmp_path / "m", training={"data": "made up"}, metrics={"dev": {"pearson": 0.5}}, licence="CC0-1.0")
    for loaded in (SimilarityEnsemble.load(tmp_path / "m"), load(tmp_path / "m")):
        np.testing.assert_array_equal(loaded.predict(X + PAIRS), model.predict(X + PAIRS))
        assert loaded.signature == model.signature.replace("train:unknown", "train:made-up")
    again = SimilarityEnsemble.load(tmp_path / "m")
    again.save(tmp_path / "copy")
    assert (tmp_path / "copy" / "manifest.json").read_bytes() == (tmp_path / "m" / "manifest.json").read_bytes()
    assert clone(again).fit(X, y).signature.split("model:")[1] == model.signature.split("model:")[1]


def test_metrics_do_not_change_the_signature(model, tmp_path):
    before = model.signature
    model.save(tmp_path / "m", metrics={"test": {"pearson": 0.8}})
    assert load(tmp_path / "m").signature == before


@pytest.mark.slow
def test_a_user_feature_travels_by_name(tmp_path):
    @feature("same", source="an example")
    def last_letter(pairs):
        """1 where both sentences end alike."""
        return [[float(a.text[-1:] == b.text[-1:])] for a, b in pairs]

    model = small(features=["length", last_letter], members=("gbm",), interval=None).fit(X, y)
    model.save(tmp_path / "m")
    with pytest.raises(BundleError, match="pass the feature of test_estimator.py"):
        load(tmp_path / "m")
    again = Predictor.load(tmp_path / "m", [last_letter])
    np.testing.assert_array_equal(again.predict(X), model.predict(X))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"columns": ["nosuch.feature.x"]}, r"needs the column 'nosuch\.feature\.x'"),
        ({"analysis": 999}, "must have the text analysis 1, got 999"),
        ({"resources": {}}, "lacks the resource"),
        ({"members": []}, "lacks its members"),
        ({"members": [{"name": "rf"}]}, "manifest"),
        ({"interval": {"level": 2}}, "the stored distribution"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(model, tmp_path, change, message):
    model.save(tmp_path / "m")
    path = tmp_path / "m" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **change}))
    with pytest.raises(BundleError, match=message):
        load(tmp_path / "m")


@pytest.mark.parametrize("probe", [None, [1.0], ["high", 1.0, 2.0]])
def test_a_probe_that_is_not_there_is_named(model, tmp_path, probe):
    model.save(tmp_path / "m")
    path = tmp_path / "m" / "manifest.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "probe": probe}))
    with pytest.raises(BundleError, match="probe"):
        load(tmp_path / "m").probe_difference()


def test_an_unknown_model_lists_the_profiles():
    with pytest.raises(
        BundleError, match="model must be a folder or one of the profiles surface, fast, full, got 'nosuch'"
    ):
        load("nosuch")


def test_the_joblib_snapshot_warns(model, tmp_path):
    model.dump(tmp_path / "m.joblib")
    with pytest.warns(UserWarning, match="runs code from it"):
        again = SimilarityEnsemble.load_dump(tmp_path / "m.joblib")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    joblib.dump({"not": "a model"}, tmp_path / "other.joblib")
    with warnings.catch_warnings(), pytest.raises(ValueError, match="holds a dict"):
        warnings.simplefilter("ignore")
        SimilarityEnsemble.load_dump(tmp_path / "other.joblib")


@pytest.mark.slow
def test_scikit_learn_tools_accept_it():
    estimator = small(features=["length", "bow.smooth"], interval=None)
    assert clone(estimator).get_params() == estimator.get_params()
    folds = KFold(3, shuffle=True, random_state=0)
    assert cross_val_score(estimator, X, y, cv=folds).shape == (3,)
    grid = GridSearchCV(estimator, {"members": [("gbm",), ("rf", "xgb")], "features": ["length", "bow"]}, cv=folds)
    assert grid.fit(X, y).best_params_["members"]
    assert make_pipeline(clone(estimator)).fit(X, y).predict(X).shape == (len(X),)
    frame = pd.DataFrame(X, columns=["sentence1", "sentence2"])
    assert cross_val_score(estimator, frame, y, cv=folds).shape == (3,)


def test_settings_of_members_have_names_of_their_own():
    estimator = small(members=("gbm", "xgb"), member_params={"xgb": {"max_depth": np.int64(3), "gamma": 0.5}})
    params = estimator.get_params()
    assert (params["xgb__max_depth"], params["xgb__gamma"], params["gbm__max_depth"]) == (3, 0.5, 6)
    assert not [name for name in params if name.startswith("rf__")]
    assert "xgb__max_depth" not in estimator.get_params(deep=False)
    before = estimator.member_params
    assert estimator.set_params(xgb__max_depth=4, gbm__n_estimators=7, combine="stack") is estimator
    assert estimator.combine == "stack"
    assert estimator.member_params == {"xgb": {"max_depth": 4, "gamma": 0.5}, "gbm": {"n_estimators": 7}}
    assert before == {"xgb": {"max_depth": 3, "gamma": 0.5}}, "what others may hold is not changed"
    # Members and their settings in one call, whatever the order.
    estimator.set_params(rf__n_estimators=5, members=("rf",))
    assert estimator.get_params()["rf__n_estimators"] == 5
    assert estimator.set_params() is estimator
    assert small(members="gbm").get_params()["gbm__n_estimators"] == 10
    assert "xgb__gamma" not in estimator._repr_html_()


def test_clones_are_exact():
    estimator = small(members=("gbm",)).set_params(gbm__max_depth=2)
    copy = clone(estimator)
    assert copy.get_params() == estimator.get_params()
    assert copy.member_params == {**SMALL, "gbm": {"n_estimators": 10, "max_depth": 2}}
    copy.set_params(gbm__max_depth=3)
    assert estimator.get_params()["gbm__max_depth"] == 2


@pytest.mark.parametrize("name", ["xgb__trees", "rf__max_depth", "svm__C", "xgb__", "trees"])
def test_unknown_settings_are_refused_as_scikit_learn_does(name):
    estimator = small(members=("gbm", "xgb"))
    with pytest.raises(ValueError, match=f"Invalid parameter '{name}' for estimator SimilarityEnsemble"):
        estimator.set_params(**{name: 1})
    with pytest.raises(ValueError, match="Invalid parameter"):
        GridSearchCV(estimator, {name: [1]}, cv=2).fit(X, y)


@pytest.mark.slow
def test_a_grid_over_settings_of_members(tmp_path):
    estimator = small(features="length", members=("gbm", "xgb"), interval=None, member_params=LEAFY)
    grid = {"xgb__max_depth": np.arange(1, 3), "combine": ["mean", "stack"]}
    scoring = make_scorer(pearson)
    found = GridSearchCV(estimator, grid, cv=SentenceKFold(3), scoring=scoring).fit(X, y)
    assert len(found.cv_results_["params"]) == 4
    best = found.best_params_
    again = clone(estimator).set_params(combine=best["combine"], xgb__max_depth=int(best["xgb__max_depth"]))
    scores = cross_val_score(again, X, y, cv=SentenceKFold(3), scoring=scoring)
    assert found.best_score_ == pytest.approx(scores.mean())
    found.best_estimator_.save(tmp_path / "m")
    assert found.best_estimator_.get_params()["xgb__max_depth"] == best["xgb__max_depth"]
    assert set(SimilarityEnsemble.load(tmp_path / "m").members) == {"gbm", "xgb"}


@pytest.mark.parametrize("kind", [list, np.array, lambda rows: pd.DataFrame(rows, columns=["left", "right"])])
def test_learning_curves_of_scikit_learn(kind):
    estimator = small(features="length", members=("gbm",), interval=None, member_params=LEAFY)
    settings = {"cv": SentenceKFold(3), "scoring": make_scorer(pearson), "train_sizes": [0.5, 1.0]}
    sizes, _, scores = learning_curve(estimator, kind(X), y, **settings)
    assert scores.shape == (2, 3)
    expected = cross_val_score(estimator, X, y, cv=settings["cv"], scoring=settings["scoring"])
    np.testing.assert_allclose(scores[-1], expected)
    assert sizes.tolist() == [20, 40]


def test_permuting_a_side_costs(model):
    found = permutation_importance(model, np.array(X), y, n_repeats=2, random_state=0, scoring=make_scorer(pearson))
    assert (found.importances_mean > 0.2).all()
    frame = pd.DataFrame(X, columns=["sentence1", "sentence2"])
    again = permutation_importance(model, frame, y, n_repeats=2, random_state=0, scoring=make_scorer(pearson))
    np.testing.assert_allclose(again.importances, found.importances)


def test_folds_keep_pairs_that_share_a_sentence_together():
    # A chain: each pair shares a sentence with the next, and some differ in white space only.
    chained = [(f"{word}  {k}.", f"{word} {k + 1}.") for word in ("one", "two", "three", "four") for k in range(6)]
    chained += [("Alone here.", "Alone there."), (" one 3. ", "Another.")]
    folds = list(SentenceKFold(3).split(chained))
    assert sorted(row for _, held_out in folds for row in held_out.tolist()) == list(range(26))
    groups = sentence_groups(analyse(chained))
    for rows, held_out in folds:
        assert set(rows.tolist()) | set(held_out.tolist()) == set(range(26))
        seen, kept = ({" ".join(text.split()) for i in part for text in chained[i]} for part in (rows, held_out))
        assert not seen & kept
        assert not set(groups[rows].tolist()) & set(groups[held_out].tolist())
    assert SentenceKFold().get_n_splits(chained) == 5
    frame = pd.DataFrame(chained, columns=["sentence1", "sentence2"])
    assert [part.tolist() for _, part in SentenceKFold(3).split(frame)] == [part.tolist() for _, part in folds]
    assert clone(GridSearchCV(small(), {}, cv=SentenceKFold(3))).cv == SentenceKFold(3)


def test_folds_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="n_splits=1 leaves nothing"):
        SentenceKFold(1)
    with pytest.raises(ValueError, match="groups of pairs that share no sentence, 1, got 5; give more pairs"):
        list(SentenceKFold().split([("a", "b"), ("b", "c"), ("c", "a")]))
    with pytest.raises(ValueError, match="no sentence, 3, got 5"):
        list(SentenceKFold().split([("a", "b"), ("c", "d"), ("e", "f")]))
    with pytest.raises(ValueError, match="item 0 of X must be a pair of two texts"):
        list(SentenceKFold(2).split(["a", "b"]))


def test_unfitted_models_say_so():
    with pytest.raises(NotFittedError):
        small().predict(X)


@pytest.mark.parametrize(
    ("settings", "gold", "message"),
    [
        ({}, y[:3], "y must have one score a pair"),
        ({}, y + 3, "a score must be a number from 0 to 5, got .*; name the scale of the scores"),
        *(
            (
                {},
                np.where(np.arange(len(y)) == 7, bad, y),
                f"a score must be a number from 0 to 5, got {bad} for pair 7",
            )
            for bad in (np.nan, np.inf, -0.1, 5.1)
        ),
        ({}, np.full(len(y), 5.0), "labels must differ, got 5 for all"),
        ({"members": ()}, y, "members must name at least one member"),
        ({"members": ("rf", "rf")}, y, "each once"),
        ({"members": ("svm",)}, y, "svm"),
        ({"features": "nosuch"}, y, "no feature matches 'nosuch'"),
        ({"interval": 1.5}, y, "interval must be a coverage between 0 and 1, or None, got 1.5"),
    ],
)
def test_bad_settings_are_named(settings, gold, message):
    with pytest.raises(ValueError, match=message):
        small(**settings).fit(X, gold)


def test_no_pairs_give_no_scores(model):
    assert model.predict([]).shape == (0,)


def test_hostile_pairs_get_finite_scores(model):
    score, low, high = model.predict(HOSTILE, return_interval=True)
    assert np.isfinite(score).all()
    assert ((0 <= low) & (low <= score) & (score <= high) & (high <= 5)).all()


def test_predictor_is_what_the_estimator_uses(model):
    assert isinstance(model.predictor_, Predictor)


def test_saving_leaves_the_model_as_it_was(model, tmp_path):
    predictor = model.predictor_
    before, signature = json.dumps(predictor.manifest), predictor.signature
    predictor.save(
        tmp_path / "m", training={"data": "elsewhere"}, metrics={"test": {"pearson": 0.5}}, licence="CC0-1.0"
    )
    assert json.dumps(predictor.manifest) == before and predictor.signature == signature
    assert Predictor.load(tmp_path / "m").manifest["training"]["data"] == "elsewhere"


def test_a_model_that_was_changed_in_memory_is_saved_as_it_is(model, tmp_path):
    halved = replace(model.predictor_, combination=Combination("stack", (0.5,) * len(model.predictor_.members), 0.1))
    halved.save(tmp_path / "m")
    again = Predictor.load(tmp_path / "m")
    assert again.combination == halved.combination
    assert again.predict(PAIRS).tolist() == halved.predict(PAIRS).tolist()
    assert again.probe_difference() == 0.0
    assert again.signature != model.predictor_.signature


def test_a_member_of_weight_nothing_is_left_out(monkeypatch, tmp_path):
    stacked = Combination("stack", (0.0, 0.9), 0.2)
    monkeypatch.setattr(Combination, "fit", classmethod(lambda cls, *_, **__: stacked))
    pairs = [(f"{a} {k}", b) for k in range(3) for a, b in PAIRS]
    settings = {"member_params": {"gbm": {"n_estimators": 10}, "rf": {"n_estimators": 5}}, "combine": "stack"}
    ensemble = SimilarityEnsemble("length", ("rf", "gbm"), **settings).fit(pairs, [k % 6 for k in range(len(pairs))])
    predictor = ensemble.predictor_
    assert [member.name for member in predictor.members] == ["gbm"]
    assert predictor.combination.weights == (0.9,)
    assert predictor.manifest["fitted_members"] == ["rf", "gbm"]
    assert ensemble.oof_members_.shape == (len(pairs), 2)
    ensemble.save(tmp_path / "m")
    assert SimilarityEnsemble.load(tmp_path / "m").members == ("rf", "gbm")
    printed = CliRunner().invoke(app, ["info", str(tmp_path / "m")])
    assert "gbm; left out with weight 0: rf" in printed.output


def test_scores_of_0_to_1_on_a_scale_of_0_to_5_are_doubted():
    halves = [score / 5 for score in SCORES * 4]
    with pytest.warns(
        UserWarning, match=r"all 60 scores are from 0 to 1, on a scale of 0\.\.5; .* give scale='0\.\.1'"
    ):
        SimilarityEnsemble("length", ["xgb"], member_params=SMALL, interval=None).fit(X, halves)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SimilarityEnsemble("length", ["xgb"], member_params=SMALL, interval=None, scale="0..1").fit(X, halves)
        SimilarityEnsemble("length", ["xgb"], member_params=SMALL, interval=None).fit(X[:4], halves[:4])


def test_only_pairs_that_are_unseen_are_judged():
    gold = np.asarray(SCORES * 4)
    seen = np.arange(60) >= 30
    made = SimilarityEnsemble("length", ["xgb"], member_params=SMALL, combine="stack").fit(X, gold, unseen=~seen)
    unseen = made.oof_members_[~seen]
    groups = sentence_groups(analyse(X, "text"))[~seen]
    expected = Combination.fit("stack", unseen, gold[~seen], groups, calibrate=False, averaged=[True])
    assert made.predictor_.combination == expected
    again = SimilarityEnsemble("length", ["xgb"], member_params=SMALL, combine="stack").fit(X, gold)
    assert again.predictor_.combination != expected
    with pytest.raises(ValueError, match="unseen must mark at least one of 60 pairs, got no mark"):
        again.fit(X, gold, unseen=np.zeros(60, bool))
