"""Completion in shells, asked for as the scripts of the shells ask."""

import os
import subprocess
import sys

import pytest


def completions(shell, words):
    environment = {
        **os.environ,
        "_SAMEWISE_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
        "_TYPER_COMPLETE_ARGS": words,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    program = "import sys; sys.argv[0] = 'samewise'; from samewise.ensemble.commands.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=120, check=True
    )
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_options_and_profiles_are_completed(shell):
    assert "predict" in completions(shell, "samewise pred")
    assert "--profile" in completions(shell, "samewise predict --prof")
    profiles = completions(shell, "samewise predict --profile surf")
    assert "surface-stsb" in profiles
    assert "fast" not in profiles
