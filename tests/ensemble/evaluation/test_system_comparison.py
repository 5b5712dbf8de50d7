import json
import math
from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from samewise.ensemble.commands.comparison_tables import show_comparison
from samewise.ensemble.evaluation.metrics import evaluate, pearson
from samewise.ensemble.evaluation.system_comparison import compare, holm, pearson_difference, williams


def systems(n=200, seed=0):
    """Gold, and three systems whose errors share a part: the better it is named, the less noise it has."""
    rng = np.random.default_rng(seed)
    gold = rng.uniform(0, 5, n)
    shared = rng.normal(size=n)
    scores = {name: gold + shared + noise * rng.normal(size=n) for name, noise in (("good", 0.3), ("bad", 3.0))}
    return gold, {**scores, "middling": gold + shared + rng.normal(size=n)}


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n", "t", "p"),
    [
        (0.8547, 0.8518, 0.95, 250, 0.2862, 0.7750),
        (0.8547, 0.8400, 0.95, 250, 1.4276, 0.1547),
        (0.8547, 0.8400, 0.90, 250, 1.0437, 0.2977),
        (0.8100, 0.8090, 0.95, 1379, 0.2047, 0.8378),
        (0.8100, 0.7920, 0.90, 1379, 2.6202, 0.0089),
    ],
)
def test_williams_on_worked_values(r12, r13, r23, n, t, p):
    assert williams(r12, r13, r23, n) == pytest.approx((t, p), abs=5e-5)
    assert williams(r13, r12, r23, n) == pytest.approx((-t, p), abs=5e-5)


@pytest.mark.parametrize(
    ("r12", "r13", "r23", "n"),
    [
        (0.8, 0.7, 0.9, 3),  # no degree of freedom
        (0.9, -0.9, 0.9, 50),  # no three variables correlate like that
        (0.7, 0.7, 1.0, 50),  # one system
        (0.7 + 1e-16, 0.7, 1 - 1e-16, 50),  # one system, rounded
    ],
)
def test_williams_is_undefined(r12, r13, r23, n):
    assert np.isnan(williams(r12, r13, r23, n)).all()


def test_williams_where_gold_is_a_sum_of_the_systems():
    # A determinant of exactly 0, which rounding may leave on either side; the test is defined.
    a, b = np.random.default_rng(0).normal(size=(2, 40))
    t, p = williams(pearson(a + b, a), pearson(a + b, b), pearson(a, b), 40)
    assert math.isfinite(t)
    assert 0 <= p <= 1


def test_williams_holds_its_level():
    """Of systems that are equally good by construction, about one comparison in twenty has p < 0.05."""
    rng = np.random.default_rng(0)
    n, trials = 100, 1_000
    gold, shared, *own = rng.normal(size=(4, trials, n))
    first, second = (gold + shared + part for part in own)
    found = [
        williams(*(np.corrcoef(pair)[0, 1] for pair in ((g, a), (g, b), (a, b))), n)[1]
        for g, a, b in zip(gold, first, second, strict=True)
    ]
    assert 0.03 < np.mean(np.asarray(found) < 0.05) < 0.07


@given(st.lists(st.one_of(st.floats(0, 1), st.just(math.nan)), max_size=12))
def test_holm_equals_its_definition(p):
    """The k-th smallest of m, from 0, is multiplied by m - k; no value ends below a smaller one's (Holm, 1979)."""
    known = sorted(value for value in p if not math.isnan(value))
    for value, corrected in zip(p, holm(p), strict=True):
        if math.isnan(value):
            assert math.isnan(corrected)
        else:
            steps = [min((len(known) - k) * other, 1.0) for k, other in enumerate(known) if other <= value]
            assert corrected == pytest.approx(max(steps))


def test_holm_by_hand():
    np.testing.assert_allclose(holm([0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02])
    assert holm([]).shape == (0,)


def test_bootstrap_of_a_difference_equals_a_plain_loop():
    gold, scores = systems(60)
    a, b = scores["good"], scores["middling"]
    rng = np.random.default_rng(7)
    paired, unpaired = [], []
    for _ in range(1_000):
        rows, others = rng.integers(0, 60, (2, 60))
        first = np.corrcoef(gold[rows], a[rows])[0, 1]
        paired.append(first - np.corrcoef(gold[rows], b[rows])[0, 1])
        unpaired.append(first - np.corrcoef(gold[others], b[others])[0, 1])
    value, low, high = pearson_difference(gold, a, b, seed=1, resamples=4_000)
    assert value == pytest.approx(scipy.stats.pearsonr(gold, a)[0] - scipy.stats.pearsonr(gold, b)[0])
    np.testing.assert_allclose([low, high], np.quantile(paired, [0.025, 0.975]), atol=0.01)
    # Both systems see the same pairs, so what is hard for both does not widen the interval.
    assert high - low < 0.9 * np.ptp(np.quantile(unpaired, [0.025, 0.975]))


def test_bootstrap_of_three_pairs_equals_all_resamples():
    gold, a, b = np.array([[0.0, 2.0, 5.0], [1.0, 2.0, 4.0], [3.0, 1.0, 4.0]])
    rows = [list(drawn) for drawn in product(range(3), repeat=3) if len(set(drawn)) > 1]
    exact = [pearson(gold[k], a[k]) - pearson(gold[k], b[k]) for k in rows]
    _, low, high = pearson_difference(gold, a, b, resamples=20_000)
    np.testing.assert_allclose([low, high], np.quantile(exact, [0.025, 0.975]), atol=1e-9)


def test_a_system_does_not_differ_from_itself():
    gold, scores = systems()
    assert pearson_difference(gold, scores["good"], scores["good"]) == (0.0, 0.0, 0.0)
    found = compare(gold, {"one": scores["good"], "again": scores["good"]}).rows[0].difference
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)
    assert math.isnan(found.p)


def test_a_better_system_is_told_apart_and_swapping_changes_the_sign():
    gold, scores = systems()
    value, low, high = pearson_difference(gold, scores["good"], scores["middling"])
    assert 0 < low < value < high
    swapped = pearson_difference(gold, scores["middling"], scores["good"])
    np.testing.assert_allclose(swapped, (-value, -high, -low), rtol=0, atol=1e-12)


def test_interval_repeats_and_follows_seed_and_level():
    gold, scores = systems()
    a, b = scores["good"], scores["middling"]
    first = pearson_difference(gold, a, b, seed=3)
    assert first == pearson_difference(gold, a, b, seed=3)
    assert first != pearson_difference(gold, a, b, seed=4)
    _, low, high = pearson_difference(gold, a, b, seed=3, level=0.5)
    assert first[1] < low < high < first[2]


def test_comparison_is_made_of_the_metrics():
    gold, scores = systems()
    found = compare(gold, scores, reference="middling", seed=2)
    assert (found.n, found.reference) == (200, "middling")
    assert [row.system for row in found.rows] == ["good", "bad", "middling"]
    good, bad, middling = found.rows
    for row in found.rows:
        assert row.evaluation == evaluate(gold, scores[row.system], seed=2)
    assert middling.difference is None
    assert good.difference.low > 0 > bad.difference.high
    for row in (good, bad):
        correlations = np.corrcoef([gold, scores[row.system], scores["middling"]])
        expected = williams(correlations[0, 1], correlations[0, 2], correlations[1, 2], 200)
        assert (row.difference.t, row.difference.p) == pytest.approx(expected)
        assert row.difference.value == pytest.approx(correlations[0, 1] - correlations[0, 2])
    np.testing.assert_array_equal(
        [row.difference.p_holm for row in (good, bad)], holm([row.difference.p for row in (good, bad)])
    )
    assert compare(gold, scores, seed=2) == found


def test_a_comparison_is_plain_json():
    gold, scores = systems()
    found = compare(gold, {**scores, "same": scores["middling"]}).as_dict()
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    good, _, middling, same = found["systems"]
    assert found["reference"] == "same"
    assert good.keys() == {
        *("system", "n", "pearson", "pearson_low", "pearson_high", "spearman", "rmse", "within_1", "difference")
    }
    assert good["difference"].keys() == {"value", "low", "high", "t", "p", "p_holm"}
    assert middling["difference"]["p"] is None
    assert same["difference"] is None


def test_a_constant_system_is_compared_without_a_claim():
    gold, scores = systems(20)
    with pytest.warns(UserWarning, match="all scores are 2.5, so the Pearson"):
        found = compare(gold, {"flat": np.full(20, 2.5), "good": scores["good"]})
    flat = found.rows[0].difference
    assert flat.value == -found.rows[1].evaluation.pearson
    assert (flat.low, flat.high) == (-2.0, 2.0)
    assert math.isnan(flat.p_holm)


def test_two_pairs_are_enough():
    found = compare([1, 4], {"up": [2, 3], "down": [3, 2]}).rows[0].difference
    assert (found.value, found.low, found.high) == (2.0, 2.0, 2.0)
    assert math.isnan(found.p)


@pytest.mark.parametrize(
    ("scores", "reference", "message"),
    [
        ({}, None, "must have at least one system, got none"),
        ({"a": [1, 2], "b": [2, 3]}, "c", "the reference must be one of a, b, got 'c'"),
        ({"a": [1, 2], "b": [2]}, None, "must have one shape .*; give one each a pair"),
        ({"a": [1, math.nan]}, None, "must be finite"),
    ],
)
def test_bad_input_is_named(scores, reference, message):
    with pytest.raises(ValueError, match=message):
        compare([0, 5], scores, reference)


def test_every_pair_of_systems_is_tested():
    gold, scores = systems()
    found = compare(gold, {**scores, "same": scores["middling"]}, reference="bad", seed=2)
    names = ["good", "bad", "middling", "same"]
    assert [(test.first, test.second) for test in found.williams] == list(combinations(names, 2))
    columns = {**scores, "same": scores["middling"]}
    for test in found.williams:
        correlations = np.corrcoef([gold, columns[test.first], columns[test.second]])
        assert test.difference == pytest.approx(correlations[0, 1] - correlations[0, 2])
        if {test.first, test.second} != {"middling", "same"}:
            expected = williams(correlations[0, 1], correlations[0, 2], correlations[1, 2], 200)
            assert (test.t, test.p) == pytest.approx(expected)
    assert math.isnan(found.williams[-1].p)
    assert found.as_dict()["williams"][-1]["p_holm"] is None
    # Six tests, of which one is undefined: the correction is for the five others, not for the three with the reference.
    np.testing.assert_array_equal([test.p_holm for test in found.williams], holm([test.p for test in found.williams]))
    assert compare(gold, {"good": scores["good"]}).williams == ()


def test_the_printed_table(capsys):
    gold, scores = systems()
    found = compare(gold, {**scores, "same": scores["middling"]}, reference="middling")
    show_comparison(found)
    header, good, bad, middling, same, *notes = capsys.readouterr().out.splitlines()
    assert header.split() == (
        "system Pearson 95 % interval Spearman RMSE difference 95 % interval Williams p (Holm)".split()
    )
    difference = found.rows[0].difference
    assert f"{difference.value:+.4f}  {difference.low:+.4f} to {difference.high:+.4f}" in good
    assert good.endswith("< 0.0001")
    assert bad.split()[0] == "bad"
    assert len(middling.split()) == 1 + 1 + 3 + 1 + 1
    assert same.endswith("+0.0000  +0.0000 to +0.0000")
    assert [note.split(maxsplit=1) for note in notes] == [
        ["pairs", "200"],
        ["difference", "to middling, with its paired bootstrap interval"],
    ]


def test_the_printed_matrix(capsys):
    gold, scores = systems()
    found = compare(gold, scores)
    show_comparison(found)
    plain = capsys.readouterr().out
    show_comparison(found, matrix=True)
    shown = capsys.readouterr().out
    assert shown.startswith(plain)
    header, good, bad, middling, above, below = (line.split() for line in shown[len(plain) :].splitlines())
    tests = {(test.first, test.second): test for test in found.williams}
    assert header == ["system", "1", "2", "3"]
    assert good == ["1", "good", "-", "<", "0.0001", "<", "0.0001"]
    assert bad[:3] == ["2", "bad", f"{-tests['good', 'bad'].difference:+.4f}"]
    assert middling[2:] == [f"{-tests[name, 'middling'].difference:+.4f}" for name in ("good", "bad")] + ["-"]
    assert (above[:2], below[:2]) == (["above", "the"], ["below", "it"])


def test_the_printed_json(capsys):
    gold, scores = systems(20)
    found = compare(gold, scores)
    show_comparison(found, as_json=True)
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line) == found.as_dict()
