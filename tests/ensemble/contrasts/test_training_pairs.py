import random
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest
from samewise.ensemble.contrasts.training_pairs import blended, pairs_by_rule
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.out_of_fold import out_of_fold
from samewise.ensemble.core.target import Target
from samewise.features.analysis.analysis import analyse, analyse_texts
from samewise.features.analysis.editable_sentence import EditableSentence
from samewise.features.pipeline.matrix import FeatureMatrix


def mixed(first, second):
    return blended(*map(EditableSentence, analyse([(first, second)], "lexical")[0]))


def test_blending_by_hand():
    assert mixed("A cat is asleep.", "A man is reading.") == "A man with a cat is reading."
    assert mixed("A cat is asleep.", "A cat is reading.") is None
    assert mixed("Rain falls.", "A man is reading.") is None


FIRSTS = analyse_texts(
    f"A {who} is helping the old {whom} in the kitchen." for who in ("man", "boy", "cook") for whom in ("nurse", "king")
)
SECONDS = analyse_texts(f"The {thing} was sold in May." for thing in ("car", "boat", "house", "farm", "lamp", "ring"))
SCORES = [0.5, 0.5, 0.5, 4.0, 4.0, 4.0]


def test_changed_and_kept_stand_side_by_side():
    found = pairs_by_rule(FIRSTS, SECONDS, SCORES, 16, random.Random(0))
    assert len(found) == 16
    texts = [(sentence.text, row) for side in (FIRSTS, SECONDS) for row, sentence in enumerate(side)]
    assert all((pair.a, pair.source) in texts and pair.a != pair.b for pair in found)
    changed = [pair for pair in found if pair.score < 3 and pair.kind != "blended"]
    kept = {pair.a for pair in found if pair.score > 4}
    assert changed and len([pair for pair in changed if pair.a in kept]) > len(changed) / 2
    assert all(pair.score == pytest.approx(0.7) for pair in found if pair.kind == "blended")
    assert any(pair.kind == "blended" for pair in found)


def test_kinds_are_drawn_evenly():
    found = pairs_by_rule(FIRSTS, SECONDS, SCORES, 18, random.Random(0))
    kinds = [pair.kind for pair in found if pair.score < 3 and pair.kind != "blended"]
    assert max(kinds.count(kind) for kind in kinds) <= 3


def test_the_same_chance_makes_the_same_pairs():
    found = pairs_by_rule(FIRSTS, SECONDS, SCORES, 12, random.Random(0))
    assert found == pairs_by_rule(FIRSTS, SECONDS, SCORES, 12, random.Random(0))
    assert found != pairs_by_rule(FIRSTS, SECONDS, SCORES, 12, random.Random(1))


def test_none_are_made_unless_asked_for():
    assert pairs_by_rule(FIRSTS, SECONDS, SCORES, 0, random.Random(0)) == []


def test_texts_of_other_languages_are_left_alone():
    foreign = [sentence._replace(language="tr") for sentence in FIRSTS]
    assert pairs_by_rule(foreign, foreign, SCORES, 12, random.Random(0)) == []


ROLES = [(f"A {who} is helping the old {whom} .", f"A {whom} is asleep .") for who in "abcdef" for whom in "ghijkl"]


@dataclass(frozen=True)
class Seen:
    """A scorer that tells which rows it was fitted on: the matrix holds their numbers."""

    name: str = "seen"
    reads_columns: ClassVar[bool] = True
    libraries: ClassVar[tuple[str, ...]] = ()
    n_jobs: int | None = None
    rows: frozenset = frozenset()

    def fit(self, matrix, y, sample_weight=None):
        return replace(self, rows=frozenset(matrix.values[:, 0].astype(int).tolist()))

    def predict(self, matrix):
        # Contrast k has the number 100 + k and was made from row k % 10.
        held_out = set(matrix.values[:, 0].astype(int).tolist())
        return np.full(len(matrix), float(any((row - 100) % 10 in held_out for row in self.rows if row >= 100)))


def test_a_contrast_is_seen_only_where_its_source_is():
    numbers = np.append(np.arange(10), 100 + np.arange(20)).astype(np.float32)
    matrix = FeatureMatrix(numbers[:, None], ("a.b.c",))
    sources = np.arange(20) % 10
    found = out_of_fold(matrix, Target(np.ones(30)), np.arange(10), [Seen()], origins=sources)
    assert found.tolist() == [[0.0]] * 10
    shifted = out_of_fold(matrix, Target(np.ones(30)), np.arange(10), [Seen()], origins=(sources + 1) % 10)
    assert shifted.any()  # the check above can fail


def test_every_member_is_fitted_on_them():
    scores = [1.9, 2.1] * (len(ROLES) // 2)
    settings = {"features": ["ngram", "sequence"], "members": ("xgb",), "interval": None}
    settings["member_params"] = {"xgb": {"n_estimators": 30}}
    plain = SimilarityEnsemble(**settings).fit(ROLES, scores)
    taught = SimilarityEnsemble(**settings, contrasts=0.5).fit(ROLES, scores)
    moved = [("A nurse is helping the old sailor .", "The old sailor is helping a nurse .")]
    assert plain.predict(moved) == pytest.approx([2.0], abs=0.1)
    assert taught.predict(moved) != pytest.approx([2.0], abs=0.1)
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
    SimilarityEnsemble(**settings).fit(ROLES, np.linspace(2, 3, len(ROLES))).save(tmp_path / "model")
    assert SimilarityEnsemble.load(tmp_path / "model").contrasts == 0.25


@pytest.mark.parametrize("share", [-0.1, 1.5, float("nan")])
def test_a_share_that_is_none(share):
    with pytest.raises(ValueError, match="contrasts must be a share of the pairs"):
        SimilarityEnsemble(contrasts=share).fit(ROLES, np.linspace(2, 3, len(ROLES)))
