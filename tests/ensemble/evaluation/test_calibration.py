import json
import math

import numpy as np
import pytest
import scipy.stats
from samewise.ensemble.evaluation.calibration import calibration, coverage_by_band, interval_facts, wilson
from samewise.ensemble.evaluation.metrics import evaluate


def test_calibration_by_hand():
    # Bands 0-1: score 0.5, 0.7 and gold 0, 1; 3-4: score 3 and gold 4. Bias (0.5 - 0.3 - 1) / 3.
    found = calibration(np.array([0.0, 1.0, 4.0]), np.array([0.5, 0.7, 3.0]))
    assert found["bias"] == pytest.approx(-0.8 / 3)
    assert found["error"] == pytest.approx((2 * 0.1 + 1 * 1.0) / 3)
    assert [band["n"] for band in found["bands"]] == [2, 0, 0, 1, 0]
    assert found["bands"][0] == {
        "band": "0-1",
        "n": 2,
        "mean_score": pytest.approx(0.6),
        "mean_gold": pytest.approx(0.5),
    }
    assert found["bands"][4] == {"band": "4-5", "n": 0, "mean_score": None, "mean_gold": None}
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_the_line_equals_scipys():
    rng = np.random.default_rng(0)
    score = rng.uniform(0, 5, 200)
    gold = 0.8 * score + 0.3 + rng.normal(size=200)
    found = calibration(gold, score)
    line = scipy.stats.linregress(score, gold)
    assert (found["slope"], found["intercept"]) == pytest.approx((line.slope, line.intercept))


def test_calibrated_scores_have_no_error():
    gold = np.array([0.0, 1.0, 2.0, 3.0, 4.0, 5.0])
    found = calibration(gold, gold)
    assert (found["bias"], found["error"]) == (0.0, 0.0)
    assert (found["slope"], found["intercept"]) == pytest.approx((1.0, 0.0))


@pytest.mark.parametrize("n", [1, 2, 7])
def test_constant_scores_have_no_line(n):
    found = calibration(np.linspace(0, 5, n), np.full(n, 2.2))
    assert (found["slope"], found["intercept"]) == (None, None)
    assert found["error"] == pytest.approx(abs(found["bias"]))


def test_interval_facts_by_hand():
    gold = np.array([0.0, 2.0, 5.0, 3.0])
    low, high = np.array([1.0, 1.0, 2.0, 3.0]), np.array([2.0, 3.0, 4.0, 3.0])
    found = interval_facts(gold, low, high, 0.9)
    assert (found["coverage"], found["below"], found["above"]) == (0.5, 0.25, 0.25)
    assert found["mean_width"] == (1 + 2 + 2 + 0) / 4
    # Two gold scores are outside by 1, and 2 / 0.1 = 20.
    assert found["score"] == pytest.approx((21 + 2 + 22 + 0) / 4)
    assert interval_facts(gold, low, high, 1.0)["score"] is None
    with pytest.raises(ValueError, match="level of an interval must be over 0 and at most 1, got 90"):
        interval_facts(gold, low, high, 90)


@pytest.mark.parametrize(("hits", "n"), [(0, 1), (1, 1), (0, 10), (7, 10), (900, 1000)])
def test_wilson_equals_scipys(hits, n):
    expected = scipy.stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_the_true_quantiles_have_the_best_interval_score():
    rng = np.random.default_rng(0)
    gold = rng.normal(size=20_000)
    z = scipy.stats.norm.ppf(0.95)
    scores = [
        interval_facts(gold, np.full(20_000, -w), np.full(20_000, w), 0.9)["score"] for w in (0.8 * z, z, 1.2 * z)
    ]
    assert min(scores) == scores[1]
    assert math.isfinite(scores[1])


def test_coverage_by_band_by_hand():
    score = np.array([0.2, 0.9, 1.0, 2.5, 4.5, 5.0])
    gold = np.array([0.0, 2.0, 1.0, 2.0, 4.0, 5.0])
    low, high = np.maximum(score - 0.5, 0), np.minimum(score + 0.5, 5)
    found = coverage_by_band(gold, score, low, high)
    assert [row["band"] for row in found] == ["0-1", "1-2", "2-3", "3-4", "4-5"]
    assert [row["n"] for row in found] == [2, 1, 1, 0, 2]
    assert [row["coverage"] for row in found] == [0.5, 1.0, 1.0, None, 1.0]
    assert found[0]["mean_width"] == pytest.approx((0.7 + 1.0) / 2)
    assert found[3]["mean_width"] is None
    assert json.loads(json.dumps(found)) == found
    [whole] = coverage_by_band(gold, score, low, high, edges=())
    assert (whole["band"], whole["n"], whole["coverage"]) == ("0-5", 6, evaluate(gold, score, low, high).coverage)
