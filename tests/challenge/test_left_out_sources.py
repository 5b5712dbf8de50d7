"""Scores of a source that was left out: nothing of it decides how its members are weighed."""

import sys

import numpy as np

from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
from left_out_sources import OutOfFold, Scored, left_out  # noqa: E402


def test_a_source_is_scored_without_its_own_weights():
    """Two members: one is right on collection "a" alone, the other everywhere else; on "a" the other has the weight."""
    random = np.random.default_rng(0)
    collection = np.repeat(["a", "b", "c"], 60)
    gold, noise = random.uniform(0, 5, 180), random.uniform(0, 5, 180)
    first = collection == "a"
    members = np.column_stack([np.where(first, gold, noise), np.where(first, noise, gold)])
    pairs = [(f"text {n}", f"other {n}") for n in range(180)]
    ones = np.ones(180)
    data = Scored(pairs, gold, collection, collection, ones == 1, ones)
    found = left_out(OutOfFold(data, False, members, np.zeros(180), [False, False], True, ones == 1))
    assert np.corrcoef(found.score[first], noise[first])[0, 1] > 0.95
    assert ((found.low <= found.score) & (found.score <= found.high)).all()


def test_pairs_without_scores_of_people_are_weighed_and_not_scored():
    random = np.random.default_rng(1)
    collection = np.repeat(["a", "b", "own"], 60)
    gold = random.uniform(0, 5, 180)
    members = np.column_stack([gold + random.normal(0, spread, 180) for spread in (0.5, 1.0)])
    pairs = [(f"text {n}", f"other {n}") for n in range(180)]
    weight = np.repeat([1.0, 1.0, 0.2], 60)
    data = Scored(pairs, gold, collection, collection, np.ones(180, bool), weight)
    found = left_out(OutOfFold(data, True, members, np.zeros(180), [False, False], True, np.ones(180, bool)))
    assert found.score.shape == (120,)
