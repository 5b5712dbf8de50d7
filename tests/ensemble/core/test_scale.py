"""Scales are named, found in labels, and mapped onto 0..5 and back without loss."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.scale import (
    POINTS,
    YES_OR_NO,
    Scale,
    ScaleError,
    detected_scale,
    scale_beside,
)

UNIT, LIKERT, PERCENT = Scale(0.0, 1.0), Scale(1.0, 5.0), Scale(0.0, 100.0)

SCALES = st.tuples(st.floats(-1e3, 1e3), st.floats(0.01, 1e4)).map(lambda ends: Scale(ends[0], ends[0] + ends[1]))
SHARES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(SCALES, SHARES)
def test_scores_come_back_from_points(scale, shares):
    scores = np.clip(scale.low + np.asarray(shares) * (scale.high - scale.low), scale.low, scale.high)
    points = scale.points(scores)
    assert ((points >= 0) & (points <= 5)).all()
    assert np.abs(scale.scores(points) - scores).max() <= 1e-9 * max(1.0, abs(scale.low), abs(scale.high))


@given(SCALES, SHARES)
def test_points_come_back_from_scores(scale, shares):
    points = 5.0 * np.asarray(shares)
    assert np.abs(scale.points(scale.scores(points)) - points).max() <= 1e-9


@given(SCALES)
def test_ends_are_exact(scale):
    assert scale.scores(np.asarray([0.0, 5.0])).tolist() == [scale.low, scale.high]
    assert scale.points(np.asarray([scale.low, scale.high])).tolist() == [0.0, 5.0]


@given(SCALES, SHARES)
def test_order_is_kept(scale, shares):
    scores = scale.scores(5.0 * np.sort(shares))
    assert (np.diff(scores) >= 0).all() and scale.contains(scores).all()


def test_values_by_hand():
    assert LIKERT.points(np.asarray([1.0, 2.0, 3.0, 5.0])).tolist() == [0.0, 1.25, 2.5, 5.0]
    assert PERCENT.scores(np.asarray([0.0, 1.0, 3.655])).tolist() == [0.0, 20.0, pytest.approx(73.1)]
    assert Scale(-1.0, 1.0).scores(np.asarray([2.5])).tolist() == [0.0]
    assert LIKERT.lengths(np.asarray([-1.25, 5.0])).tolist() == [-1.0, 4.0]
    values = np.asarray([0.1, 4.7])
    assert POINTS.points(values) is values and POINTS.scores(values) is values


@pytest.mark.parametrize(
    ("name", "scale"),
    [
        ("0..5", POINTS),
        ("0..1", UNIT),
        (" 1 .. 5 ", LIKERT),
        ("-1..1", Scale(-1.0, 1.0)),
        ("0..0.5", Scale(0.0, 0.5)),
        ("yes/no", YES_OR_NO),
        ("Yes/No", YES_OR_NO),
    ],
)
def test_names(name, scale):
    assert Scale.of(name) == scale
    assert Scale.of(str(scale)) == scale and Scale.of(scale) is scale


@pytest.mark.parametrize(
    "name", ["", "5", "5..0", "1..1", "0-5", "low..high", "nan..1", "0..1e9", "0..9999999", None, 5]
)
def test_what_names_no_scale_is_refused(name):
    with pytest.raises(ValueError, match=r"scale must be LOW\.\.HIGH, .* or yes/no, got .*; name the lowest"):
        Scale.of(name)


@pytest.mark.parametrize(
    ("labels", "scale"),
    [
        ([0, 2.5, 5], POINTS),
        (["0.2", "4.8"], POINTS),
        ([1, 3, 5], LIKERT),
        ([1, 1.5], LIKERT),
        ([1, 4, 7], Scale(1.0, 7.0)),
        ([1, 7.5], Scale(0.0, 10.0)),
        ([2.5, 5.000000000000001, -1e-16], POINTS),
        (["8%", "9.5 %"], PERCENT),
        ([*range(6), *range(6), *range(6), 9], Scale(0.0, 10.0)),  # too few for one to be odd
        ([*[0, 1, 2, 3, 4, 5] * 4, 9, 8], Scale(0.0, 10.0)),
        ([1.5, 4.5], POINTS),
        ([0.0, 0.4, 1.0], UNIT),
        ([0.2, 0.9], UNIT),
        ([1, 1], UNIT),
        ([0, 7], Scale(0.0, 10.0)),
        ([3, 73.1], PERCENT),
        ([0, 1, 1], YES_OR_NO),
        (["0", "1"], YES_OR_NO),
        ([True, False], YES_OR_NO),
        (["Yes", "no "], YES_OR_NO),
        (["duplicate", "not duplicate"], YES_OR_NO),
        (["yes", "1", "0"], YES_OR_NO),
        (["yes", "yes"], YES_OR_NO),
    ],
)
def test_detected(labels, scale):
    assert detected_scale(labels) == scale


@pytest.mark.parametrize(
    ("labels", "place"),
    [
        ([0, 1, -0.5], 2),
        ([50, 101], 1),
        (["4", "sea"], 1),
        (["yes", "no", "maybe"], 2),
        (["yes", "perhaps"], 1),
        (["1", "0", "yes", "maybe", "no"], 3),
        (["1.5", "yes", "2.5"], 1),
        ([1.0, float("nan")], 1),
        (["3", ""], 1),
        ([None, 2], 0),
        ([float("inf")], 0),
        (["8%", "9"], 0),
    ],
)
def test_labels_that_fit_no_scale(labels, place):
    with pytest.raises(
        ScaleError, match="labels must be numbers on a scale such as .*, or all yes and no, got"
    ) as error:
        detected_scale(labels)
    assert error.value.place == place


@pytest.mark.parametrize(
    ("labels", "place", "rule"),
    [
        ([0, 1.5, 3, 4.5, 5] * 5, 7, "numbers from 0 to 5, as nearly all are, got 35"),
        ([1, 2, 3, 4, 5] * 5, 7, "numbers from 1 to 5, as nearly all are, got 35"),
    ],
)
def test_a_label_above_all_others(labels, place, rule):
    labels[place] = 35
    with pytest.raises(ScaleError, match=rule) as error:
        detected_scale(labels)
    assert error.value.place == place
    assert scale_beside(labels, PERCENT) == PERCENT


def test_numbers_of_labels():
    assert PERCENT.numbers(["85%", "7", " 0.5% "]).tolist() == [85.0, 7.0, 0.5]
    assert POINTS.numbers(["5.000000000000001", "-1e-12", "4.9999"]).tolist() == [5.0, 0.0, 4.9999]
    assert np.isnan(POINTS.numbers(["5%"])).all()


@pytest.mark.parametrize(
    ("scale", "label", "message"),
    [
        (YES_OR_NO, 1.0, "labels must say yes of some pairs and no of others, got yes for all 3; add pairs"),
        (YES_OR_NO, 0.0, "got no for all 3"),
        (POINTS, 2.5, "labels must differ, got 2.5 for all 3; add pairs with other labels"),
    ],
)
def test_labels_that_teach_nothing(scale, label, message):
    with pytest.raises(ValueError, match=message):
        scale.check_varied(np.full(3, label))


def test_no_labels():
    with pytest.raises(ScaleError, match="got no label"):
        detected_scale([])


@pytest.mark.parametrize(
    ("labels", "model", "scale"),
    [
        ([0, 3, 5], POINTS, POINTS),
        ([0.1, 0.9], POINTS, UNIT),
        (["yes", "no"], POINTS, YES_OR_NO),
        ([1.4, 4.0], LIKERT, LIKERT),  # alone it looks like 0..5
        ([0.5, 4.0], LIKERT, POINTS),
        ([0.2, 4.8], PERCENT, POINTS),
        ([12, 99.5], PERCENT, PERCENT),
        ([-0.3, 0.7], Scale(-1.0, 1.0), Scale(-1.0, 1.0)),
        ([0, 1], YES_OR_NO, YES_OR_NO),
        ([0.2, 0.8], YES_OR_NO, UNIT),
        ([1, 4], Scale(0.0, 4.0), Scale(0.0, 4.0)),
    ],
)
def test_labels_for_a_model_of_another_scale(labels, model, scale):
    assert scale_beside(labels, model) == scale


def test_labels_that_fit_neither():
    with pytest.raises(ScaleError):
        scale_beside([-3, 0.7], Scale(-1.0, 1.0))


@pytest.mark.parametrize(
    ("scale", "score", "text"),
    [
        (POINTS, 3.655001, "3.66"),
        (UNIT, 0.6249, "0.62"),
        (PERCENT, 73.14, "73.1"),
        (Scale(0.0, 10.0), 7.0, "7.00"),
        (Scale(0.0, 1000.0), 731.4, "731"),
        (Scale(0.0, 0.1), 0.0625, "0.062"),
        (LIKERT, 3.0, "3.00"),
    ],
)
def test_digits_suit_the_scale(scale, score, text):
    assert scale.text(score) == text
    assert scale.signed_text(-score) == f"-{text}"


@pytest.mark.parametrize("scale", [UNIT, LIKERT, YES_OR_NO])
def test_a_manifest_keeps_the_scale(scale):
    assert Scale.from_manifest({"scale": scale.to_json()}) == scale


def test_a_manifest_without_a_scale_is_of_a_model_on_points():
    assert Scale.from_manifest({}) == POINTS


@pytest.mark.parametrize("stored", ["0..1", [1], [1, 0], [0, "1"], [0, 1e9], [True, 5], {}, 5, [0, float("nan")]])
def test_a_malformed_record_is_refused(stored):
    with pytest.raises(ValueError):
        Scale.from_manifest({"scale": stored})


def test_yes_and_no_as_numbers():
    labels = ["yes", "NO", " true ", "0", 1, False, "other", "sea", None, 0.5]
    numbers = [YES_OR_NO.number(label) for label in labels]
    assert numbers[:7] == [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0]
    assert not YES_OR_NO.contains(np.asarray(numbers[7:])).any()
    assert np.isnan(POINTS.number("yes")) and np.isnan(POINTS.number("1_0")) and POINTS.number("1.5") == 1.5
