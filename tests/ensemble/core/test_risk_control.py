"""The bounds of shares, and the promise of the thresholds that are accepted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.core.threshold_choice import pairs_needed, safe_thresholds, upper_bounds
from scipy.stats import binomtest


@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("wrong", "count"), [(0, 1), (0, 299), (3, 40), (39, 40), (40, 40)])
def test_upper_bounds_are_those_of_scipy(wrong, count, confidence):
    test = binomtest(wrong, count, alternative="less")
    [bound] = upper_bounds(np.asarray([wrong]), np.asarray([count]), confidence)
    assert bound == pytest.approx(test.proportion_ci(confidence, "exact").high, abs=1e-12)


def test_upper_bound_of_no_pairs_is_one():
    assert upper_bounds(np.asarray([0]), np.asarray([0]), 0.95).tolist() == [1.0]


@pytest.mark.parametrize(
    ("bound", "confidence", "pairs"),
    [(0.01, 0.95, 299), (0.05, 0.95, 59), (0.1, 0.9, 22), (0.5, 0.5, 1)],  # 0.99 ** 299 < 0.05 < 0.99 ** 298
)
def test_pairs_needed(bound, confidence, pairs):
    assert pairs_needed(bound, confidence) == pairs
    assert upper_bounds(np.asarray([0]), np.asarray([pairs]), confidence)[0] <= bound
    assert pairs == 1 or upper_bounds(np.asarray([0]), np.asarray([pairs - 1]), confidence)[0] > bound


def test_one_start_without_errors():
    # With 100 pairs there is one start, at the first threshold with the 59 pairs that 5 % takes at 95 %.
    count = np.asarray([10, 58, 59, 80, 100])
    assert safe_thresholds(np.zeros(5, int), count, 0.05, 0.95).tolist() == [False, False, True, True, True]
    wrong = np.asarray([0, 0, 0, 1, 1])  # one error takes 93 pairs
    assert safe_thresholds(wrong, count, 0.05, 0.95).tolist() == [False, False, True, False, False]


def test_a_later_start_goes_on_after_an_early_error():
    # With 3,000 pairs there are four starts, at 1.25 % each; the first, at 86 pairs, has an error too many.
    count = np.asarray([86, 300, 1000, 2000, 3000])
    wrong = np.asarray([5, 20, 30, 60, 1000])
    assert safe_thresholds(wrong, count, 0.05, 0.95).tolist() == [False, False, True, True, False]


def test_no_pairs():
    assert safe_thresholds(np.zeros(3, int), np.zeros(3, int), 0.05, 0.95).tolist() == [False] * 3
    assert safe_thresholds(np.zeros(0, int), np.zeros(0, int), 0.05, 0.95).tolist() == []


@given(
    st.lists(st.tuples(st.integers(0, 200), st.floats(0, 1)), min_size=1, max_size=20),
    st.floats(0.01, 0.5),
    st.floats(0.5, 0.99),
)
def test_accepted_thresholds_pass_the_exact_test_and_a_looser_bound_keeps_the_best(bands, bound, confidence):
    count = np.cumsum([size for size, _ in bands])
    wrong = np.cumsum([int(size * share) for size, share in bands])
    accepted = safe_thresholds(wrong, count, bound, confidence)
    assert (upper_bounds(wrong, count, confidence)[accepted] <= bound + 1e-9).all()
    assert not accepted[count == 0].any()


GRID = np.linspace(1.0, 0.0, 101)


def _broken(share_false, draw, pairs, bound, confidence, runs=400):
    """Return the share of runs in which any accepted threshold breaks the bound, and in how many one is accepted."""
    random = np.random.default_rng(0)
    sample = draw(random, 400_000)
    cells = np.searchsorted(-GRID, -sample)
    falses = np.bincount(cells, share_false(sample), minlength=len(GRID)).cumsum()
    counts = np.bincount(cells, minlength=len(GRID)).cumsum()
    true = falses / np.maximum(counts, 1)
    broken = accepted = 0
    for _ in range(runs):
        scores = draw(random, pairs)
        false = random.random(pairs) < share_false(scores)
        cells = np.searchsorted(-GRID, -scores)
        count, wrong = (np.bincount(cells, weights, minlength=len(GRID)).cumsum() for weights in (None, false))
        safe = safe_thresholds(wrong, count, bound, confidence)
        accepted += safe.any()
        broken += (true[safe] > bound).any()
    return broken / runs, accepted / runs


WORLDS = {
    "falling slowly": (lambda s: 1 / (1 + np.exp((s - 0.5) / 0.08)), lambda random, n: random.random(n)),
    "never below 2.5 %": (lambda s: 0.025 + 0.97 / (1 + np.exp((s - 0.5) / 0.05)), lambda random, n: random.random(n)),
    "just above the bound": (lambda s: np.full(len(s), 0.0502), lambda random, n: random.random(n)),
    "few high scores": (lambda s: 1 / (1 + np.exp((s - 0.5) / 0.04)), lambda random, n: random.beta(1, 4, n)),
    "many equal scores": (
        lambda s: 1 / (1 + np.exp((s - 0.5) / 0.08)),
        lambda random, n: np.where(random.random(n) < 0.3, 1.0, np.round(random.random(n), 1)),
    ),
}


@pytest.mark.parametrize("pairs", [300, 2000])
@pytest.mark.parametrize("world", WORLDS)
def test_the_bound_is_broken_no_more_often_than_promised(world, pairs):
    share, accepted = _broken(*WORLDS[world], pairs, 0.05, 0.9)
    assert share <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / 400)  # three standard errors of 400 runs
    if world == "falling slowly":
        assert accepted > 0.7  # the promise is not kept by accepting nothing
