"""The AUC at equal word overlap, and the order of squares, by hand."""

import sys
from argparse import Namespace
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "benchmarks"))
import overlap_auc  # noqa: E402
from samewise.ensemble.contrasts import squares  # noqa: E402

SQUARE = {
    "id": "a1",
    "text": "The hen lays an egg",
    "same": "An egg is produced by this bird",
    "kept": "An egg the hen lays",
    "changed": "The hen eats an egg",
    "changed_same": "This bird swallows what it produced",
}


def test_word_overlap_by_hand():
    # the, hen, an, egg of the, hen, lays, an, egg, eats; nothing; all.
    pairs = [("The hen lays an egg", "the hen eats an egg"), ("a hen", "two cows"), ("a cow", "A cow!")]
    assert overlap_auc.word_overlap(pairs) == pytest.approx([4 / 6, 0.0, 1.0])


def test_bins_are_judged_apart():
    # Overlap 0.2: 2 of 2 comparisons right; overlap 0.8: 0 of 1. Without bins it is 3 of 6.
    scores, same = np.array([3.0, 2.0, 1.0, 4.0, 4.5]), np.array([True, True, False, True, False])
    overlap = np.array([0.2, 0.25, 0.29, 0.8, 0.85])
    assert overlap_auc.matched_auc(scores, same, overlap) == pytest.approx(2 / 3)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_words_alone_tell_nothing(sign):
    random = np.random.default_rng(1)
    overlap = random.integers(0, 10, 400) / 10 + 0.05
    same = random.random(400) < overlap
    assert roc_auc_score(same, overlap) > 0.7
    assert overlap_auc.matched_auc(sign * overlap, same, overlap) == pytest.approx(0.5)


def test_without_comparisons_there_is_no_figure():
    assert np.isnan(overlap_auc.matched_auc(np.ones(2), np.array([True, False]), np.array([0.1, 0.9])))


def test_the_pairs_of_a_square():
    pairs = squares.square_pairs([SQUARE])
    assert len(pairs) == 10 and pairs[0] == (SQUARE["text"], SQUARE["same"])
    assert pairs[squares.ALIKE - 1] == (SQUARE["changed"], SQUARE["changed_same"])
    assert squares.square_scores([{**SQUARE, "change_score": "1.5"}]).tolist() == [5.0] * 4 + [1.5] * 6
    meanings = [{side in squares.ONE for side in sides} for sides in squares.SIDES]
    assert [len(one) == 1 for one in meanings] == [True] * 4 + [False] * 6


def test_squares_by_hand():
    # text/same, text/kept, same/kept, changed/changed_same, and the six pairs of two meanings; overlap is equal.
    scores = np.array([4.0, 4.5, 3.0, 3.5, 4.2, 1.0, 1.0, 2.0, 1.0, 1.0])
    found = overlap_auc.judge_squares(np.tile(scores, 2), np.full(20, 0.5))
    assert found.orders == {"near copies": 0.0, "kept": 1.0, "cross": 1.0}
    # Of 4 x 6 comparisons those of text/changed with 4.0, 3.0 and 3.5 are wrong.
    assert (found.n, found.auc, found.low, found.high) == pytest.approx((2, 21 / 24, 21 / 24, 21 / 24))


def test_a_tenth_is_held(tmp_path):
    names = [f"w{n}" for n in range(400)]
    table = tmp_path / "squares.tsv"
    table.write_text("id\n" + "\n".join(names) + "\n", encoding="utf-8")
    parts = [[row["id"] for row in squares.read_squares(table, held)] for held in (True, False, None)]
    assert sorted(parts[0] + parts[1]) == sorted(names) == sorted(parts[2])
    assert 20 <= len(parts[0]) <= 60


def test_systems_are_judged_by_kind_or_on_labelled_pairs(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(overlap_auc, "RESAMPLES", 5)
    table, labelled = tmp_path / "squares.tsv", tmp_path / "pairs.csv"
    rows = [{**SQUARE, "id": f"a{n}", "kind": kind} for n, kind in enumerate(("roles", "tense"))]
    lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    labelled.write_text("sentence1,sentence2,score\na b,a c,5\na b,a d,1\n", encoding="utf-8")
    chosen = Namespace(squares=[table], pairs=None, whole=True, by="kind", same_from=4.0)
    systems = {"right": lambda pairs: np.tile([5.0] * 4 + [1.0] * 6, len(pairs) // 10)}
    overlap_auc.judge(systems, chosen)
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [line[:3] for line in shown[:3]] == [["right", "roles", "1"], ["right", "tense", "1"], ["right", "all", "2"]]
    assert [line[3] for line in shown[:3]] == ["1.000"] * 3 and shown[2][-3:] == ["1.000", "1.000", "1.000"]
    overlap_auc.judge({"right": lambda pairs: [4.0, 1.0]}, Namespace(**{**vars(chosen), "pairs": labelled}))
    shown = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [line[:4] for line in shown] == [["right", "all", "2", "1.000"], ["word", "overlap", "all", "2"]]
