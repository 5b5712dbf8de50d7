"""Figures of labels that say yes or no, by hand and by their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.scale import POINTS, YES_OR_NO
from samewise.ensemble.evaluation.assessment import Scored, assess
from samewise.ensemble.evaluation.binary_metrics import BANDS, evaluate_binary, reliability

YES = [True, False, True, False]
PROBABILITIES = [0.9, 0.1, 0.3, 0.3]


def test_figures_by_hand():
    found = evaluate_binary(YES, PROBABILITIES, probabilities=True)
    assert (found.n, found.yes) == (4, 2)
    # Of four pairs of a yes and a no, three are in order and one is a tie.
    assert found.auc == pytest.approx(3.5 / 4)
    # Recall 1/2 at precision 1, then the rest at precision 2/3.
    assert found.average_precision == pytest.approx(0.5 * 1 + 0.5 * 2 / 3)
    # From 0.3 on: both yes and one no; 2 * 2 / (2 + 3).
    assert (found.f1, found.threshold) == (pytest.approx(0.8), 0.3)
    assert found.log_loss == pytest.approx(-(2 * math.log(0.9) + math.log(0.3) + math.log(0.7)) / 4)
    assert found.brier == pytest.approx((0.01 + 0.01 + 0.49 + 0.09) / 4)
    # Bands: 0.1 with share 0, 0.3 (two) with share 1/2, 0.9 with share 1.
    assert found.calibration_error == pytest.approx((0.1 + 2 * 0.2 + 0.1) / 4)
    assert [(band["band"], band["n"]) for band in found.bands if band["n"]] == [
        ("0.1-0.2", 1),
        ("0.3-0.4", 2),
        ("0.9-1.0", 1),
    ]
    assert found.as_dict()["bands"][3] == {
        "band": "0.3-0.4",
        "n": 2,
        "mean_probability": pytest.approx(0.3),
        "share_yes": 0.5,
    }


def test_scores_that_are_no_probabilities_are_ranked():
    found = evaluate_binary(YES, [4.5, -0.5, 1.5, 1.5])
    expected = evaluate_binary(YES, PROBABILITIES)
    assert (found.auc, found.average_precision, found.f1) == (expected.auc, expected.average_precision, expected.f1)
    assert found.threshold == 1.5
    assert found.log_loss is found.brier is found.calibration_error is None and found.bands == ()


@pytest.mark.parametrize(
    ("yes", "auc", "precision", "f1"), [([True, True], None, 1.0, 1.0), ([False, False], None, None, None)]
)
def test_what_is_undefined_is_none(yes, auc, precision, f1):
    found = evaluate_binary(yes, [0.2, 0.8], probabilities=True)
    assert (found.auc, found.average_precision, found.f1) == (auc, precision, f1)
    assert found.log_loss == pytest.approx(-(math.log(0.2) + math.log(0.8)) / 2)


def test_one_pair():
    found = evaluate_binary([True], [1.0], probabilities=True)
    assert (found.n, found.f1, found.brier, found.calibration_error) == (1, 1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("probability", "band"), [(0.0, 0), (0.0999, 0), (0.1, 1), (0.3, 3), (0.7, 7), (0.95, 9), (1.0, 9)]
)
def test_a_border_belongs_to_the_band_above(probability, band):
    rows = reliability(np.array([True]), np.array([probability]))
    assert [row["n"] for row in rows].index(1) == band
    assert len(rows) == BANDS and rows[band]["band"].startswith(f"0.{band}-")


LABELLED = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=40)


@pytest.mark.slow
@given(LABELLED)
def test_ranges(pairs):
    yes, values = (list(column) for column in zip(*pairs, strict=True))
    found = evaluate_binary(yes, values, probabilities=True)
    for figure in (found.auc, found.average_precision, found.f1, found.brier, found.calibration_error):
        assert figure is None or 0 <= figure <= 1
    assert found.log_loss >= 0
    assert sum(band["n"] for band in found.bands) == found.n == len(pairs)


@given(LABELLED)
def test_no_threshold_has_a_higher_f1(pairs):
    yes, values = (np.asarray(column) for column in zip(*pairs, strict=True))
    found = evaluate_binary(yes, values)
    for threshold in values:
        called = values >= threshold
        if yes.any():
            assert 2 * (yes & called).sum() / (yes.sum() + called.sum()) <= found.f1 + 1e-12


@pytest.mark.parametrize(
    ("yes", "score", "probabilities", "message"),
    [
        ([], [], False, r"labels and scores must have one shape \(n,\), n at least 1, got \(0,\) and \(0,\); give one"),
        ([True], [0.1, 0.2], False, r"must have one shape"),
        ([[True]], [[0.5]], False, r"must have one shape"),
        ([True], [float("nan")], False, "scores must be finite, got nan; correct it"),
        ([True], [float("inf")], False, "scores must be finite, got inf"),
        ([True], [1.1], True, "scores must be from 0 to 1, got 1.1; correct it"),
        ([True], [-0.1], True, "scores must be from 0 to 1, got -0.1"),
    ],
)
def test_errors(yes, score, probabilities, message):
    with pytest.raises(ValueError, match=message):
        evaluate_binary(yes, score, probabilities=probabilities)


def scored(scale, labels):
    pairs = [(f"a {k}", f"b {k}") for k in range(4)]
    score = 5.0 * np.asarray(PROBABILITIES)
    return Scored(pairs, 5.0 * np.asarray(YES), score, scale=scale, labels=labels)


def test_an_assessment_has_them_for_labels_that_say_yes_or_no():
    found = assess(scored(YES_OR_NO, YES_OR_NO), {"half": ["a", "b", "b", "a"]}).as_dict()
    assert found["binary"] == evaluate_binary(YES, PROBABILITIES, probabilities=True).as_dict()
    assert found["groups"]["a"]["binary"]["n"] == 2
    assert (found["scale"], found["labels"]) == ("yes/no", "yes/no")
    of_scores = assess(scored(POINTS, YES_OR_NO)).as_dict()
    assert of_scores["binary"]["brier"] is None and of_scores["binary"]["threshold"] == pytest.approx(1.5)
    plain = assess(scored(POINTS, POINTS)).as_dict()
    assert not {"binary", "scale", "labels"} & set(plain)
