"""The decision that a model carries."""

import json
from dataclasses import replace

import numpy as np
import pytest
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.manifest import has_decision
from samewise.ensemble.core.model_decision import LabelledScores, decide_pairs, decision_of, with_thresholds
from samewise.ensemble.core.predictor import Predictor
from samewise.ensemble.core.scale import POINTS, YES_OR_NO, Scale
from samewise.ensemble.loading import load
from samewise.ensemble.multilingual.multilingual_model import MultilingualModel
from samewise.models.bundle import BundleError


@pytest.fixture(scope="module")
def model():
    return load("surface")


def labelled(scale=POINTS, count=400):
    """Made-up scores in steps, each label 1.25 lower or higher in turn; on 0..5."""
    scores = np.round(np.linspace(0, 5, count), 4)
    points = np.clip(scores + np.where(np.arange(count) % 2, 0.5, -0.5), 0, 5)
    labels = (points >= 3).astype(float) if scale.binary else scale.scores(points)
    return LabelledScores(scores, labels, scale, "made up")


@pytest.mark.slow
def test_from_choice_to_file_and_back(model, tmp_path):
    decided, decision, found = with_thresholds(model, labelled(), Rule("max_false", 0.1, 0.1), 3.0)
    assert (found.same_from, found.different_below) == (decision.same_from, decision.different_below)
    assert decision_of(decided.parts) == decision
    assert decided.signature == model.signature
    decided.save(tmp_path / "m")
    assert decision_of(Predictor.load(tmp_path / "m").parts) == decision
    assert json.loads((tmp_path / "m" / "manifest.json").read_text())["decision"] == decision.to_dict()


def test_whole_numbers_make_the_decision_that_decimals_make(model):
    whole, decimal = (
        with_thresholds(model, labelled(), Rule("cost", cost), label)[0] for cost, label in ((3, 3), (3.0, 3.0))
    )
    assert decision_of(whole.parts) == decision_of(decimal.parts)


def test_the_scale_of_the_labels_does_not_matter(model):
    rule = Rule("recall", 0.9)
    plain, yes, wide = (
        with_thresholds(model, labelled(scale), rule, same_from)[1].same_from
        for scale, same_from in ((POINTS, 3.0), (YES_OR_NO, 0.5), (Scale(0.0, 100.0), 60.0))
    )
    assert plain == yes == wide


@pytest.mark.parametrize("label", [0.0, 5.1, float("nan")])
def test_a_label_that_none_or_all_reach_is_refused(model, label):
    with pytest.raises(ValueError, match="must be above 0 and up to 5"):
        with_thresholds(model, labelled(), Rule("recall", 0.9), label)


def test_another_decision_takes_the_place_of_the_first(model):
    decided, first, _ = with_thresholds(model, labelled(), Rule("recall", 0.9), 3.0)
    again, second, _ = with_thresholds(decided, labelled(), Rule("recall", 0.5), 3.0)
    assert decision_of(again.parts) == second != first
    assert first.model == second.model


@pytest.mark.parametrize("change", [{"same_from": 4.9}, {"different_below": -1.0}, {"pairs": 9}, {"digest": "ab" * 32}])
def test_a_decision_that_was_changed_is_refused(model, change):
    decided, decision, _ = with_thresholds(model, labelled(), Rule("cost", 1.0, 0.2), 3.0)
    facts = decision.to_dict()
    with pytest.raises(BundleError, match="as samewise threshold wrote it, got one that was changed since"):
        decision_of({"model": replace(decided, manifest={**decided.manifest, "decision": facts | change})})


def test_a_model_without_one_and_a_model_of_several_parts(model):
    assert not has_decision(model.parts)
    with pytest.raises(BundleError, match="surface must have a decision, got none; make one with samewise threshold"):
        decision_of(model.parts)
    decided, _, _ = with_thresholds(model, labelled(), Rule("recall", 0.9), 3.0)
    several = MultilingualModel(decided).parts
    assert not has_decision(several)
    with pytest.raises(ValueError, match="leave out --languages"):
        decision_of(several)


PAIRS = [
    ("Returns take 30 days.", "Returns take 60 days."),
    ("Returns take 30 days.", "Returns take 30 days."),
    ("Returns take 30 days.", "The lift is out of order."),
]


def test_kinds_that_are_given_decide_and_are_kept_with_the_model(model, tmp_path):
    pairs = labelled()._replace(differences=[[]] * 400)
    decided, decision, _ = with_thresholds(model, pairs, Rule("cost", 1.0), 1.0, keep_apart=["number"])
    assert decision.keep_apart == ("number",)
    decided.save(tmp_path / "m")
    found = decide_pairs(Predictor.load(tmp_path / "m"), PAIRS)
    assert found.decisions.tolist() == ["unsure", "same", "different"]
    assert found.reasons == ["number", None, None]


def test_kinds_named_for_a_decision_take_the_place_of_its_own(model):
    pairs = labelled()._replace(differences=[[]] * 400)
    decided, *_ = with_thresholds(model, pairs, Rule("cost", 1.0), 1.0, keep_apart=["number"])
    assert decide_pairs(decided, PAIRS, keep_apart=()).decisions.tolist() == ["same", "same", "different"]
    assert decide_pairs(decided, PAIRS, keep_apart=["name"]).reasons == [None, None, None]
    with pytest.raises(ValueError, match="kind of difference must be one of"):
        decision_of(decided.parts, ["colour"])


def test_unknown_kinds_and_kinds_without_differences_are_refused(model):
    with pytest.raises(ValueError, match="kind of difference must be one of"):
        with_thresholds(model, labelled(), Rule("recall", 0.9), 3.0, keep_apart=["colour"])
    with pytest.raises(ValueError, match="differences of the pairs must be given for number"):
        with_thresholds(model, labelled(), Rule("recall", 0.9), 3.0, keep_apart=["number"])


def test_without_differences_no_kinds_are_learned(model):
    assert with_thresholds(model, labelled(), Rule("recall", 0.9), 3.0)[1].keep_apart == ()
