"""Distributions of residuals: by hand, as properties, and on sources that they were not fitted on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.prediction import Prediction
from samewise.ensemble.core.predictive_distribution import (
    FEWEST,
    LEVELS,
    MOST_KNOTS,
    WHOLE_SCALE,
    PredictiveDistribution,
    spread_of,
)
from samewise.ensemble.core.scale import Scale
from samewise.ensemble.core.uncertainty import probability_of, stored_uncertainty

EVEN = tuple(2.0 * level - 1.0 for level in LEVELS)
"""Residuals that are uniform between -1 and 1."""

BY_HAND = PredictiveDistribution(0.9, (1.0, 3.0), (1.0, 2.0), (EVEN, EVEN))
WITH_SPREAD = PredictiveDistribution(0.8, (2.0,), (0.5,), (EVEN,), softening=0.4)


def skewed(size, seed=0, sources=1):
    """Predictions, gold scores below them more often than above, spreads and sources."""
    rng = np.random.default_rng(seed)
    predicted, spread = rng.uniform(0, 5, size), rng.uniform(0, 1, size)
    gold = np.clip(predicted - rng.exponential(0.2 + 0.6 * spread) + 0.2, 0, 5)
    return predicted, gold, spread, np.arange(size) % sources


def fitted(size=400, seed=0, sources=4):
    predicted, gold, spread, source = skewed(size, seed, sources)
    return PredictiveDistribution.fit(predicted, gold, 0.9, spread=spread, sources=source)


def test_deviations_by_hand():
    points = np.array([0.0, 1.0, 2.0, 3.0, 5.0])
    assert BY_HAND.deviation(points).tolist() == [1.0, 1.0, 1.5, 2.0, 2.0]
    assert BY_HAND.deviation(points, np.full(5, 9.0)).tolist() == [1.0, 1.0, 1.5, 2.0, 2.0]
    # Half of spread plus softening.
    assert WITH_SPREAD.deviation(points[:2], np.array([0.0, 0.6])) == pytest.approx([0.2, 0.5])


def test_ends_by_hand():
    # The middle 90 % of residuals between -1 and 1 is -0.9 to 0.9, in deviations of 1, 1.5 and 2; within the scale.
    points = np.array([1.0, 2.0, 3.0, 0.5])
    low, high = BY_HAND.ends(points, BY_HAND.deviation(points))
    assert low == pytest.approx([0.1, 0.65, 1.2, 0.0])
    assert high == pytest.approx([1.9, 3.35, 4.8, 1.4])
    low, high = WITH_SPREAD.ends(np.array([2.0]), np.array([0.5]))
    assert (low[0], high[0]) == pytest.approx((1.6, 2.4))


@pytest.mark.parametrize(
    ("point", "at_least", "probability"),
    [
        (1.0, 1.0, 0.5),
        (1.0, 1.5, 0.25),
        (1.0, 0.2, 0.9),
        (1.0, 2.0, 0.0),
        (2.0, 2.75, 0.25),
        (3.0, 5.0, 0.0),
        (1.0, 0.0, 1.0),
    ],
)
def test_probabilities_by_hand(point, at_least, probability):
    points = np.array([point])
    assert BY_HAND.probability(points, BY_HAND.deviation(points), at_least) == pytest.approx([probability], abs=1e-12)


def test_without_a_deviation_the_score_is_certain():
    points = np.array([2.0, 3.0])
    assert BY_HAND.probability(points, np.zeros(2), 2.5).tolist() == [0.0, 1.0]
    assert BY_HAND.probability(points, np.zeros(2), 2.0).tolist() == [1.0, 1.0]


FITTED = fitted()


@given(
    st.lists(st.tuples(st.floats(0, 5), st.floats(0, 2.5)), min_size=1, max_size=20), st.floats(0, 5), st.floats(0, 5)
)
def test_a_higher_score_is_not_more_probable(pairs, one, other):
    points, spread = np.asarray(pairs).T
    deviation = FITTED.deviation(points, spread)
    few, many = (FITTED.probability(points, deviation, at_least) for at_least in (max(one, other), min(one, other)))
    assert (few <= many + 1e-12).all()
    assert ((few >= 0) & (many <= 1)).all()
    assert FITTED.probability(points, deviation, 0.0).tolist() == [1.0] * len(points)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 2.5)), min_size=1, max_size=20))
def test_a_score_is_inside_its_interval(pairs):
    points, spread = np.asarray(pairs).T
    low, high = FITTED.ends(points, FITTED.deviation(points, spread))
    assert ((low >= 0) & (low <= points) & (points <= high) & (high <= 5)).all()


def test_ends_have_the_probabilities_of_the_level():
    points, spread = np.linspace(1.5, 3.5, 9), np.full(9, 0.3)
    deviation = FITTED.deviation(points, spread)
    low, high = FITTED.ends(points, deviation)
    for row in range(9):
        one = slice(row, row + 1)
        assert FITTED.probability(points[one], deviation[one], float(low[row])) == pytest.approx([0.95], abs=1e-9)
        assert FITTED.probability(points[one], deviation[one], float(high[row])) == pytest.approx([0.05], abs=1e-9)


def offset_sources(rng, count, size):
    """Pairs of sources whose gold scores are all a little too high or too low."""
    offsets = np.repeat(rng.normal(0, 0.4, count), size)
    predicted = rng.uniform(1.5, 3.5, count * size)
    gold = np.clip(predicted + offsets + rng.normal(0, 0.3, count * size), 0, 5)
    return predicted, gold, np.repeat(np.arange(count), size)


def covered(found, predicted, gold):
    low, high = found.ends(predicted, found.deviation(predicted))
    return float(((low <= gold) & (gold <= high)).mean())


def test_new_sources_are_covered_on_average():
    rng = np.random.default_rng(5)
    shares = []
    for _ in range(12):
        predicted, gold, sources = offset_sources(rng, 8, 40)
        found = PredictiveDistribution.fit(predicted, gold, 0.9, sources=sources)
        shares.append(covered(found, *offset_sources(rng, 200, 5)[:2]))
    assert 0.87 <= np.mean(shares) <= 0.97


def test_a_large_source_counts_as_much_as_a_small_one():
    # 900 pairs with residuals of about 0.1, and two sources of 50 with residuals of about 1.
    rng = np.random.default_rng(1)
    sizes, widths = (900, 50, 50), (0.1, 1.0, 1.0)
    sources = np.repeat([0, 1, 2], sizes)
    predicted = rng.uniform(2, 3, 1_000)
    gold = predicted + rng.normal(size=1_000) * np.repeat(widths, sizes)
    by_source = PredictiveDistribution.fit(predicted, gold, 0.9, sources=sources)
    as_one = PredictiveDistribution.fit(predicted, gold, 0.9)
    wide, narrow = (found.ends(np.array([2.5]), found.deviation(np.array([2.5]))) for found in (by_source, as_one))
    assert wide[1][0] - wide[0][0] > 2 * (narrow[1][0] - narrow[0][0])


@pytest.mark.parametrize("size", [0, 1, 5])
def test_with_little_data_an_interval_is_wide(size):
    predicted = np.linspace(2, 3, size)
    found = PredictiveDistribution.fit(predicted, predicted + 0.01)
    low, high = found.ends(np.array([2.5]), found.deviation(np.array([2.5])))
    assert high[0] - low[0] >= 4.5


def test_much_data_without_errors_gives_narrow_intervals():
    predicted = np.linspace(0, 5, 500)
    found = PredictiveDistribution.fit(predicted, predicted)
    low, high = found.ends(np.array([2.5]), found.deviation(np.array([2.5])))
    assert high[0] - low[0] < 0.02


@pytest.mark.parametrize(("size", "knots"), [(10, 1), (2 * FEWEST - 1, 1), (2 * FEWEST, 2), (5_000, MOST_KNOTS)])
def test_number_of_knots(size, knots):
    rng = np.random.default_rng(2)
    predicted = rng.uniform(0, 5, size)
    assert len(PredictiveDistribution.fit(predicted, predicted).knots) == knots


def test_where_members_disagree_the_interval_is_wider():
    assert FITTED.softening is not None
    points = np.full(2, 2.5)
    low, high = FITTED.ends(points, FITTED.deviation(points, np.array([0.0, 1.0])))
    assert high[0] - low[0] < 0.7 * (high[1] - low[1])


def test_with_the_spread_sure_and_unsure_pairs_are_covered_alike():
    rng = np.random.default_rng(0)
    gold, spread = rng.uniform(1, 4, 4_000), rng.uniform(0, 1, 4_000)
    predicted = gold + rng.normal(size=4_000) * (0.1 + 0.5 * spread)
    fitted, new = slice(0, 2_000), slice(2_000, None)
    unsure, gaps = spread[new] > 0.5, []
    for used in (spread, None):
        one, other = (None, None) if used is None else (used[fitted], used[new])
        found = PredictiveDistribution.fit(predicted[fitted], gold[fitted], 0.9, spread=one)
        low, high = found.ends(predicted[new], found.deviation(predicted[new], other))
        inside = (low <= gold[new]) & (gold[new] <= high)
        gaps.append(abs(inside[unsure].mean() - inside[~unsure].mean()))
    assert gaps[0] < 0.5 * gaps[1]


@pytest.mark.parametrize("found", [BY_HAND, WITH_SPREAD, FITTED])
def test_what_is_stored_is_read_again(found):
    assert stored_uncertainty(found.to_dict()) == found


@pytest.mark.parametrize(
    "change",
    [
        {"level": 1.5},
        {"level": "high"},
        {"knots": []},
        {"knots": [3.0, 1.0]},
        {"knots": [1.0]},
        {"knots": [1.0, float("nan")]},
        {"units": [1.0]},
        {"units": [1.0, -1.0]},
        {"units": None},
        {"residuals": [list(EVEN)]},
        {"residuals": [list(EVEN), list(EVEN)[:-1]]},
        {"residuals": [list(EVEN), list(EVEN)[::-1]]},
        {"residuals": 5},
        {"softening": -0.1},
        {"softening": "soft"},
    ],
)
def test_malformed_facts_are_refused(change):
    facts = BY_HAND.to_dict()
    assert PredictiveDistribution.from_dict(facts) == BY_HAND
    with pytest.raises(ValueError, match="the stored distribution .* is malformed; train the model again"):
        PredictiveDistribution.from_dict({**facts, **change})


def predicted_on(scale, flags):
    score = np.asarray(
        [
            scale.high if "identical" in names else scale.low if "empty" in names else 0.5 * (scale.low + scale.high)
            for names in flags
        ]
    )
    deviation = np.asarray([0.0 if names else 0.3 * (scale.high - scale.low) for names in flags])
    return Prediction(score, score, score, flags, deviation, scale)


@pytest.mark.parametrize("scale", [Scale(), Scale(0.0, 100.0), Scale(1.0, 5.0)])
def test_probabilities_are_asked_for_on_the_scale_of_the_model(scale):
    # In the middle, 2.5 points: deviations of 1.5 points, as by hand, reach 0.6 points above in 30 of 100 cases.
    prediction = predicted_on(scale, [("identical",), ("empty",), ()])
    at_least = float(scale.scores(np.asarray(3.1)))
    found = probability_of(BY_HAND, prediction, at_least)
    assert found == pytest.approx([1.0, 0.0, 0.3])
    assert probability_of(BY_HAND, prediction, scale.low).tolist() == [1.0, 1.0, 1.0]
    assert probability_of(BY_HAND, prediction, scale.high).tolist() == [1.0, 0.0, 0.0]


@pytest.mark.parametrize("at_least", [-0.1, 5.1, float("nan")])
def test_a_score_beyond_the_scale_is_refused(at_least):
    with pytest.raises(ValueError, match="the score that is asked about must be from 0 to 5, got .*; give one on the"):
        probability_of(BY_HAND, predicted_on(Scale(), [()]), at_least)


def test_the_whole_scale_is_the_interval_of_a_model_without_any():
    points = np.array([0.0, 2.0, 5.0])
    deviation = WHOLE_SCALE.deviation(points)
    low, high = WHOLE_SCALE.ends(points, deviation)
    assert deviation.tolist() == [5.0] * 3
    assert (low.tolist(), high.tolist()) == ([0.0] * 3, [5.0] * 3)
    assert WHOLE_SCALE.probability(points, deviation, 2.0) == pytest.approx([0.3, 0.5, 0.8])


def test_spread_by_hand():
    # Beyond the scale both say 5; 1, 2, 3 have the variance 2/3; 0 and 5 have the greatest spread, 2.5.
    members = np.array([[2.0, 2.0, 2.0], [6.0, 5.5, 5.0], [1.0, 2.0, 3.0]])
    assert spread_of(members) == pytest.approx([0, 0, np.sqrt(2 / 3)], abs=1e-7)
    assert spread_of(np.array([[-3.0, 1.0], [0.0, 5.0]])).tolist() == pytest.approx([0.5, 2.5])
