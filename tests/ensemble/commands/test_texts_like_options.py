"""Texts on the command line that begin with a hyphen."""

import pytest
from samewise.ensemble.commands.cli import app
from typer.testing import CliRunner


@pytest.mark.parametrize("command", ["score", "explain"])
@pytest.mark.parametrize("text", ["-5 degrees", "-5", "--5", "- a dog", "-I do not like it"])
def test_a_text_like_an_option(command, text):
    done = CliRunner().invoke(app, [command, text, "five below zero"])
    assert done.exit_code == 2
    assert f"no option {text!r}; put -- before texts that begin with -, as in: -- {text!r}" in " ".join(
        done.output.split()
    )


@pytest.mark.parametrize("option", ["--modle", "-x"])
def test_an_unknown_option(option):
    done = CliRunner().invoke(app, ["score", option, "a", "b"])
    assert done.exit_code == 2 and f"No such option: {option}" in done.output


def test_after_two_hyphens_a_text_is_scored():
    done = CliRunner().invoke(app, ["score", "--model", "surface", "--", "-5 degrees", "-5 degrees"])
    assert done.exit_code == 0 and "identical" in done.output


def test_a_text_that_begins_with_a_dash_needs_no_remedy():
    done = CliRunner().invoke(app, ["score", "--model", "surface", "—-", "five below zero"])
    assert done.exit_code == 0 and "put --" not in done.output
