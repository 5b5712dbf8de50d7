import numpy as np
import pytest
from samewise.ensemble.core.interval import ConformalInterval, spread_of


def ends_of(interval, points, spread=None):
    return interval.ends(points, interval.deviation(points, spread))


def test_spread_by_hand():
    # The second pair: beyond the scale both say 5. The third: 1, 2, 3 have the variance 2/3.
    members = np.array([[2.0, 2.0, 2.0], [6.0, 5.5, 5.0], [1.0, 2.0, 3.0]])
    np.testing.assert_allclose(spread_of(members), [0, 0, np.sqrt(2 / 3)], atol=1e-7)


@pytest.mark.parametrize("softening", [None, 0.4])
def test_round_trip(softening):
    found = ConformalInterval(0.9, (1.0, 2.0), (0.5, 0.6, 0.7), softening)
    assert ConformalInterval.from_dict(found.to_dict()) == found


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"level": 0.9, "edges": [2, 1], "widths": [1, 1, 1]},
        {"level": 0.9, "edges": [1], "widths": [1]},
        {"level": 0.9, "edges": [], "widths": [-1]},
        {"level": 0.9, "edges": [], "widths": ["wide"]},
        {"level": 0.9, "edges": [], "widths": [float("nan")]},
        {"level": 0.9, "edges": [], "widths": [1], "softening": -0.1},
        {"level": 0.9, "edges": [], "widths": [1], "softening": "soft"},
    ],
)
def test_malformed_facts_are_refused(facts):
    with pytest.raises(ValueError, match="train"):
        ConformalInterval.from_dict(facts)


def test_bands_by_hand():
    found = ConformalInterval(0.9, (33 / 20, 66 / 20), (0.31, 0.62, 1.28))
    low, high = ends_of(found, np.array([1.0, 33 / 20, 3.0, 66 / 20, 4.9]))
    assert low.tolist() == pytest.approx([0.69, 1.03, 2.38, 2.02, 3.62])
    assert high.tolist() == pytest.approx([1.31, 2.27, 3.62, 4.58, 5])


def test_probability_of_the_normal_distribution_with_such_intervals():
    # Half-widths of 1 at 90 % are 1.645 deviations.
    found = ConformalInterval(0.9, (), (1.0,))
    points = np.array([2.0, 3.0])
    deviation = found.deviation(points)
    assert deviation == pytest.approx([1 / 1.6448536269514722] * 2)
    assert found.probability(points, deviation, 3.0) == pytest.approx([0.05, 0.5])
    assert found.probability(points, deviation, 2.0) == pytest.approx([0.5, 0.95])
    assert found.probability(points, np.zeros(2), 2.5).tolist() == [0.0, 1.0]


def test_widths_that_follow_no_spread_do_not_need_one():
    found = ConformalInterval(0.9, (), (0.5,), 0.4)
    assert np.ravel(ends_of(found, np.array([2.0]))) == pytest.approx([1.5, 2.5])
    plain = ConformalInterval(0.9, (), (0.5,))
    assert np.ravel(ends_of(plain, np.array([2.0]), np.array([3.0]))) == pytest.approx([1.5, 2.5])


def test_facts_at_the_limits():
    facts = {"level": 0.9, "edges": [1, 2], "widths": [0, 1, 5], "softening": 0}
    assert ConformalInterval.from_dict(facts) == ConformalInterval(0.9, (1, 2), (0, 1, 5), 0)
    assert ConformalInterval(0.8, (1.0,), (0.5, 0.6)).to_dict() == {"level": 0.8, "edges": [1.0], "widths": [0.5, 0.6]}
    assert ConformalInterval(0.8, (), (0.5,), 0.2).to_dict()["softening"] == 0.2
    for change in (
        {"edges": [1, 1]},
        {"level": float("inf")},
        {"edges": [1, float("inf")]},
        {"softening": float("nan")},
        {"widths": [0, 1]},
        {"widths": [0, 1, 2, 3]},
        {"edges": [], "widths": []},
    ):
        with pytest.raises(ValueError, match="train"):
            ConformalInterval.from_dict({**facts, **change})


def test_spread_takes_scores_below_the_scale_as_its_end():
    # -3 and 1 say 0 and 1: the deviation is 1/2; 0, 5 is the greatest, 2.5.
    assert spread_of(np.array([[-3.0, 1.0], [0.0, 5.0]])).tolist() == pytest.approx([0.5, 2.5])
