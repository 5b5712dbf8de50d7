import csv
import json
import subprocess
import sys

import pytest
from samewise.ensemble.evaluation.leaks import Leaks

TRAIN = [("The mill burned down.", "Fire destroyed the mill."), ("He waters roses.", "She reads.")]


def test_shared_pairs_and_sentences():
    held_out = [
        ("Fire destroyed  the mill.", "the mill burned down."),  # the pair, turned
        ("He waters roses.", "Fire destroyed the mill."),  # sentences of two pairs
        ("She reads.", "Nobody is here."),
        ("A boat sinks.", "Nobody is here."),
    ]
    leaks = Leaks.of(held_out, TRAIN)
    assert leaks.pairs.tolist() == [True, False, False, False]
    assert leaks.sentences.tolist() == [True, True, True, False]


def test_nothing_shared():
    leaks = Leaks.of([("A boat sinks.", "Nobody is here.")], TRAIN)
    assert not leaks.pairs.any()
    assert not leaks.sentences.any()


@pytest.mark.slow
def test_training_tells_and_keeps_the_figures_without_them(tmp_path):
    things = "boat kite lamp mill rose sail tent oven gate drum".split()
    rows = [(f"The {a} is red.", f"The {b} is red.", 5.0 if a == b else 1.0) for a in things for b in things[:4]]
    held_out = [
        ("A cup fell.", "A cup broke.", 3.0),
        ("A dog ran.", "A dog sat.", 2.0),
        ("It rains.", "Rain fell.", 4.0),
    ]
    files = {"train.csv": rows, "dev.csv": [*held_out, rows[0], rows[1]], "test.csv": held_out}
    for name, table in files.items():
        with (tmp_path / name).open("w", newline="") as file:
            csv.writer(file).writerows([("sentence1", "sentence2", "score"), *table])
    command = "train train.csv --dev dev.csv --test test.csv --features sequence --members gbm -o model".split()
    done = subprocess.run(
        [sys.executable, "-m", "samewise", *command], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "dev.csv holds pairs or sentences of train.csv" in done.stderr
    assert "test.csv holds" not in done.stderr
    metrics = json.loads((tmp_path / "model" / "manifest.json").read_text())["metrics"]
    groups = metrics["dev"]["groups"]
    assert {name: part["n"] for name, part in groups.items()} == {"no pair of TRAIN": 3, "no sentence of TRAIN": 3}
    assert groups["no pair of TRAIN"]["pearson"] == metrics["test"]["pearson"]
    assert metrics["test"]["groups"] == {}
    assert "no sentence of TRAIN" in done.stdout
