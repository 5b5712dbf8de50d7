"""Without the libraries of the extras, everything works but fitting and parsing, which name the extra."""

import csv
import json
import subprocess
import sys

import pytest

from ..conftest import ROOT

# By import name; what only the extras install.
ABSENT = ("inflect", "spacy", "wordfreq", "xgboost")

PROGRAM = f"""
import sys
sys.modules.update(dict.fromkeys({ABSENT}))  # an import of None fails as that of an absent library
sys.argv[0] = "samewise"
from samewise.ensemble.commands.cli import main
main()
"""


def run(folder, *words):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=600
    )
    return done.returncode, done.stdout, done.stderr


def test_the_extras_are_what_is_left_out():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    needed = text.partition("dependencies = [")[2].partition("]")[0]
    assert not any(f'"{name}' in needed for name in ABSENT)


@pytest.fixture
def folder(tmp_path):
    rows = [("A dog eats.", "A dog is eating.", "4"), ("The lift is stuck.", "Prices rise.", "0")] * 20
    with (tmp_path / "pairs.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("sentence1", "sentence2", "score"), *rows])
    return tmp_path


@pytest.mark.parametrize("profile", ["surface", "fast", "full"])
def test_a_score_and_its_explanation(folder, profile):
    status, out, err = run(folder, "score", "A dog eats.", "A cat eats.", "--model", profile, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["flags"] == []
    status, out, err = run(folder, "explain", "A dog eats.", "A cat eats.", "--model", profile, "--json")
    assert status == 0, err
    assert json.loads(out)["contributions"]


def test_tables_are_scored_measured_matched_and_adapted_to(folder):
    for words in (
        ("predict", "pairs.csv", "-o", "scores.csv"),
        ("predict", "pairs.csv", "--differences", "-o", "differences.jsonl"),
        ("evaluate", "pairs.csv"),
        ("match", "pairs.csv", "pairs.csv", "--column", "1,1", "-o", "matches.csv"),
        ("dedupe", "pairs.csv", "--column", "1", "-o", "kept.csv"),
        ("adapt", "fast", "pairs.csv", "-o", "adapted"),
        ("threshold", "pairs.csv", "--same-from", "3", "--max-false", "50%", "-o", "decider"),
        ("score", "A dog eats.", "A cat eats.", "--model", "adapted"),
    ):
        named = words if words[0] in ("adapt", "score") else (*words, "--model", "fast")
        status, _, err = run(folder, *named)
        assert status == 0, (words, err)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--features", "surface"), "fitting the member 'xgb' needs xgboost; pip install 'samewise[fit]'"),
        (
            ("--features", "information", "--members", "gbm"),
            "fitting word frequencies needs wordfreq; pip install 'samew",
        ),
        (("--features", "dependency", "--members", "gbm"), "parsing needs spacy; pip install 'samewise[parse]'"),
    ],
    ids=["xgb", "frequencies", "parsed"],
)
def test_fitting_and_parsing_name_the_extra(folder, words, message):
    status, _, err = run(folder, "train", "pairs.csv", "-o", "model", *words)
    assert status == 1
    assert err.splitlines()[-1].startswith(f"samewise: {message}")
