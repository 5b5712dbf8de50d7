import json
import math
from itertools import permutations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.evaluation.ranking import (
    ALIKE,
    best_threshold,
    cumulative_gain,
    dcg,
    depth,
    f1,
    kendall,
    ncg,
    ndcg,
    ranking,
    tuned_thresholds,
)
from sklearn.metrics import dcg_score, f1_score, ndcg_score

GRADES = st.integers(0, 5).map(float)
PAIRS = st.lists(st.tuples(GRADES, GRADES), min_size=2, max_size=40).map(lambda rows: np.array(rows).T)


def test_gains_by_hand():
    # In order of the scores gold is 3, 0, 5, 1.
    gold, score = [0.0, 5.0, 3.0, 1.0], [0.8, 0.6, 0.9, 0.1]
    assert cumulative_gain(gold, score, 2) == 3
    assert ncg(gold, score, 2) == 3 / 8
    assert ncg(gold, score, 4) == 1.0
    assert dcg(gold, score, 4) == pytest.approx(3 / 1 + 0 + 5 / 2 + 1 / math.log2(5))
    assert dcg(gold, score, 3, "exponential") == pytest.approx(7 / 1 + 0 + 31 / 2)
    assert ndcg(gold, score, 3) == pytest.approx(5.5 / (5 + 3 / math.log2(3) + 1 / 2))
    assert ndcg(gold, score, 2, "exponential") == pytest.approx(7 / (31 + 7 / math.log2(3)))


@given(PAIRS, st.integers(1, 45))
def test_discounted_gain_equals_scikit_learns(columns, k):
    """Ties included: scikit-learn averages over their orders as well."""
    gold, score = columns
    assert dcg(gold, score, k) == pytest.approx(dcg_score([gold], [score], k=k))
    if gold.any():
        assert ndcg(gold, score, k) == pytest.approx(ndcg_score([gold], [score], k=k))
        assert ndcg(gold, score, k, "exponential") == pytest.approx(ndcg_score([2**gold - 1], [score], k=k))


@given(st.lists(st.tuples(GRADES, st.integers(0, 2)), min_size=1, max_size=5), st.integers(1, 5))
def test_ties_are_the_mean_over_all_orders(rows, k):
    orders = [order for order in permutations(rows) if [-s for _, s in order] == sorted(-s for _, s in order)]
    gold, score = zip(*rows, strict=True)
    expected = np.mean([sum(g for g, _ in order[:k]) for order in orders])
    assert cumulative_gain(gold, score, k) == pytest.approx(expected)
    discounted = np.mean([sum(g / math.log2(i + 2) for i, (g, _) in enumerate(order[:k])) for order in orders])
    assert dcg(gold, score, k) == pytest.approx(discounted)


def test_constant_scores_have_the_gain_of_a_random_order():
    gold = [5.0, 1.0, 0.0, 2.0]
    assert ncg(gold, [3.0] * 4, 2) == pytest.approx(2 * 2.0 / 7)
    assert ncg(gold, [3.0] * 4, 4) == 1.0


@given(PAIRS, st.integers(1, 45))
def test_shares_are_shares_and_gold_is_best(columns, k):
    gold, score = columns
    if gold.any():
        for measure in (ncg, ndcg):
            assert 0 <= measure(gold, score, k) <= 1
            assert measure(gold, gold, k) == pytest.approx(1.0)


def test_gold_scores_of_zero_have_no_share():
    assert math.isnan(ncg([0.0, 0.0], [1.0, 2.0], 1))
    assert math.isnan(ndcg([0.0, 0.0], [1.0, 2.0], 2))


def test_one_pair():
    assert (ncg([4.0], [1.0], 1), ndcg([4.0], [1.0], 1)) == (1.0, 1.0)
    found = ranking([4.0], [1.0])
    assert found["kendall"] is None
    assert [top["k"] for top in found["top"]] == [1, 1, 1]
    assert [row["f1"] for row in found["f1"]] == [0.0, 0.0, None]


@pytest.mark.parametrize(("share", "n", "k"), [(0.1, 30, 3), (0.1, 31, 4), (0.1, 4, 1), (0.25, 1379, 345), (1.0, 7, 7)])
def test_depth(share, n, k):
    assert depth(share, n) == k


@given(PAIRS, st.sampled_from(ALIKE), st.integers(0, 5))
def test_f1_equals_scikit_learns(columns, alike, threshold):
    gold, score = columns
    if (gold >= alike).any():
        assert f1(gold, score, alike, threshold) == pytest.approx(f1_score(gold >= alike, score >= threshold))
    else:
        assert math.isnan(f1(gold, score, alike, threshold))


def test_f1_by_hand():
    # Alike: 2 pairs, of which 1 is called; 2 are called.
    assert f1([5.0, 4.0, 1.0], [4.5, 2.0, 4.0], alike=4, threshold=4) == pytest.approx(2 * 1 / (2 + 2))
    assert f1([5.0, 4.0, 1.0], [0.0, 0.0, 0.0], alike=4, threshold=4) == 0.0


@given(PAIRS, st.sampled_from(ALIKE))
def test_no_threshold_is_better_than_the_best(columns, alike):
    gold, score = columns
    if not (gold >= alike).any():
        with pytest.raises(ValueError, match="must be .* or more to choose a threshold, got at most"):
            best_threshold(gold, score, alike)
        return
    chosen = best_threshold(gold, score, alike)
    found = {value: f1(gold, score, alike, value) for value in score}
    assert found[chosen] == max(found.values())
    assert chosen == max(value for value in found if found[value] == found[chosen])


def test_thresholds_are_those_of_other_pairs():
    thresholds = tuned_thresholds(np.array([0.0, 3.0, 4.0]), np.array([1.0, 1.5, 2.0]))
    assert thresholds == {3.0: 1.5, 4.0: 2.0}
    rows = ranking([0.0, 3.0, 4.0, 5.0], [1.0, 1.6, 1.9, 5.0], thresholds)["f1"]
    assert rows == [
        {"gold": 3.0, "alike": 3, "threshold": 1.5, "tuned": True, "f1": 1.0},
        {"gold": 4.0, "alike": 2, "threshold": 2.0, "tuned": True, "f1": pytest.approx(2 / 3)},
        {"gold": 5.0, "alike": 1, "threshold": 5.0, "tuned": False, "f1": 1.0},
    ]


@given(PAIRS)
def test_the_measures_are_plain_json(columns):
    gold, score = columns
    found = ranking(gold, score)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    for top in found["top"]:
        assert top["k"] == depth(top["share"], len(gold))
        assert top["ndcg"] == (ndcg(gold, score, top["k"]) if gold.any() else None)
    assert (found["kendall"] is None) == (np.ptp(gold) == 0 or np.ptp(score) == 0)


def test_kendall_with_ties_by_hand():
    # Of 3 pairs of pairs 2 agree and 1 is tied on one side: 2 / sqrt(3 * 2).
    assert kendall(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 2.0])) == pytest.approx(2 / math.sqrt(6))
    gold, score = np.random.default_rng(0).normal(size=(2, 30))
    assert kendall(gold, score) == pytest.approx(scipy.stats.kendalltau(gold, score)[0])


@pytest.mark.parametrize(
    ("gold", "score", "k", "gain", "message"),
    [
        ([1, 2], [1], 1, "linear", "must have one shape .*got .2,. and .1,.; give one each a pair"),
        ([], [], 1, "linear", "must have at least one pair, got none"),
        ([1, math.nan], [1, 2], 1, "linear", "must be finite"),
        ([1, -2], [1, 2], 1, "linear", "must not be negative to be gains, got -2"),
        ([1, 2], [1, 2], 0, "linear", "k must be at least 1, got 0"),
        ([1, 2], [1, 2], 1, "square", "gain must be 'linear' or 'exponential', got 'square'"),
    ],
)
def test_bad_input_is_named(gold, score, k, gain, message):
    with pytest.raises(ValueError, match=message):
        ndcg(gold, score, k, gain)
