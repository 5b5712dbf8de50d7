"""The decision of a model: what it calls pairs, and how it is stored."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.adapted_model import ScoreBands
from samewise.ensemble.core.decision import Curve, Decision, Rule
from samewise.models.bundle import BundleError

MODEL = "ab" * 32
DECISION = Decision(
    same_from=4.0,
    different_below=2.5,
    keep_apart=(),
    rule=Rule("max_false", 0.01, 0.05),
    confidence=0.95,
    gold_from=4.0,
    labels="0..5",
    data="duplicates.csv",
    sha256=None,
    pairs=500,
    curve=Curve((2.5, 4.0), (300.0, 200.0), (60.0, 1.0), (0.25, 0.0235), (1.0, 0.83)),
    bands=ScoreBands((2.0,), (250, 250)),
    model=MODEL,
)


def test_two_thresholds_and_between_them_unsure():
    scores = np.asarray([5.0, 4.0, 3.99, 2.5, 2.49, 0.0])
    assert DECISION.decide(scores).tolist() == ["same", "same", "unsure", "unsure", "different", "different"]


def test_a_pair_kept_apart_is_unsure_where_its_score_would_be_the_same():
    apart = replace(DECISION, keep_apart=("number",))
    reasons = ["number", None, "number", None, "number"]
    scores = np.asarray([5.0, 5.0, 3.0, 3.0, 1.0])
    assert apart.decide(scores, reasons).tolist() == ["unsure", "same", "unsure", "unsure", "different"]
    with pytest.raises(ValueError, match="by number, got scores alone; call decide_pairs"):
        apart.decide(scores)


@pytest.mark.parametrize(
    ("rule", "confidence", "words"),
    [
        (Rule("max_false", 0.05), 0.95, "at least 90 keep"),
        (Rule("recall", 0.9), 0.6, "at least 60 keep"),
        (Rule("cost", 10.0), 0.95, "none for the pairs called same"),
    ],
)
def test_the_promise_in_words(rule, confidence, words):
    assert words in replace(DECISION, rule=rule, confidence=confidence).promise


def test_without_a_threshold_nothing_is_called_so():
    scores = np.asarray([5.0, 0.0])
    assert replace(DECISION, same_from=None).decide(scores).tolist() == ["unsure", "different"]
    assert replace(DECISION, different_below=None).decide(scores).tolist() == ["same", "unsure"]
    assert DECISION.decide(np.asarray([])).tolist() == []


@given(st.lists(st.floats(0, 5), min_size=1, max_size=20))
def test_a_higher_score_is_never_called_less_alike(scores):
    ranks = {"different": 0, "unsure": 1, "same": 2}
    decisions = [ranks[word] for word in DECISION.decide(np.sort(scores))]
    assert decisions == sorted(decisions)


def test_round_trip_through_json():
    facts = json.loads(json.dumps(DECISION.to_dict()))
    assert facts == DECISION.to_dict()
    assert Decision.from_dict(facts, MODEL, "spam") == DECISION


def test_a_decision_of_another_model_is_refused():
    with pytest.raises(BundleError, match=r"the decision of spam must be for the model.*threshold again"):
        Decision.from_dict(DECISION.to_dict(), "cd" * 32, "spam")


@pytest.mark.parametrize(
    "change",
    [
        {"same_from": "high"},
        {"same_from": 2.0},  # below different_below
        {"rule": {"kind": "luck", "value": 0.5, "max_missed": None}},
        {"rule": {"kind": "max_false", "value": 1.5, "max_missed": None}},
        {"rule": 3},
        {"pairs": 1.5},
        {"keep_apart": ["colour"]},
        {"keep_apart": "number"},
        {"keep_apart": [1]},
        {"labels": 5},
        {"model": "short"},
        {"curve": {"threshold": [1.0], "same": [], "false": [], "bound": [], "recall": []}},
        {"bands": {"edges": [1.0], "counts": [1]}},
    ],
)
def test_malformed_facts_are_refused(change):
    with pytest.raises(BundleError, match="the decision of spam is malformed"):
        Decision.from_dict({**DECISION.to_dict(), **change}, MODEL, "spam")


def test_a_missing_key_is_refused():
    for key in DECISION.to_dict():
        facts = {name: value for name, value in DECISION.to_dict().items() if name != key}
        with pytest.raises(BundleError, match="changed since" if key == "digest" else "malformed"):
            Decision.from_dict(facts, MODEL, "spam")


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (Rule("max_false", 0.01, 0.05), "at most 1 % false among those called same, at most 5 % missed among those"),
        (Rule("recall", 0.9), "at least 90 % of the same pairs found"),
        (Rule("cost", 10.0), "a false pair costing 10 times a missed one"),
    ],
)
def test_a_rule_in_words(rule, text):
    assert text in str(rule)


@pytest.mark.parametrize("arguments", [("max_false", 0.0), ("recall", 1.0), ("cost", 0.0), ("max_false", 0.1, 1.0)])
def test_a_rule_out_of_range_is_refused(arguments):
    with pytest.raises(ValueError, match="must be"):
        Rule(*arguments)
