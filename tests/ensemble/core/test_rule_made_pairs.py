import random
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.out_of_fold import out_of_fold
from samewise.ensemble.core.rule_made_pairs import (
    BLENDED,
    MOVED,
    NEGATED,
    SWAPPED,
    blended,
    moved,
    negated,
    pairs_by_rule,
    swapped,
)
from samewise.features.matrix import FeatureMatrix


def made(change, *texts):
    found = change(*(text.split() for text in texts))
    return None if found is None else " ".join(found)


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (swapped, "A nurse is helping the old sailor .", "The old sailor is helping a nurse ."),
        (swapped, "A nurse and the old sailor are singing .", None),
        (swapped, "Rain is falling .", None),
        (swapped, "The fox chases the fox .", None),
        (negated, "A nurse is helping the sailor .", "A nurse is not helping the sailor ."),
        (negated, "A nurse is not helping the sailor .", "A nurse is helping the sailor ."),
        (negated, "Rain falls .", None),
        (negated, "Is it", None),
        (moved, "A nurse sings on the ship .", "On the ship , a nurse sings ."),
        (moved, "A nurse and a sailor sing .", "A sailor and a nurse sing ."),
        (moved, "Rain falls .", None),
        (swapped, "", None),
        (negated, "", None),
        (moved, "", None),
    ],
)
def test_changes_by_hand(change, text, expected):
    assert made(change, text) == expected


def test_blending_by_hand():
    assert made(blended, "A cat is asleep .", "A man is reading .") == "A man with a cat is reading ."
    assert made(blended, "A cat is asleep .", "A cat is reading .") is None
    assert made(blended, "Rain falls .", "A man is reading .") is None


FIRSTS = [f"A {who} is helping the old {whom} in the kitchen .".split() for who in "abc" for whom in "defg"]
SECONDS = [f"The {who} was sold in May .".split() for who in "mnopqrstuvwx"]


def test_each_kind_has_its_score_and_its_share():
    scores = [0.5] * 6 + [4.0] * 6
    found = pairs_by_rule(FIRSTS, SECONDS, scores, 16, random.Random(0))
    by_score = {score: sum(made.score == score for made in found) for score in (SWAPPED, NEGATED, MOVED, 0.5 + BLENDED)}
    assert by_score == {SWAPPED: 4, NEGATED: 4, MOVED: 4, 0.5 + BLENDED: 4}
    assert found == pairs_by_rule(FIRSTS, SECONDS, scores, 16, random.Random(0))
    assert found != pairs_by_rule(FIRSTS, SECONDS, scores, 16, random.Random(1))
    assert all(made.a != made.b and made.a == " ".join(FIRSTS[made.source]) for made in found)


def test_none_are_made_unless_asked_for():
    assert pairs_by_rule(FIRSTS, SECONDS, [1.0] * 12, 0, random.Random(0)) == []


ROLES = [(f"A {who} is helping the old {whom} .", f"A {whom} is asleep .") for who in "abcdef" for whom in "ghijkl"]


@dataclass(frozen=True)
class Seen:
    """A scorer that tells which rows it was fitted on: the matrix holds their numbers."""

    name: str = "seen"
    reads_columns: ClassVar[bool] = True
    libraries: ClassVar[tuple[str, ...]] = ()
    n_jobs: int | None = None
    rows: frozenset = frozenset()

    def fit(self, matrix, y):
        return replace(self, rows=frozenset(matrix.values[:, 0].astype(int).tolist()))

    def predict(self, matrix):
        # Contrast k has the number 100 + k and was made from row k % 10.
        held_out = set(matrix.values[:, 0].astype(int).tolist())
        return np.full(len(matrix), float(any((row - 100) % 10 in held_out for row in self.rows if row >= 100)))


def test_a_contrast_is_seen_only_where_its_source_is():
    numbers = np.append(np.arange(10), 100 + np.arange(20)).astype(np.float32)
    matrix = FeatureMatrix(numbers[:, None], ("a.b.c",))
    sources = np.arange(20) % 10
    found = out_of_fold(matrix, np.ones(30), np.arange(10), [Seen()], sources=sources)
    assert found.tolist() == [[0.0]] * 10
    shifted = out_of_fold(matrix, np.ones(30), np.arange(10), [Seen()], sources=(sources + 1) % 10)
    assert shifted.any()  # the check above can fail


def test_every_member_is_fitted_on_them():
    scores = [2.0] * len(ROLES)
    settings = {"features": ["ngram", "sequence"], "members": ("xgb",), "interval": None}
    settings["member_params"] = {"xgb": {"n_estimators": 30}}
    plain = SimilarityEnsemble(**settings).fit(ROLES, scores)
    taught = SimilarityEnsemble(**settings, contrasts=0.5).fit(ROLES, scores)
    moved = [("A nurse is helping the old sailor .", "The old sailor is helping a nurse .")]
    assert plain.predict(moved) == pytest.approx([2.0])
    assert taught.predict(moved) != pytest.approx([2.0])
    assert "contrasts" not in plain.predictor_.manifest
    assert taught.predictor_.manifest["contrasts"] == 0.5
    again = SimilarityEnsemble(**settings, contrasts=0.5).fit(ROLES, scores)
    assert again.signature == taught.signature != plain.signature


def test_intervals_are_of_the_pairs_alone():
    chance = np.random.default_rng(0)
    model = SimilarityEnsemble(["length"], ("xgb",), contrasts=0.5, member_params={"xgb": {"n_estimators": 5}}).fit(
        ROLES, chance.uniform(0, 5, len(ROLES))
    )
    assert model.oof_members_.shape == (len(ROLES), 1)


def test_settings_are_kept(tmp_path):
    settings = {"features": ["length"], "members": ("xgb",), "interval": None, "contrasts": 0.25}
    SimilarityEnsemble(**settings).fit(ROLES, [1.0] * len(ROLES)).save(tmp_path / "model")
    assert SimilarityEnsemble.load(tmp_path / "model").contrasts == 0.25


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(ValueError, match="contrasts must be a share of the pairs"):
        SimilarityEnsemble(contrasts=share).fit(ROLES, [1.0] * len(ROLES))
