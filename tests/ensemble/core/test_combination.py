import numpy as np
import pytest
from samewise.ensemble.core.combination import Combination
from scipy.optimize import minimize

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

    weights, offset = _ridge(MEMBERS, GOLD, 0.1)
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
