import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.evaluation.metrics import evaluate, one_hot_cosine, pearson, pearson_interval, weighted_pearson


def test_metrics_by_hand():
    # gold 0 2 4, score 1 2 5: deviations (-2, 0, 2) and (-5/3, -2/3, 7/3); r = 8 / sqrt(8 * 78/9)
    found = evaluate([0, 2, 4], [1, 2, 5], low=np.array([0, 2.5, 4]), high=np.array([2, 3, 5]))
    assert found.n == 3
    assert found.pearson == pytest.approx(8 / np.sqrt(8 * 78 / 9))
    assert found.spearman == pytest.approx(1.0)
    assert found.rmse == pytest.approx(np.sqrt(2 / 3))
    assert found.within_1 == 1.0
    assert found.coverage == pytest.approx(2 / 3)
    assert found.groups == {}
    assert found.weighted_mean is None


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5)), min_size=3, max_size=30))
def test_correlations_equal_scipys(rows):
    gold, score = np.array(rows).T
    if np.ptp(gold) < 1e-3 or np.ptp(score) < 1e-3:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = evaluate(gold, score)
    assert found.pearson == pytest.approx(scipy.stats.pearsonr(gold, score)[0], abs=1e-9)
    assert found.spearman == pytest.approx(scipy.stats.spearmanr(gold, score)[0], abs=1e-9)


def test_size_weighted_mean_of_2016():
    # Agirre et al. (2016): the five sets and the figure that the organisers printed for their best system.
    sets = {"a": (0.8352, 244), "b": (0.6871, 209), "c": (0.8275, 249), "d": (0.8414, 230), "e": (0.6924, 254)}
    gold, score, groups = [], [], []
    rng = np.random.default_rng(0)
    for name, (r, n) in sets.items():
        x, z = rng.normal(size=(2, n))
        x = (x - x.mean()) / x.std()
        z = z - z.mean() - x * (x @ (z - z.mean())) / n
        y = r * x + np.sqrt(1 - r * r) * z / z.std()
        gold, score, groups = [*gold, *x], [*score, *y], [*groups, *[name] * n]
    found = evaluate(gold, score, groups=groups)
    assert {name: round(group.pearson, 4) for name, group in found.groups.items()} == {
        k: r for k, (r, _) in sets.items()
    }
    assert found.weighted_mean == pytest.approx(0.7781, abs=5e-5)


def test_constant_scores_have_correlation_zero_and_warn():
    with pytest.warns(UserWarning, match="all scores are 3, so the Pearson"):
        assert pearson(np.array([1.0, 2.0]), np.array([3.0, 3.0])) == 0.0


def test_bootstrap_interval_covers_and_repeats():
    rng = np.random.default_rng(1)
    gold = rng.normal(size=400)
    score = gold + rng.normal(size=400)
    low, high = pearson_interval(gold, score, seed=3)
    assert low < pearson(gold, score) < high
    assert (low, high) == pearson_interval(gold, score, seed=3)
    # Fisher's z gives the same width to within the noise of 2,000 resamples.
    z = np.arctanh(pearson(gold, score)) + np.array([-1.96, 1.96]) / np.sqrt(397)
    np.testing.assert_allclose([low, high], np.tanh(z), atol=0.02)


@pytest.mark.parametrize(
    ("gold", "score", "groups", "message"),
    [
        ([1, 2], [1], None, "must have one shape .*got .2,. and .1,.; give one each a pair"),
        ([1], [1], None, "must have at least two pairs, got 1"),
        ([1, float("nan")], [1, 2], None, "must be finite"),
        ([1, 2], [1, 2], ["a"], "as many as the 2 pairs, got 1"),
    ],
)
def test_bad_input_is_named(gold, score, groups, message):
    with pytest.raises(ValueError, match=message):
        evaluate(gold, score, groups=groups)


def test_one_hot_cosine_by_hand():
    # {a, cat, sat, .} and {the, cat, sat, down, .}: 3 common, 5 * 3 / sqrt(4 * 5)
    scores = one_hot_cosine([("A cat sat.", "The cat sat down."), ("", "x")])
    np.testing.assert_allclose(scores, [15 / np.sqrt(20), 0.0], rtol=1e-6)


@pytest.mark.parametrize(("track", "published"), [("5.en-en", 0.726), ("3.es-es", 0.712), ("1.ar-ar", 0.605)])
def test_baseline_of_2017_is_reproduced(data, track, published):
    lines = (data / "sts2017" / f"STS.input.track{track}.txt").read_text(encoding="utf-8").splitlines()
    gold = np.loadtxt(data / "sts2017" / f"STS.gs.track{track}.txt")
    pairs = [tuple(line.split("\t")[:2]) for line in lines]
    assert pearson(gold, one_hot_cosine(pairs)) == pytest.approx(published, abs=0.003)


@given(st.lists(st.tuples(st.floats(0, 5), st.floats(0, 5), st.integers(0, 4)), min_size=2, max_size=12))
def test_whole_weights_are_copies(rows):
    """Weighted by whole numbers, the correlation is that of each pair written so many times."""
    gold, score, weights = (np.array(column) for column in zip(*rows, strict=True))
    many = [np.repeat(column, weights) for column in (gold, score)]
    if not weights.any() or np.ptp(many[0]) < 1e-3 or np.ptp(many[1]) < 1e-3:
        return
    expected = scipy.stats.pearsonr(*many)[0]
    assert weighted_pearson(gold, score, weights) == pytest.approx(expected, abs=1e-7)
    assert weighted_pearson(gold, score, weights * 0.01) == pytest.approx(expected, abs=1e-7)


def test_weighted_pearson_equals_numpys_weighted_covariance():
    gold, score, weights = np.random.default_rng(0).uniform(0, 5, (3, 50))
    covariance = np.cov(gold, score, aweights=weights)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert weighted_pearson(gold, score, weights) == pytest.approx(expected)
    # The released scorer of 2012: all confidences are 100.
    assert weighted_pearson(gold, score, np.full(50, 100)) == pytest.approx(pearson(gold, score))


def test_weights_that_leave_one_value_have_correlation_zero_and_warn():
    with pytest.warns(UserWarning, match="all scores are 0.1, so the Pearson"):
        assert weighted_pearson([1, 2, 3], [0.1, 0.1, 4], [5, 7, 0]) == 0.0


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([0, 0], "at least one weight must be above 0, got 0"),
        ([1, -2], "must be numbers from 0 on, got -2"),
        ([1, np.nan], "must be numbers from 0 on, got nan"),
        ([1], "must be of one length, got 2, 2 and 1"),
    ],
)
def test_bad_weights_are_named(weights, message):
    with pytest.raises(ValueError, match=message):
        weighted_pearson([1, 2], [2, 3], weights)


def test_two_pairs_say_nothing_of_a_correlation():
    found = evaluate([1, 4], [2, 3])
    assert (found.pearson, found.pearson_low, found.pearson_high) == (pytest.approx(1.0), -1.0, 1.0)


def test_groups_of_one_pair_are_left_out():
    found = evaluate([1, 4, 2], [2, 3, 5], groups=["two", "two", "one"])
    assert list(found.groups) == ["two"]
    assert found.weighted_mean == pytest.approx(1.0)
    assert evaluate([1, 4], [2, 3], groups=["a", "b"]).weighted_mean is None


def test_the_interval_is_that_of_plain_resampling():
    # 2,000 times as many pairs as there are are drawn with replacement; the ends are the 2.5 and 97.5 % quantiles.
    gold, score = np.random.default_rng(4).uniform(0, 5, (2, 40))
    drawn = np.random.default_rng(7).integers(0, 40, (2_000, 40))
    expected = [np.corrcoef(gold[row], score[row])[0, 1] for row in drawn]
    assert pearson_interval(gold, score, seed=7) == pytest.approx(np.quantile(expected, [0.025, 0.975]).tolist())
    few = np.random.default_rng(0).integers(0, 40, (50, 40))  # the seed 0 where none is given
    expected = [np.corrcoef(gold[row], score[row])[0, 1] for row in few]
    found = pearson_interval(gold, score, resamples=50, level=0.5)
    assert found == pytest.approx(np.quantile(expected, [0.25, 0.75]).tolist())


def test_a_constant_side_bounds_nothing():
    one, other = [1.0, 2.0, 4.0], [2.0, 2.0, 2.0]
    assert pearson_interval(one, other) == pearson_interval(other, one) == (-1.0, 1.0)
    low, high = pearson_interval(np.arange(8), [1, 2, 1.5, 2, 1.2, 1.8, 1.1, 1.7])  # the second side spans 1
    assert -1 < low < high < 1
    # Of three pairs 3 of 27 draws repeat one pair, and have no correlation: they are left out.
    assert np.isfinite(pearson_interval([1, 2, 4], [1, 3, 2])).all()


def test_precision_does_not_follow_that_of_the_input():
    gold, score = np.random.default_rng(3).uniform(0, 5, (2, 60)).astype(np.float32)
    weights = np.linspace(0.1, 3, 60, dtype=np.float32)
    wide = [values.astype(np.float64) for values in (gold, score, weights)]
    for sides in ((gold, score), (gold, wide[1]), (wide[0], score)):
        assert evaluate(*sides) == evaluate(*wide[:2])
        assert pearson(*sides) == pearson(*wide[:2])
        assert pearson_interval(*sides) == pearson_interval(*wide[:2])
    assert weighted_pearson(gold, score, weights) == weighted_pearson(*wide)


def test_nearly_constant_sides():
    # Two pairs with deviations of d and 1 have the scale 2 d, and count as constant up to 2 * 1e-12.
    sides = np.array([-1.0, 1.0])
    with pytest.warns(UserWarning, match="all gold scores are -9e-13"):
        assert pearson(0.9e-12 * sides, sides) == 0
    assert pearson(1.1e-12 * sides, sides) == pytest.approx(1)
    assert pearson(1.1e-12 * sides, -sides) == pytest.approx(-1)


def test_weights_of_any_size():
    sides = np.random.default_rng(0).uniform(0, 5, (2, 4))
    expected = weighted_pearson(*sides, [4, 2, 1, 2])
    assert weighted_pearson(*sides, np.array([4, 2, 1, 2]) * 4e307) == pytest.approx(expected)
    assert weighted_pearson(*sides, np.array([4, 2, 1, 2]) * 1e-300) == pytest.approx(expected)
    with pytest.raises(ValueError, match="must be of one length"):
        weighted_pearson(np.ones((2, 2)), np.ones((2, 2)), np.ones((2, 2)))


def test_groups_have_all_columns():
    gold, score = np.array([0, 1, 2, 3, 4, 5.0]), np.array([0, 2.5, 1, 3, 3, 5.0])
    low, high = score - 1, score + [0.5, 1, 1, 1, 1, 1]
    found = evaluate(gold, score, low, high, groups=list("xyxyxy"), seed=5)
    assert found.coverage == pytest.approx(5 / 6)  # 1 is below 1.5
    x, y = found.groups["x"], found.groups["y"]
    assert (x.n, y.n) == (3, 3)
    # x: errors 0, -1, -1; y: 1.5, 0, 0.
    assert (x.rmse, y.rmse) == pytest.approx((np.sqrt(2 / 3), np.sqrt(2.25 / 3)))
    assert (x.within_1, y.within_1) == pytest.approx((1, 2 / 3))
    assert (x.coverage, y.coverage) == pytest.approx((1, 2 / 3))
    r = [np.corrcoef(gold[k::2], score[k::2])[0, 1] for k in (0, 1)]
    assert (x.pearson, y.pearson) == pytest.approx(tuple(r))
    assert found.weighted_mean == pytest.approx(sum(r) / 2)
    assert (y.pearson_low, y.pearson_high) == pearson_interval(gold[1::2], score[1::2], seed=5)
    assert (found.pearson_low, found.pearson_high) == pearson_interval(gold, score, seed=5)
    # Ranks of 1 3 5 and 2.5 3 5 are equal; those of 0 2 4 and 0 1 3 too.
    assert (x.spearman, y.spearman) == pytest.approx((1, 1))
    assert evaluate(gold, score, low=low).coverage is None
    assert evaluate(gold, score, high=high).coverage is None


def test_an_error_of_one_is_within_one():
    assert evaluate([0, 2, 4], [1, 3.5, 3]).within_1 == pytest.approx(2 / 3)


def test_an_evaluation_as_json():
    facts = evaluate([1, 2, 5, 4], [1, 3, 4, 5], groups=["a", "a", "b", "b"]).as_dict()
    plain = evaluate([1, 2, 5, 4], [1, 3, 4, 5])
    names = "n pearson pearson_low pearson_high spearman rmse within_1 coverage groups weighted_mean".split()
    assert sorted(facts) == sorted(names)
    assert sorted(facts["groups"]["a"]) == sorted(names)
    assert (facts["n"], facts["rmse"], facts["groups"]["b"]["n"]) == (4, plain.rmse, 2)
    with pytest.raises(ValueError, match="must have one shape"):
        evaluate(np.ones((2, 2)), np.ones((2, 2)))
    with pytest.raises(ValueError, match="must be finite"):
        evaluate([1, 2], [1, np.inf])


@pytest.mark.parametrize(
    "labels", [[True, False, True, False], np.array([1, 0, 1, 0]), ["yes", "no", "same", "different"]]
)
def test_labels_that_say_yes_or_no(labels):
    # Pairs in order of score: yes 0.9, no 0.6, yes 0.4, no 0.1. Three of four comparisons of a yes and a no are right.
    found = evaluate(labels, [0.9, 0.1, 0.4, 0.6], same_from=0.5)
    assert (found.n, found.yes, found.auc, found.accuracy) == (4, 2, 0.75, 0.5)
    assert found.average_precision == pytest.approx((1 + 2 / 3) / 2)
    assert found.log_loss == pytest.approx(-np.log(0.9 * 0.9 * 0.4 * 0.4) / 4)
    of_scores = evaluate(labels, [4.5, 0.5, 2.0, 3.0], same_from=4)
    assert (of_scores.auc, of_scores.accuracy, of_scores.log_loss) == (0.75, 0.75, None)
    assert evaluate(labels, [0.9, 0.1, 0.4, 0.6], same_from=1).log_loss is None


def test_labels_that_cannot_be_compared():
    with pytest.raises(ValueError, match="a label must be yes or no, or 1 or 0, got 'perhaps' for pair 1; correct it"):
        evaluate(["yes", "perhaps"], [0.5, 0.5], same_from=0.5)
    with pytest.raises(ValueError, match="low, high and groups must be None for labels that say yes or no"):
        evaluate([True, False], [0.5, 0.5], groups=["a", "b"], same_from=0.5)
    with pytest.raises(ValueError, match=r"labels and scores must have one shape \(n,\)"):
        evaluate([True, False], [0.5], same_from=0.5)
    with pytest.raises(ValueError, match="gold must be numbers, got 'yes'; for labels that .* give same_from"):
        evaluate(["yes", "no"], [0.5, 0.5])


def test_one_warning_names_the_side_that_is_constant():
    with pytest.warns(UserWarning) as warned:
        evaluate(np.full(4, 5.0), np.array([1.0, 2.0, 3.0, 4.0]))
    assert [str(each.message) for each in warned] == [
        "all gold scores are 5, so the Pearson correlation is undefined; 0 is returned"
    ]
