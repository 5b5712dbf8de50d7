"""Probabilities of yes: the curve against scikit-learn, the ends against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.predictive_distribution import WHOLE_SCALE
from samewise.ensemble.core.uncertainty import VennAbers, logistic_curve, stored_uncertainty
from sklearn.linear_model import LogisticRegression


def labelled(size, seed=0):
    """Sums of scores, and labels, 0 or 5, that follow them roughly."""
    rng = np.random.default_rng(seed)
    totals = rng.uniform(-1, 6, size)
    return totals, 5.0 * (rng.uniform(size=size) < 1 / (1 + np.exp(2.0 - totals)))


@pytest.mark.parametrize("seed", range(4))
def test_the_curve_is_that_of_scikit_learn_on_smoothed_targets(seed):
    totals, points = labelled(150, seed)
    knots, values = (np.asarray(column) for column in logistic_curve(totals, points))
    # Each pair with either label, weighted by Platt's target: (yes + 1) / (yes + 2) for yes, 1 / (no + 2) for no.
    yes = points > 0
    targets = np.where(yes, (yes.sum() + 1) / (yes.sum() + 2), 1 / ((~yes).sum() + 2))
    twice, labels = np.tile(totals, 2)[:, None], np.repeat([1, 0], len(totals))
    weights = np.concatenate([targets, 1 - targets])
    expected = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(twice, labels, sample_weight=weights)
    np.testing.assert_allclose(values / 5, expected.predict_proba(knots[:, None])[:, 1], atol=1e-5)


def test_the_curve_rises_and_reaches_beyond_the_data():
    totals, points = labelled(80)
    knots, values = logistic_curve(totals, points)
    assert (knots[0], knots[-1]) == pytest.approx((totals.min() - 1, totals.max() + 1))
    assert (np.diff(knots) > 0).all() and (np.diff(values) > 0).all()
    assert 0 < values[0] and values[-1] < 5


def test_separated_labels_give_a_finite_curve():
    knots, values = logistic_curve(np.array([0.0, 1.0, 4.0, 5.0]), np.array([0.0, 0.0, 5.0, 5.0]))
    assert np.isfinite(values).all()
    assert np.interp(0.0, knots, values) < 1.25 and np.interp(5.0, knots, values) > 3.75


def test_labels_against_the_scores_give_a_flat_curve():
    # A score that misleads says nothing: the curve does not fall.
    totals = np.linspace(0, 5, 40)
    _, values = logistic_curve(totals, np.where(totals > 2.5, 0.0, 5.0))
    assert (np.diff(values) >= 0).all() and np.ptp(values) < 0.1


def isotonic(x, y):
    """Isotonic regression by its min-max formula (Robertson, Wright and Dykstra, 1988); equal x are one."""
    places = np.unique(x)
    sums = np.asarray([y[x == place].sum() for place in places])
    counts = np.asarray([(x == place).sum() for place in places])

    def mean(a, b):
        return sums[a : b + 1].sum() / counts[a : b + 1].sum()

    fits = [max(min(mean(a, b) for b in range(i, len(places))) for a in range(i + 1)) for i in range(len(places))]
    return dict(zip(places.tolist(), fits, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "seed"), [(5, 0), (17, 1), (30, 2), (60, 3)])
def test_the_ends_are_those_of_the_definition(size, seed):
    totals, points = labelled(size, seed)
    predicted = np.clip(np.round(totals, 1), 0, 5)  # some are equal
    found = VennAbers.fit(predicted, points)
    for knot, lower, upper in zip(found.knots, found.lower, found.upper, strict=True):
        for label, end in ((0.0, lower), (5.0, upper)):
            assert end == pytest.approx(isotonic(np.append(predicted, knot), np.append(points, label))[knot])


def test_the_ends_are_those_of_the_package():
    venn_abers = pytest.importorskip("venn_abers")
    rng = np.random.default_rng(4)
    predicted = np.unique(rng.uniform(0, 5, 40))
    points = 5.0 * (rng.uniform(size=len(predicted)) < predicted / 5)
    found = VennAbers.fit(predicted, points)
    package = venn_abers.VennAbers()
    package.fit(np.column_stack([1 - predicted / 5, predicted / 5]), (points > 0).astype(int))
    at = np.asarray(found.knots)
    _, ends = package.predict_proba(np.column_stack([1 - at / 5, at / 5]))
    np.testing.assert_allclose(np.column_stack([found.lower, found.upper]) / 5, ends, atol=1e-6)


def test_ends_by_hand():
    # Three pairs: no at 1, yes at 2 and 4. Another no at 4 is pooled with both yes, another yes at 1 with the no.
    found = VennAbers.fit(np.array([1.0, 2.0, 4.0]), np.array([0.0, 5.0, 5.0]))
    ends = dict(zip(found.knots, zip(found.lower, found.upper, strict=True), strict=True))
    assert ends[1.0] == pytest.approx((0.0, 2.5))
    assert ends[2.0] == pytest.approx((2.5, 5.0))
    assert ends[4.0] == pytest.approx((10 / 3, 5.0))


FITTED = VennAbers.fit(*labelled(100, 7))


@given(st.lists(st.floats(0, 5), min_size=1, max_size=20))
def test_a_probability_is_inside_its_ends(points):
    points = np.asarray(points)
    low, high = FITTED.ends(points, FITTED.deviation(points))
    assert ((low >= 0) & (low <= points) & (points <= high) & (high <= 5)).all()


def test_more_data_narrow_the_ends():
    def width(size):
        totals, points = labelled(size, 11)
        found = VennAbers.fit(np.clip(totals, 0, 5), points)
        at = np.linspace(1, 4, 7)
        low, high = found.ends(at, found.deviation(at))
        return float((high - low).mean())

    assert width(2_000) < 0.5 * width(60)


def test_deviation_and_probability_of_a_label():
    points = np.array([0.0, 1.0, 2.5, 5.0])
    deviation = FITTED.deviation(points, np.full(4, 9.0))
    assert deviation.tolist() == [0.0, 2.0, 2.5, 0.0]  # 5 times the root of p (1 - p)
    assert FITTED.probability(points, deviation, 5.0).tolist() == [0.0, 0.2, 0.5, 1.0]
    assert FITTED.probability(points, deviation, 0.1).tolist() == [0.0, 0.2, 0.5, 1.0]
    assert FITTED.probability(points, deviation, 0.0).tolist() == [1.0] * 4


def test_what_is_stored_is_read_again():
    assert stored_uncertainty(FITTED.to_dict()) == FITTED
    assert stored_uncertainty(WHOLE_SCALE.to_dict()) == WHOLE_SCALE


@pytest.mark.parametrize(
    "change",
    [
        {"level": 2},
        {"level": None},
        {"knots": []},
        {"knots": [1.0]},
        {"knots": [2.0, 1.0]},
        {"lower": "low"},
        {"upper": [1.0]},
        {"lower": [0.0, float("inf")]},
    ],
)
def test_malformed_facts_are_refused(change):
    facts = {"level": 0.9, "knots": [1.0, 2.0], "lower": [0.0, 1.0], "upper": [2.0, 3.0]}
    assert VennAbers.from_dict(facts).upper == (2.0, 3.0)
    with pytest.raises(ValueError, match="the stored probabilities .* are malformed; train the model again"):
        VennAbers.from_dict({**facts, **change})
