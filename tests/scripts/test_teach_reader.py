"""Pairs that a cross-encoder is taught."""

import random
import sys

import numpy as np
import pytest

from ..conftest import ROOT

if not (ROOT / "scripts").is_dir():
    pytest.skip("the training scripts are in the repository only", allow_module_level=True)
pytest.importorskip("torch")
pytest.importorskip("transformers")

SIDES = ("text", "same", "kept", "changed", "changed_same")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    before = set(sys.modules)
    import teach_reader

    yield teach_reader
    for name in set(sys.modules) - before:
        if name in ("teach_reader", "exported_layers", "make_scored_pairs"):
            sys.modules.pop(name)


def test_pairs_of_a_square_come_together_those_of_one_meaning_first(script):
    rows = [{"change_score": "1.5", **{side: f"{side} {n}" for side in SIDES}} for n in range(40)]
    pairs, scores = script.drawn_pairs(rows, random.Random(0))
    assert len(pairs) == len(scores) == 40 * script.GROUP
    for n in range(40):
        part = slice(n * script.GROUP, (n + 1) * script.GROUP)
        assert scores[part] == [5.0] * script.SAME + [1.5] * script.OTHER
        assert len(set(pairs[part])) == script.GROUP
        assert all(text.endswith(f" {n}") for pair in pairs[part] for text in pair)
    assert len({tuple(text.split()[0] for text in pair) for pair in pairs}) == 10


def test_squares_that_are_held_or_kept_for_the_stack_are_not_taught(script):
    from samewise.ensemble.contrasts.squares import is_held, read_squares

    taught = {row["id"] for row in script.taught_squares()}
    files = sorted((ROOT / "data" / "contrasts").glob("squares-*.tsv"))
    every = [row["id"] for path in files for row in read_squares(path)]
    assert not any(map(is_held, taught))
    assert 0.08 < 1 - len(taught) / sum(not is_held(name) for name in every) < 0.12


def test_a_neighbour_is_another_text_and_a_near_one(script, monkeypatch):
    class Encoder:
        @staticmethod
        def vectors(texts):
            angle = np.array([int(text) for text in texts]) / 200
            return np.stack([np.cos(angle), np.sin(angle)], axis=1)

    monkeypatch.setattr(script, "shipped_encoder", Encoder)
    pairs = script.neighbours([str(n) for n in range(100)], random.Random(1))
    assert len(pairs) > 60 and all(a < b for a, b in pairs)
    assert max(abs(int(a) - int(b)) for a, b in pairs) <= script.FAR


def test_pairs_of_squares_in_a_table_are_left_out(script, tmp_path):
    table = tmp_path / "pairs.tsv"
    table.write_text("sentence1\tsentence2\tscore\tsource\na\tb\t4\tnews\nc\td\t5\tcontrasts\n", encoding="utf-8")
    assert script.scored_pairs(table) == ([("a", "b")], [4.0])


def test_weights_lie_between_the_old_and_the_new(script):
    import torch

    old, new = {"a": torch.tensor([0.0, 4.0])}, {"a": torch.tensor([1.0, 2.0])}
    assert script.between(old, new, 0.25)["a"].tolist() == [0.25, 3.5]
    assert script.between(old, new, 1.0)["a"].tolist() == [1.0, 2.0]
