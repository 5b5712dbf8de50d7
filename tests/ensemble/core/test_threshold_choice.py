"""Thresholds chosen on labelled pairs, worked out by hand or by a slow search."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.scale import POINTS, YES_OR_NO
from samewise.ensemble.core.threshold_choice import STEPS, Tally, choose_thresholds, upper_bounds


def pairs_of(*groups):
    """Return scores and labels of groups: (score, number of pairs that are the same, number that are not)."""
    scores = np.concatenate([np.full(same + other, score) for score, same, other in groups])
    labels = np.concatenate([np.arange(same + other) < same for _, same, other in groups])
    return scores, labels


def tally_of(*groups, scale=POINTS):
    return Tally.of(*pairs_of(*groups), scale)


@given(st.lists(st.tuples(st.integers(0, 500), st.booleans()), min_size=2, max_size=60))
def test_counts_are_those_of_a_plain_count(rows):
    scores = np.asarray([step / 100 for step, _ in rows])
    same = np.asarray([label for _, label in rows])
    tally = Tally.of(scores, same, POINTS)
    if same.all() or not same.any():
        with pytest.raises(ValueError, match="all (different|the same)"):
            tally.check()
    for place in range(0, STEPS + 1, 50):
        above = scores >= tally.thresholds[place]
        assert tally.called[place] == above.sum()
        assert tally.false[place] == (above & ~same).sum()
        assert tally.below[place] == (~above).sum()
        assert tally.missed[place] == (~above & same).sum()
    assert (tally.pairs, tally.positives) == (len(rows), same.sum())


def test_thresholds_are_multiples_of_the_step():
    assert tally_of((1, 1, 1)).thresholds[:3].tolist() == [0.0, 0.01, 0.02]
    assert tally_of((1, 1, 1), scale=YES_OR_NO).thresholds[-2:].tolist() == [0.998, 1.0]


def test_both_thresholds_with_an_unsure_middle():
    tally = tally_of((5.0, 200, 0), (3.0, 30, 30), (1.0, 0, 200))
    found = choose_thresholds(tally, Rule("max_false", 0.05, 0.05), 0.95)
    assert found[:2] == (3.01, 3.0)  # the lowest above the mixed pairs, and the highest that leaves them out


def test_without_a_bound_of_missed_pairs_nothing_is_different():
    tally = tally_of((5.0, 200, 0), (1.0, 0, 200))
    assert choose_thresholds(tally, Rule("max_false", 0.05), 0.95).different_below is None


def test_where_both_sides_allow_more_one_threshold_decides_all():
    # A few wrong pairs on both sides of 3: both bounds hold far beyond it, and 3.01 to 4 leaves the fewest wrong.
    tally = tally_of((4.0, 400, 2), (3.0, 1, 9), (2.0, 2, 400))
    found = choose_thresholds(tally, Rule("max_false", 0.1, 0.1), 0.95)
    assert found.same_from == found.different_below
    assert 3.0 < found.same_from <= 4.0


def test_missed_pairs_that_cannot_be_bounded_leave_the_rest_unsure():
    tally = tally_of((5.0, 200, 0), (1.0, 40, 60))
    assert choose_thresholds(tally, Rule("max_false", 0.05, 0.05), 0.95).different_below is None


def test_refusal_says_how_many_pairs_it_takes_and_offers_no_other_bound():
    tally = tally_of((5.0, 100, 0), (1.0, 0, 100))
    # 0.99 ** 688 < 0.001 < 0.99 ** 687: a wrong answer comes from one draw of labels in 1,000.
    with pytest.raises(ValueError, match=r"at most 1 %.*200 labelled pairs, 100 of.*least 688 pairs") as refused:
        choose_thresholds(tally, Rule("max_false", 0.01), 0.95)
    assert "ask for" not in str(refused.value)
    assert str(refused.value).count("%") == 1
    # 0.933 ** 100 < 0.001 < 0.934 ** 100.
    assert choose_thresholds(tally, Rule("max_false", 0.067), 0.95).same_from == 1.01
    with pytest.raises(ValueError, match="label more"):
        choose_thresholds(tally, Rule("max_false", 0.066), 0.95)


def test_half_of_the_chance_takes_more_pairs():
    tally = tally_of((5.0, 70, 0), (1.0, 0, 100))
    # 0.9 ** 66 < 0.001 < 0.9 ** 65, and 0.9 ** 73 < 0.0005 < 0.9 ** 72.
    assert choose_thresholds(tally, Rule("max_false", 0.1), 0.95).same_from == 1.01
    with pytest.raises(ValueError, match="at least 73 pairs"):
        choose_thresholds(tally, Rule("max_false", 0.1), 0.95, share=0.5)


def test_where_no_threshold_keeps_the_bound_no_answer_is_given():
    # 12 % are false whatever the score; 100 labels, of which nearly all are called the same.
    random = np.random.default_rng(3)
    answers = 0
    for _ in range(300):
        scores, same = 5 * random.random(100), random.random(100) < 0.88
        try:
            choose_thresholds(Tally.of(scores, same, POINTS), Rule("max_false", 0.1), 0.95)
            answers += 1
        except ValueError:
            pass
    assert answers <= 1


def test_pairs_kept_apart_are_not_called_same_whatever_their_score():
    scores, same = pairs_of((5.0, 3, 2), (1.0, 1, 4))
    apart = np.asarray([True, False, False, True, False, False, False, False, False, False])
    tally = Tally.of(scores, same, POINTS, apart)
    assert (tally.called[-1], tally.false[-1], tally.unfound[-1]) == (3, 1, 2)
    assert (tally.called[0], tally.below[0], tally.missed[-1]) == (8, 0, 1)
    assert tally.costs(2.0)[-1] == pytest.approx((2 * 1 + 2) / 10)


def test_recall_by_a_slow_search():
    random = np.random.default_rng(1)
    scores = np.round(5 * random.random(800), 2)
    same = random.random(800) < scores / 5
    tally = Tally.of(scores, same, POINTS)
    best = max(
        threshold
        for threshold in tally.thresholds.tolist()
        if upper_bounds(np.asarray([(same & (scores < threshold)).sum()]), np.asarray([same.sum()]), 0.95)[0] <= 0.1
    )
    assert choose_thresholds(tally, Rule("recall", 0.9), 0.95)[:2] == (best, best)


def test_recall_needs_pairs_that_are_the_same():
    tally = tally_of((5.0, 28, 0), (1.0, 0, 100))
    with pytest.raises(ValueError, match="recall of 90 % needs at least 29 labelled pairs.*got 28"):
        choose_thresholds(tally, Rule("recall", 0.9), 0.95)
    assert choose_thresholds(tally_of((5.0, 29, 0), (1.0, 0, 9)), Rule("recall", 0.9), 0.95).same_from == 5.0


def test_recall_with_a_second_threshold():
    # The 95 % of the recall are found at 5, and of the 300 pairs below 2 none is missed: 0.97 ** 300 < 0.001.
    tally = tally_of((5.0, 400, 10), (2.0, 3, 60), (1.0, 0, 300))
    found = choose_thresholds(tally, Rule("recall", 0.95, 0.03), 0.95)
    assert found.same_from == 5.0
    assert found.different_below == 2.0


def test_least_cost_by_hand():
    # At 4 and 3 costs are 10·5 + 0 and 0 + 20 for the threshold below and above the group at 4.
    tally = tally_of((5.0, 50, 0), (4.0, 20, 5), (1.0, 0, 25))
    found = choose_thresholds(tally, Rule("cost", 10.0), 0.95)
    assert 4.0 < found.same_from <= 5.0
    assert found.different_below == found.same_from
    assert found.cost == pytest.approx(20 / 100)
    cheap = choose_thresholds(tally, Rule("cost", 2.0), 0.95)
    assert 1.0 < cheap.same_from <= 4.0
    assert cheap.cost == pytest.approx(2 * 5 / 100)


def test_interval_of_the_cost_is_that_of_resampled_pairs():
    scores, same = pairs_of((5.0, 50, 0), (4.0, 40, 8), (1.0, 0, 52))
    found = choose_thresholds(Tally.of(scores, same, POINTS), Rule("cost", 2.0), 0.95)
    random = np.random.default_rng(5)
    costs = []
    for _ in range(2000):
        rows = random.integers(0, len(scores), len(scores))
        called = scores[rows] >= found.same_from
        costs.append((2 * (called & ~same[rows]).sum() + (~called & same[rows]).sum()) / len(rows))
    assert found.cost_ends == pytest.approx(np.quantile(costs, (0.025, 0.975)), abs=0.02)
    assert found.threshold_ends[0] <= found.same_from <= found.threshold_ends[1]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.floats(0.05, 0.4), st.floats(0.05, 0.4), st.sampled_from([POINTS, YES_OR_NO]))
def test_whatever_is_called_the_bounds_hold_on_the_labelled_pairs(seed, false, missed, scale):
    random = np.random.default_rng(seed)
    points = np.round(random.random(500), 3)
    same = random.random(500) < points
    scores = scale.scores(5 * points)
    try:
        found = choose_thresholds(Tally.of(scores, same, scale), Rule("max_false", false, missed), 0.9)
    except ValueError as error:
        assert "labelled pairs" in str(error)
        return
    called = scores >= found.same_from
    assert (~same[called]).mean() <= false
    if found.different_below is not None:
        assert found.different_below <= found.same_from
        assert same[scores < found.different_below].mean() <= missed


def test_curve_has_the_chosen_thresholds_and_their_counts():
    tally = tally_of((5.0, 200, 0), (3.0, 30, 30), (1.0, 0, 200))
    curve = tally.curve(0.95, 3.01, 3.0)
    rows = {threshold: rest for threshold, *rest in curve.rows()}
    assert rows[3.01][:2] == [200, 0]
    assert rows[3.01][2] == pytest.approx(1 - 0.05 ** (1 / 200))
    assert rows[3.0][:2] == [260, 30]
    assert rows[3.01][3] == pytest.approx(200 / 230)
    assert len(curve.threshold) <= 50
    assert list(curve.threshold) == sorted(curve.threshold)
