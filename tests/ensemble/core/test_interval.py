import numpy as np
import pytest
from samewise.ensemble.core.interval import ConformalInterval, spread_of


def test_width_by_hand():
    # 19 residuals 0.1 .. 1.9 in one band at 90 %: rank ceil(20 * 0.9) = 18, the residual 1.8.
    gold = np.full(19, 2.0)
    found = ConformalInterval.fit(gold + np.arange(1, 20) / 10, gold, level=0.9)
    assert found.edges == ()
    assert found.widths == pytest.approx((1.8,))


def test_too_few_residuals_say_nothing():
    assert ConformalInterval.fit(np.array([1.0, 2.0]), np.array([1.0, 2.0]), level=0.9).widths == (5.0,)


def test_coverage_by_band_on_new_data():
    rng = np.random.default_rng(0)
    gold = rng.uniform(0, 5, 4_000)
    score = np.clip(gold + rng.normal(size=4_000) * (0.2 + gold / 5), 0, 5)
    found = ConformalInterval.fit(score[:2_000], gold[:2_000], level=0.9)
    low, high = found.apply(score[2_000:])
    covered = (low <= gold[2_000:]) & (gold[2_000:] <= high)
    assert 0.88 < covered.mean() < 0.92
    for band in np.array_split(np.argsort(score[2_000:]), 4):
        assert covered[band].mean() > 0.84
    assert (low >= 0).all()
    assert (high <= 5).all()
    assert (low <= score[2_000:]).all()
    assert (score[2_000:] <= high).all()


def test_where_members_disagree_the_interval_is_wider_and_covers():
    rng = np.random.default_rng(0)
    gold, spread = rng.uniform(1, 4, 4_000), rng.uniform(0, 1, 4_000)
    score = gold + rng.normal(size=4_000) * (0.1 + 0.5 * spread)
    half = slice(0, 2_000)
    found = ConformalInterval.fit(score[half], gold[half], 0.9, spread=spread[half])
    assert found.softening is not None and found.softening <= 0.4
    low, high = found.apply(score[2_000:], spread[2_000:])
    plain = ConformalInterval.fit(score[half], gold[half], 0.9).apply(score[2_000:])
    assert (high - low).mean() < (plain[1] - plain[0]).mean()
    wide, gaps = spread[2_000:] > 0.5, []
    for ends in ((low, high), plain):
        covered = (ends[0] <= gold[2_000:]) & (gold[2_000:] <= ends[1])
        assert 0.88 < covered.mean() < 0.92
        gaps.append(abs(covered[wide].mean() - covered[~wide].mean()))
    assert gaps[0] < 0.5 * gaps[1]


def test_a_spread_that_says_nothing_is_left_out():
    rng = np.random.default_rng(0)
    gold = rng.uniform(1, 4, 2_000)
    found = ConformalInterval.fit(gold + rng.normal(size=2_000) / 2, gold, 0.9, spread=np.abs(rng.normal(size=2_000)))
    assert found.softening is None or found.softening == 1.6


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
