"""The comparison of two distributions of scores."""

import numpy as np
import pytest
from samewise.ensemble.core.adapted_model import ScoreBands


def test_bands_of_different_scores_hold_a_tenth_each():
    bands = ScoreBands.of(np.arange(100) / 20)
    assert bands.counts == (9, 10, 10, 10, 10, 10, 10, 10, 10, 11)  # an edge belongs to the band above it
    assert bands.edges[0] == 9 / 20


def test_equal_scores_make_fewer_bands():
    bands = ScoreBands.of(np.asarray([0.0] * 80 + [5.0] * 20))
    assert (bands.edges, bands.counts) == ((5.0,), (80, 20))
    assert ScoreBands.of(np.full(60, 2.5)).counts == (60,)


def test_index_by_hand():
    bands = ScoreBands((1.0,), (100, 100))
    shift = bands.shift(np.asarray([150, 50]))
    seen, expected = np.asarray([150.5, 50.5]) / 201, np.asarray([0.5, 0.5])
    assert shift.stability_index == pytest.approx(((seen - expected) * np.log(seen / expected)).sum())
    # 2 by 2: n (ad - bc)² over the product of the margins is 400 (100·50 - 100·150)² / (200·200·250·150) = 26.67.
    assert shift.chance == pytest.approx(2.4e-7, rel=0.02)
    assert shift.clear


def test_too_few_scores_say_nothing():
    bands = ScoreBands((1.0,), (100, 100))
    assert bands.shift(np.asarray([49, 0])) is None
    assert bands.shift(np.asarray([50, 0])).clear
    assert ScoreBands((), (300,)).shift(np.asarray([300])) is None


def test_a_band_that_is_empty_on_both_sides_does_not_matter():
    assert ScoreBands((1.0, 2.0), (100, 0, 100)).shift(np.asarray([90, 0, 90])).chance == pytest.approx(1.0)


def test_a_small_difference_in_a_large_table_is_not_reported():
    shift = ScoreBands((1.0,), (50_000, 50_000)).shift(np.asarray([52_000, 48_000]))
    assert shift.chance < 1e-9
    assert not shift.clear


@pytest.mark.parametrize("pairs", [200, 1000])
def test_no_warning_without_a_shift_and_one_with(pairs):
    random = np.random.default_rng(0)
    warned = {"same": 0, "higher": 0, "fewer similar": 0}
    for _ in range(300):
        bands = ScoreBands.of(5 * random.beta(2, 2, pairs))
        others = {
            "same": 5 * random.beta(2, 2, pairs),
            "higher": 5 * random.beta(4, 2, pairs),
            "fewer similar": 5 * random.beta(1, 4, pairs),
        }
        for name, scores in others.items():
            warned[name] += bands.shift(bands.counts_of(scores)).clear
    assert warned["same"] <= 3
    assert warned["higher"] >= 290
    assert warned["fewer similar"] == 300


def test_round_trip_and_malformed_facts():
    bands = ScoreBands((1.0, 2.0), (3, 4, 5))
    assert ScoreBands.from_dict(bands.to_dict()) == bands
    for facts in (
        {"edges": [1.0], "counts": [1, 2, 3]},
        {"edges": [2.0, 1.0], "counts": [1, 2, 3]},
        {"edges": [1.0], "counts": [1, -2]},
        {"edges": [1.0], "counts": [1, 2.5]},
    ):
        with pytest.raises(ValueError, match="bands of scores"):
            ScoreBands.from_dict(facts)
