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


def test_bands_by_hand():
    # 100 predictions k / 20 in 100 // 30 = 3 bands, cut at the quantiles 1/3 and 2/3: 33 / 20 and 66 / 20.
    predicted = np.arange(100) / 20
    residual = np.concatenate([np.arange(1, 34) / 100, np.arange(1, 34) / 50, np.arange(1, 35) / 25])
    found = ConformalInterval.fit(predicted, predicted - residual)
    assert found.level == 0.9
    assert found.edges == pytest.approx((33 / 20, 66 / 20))
    # The ranks are ceil(34 * 0.9) = 31 of 33 and ceil(35 * 0.9) = 32 of 34.
    assert found.widths == pytest.approx((0.31, 0.62, 1.28))
    low, high = found.apply(np.array([1.0, 33 / 20, 3.0, 66 / 20, 4.9]))
    assert low.tolist() == pytest.approx([0.69, 1.03, 2.38, 2.02, 3.62])
    assert high.tolist() == pytest.approx([1.31, 2.27, 3.62, 4.58, 5])


@pytest.mark.parametrize(("size", "bands"), [(0, 1), (29, 1), (59, 1), (60, 2), (239, 7), (240, 8), (900, 8)])
def test_number_of_bands(size, bands):
    predicted = np.linspace(0, 5, size)
    assert len(ConformalInterval.fit(predicted, predicted).widths) == bands
    spread = np.ones(size)
    assert len(ConformalInterval.fit(predicted, predicted, spread=spread, bands=2).widths) == min(bands, 2)


def test_without_predictions_the_interval_is_the_whole_scale():
    none = np.empty(0)
    assert ConformalInterval.fit(none, none, 0.8, spread=none) == ConformalInterval(0.8, (), (5.0,))


@pytest.mark.parametrize("softening", [0.1, 0.2, 0.4, 0.8, 1.6])
def test_the_softening_that_fits_the_errors_is_kept(softening):
    # Errors of half of spread plus softening: in these units all are 1/2, and with another softening some are more.
    spread = np.linspace(0, 1, 60)
    found = ConformalInterval.fit(np.full(60, 2.5), 2.5 - 0.5 * (spread + softening), bands=1, spread=spread)
    assert found.softening == softening
    assert found.widths == pytest.approx((0.5,))
    low, high = found.apply(np.array([2.5, 4.9]), np.array([0.5, 1.0]))
    assert (2.5 - low[0], high[0] - 2.5) == pytest.approx((0.5 * (0.5 + softening),) * 2)
    assert high[1] == pytest.approx(5)


def test_a_band_with_too_little_data_spans_the_scale():
    # 65 predictions in two bands, 32 and 33: at 97 % the rank ceil(33 * 0.97) = 33 is beyond the first.
    predicted, spread = np.linspace(1, 4, 65), np.tile([0.0, 1.0], 33)[:65]
    found = ConformalInterval.fit(predicted, predicted - 0.1 * (spread + 0.1), 0.97, spread=spread)
    assert found.softening == 0.1
    assert found.widths == pytest.approx((50, 0.1))  # 5 / 0.1, so that it is 5 where the members agree
    low, high = found.apply(np.array([1.5]), np.array([0.0]))
    assert (low[0], high[0]) == (0, 5)


def test_widths_that_follow_no_spread_do_not_need_one():
    found = ConformalInterval(0.9, (), (0.5,), 0.4)
    assert [end.tolist() for end in found.apply(np.array([2.0]))] == [[1.5], [2.5]]
    assert ConformalInterval(0.9, (), (0.5,)).apply(np.array([2.0]), np.array([3.0]))[0].tolist() == [1.5]


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
