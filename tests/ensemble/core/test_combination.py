import numpy as np
import pytest
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.folds import grouped_folds
from scipy.optimize import lsq_linear, minimize

RNG = np.random.default_rng(0)
GOLD = RNG.uniform(0, 5, 600)
MEMBERS = np.column_stack([GOLD + RNG.normal(size=600) * noise for noise in (0.4, 0.8, 3.0)])
GROUPS = np.arange(600) // 2


def test_a_mean_has_equal_weights_and_is_clipped():
    assert Combination().apply(np.array([[6.0, 7.0], [-1.0, 0.5], [2.0, 3.0]])).tolist() == [5.0, 0.0, 2.5]
    assert Combination.fit("mean", MEMBERS, GOLD, GROUPS, calibrate=False) == Combination()


def test_a_stack_trusts_the_better_members():
    found = Combination.fit("stack", MEMBERS, GOLD, GROUPS, calibrate=False)
    assert found.weights[0] > 2 * found.weights[1] > 0
    assert found.weights[2] < 0.1
    by_hand = found.offset + MEMBERS @ np.asarray(found.weights)
    np.testing.assert_allclose(found.apply(MEMBERS, clip=False), by_hand, rtol=1e-12)
    errors = [((made.apply(MEMBERS) - GOLD) ** 2).mean() for made in (found, Combination())]
    assert errors[0] < errors[1]


def test_the_ridge_is_the_minimum_of_its_objective():
    from samewise.ensemble.core.combination import _ridge

    weights, offset = _ridge(MEMBERS, GOLD, np.ones(len(GOLD)), 0.1)
    centred, target = MEMBERS - MEMBERS.mean(axis=0), GOLD - GOLD.mean()
    strength = 0.1 * (centred**2).sum(axis=0).mean()
    found = minimize(
        lambda w: ((centred @ w - target) ** 2).sum() + strength * (w**2).sum(), np.full(3, 0.3), bounds=[(0, None)] * 3
    )
    np.testing.assert_allclose(weights, found.x, atol=1e-4)
    assert offset == pytest.approx(GOLD.mean() - MEMBERS.mean(axis=0) @ weights)


def test_a_member_that_misleads_gets_no_weight():
    found = Combination.fit("stack", np.column_stack([MEMBERS[:, 0], -MEMBERS[:, 0]]), GOLD, GROUPS, calibrate=False)
    assert found.weights[1] == 0


def test_some_members_enter_as_their_mean():
    scores = np.column_stack([MEMBERS, GOLD + RNG.normal(size=600)])
    found = Combination.fit("stack", scores, GOLD, GROUPS, calibrate=False, averaged=[True, False, True, False])
    assert found.weights[0] == found.weights[2] > 0
    of_mean = np.column_stack([(scores[:, 0] + scores[:, 2]) / 2, scores[:, 1], scores[:, 3]])
    alone = Combination.fit("stack", of_mean, GOLD, GROUPS, calibrate=False)
    assert found.weights == pytest.approx(
        (alone.weights[0] / 2, alone.weights[1], alone.weights[0] / 2, alone.weights[2])
    )
    np.testing.assert_allclose(found.apply(scores), alone.apply(of_mean), rtol=1e-9)
    free = Combination.fit("stack", scores, GOLD, GROUPS, calibrate=False)
    assert free.weights[0] > 2 * free.weights[2]


def test_calibration_mends_a_bent_scale():
    bent = MEMBERS[:, :1] ** 2 / 5 + 0.3
    made = Combination.fit("mean", bent, GOLD, GROUPS)
    assert ((made.apply(bent) - GOLD) ** 2).mean() < 0.7 * ((Combination().apply(bent) - GOLD) ** 2).mean()
    order = np.argsort(bent[:, 0])
    assert (np.diff(made.apply(bent[order])) >= 0).all()
    extreme = made.apply(np.array([[-10.0], [20.0]]), clip=False)
    assert (np.diff(extreme) >= 0).all() and np.isfinite(extreme).all()


def test_too_few_or_equal_scores_are_not_calibrated():
    assert Combination.fit("mean", MEMBERS[:60], GOLD[:60], GROUPS[:60]) == Combination()
    assert Combination.fit("mean", np.ones((600, 2)), GOLD, GROUPS) == Combination()


def test_the_score_of_a_pair_does_not_depend_on_the_others():
    made = Combination.fit("stack", MEMBERS, GOLD, GROUPS)
    together = made.apply(MEMBERS)
    assert [made.apply(row[None])[0] for row in MEMBERS] == together.tolist()


@pytest.mark.parametrize("rule", ["mean", "stack"])
def test_round_trip(rule):
    made = Combination.fit(rule, MEMBERS, GOLD, GROUPS)
    assert Combination.from_dict(made.to_dict(), 3) == made


SOUND = {"rule": "stack", "weights": [0.5, 0.5], "offset": 0.1, "knots": [0.0, 5.0], "values": [0.0, 4.0]}


@pytest.mark.parametrize(
    "change",
    [
        {"rule": "median"},
        {"rule": "mean"},
        {"weights": [0.5]},
        {"weights": [0.5, -0.5]},
        {"weights": "ab"},
        {"offset": float("nan")},
        {"offset": None},
        {"knots": [5.0, 0.0]},
        {"knots": [0.0], "values": [0.0]},
        {"values": [4.0, 0.0]},
        {"values": [0.0]},
    ],
)
def test_malformed_facts_are_refused(change):
    assert Combination.from_dict(SOUND, 2).weights == (0.5, 0.5)
    with pytest.raises(ValueError, match="train the model again"):
        Combination.from_dict({**SOUND, **change}, 2)


def test_calibration_by_hand():
    # 150 pairs in 150 // 50 bins of means 2.45, 7.45 and 12.45, where gold is 1, 2 and 4: slopes of 0.2 and 0.4, the
    # first carried on to the least score less one, -1, and the last to the greatest and one, 15.9.
    score, gold = np.arange(150)[:, None] / 10, np.repeat([1.0, 2.0, 4.0], 50)
    found = Combination.fit("mean", score, gold, np.arange(150))
    assert found.knots == pytest.approx((-1, 2.45, 7.45, 12.45, 15.9))
    assert found.values == pytest.approx((1 - 0.2 * 3.45, 1, 2, 4, 4 + 0.4 * 3.45))
    assert found.apply(np.array([[4.95]]))[0] == pytest.approx(1.5)
    assert found.apply(np.array([[15.9], [-30.0]]), clip=False) == pytest.approx([5.38, 0.31])
    assert found.apply(np.array([[15.9]]))[0] == 5


def test_calibration_of_means_that_fall_and_of_equal_scores():
    # Means of gold 2, 1 and 4: the first two are pooled to 1.5. The order of the pairs does not matter.
    score, gold = np.arange(150)[:, None] / 10, np.repeat([2.0, 1.0, 4.0], 50)
    order = np.random.default_rng(0).permutation(150)
    found = Combination.fit("mean", score[order], gold[order], np.arange(150))
    assert found.values == pytest.approx((1.5, 1.5, 1.5, 4, 4 + 0.5 * 3.45))
    # Two of three bins have the score 1: one knot is left of them, with the first value.
    score, gold = np.repeat([1.0, 1.0, 3.0], 50)[:, None], np.repeat([1.0, 2.0, 4.0], 50)
    found = Combination.fit("mean", score, gold, np.arange(150))
    assert found.knots == pytest.approx((0, 1, 3, 4))
    assert found.values == pytest.approx((-0.5, 1, 4, 5.5))


@pytest.mark.parametrize(("size", "knots"), [(99, 0), (100, 4), (149, 4), (999, 21), (1000, 22), (2000, 22)])
def test_number_of_knots(size, knots):
    score = np.linspace(0, 5, size)
    assert len(Combination.fit("mean", score[:, None], score, np.arange(size)).knots) == knots


def bounded_ridge(scores, gold, penalty):
    """Return the non-negative weights of a ridge by the solver of scipy for bounds, and the offset."""
    centred, width = scores - scores.mean(axis=0), scores.shape[1]
    strength = penalty * (centred**2).sum(axis=0).mean()
    rows = np.vstack([centred, np.sqrt(strength) * np.eye(width)])
    weights = lsq_linear(rows, np.append(gold - gold.mean(), np.zeros(width)), (0, np.inf), method="bvls").x
    return weights, gold.mean() - scores.mean(axis=0) @ weights


@pytest.mark.parametrize(
    ("seed", "noise", "size", "penalty"), [(0, 0.05, 40, 0.001), (0, 1, 30, 0.01), (0, 2, 30, 0.1), (0, 4, 30, 1.0)]
)
def test_the_penalty_is_the_best_in_cross_validation(seed, noise, size, penalty):
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, size)
    scores = gold[:, None] + rng.normal(size=(size, 2)) * noise
    groups = np.arange(size) // 2
    errors = {}
    for tried in (0.001, 0.01, 0.1, 1.0):
        fits = [(bounded_ridge(scores[a], gold[a], tried), b) for a, b in grouped_folds(groups)]
        errors[tried] = sum(((scores[b] @ w + c - gold[b]) ** 2).sum() for (w, c), b in fits)
    assert min(errors, key=errors.get) == penalty
    weights, offset = bounded_ridge(scores, gold, penalty)
    found = Combination.fit("stack", scores, gold, groups, calibrate=False)
    assert found.weights == pytest.approx(tuple(weights))
    assert found.offset == pytest.approx(offset)


def test_weights_of_members():
    assert Combination().weights_of(4) == (0.25,) * 4
    assert Combination().counted(2) == [True, True]
    stack = Combination("stack", (0.5, 0.0, 0.25), 0.1)
    assert stack.weights_of(3) == (0.5, 0.0, 0.25)
    assert stack.counted(3) == [True, False, True]
    assert Combination("stack", (0.0, 0.0), 0.1).counted(2) == [True, True]
    assert stack.of_members([True, False, True]) == Combination("stack", (0.5, 0.25), 0.1)
    assert Combination(offset=0.0).of_members([True, False]) == Combination()
    with pytest.raises(ValueError, match="shorter"):
        stack.of_members([True, False])


def test_facts_at_the_limits():
    edge = {**SOUND, "weights": [0.0, 0.5], "knots": [0.0, 1.0, 2.0], "values": [0.0, 3.0, 3.0]}
    assert Combination.from_dict(edge, 2).values == (0.0, 3.0, 3.0)
    assert Combination.from_dict({**SOUND, "rule": "mean", "weights": []}, 2).rule == "mean"
    assert Combination.from_dict({**SOUND, "knots": [], "values": []}, 2).knots == ()
    for change in (
        {"knots": [1.0, 1.0]},
        {"weights": [0.5, float("inf")]},
        {"knots": [0.0, float("inf")]},
        {"values": [0.0, float("inf")]},
        {"offset": "a"},
        {"rule": "mean", "weights": [0.5, 0.5]},
        {"weights": []},
        {"weights": [0.5, 0.5, 0.5]},
    ):
        with pytest.raises(ValueError, match="train the model again"):
            Combination.from_dict({**SOUND, **change}, 2)
    with pytest.raises(ValueError, match="malformed"):
        Combination.from_dict({"rule": "mean"}, 2)


def test_shares_of_the_variance_by_hand():
    scores = np.array([[0.0, 1.0], [2.0, 1.0], [0.0, 3.0], [2.0, 3.0]])  # independent, with a variance of 1 each
    assert Combination("stack", (2.0, 1.0)).shares(scores) == pytest.approx([0.8, 0.2])
    assert Combination().shares(scores) == pytest.approx([0.5, 0.5])
    assert Combination().shares(np.ones((3, 2))).tolist() == [0.0, 0.0]
