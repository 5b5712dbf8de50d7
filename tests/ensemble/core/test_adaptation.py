import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewise.ensemble.core.adaptation import Labelled, adapted, adapted_to_yes_and_no
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.predictive_distribution import PredictiveDistribution
from samewise.ensemble.core.summary_correction import COLUMNS
from samewise.features.pipeline.matrix import FeatureMatrix

ONE = Combination("stack", (0.6, 0.4), 0.0)
WIDTH = PredictiveDistribution(0.9, (2.5,), (1.0,), (tuple(np.linspace(-1, 1, 41) / 0.9),))
"""Its intervals reach one point to each side."""


def labels(members, gold, groups=None, columns=None):
    values = np.empty((len(gold), 0), np.float32) if columns is None else columns.astype(np.float32)
    names = tuple(f"family.feature.{place}" for place in range(values.shape[1]))
    groups = np.arange(len(gold)) if groups is None else groups
    return Labelled(members, FeatureMatrix(values, names), np.asarray(gold, dtype=float), groups)


def pairs_of(count, seed=0, noise=0.3):
    rng = np.random.default_rng(seed)
    meaning = rng.uniform(0.5, 4.5, count)
    members = meaning[:, None] + rng.normal(size=(count, 2)) * noise
    return members, meaning, rng


def test_a_model_that_is_right_is_hardly_moved():
    members, _, rng = pairs_of(200)
    gold = ONE.apply(members) + rng.choice([-0.4, 0.4], 200)
    result = adapted(ONE, WIDTH, labels(members, gold))
    assert np.abs(result.corrected.combination.apply(members) - ONE.apply(members)).max() < 0.15


def test_nothing_is_changed_where_every_change_is_worse():
    # The labels of each half are off in its own way, so that nothing learned from others helps.
    members = np.full((40, 2), 2.0)
    gold = np.resize([1.0, 3.0], 40)
    result = adapted(ONE, WIDTH, labels(members, gold))
    assert result.chosen == "nothing"
    assert result.corrected.combination == ONE


def test_a_constant_is_found():
    members, _, rng = pairs_of(60)
    gold = ONE.apply(members) * 0.5 + 1.0  # in the middle of the scale
    members = members * 0.5 + 0.2
    gold = ONE.apply(members) + 0.8 + rng.normal(size=60) * 0.05
    result = adapted(ONE, WIDTH, labels(members, gold))
    after = result.corrected.combination.apply(members)
    # 60 labels lean by 4 of 64 towards the model as it was, unless a line is better.
    assert np.abs(after - gold).mean() < 0.1 < np.abs(ONE.apply(members) - gold).mean()
    assert result.chosen in ("constant", "line", "members")


def test_a_line_by_hand():
    # Gold is twice the score less 2: with many labels the pull is small.
    members, _, rng = pairs_of(400, noise=0.0)
    members = 1.2 + members * 0.5
    gold = 2.0 * ONE.apply(members) - 2.0 + rng.normal(size=400) * 0.01
    result = adapted(ONE, WIDTH, labels(members, gold))
    probe = np.array([[1.5, 1.5], [2.5, 2.5], [3.0, 3.0]])
    assert result.corrected.combination.apply(probe) == pytest.approx([1.0, 3.0, 4.0], abs=0.15)


def test_members_that_are_noise_lose_their_weight():
    rng = np.random.default_rng(1)
    meaning = rng.uniform(0.5, 4.5, 300)
    members = np.column_stack([rng.uniform(0.5, 4.5, 300), meaning])
    result = adapted(ONE, WIDTH, labels(members, meaning))
    assert result.chosen == "members"
    assert result.corrected.combination.weights[1] > 0.9 > 0.1 > result.corrected.combination.weights[0]


def test_points_by_columns_are_found():
    members, meaning, rng = pairs_of(200, noise=0.1)
    columns = rng.normal(size=(200, 6))
    gold = np.clip(meaning + 0.6 * columns[:, 2], 0, 5)
    labelled = labels(members, gold, columns=columns)
    result = adapted(ONE, WIDTH, labelled)
    assert result.chosen == "columns"
    assert result.corrected.correction is not None
    # Half-way between nothing and what made the labels, or nearer.
    assert np.argmax(np.abs(result.corrected.correction.weights)) == 2
    assert 0.3 < result.corrected.correction.weights[2] < 0.7
    assert np.abs(result.corrected.apply(labelled) - gold).mean() < 0.5 * np.abs(ONE.apply(members) - gold).mean()


def test_a_curve_is_found_where_labels_jump():
    members, _, rng = pairs_of(600, noise=0.02)
    gold = np.where(ONE.apply(members) > 2.5, 4.6, 0.4) + rng.normal(size=600) * 0.05
    result = adapted(ONE, WIDTH, labels(members, gold))
    assert result.chosen == "curve"
    assert result.corrected.combination.apply(np.array([[1.0, 1.0], [4.0, 4.0]])) == pytest.approx([0.4, 4.6], abs=0.3)


def test_intervals_are_stretched_to_hold_what_they_promise():
    rng = np.random.default_rng(2)
    predicted = rng.uniform(1, 4, 2_000)
    sure = PredictiveDistribution.fit(predicted, predicted + rng.normal(size=2_000) * 0.1)
    members, _, rng = pairs_of(300, seed=3, noise=0.0)
    members = 1.0 + 0.6 * members
    gold = np.clip(ONE.apply(members) + rng.normal(size=300) * 0.4, 0, 5)
    after = adapted(ONE, sure, labels(members[:150], gold[:150]))
    points = after.corrected.combination.apply(members[150:])
    low, high = after.uncertainty.ends(points, after.uncertainty.deviation(points, np.zeros(150)))
    assert 0.83 < ((low <= gold[150:]) & (gold[150:] <= high)).mean() < 0.97
    low, high = sure.ends(points, sure.deviation(points, np.zeros(150)))
    assert ((low <= gold[150:]) & (gold[150:] <= high)).mean() < 0.5


def test_yes_and_no_become_probabilities():
    rng = np.random.default_rng(4)
    meaning = rng.uniform(0, 5, 800)
    members = np.column_stack([meaning, meaning])
    yes = rng.uniform(size=800) < 1 / (1 + np.exp(-2.0 * (meaning - 2.5)))
    result = adapted_to_yes_and_no(ONE, False, labels(members, 5.0 * yes))
    assert result.chosen == "probability"
    found = result.corrected.combination.apply(np.array([[2.5, 2.5], [3.5, 3.5], [1.0, 1.0]])) / 5
    assert found == pytest.approx([0.5, 1 / (1 + np.exp(-2)), 1 / (1 + np.exp(3))], abs=0.05)


def with_summary(labelled, column):
    values = np.column_stack([column, np.zeros((len(column), len(COLUMNS) - 1))]).astype(np.float32)
    return labelled._replace(summary=FeatureMatrix(values, COLUMNS))


def test_points_by_a_summary_are_found():
    members, meaning, rng = pairs_of(200, noise=0.1)
    column = rng.normal(size=200)
    labelled = with_summary(labels(members, np.clip(meaning + 0.6 * column, 0, 5)), column)
    result = adapted(ONE, WIDTH, labelled)
    assert result.chosen == "summary"
    # 200 labels of variance 1 against a pull of 60: 0.6 times 200 of 260.
    assert result.corrected.correction.weights[0] == pytest.approx(0.6 * 200 / 260, abs=0.05)
    assert result.corrected.correction.weights[1:] == pytest.approx(np.zeros(11), abs=1e-9)


@pytest.mark.parametrize("sign", [1, -1])
def test_a_summary_makes_yes_likelier_and_never_less_likely(sign):
    rng = np.random.default_rng(5)
    members, column = rng.uniform(0, 5, (300, 2)), rng.normal(size=300)
    yes = rng.uniform(size=300) < 1 / (1 + np.exp(-1.5 * sign * column))
    labelled = with_summary(labels(members, 5.0 * yes), column)
    result = adapted_to_yes_and_no(ONE, False, labelled)
    if sign < 0:
        assert result.corrected.correction is None
        return
    assert result.chosen == "summary"
    probed = labelled.take(np.arange(3))._replace(scores=np.full((3, 2), 2.5))
    found = result.corrected.apply(with_summary(probed, np.asarray([-1.0, 0.0, 1.0]))) / 5
    assert found == pytest.approx(1 / (1 + np.exp(np.asarray([1.5, 0.0, -1.5]))), abs=0.07)


def test_one_group_is_refused():
    members, gold, _ = pairs_of(40)
    with pytest.raises(ValueError, match="labels must be of pairs that do not all share sentences"):
        adapted(ONE, WIDTH, labels(members, gold, np.zeros(40, int)))


@settings(max_examples=25)
@given(
    st.lists(st.floats(0, 5), min_size=12, max_size=40),
    st.integers(0, 1_000),
    st.sampled_from([ONE, Combination(), Combination(knots=(0.0, 2.0, 5.0), values=(0.5, 2.0, 4.0))]),
)
def test_any_labels_keep_scores_in_order_and_on_the_scale(gold, seed, combination):
    rng = np.random.default_rng(seed)
    members = rng.uniform(0, 5, (len(gold), 2))
    result = adapted(combination, WIDTH, labels(members, np.asarray(gold)))
    assert result.tried[0].name == "nothing"
    alike = np.column_stack([np.linspace(0, 5, 50)] * 2)
    scores = result.corrected.combination.apply(alike)
    assert (np.diff(scores) >= -1e-12).all()
    assert (scores >= 0).all()
    assert (scores <= 5).all()
    restored = Combination.from_dict(result.corrected.combination.to_dict(), 2)
    assert restored.apply(alike).tolist() == scores.tolist()
