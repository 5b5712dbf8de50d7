"""The table of the challenge suite sets systems side by side, the sentence encoder's cosine among them."""

import runpy
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "challenge.py"
ENCODER = "samewise.features.encoders.sentence_encoder"

bench = SimpleNamespace(**runpy.run_path(str(BENCHMARK)))


class Angles:
    """An encoder of two coordinates: a text is a number of degrees."""

    def encode(self, texts):
        assert len(set(texts)) == len(texts)
        radians = np.radians([float(text) for text in texts])
        return SimpleNamespace(vectors=np.stack([np.cos(radians), np.sin(radians)], axis=1))


@pytest.fixture
def encoder(monkeypatch):
    module = ModuleType(ENCODER)
    module.shipped_encoder = Angles
    monkeypatch.setitem(sys.modules, ENCODER, module)


def suite():
    gold, classes = np.array([1.0, 4.0, 2.0, 5.0]), ["roles", "roles", "negation", "negation"]
    return bench.Suite([("a", "b")] * 4, gold, classes, "")


def test_figures_of_several_systems_stand_side_by_side():
    one, other = np.array([3.0, 4.0, 4.0, 5.0]), np.array([2.0, 3.0, 2.5, 5.0])
    tables = {"some/folder/one": bench.by_class(suite(), one), "cosine": bench.by_class(suite(), other)}
    blocks = dict(block.split(":\n") for block in bench.render(tables).split("\n\n"))
    errors = [[cell.strip() for cell in line.split("|")] for line in blocks["Mean signed error"].splitlines()]
    assert [cells[1:] for cells in errors] == [
        ["one", "cosine"],
        ["+1.00", "+0.00"],
        ["+1.00", "+0.25"],
        ["+1.00", "+0.12"],
    ]
    assert [cells[0].split()[0] for cells in errors] == ["class", "roles", "negation", "overall"]
    [lower] = [block for title, block in blocks.items() if "lower half" in title]
    assert [cell.strip() for cell in lower.splitlines()[1].split("|")[1:]] == ["+2.00", "+1.00"]
    assert len({len(line) for block in blocks.values() for line in block.splitlines()}) == 1


def test_all_figures_of_one_system_stand_in_one_table():
    lines = bench.render({"one": bench.by_class(suite(), np.array([3.0, 4.0, 4.0, 5.0]))}).splitlines()
    assert [cell.strip() for cell in lines[0].split("|")[1:]] == [
        *("predicted", "signed error", "low", "high", "absolute error", "pearson")
    ]
    assert [cell.strip() for cell in lines[1].split("|")[1:]] == ["3.50", "+1.00", "+2.00", "+0.00", "1.00", "1.000"]
    assert len(lines) == 4


def test_cosine_of_the_encoder_by_hand(encoder):
    pairs = [("0", "60"), ("60", "0"), ("0", "180"), ("10", "10")]
    np.testing.assert_allclose(bench.cosine(pairs), [2.5, 2.5, -5.0, 5.0], atol=1e-12)
    np.testing.assert_allclose(bench.cosine_scores(pairs), [2.5, 2.5, 0.0, 5.0], atol=1e-12)


def test_cosine_is_fitted_by_a_straight_line(encoder, tmp_path):
    # Cosines of 1, 0.5 and 0 with scores of 4, 3 and 2: score = 2 + 0.4 * (5 * cosine).
    rows = [("0", "0", 4.0), ("0", "60", 3.0), ("0", "90", 2.0)]
    lines = [f"main\tfile\t2012\t{k:04}\t{score}\t{a}\t{b}" for k, (a, b, score) in enumerate(rows)]
    (tmp_path / "sts-train.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = bench.cosine_scores([("20", "20"), ("0", "180")], tmp_path)
    np.testing.assert_allclose(found, [4.0, 0.0], atol=1e-9)


@pytest.mark.slow
def test_the_recorded_figures_are_of_one_model():
    refused = subprocess.run([sys.executable, BENCHMARK, "--json", "--cosine"], capture_output=True, text=True)
    assert refused.returncode == 2
    assert "2 systems are named; name one" in refused.stderr
