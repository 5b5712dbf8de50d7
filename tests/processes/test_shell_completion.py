"""Completion in shells, asked for as the scripts of the shells ask."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import sys
sys.argv[0] = "samewise"
from samewise.ensemble.commands.cli import main
try:
    main()
finally:
    slow = {"onnxruntime", "pandas", "scipy", "sklearn", "spacy", "torch", "wordfreq", "xgboost"} & set(sys.modules)
    print(*slow, file=sys.stderr)
"""


def completions(shell, words):
    *before, last = words.split(" ")
    environment = {
        **os.environ,
        "_SAMEWISE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(before)),
        "_TYPER_COMPLETE_ARGS": words,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stderr.strip() == "", "completion must be quick"
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_options_and_profiles_are_completed(shell):
    assert "predict" in completions(shell, "samewise pred")
    assert "--model" in completions(shell, "samewise predict --mod")
    profiles = completions(shell, "samewise predict --model surf")
    assert "surface-stsb" in profiles
    assert "fast" not in profiles


@pytest.mark.parametrize(
    ("words", "values"),
    [
        ("samewise predict in.csv --format j", ["json", "jsonl"]),
        ("samewise predict in.csv --engine s", ["spark"]),
        ("samewise features extract in.csv --features ngr", ["ngram"]),
        ("samewise features extract in.csv --features surface,para", ["surface,paragraph_vector"]),
        ("samewise match a.csv b.csv --views words,", ["words,rare_words", "words,characters", "words,sentences"]),
        ("samewise dedupe in.csv --keep l", ["longest"]),
        ("samewise dedupe in.csv --keep-apart number,neg", ["number,negation"]),
        ("samewise train in.csv --members rf,x", ["rf,xgb"]),
        ("samewise research systems run takel", ["takelab"]),
        ("samewise adapt multi", ["multilingual"]),
        ("samewise label", ["label"]),
        ("samewise label ex", ["export"]),
    ],
)
def test_values_of_options_are_completed(words, values):
    assert completions("bash", words).split() == values
