"""Rule of pairs: thresholds, and kinds of differences."""

from types import SimpleNamespace

import numpy as np
import pytest
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.model_decision import with_thresholds
from samewise.ensemble.core.scale import POINTS, Scale
from samewise.ensemble.differences.facts import KEEP_APART
from samewise.ensemble.matching.options import DedupeOptions, PairRule, pair_rule

from samewise import load

from ..core.test_model_decision import labelled


def test_verdicts():
    rule = PairRule(4.0, 3.0)
    assert rule.verdicts(np.array([2.9, 3.0, 3.99, 4.0])).tolist() == ["different", "unsure", "unsure", "same"]


def test_four_of_five_is_the_same():
    rule = pair_rule(load("surface"))
    assert (rule.same_from, rule.unsure_from) == (4.0, 3.0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"same_from": 6.0}, "same_from must be from 0 to 5, got 6"),
        ({"same_from": 3.0, "unsure_from": 4.0}, "unsure_from must be from 0 to 3, got 4"),
        ({"keep_apart": ["colour"]}, "a kind of difference must be one of date, .*, got 'colour'"),
        ({"model_thresholds": True, "same_from": 3.0}, "must be those of the decision or be given, got both"),
        ({"model_thresholds": True}, "surface must have a decision, got none"),
    ],
)
def test_settings_that_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        pair_rule(load("surface"), **settings)


@pytest.mark.parametrize(
    ("scale", "expected"),
    [
        (POINTS, (4.0, 3.0)),
        (Scale(0.0, 1.0), (0.8, 0.6)),
        (Scale(1.0, 5.0), (4.2, 3.4)),
        (Scale(0.0, 100.0), (80.0, 60.0)),
    ],
)
def test_the_same_place_on_every_scale(scale, expected):
    rule = pair_rule(SimpleNamespace(scale=scale))
    assert (rule.same_from, rule.unsure_from) == pytest.approx(expected)
    assert rule.keep_apart == ()


def test_thresholds_and_kinds_that_are_given():
    rule = pair_rule(load("surface"), same_from=3.5, unsure_from=0.0, keep_apart=["date", "added"])
    assert rule == PairRule(3.5, 0.0, ("date", "added"))
    assert pair_rule(load("surface"), same_from=4.5) == PairRule(4.5, 3.5)
    assert pair_rule(load("surface"), same_from=0.5) == PairRule(0.5, 0.0)  # no lower than the scale


@pytest.mark.parametrize("missed", [None, 0.1])
def test_thresholds_of_a_decision(missed):
    model, decision, _ = with_thresholds(load("surface"), labelled(), Rule("max_false", 0.1, missed), 3.0)
    rule = pair_rule(model, model_thresholds=True, keep_apart=["name"])
    assert rule.same_from == decision.same_from
    assert rule.unsure_from == (decision.same_from if missed is None else decision.different_below)
    assert rule.keep_apart == ("name",)
    assert pair_rule(model, model_thresholds=True).keep_apart == decision.keep_apart == ()


def test_dedupe_takes_the_kinds_of_the_decision_with_its_thresholds():
    pairs = labelled()._replace(differences=[[]] * 400)
    model, *_ = with_thresholds(load("surface"), pairs, Rule("cost", 1.0), 3.0, keep_apart=["date"])
    assert DedupeOptions(model_thresholds=True).rule(model).keep_apart == ("date",)
    assert DedupeOptions(model_thresholds=True, keep_apart=()).rule(model).keep_apart == ()
    assert DedupeOptions().rule(model).keep_apart == KEEP_APART
