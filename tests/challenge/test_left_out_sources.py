"""The recipes that a benchmark compares: what they are made of, and what a source left out is scored by."""

import sys

import numpy as np
import pytest

from ..conftest import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))
import recipes  # noqa: E402
from left_out_sources import Scored  # noqa: E402


@pytest.mark.parametrize(
    ("profile", "parts", "members", "columns"),
    [
        ("surface", recipes.PARTS, ["rf"], ["surface", "values"]),
        ("fast", ["scales"], ["rf"], "fast"),
        ("fast", recipes.PARTS, ["rf", "word_cosine"], ["fast", *recipes.COLUMNS]),
        ("full", recipes.PARTS, ["rf", "cross_encoder", "word_cosine", "sentence_cosine"], ["full", *recipes.COLUMNS]),
    ],
)
def test_what_a_recipe_is_made_of(profile, parts, members, columns, tmp_path):
    model = recipes.estimator(profile, parts, ["rf"], tmp_path)
    assert (model.members, model.features) == (members, columns)
    assert model.combine == ("stack" if len(members) > 1 else "mean")


def test_a_larger_share_holds_a_smaller_one():
    names = np.array([f"contrasts {n // 2}" for n in range(2_000)])
    quarter, half, every = (recipes.part_of(names, share) for share in (0.25, 0.5, 1.0))
    assert every.all() and (half | quarter).sum() == half.sum()
    assert quarter.mean() == pytest.approx(0.25, abs=0.05) and half.mean() == pytest.approx(0.5, abs=0.05)
    assert (half[::2] == half[1::2]).all()  # whole squares


def test_a_source_is_scored_without_its_own_weights(tmp_path):
    """Two members: one is right on collection "a" alone, the other everywhere else; on "a" the other has the weight."""
    random = np.random.default_rng(0)
    collection = np.repeat(["a", "b", "c"], 60)
    gold, noise = random.uniform(0, 5, 180), random.uniform(0, 5, 180)
    first = collection == "a"
    members = np.column_stack([np.where(first, gold, noise), np.where(first, noise, gold)])
    pairs = [(f"text {n}", f"other {n}") for n in range(180)]
    ones = np.ones(180)
    data = Scored(pairs, gold, collection, collection, ones == 1, ones)
    model = recipes.estimator("fast", ["members"], ["xgb"], tmp_path)
    scores = recipes.left_out(data, {"members": members, "removed": np.zeros(180)}, model)
    assert np.corrcoef(scores[first], noise[first])[0, 1] > 0.95
