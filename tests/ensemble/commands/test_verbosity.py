"""Options --quiet and --verbose: what goes to standard error, and that results do not change."""

import warnings

import pytest
import typer
from samewise.ensemble.commands import console
from samewise.ensemble.commands.cli import app
from samewise.ensemble.commands.console import detail, progress, reporting, say, say_error
from samewise.ensemble.commands.option_groups import with_common_options
from typer.testing import CliRunner

SIGNATURE = "|members:rf+gbm+xgb|"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "in.csv"
    path.write_text("sentence1,sentence2\nA goat eats.,A goat is eating.\nIt hails.,Prices rise.\n")
    return path


def run(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


def predict(table, *options):
    done = run("predict", table, "--model", "surface", "--workers", "1", *options)
    assert done.exit_code == 0
    return done.stdout, done.stderr


def test_quiet_prints_nothing_but_the_result(table):
    normal, summary = predict(table)
    assert summary.startswith("2 rows, ")
    assert predict(table, "--quiet") == (normal, "")
    assert predict(table, "-q") == (normal, "")


def test_verbose_says_the_model_and_the_settings(table):
    normal, _ = predict(table)
    out, err = predict(table, "-v", "--batch-size", "1500")
    assert out == normal
    model, processes, batches, summary = err.splitlines()
    assert model.startswith("samewise: model samewise:") and SIGNATURE in model
    assert processes == "samewise: 1 process"
    assert batches == "samewise: batches of 1,500 rows"
    assert summary.startswith("2 rows, ")


def test_a_quiet_run_prints_its_errors(tmp_path):
    done = run("predict", tmp_path / "missing.csv", "--quiet")
    assert done.exit_code == 1
    assert done.stderr == f"samewise: there is no file {tmp_path / 'missing.csv'}\n"


def test_quiet_ends_with_the_command(table):
    predict(table, "--quiet")
    assert predict(table)[1].startswith("2 rows, ")


def test_both_are_refused(table):
    done = run("predict", table, "-q", "-v")
    assert done.exit_code == 2
    assert "--quiet: must be given without --verbose, got both" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "It rains.", "Rain falls.", "--model", "surface"),
        ("explain", "It rains.", "Rain falls.", "--model", "surface"),
        ("info", "surface"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_that_print_the_result_only(arguments):
    normal, verbose, quiet = run(*arguments), run(*arguments, "-v"), run(*arguments, "-q")
    assert normal.stdout == verbose.stdout == quiet.stdout != ""
    assert normal.stderr == quiet.stderr == ""
    assert SIGNATURE in verbose.stderr


def test_match_and_dedupe(table, tmp_path):
    common = ("--model", "surface", "--workers", "1")
    for arguments in (
        ("match", table, table, "--column", "1,1", "-o", tmp_path / "matches.csv"),
        ("dedupe", table, "--column", "1", "-o", tmp_path / "kept.csv"),
    ):
        assert run(*arguments, *common, "-q").output == ""
        err = run(*arguments, *common, "-v").stderr
        assert SIGNATURE in err and "samewise: 1 process\n" in err


def _commands(command):
    inner = getattr(command, "commands", {}).values()
    return [each for group in inner for each in _commands(group)] if inner else [command]


def test_every_command_has_both_options():
    commands = _commands(typer.main.get_command(app))
    assert len(commands) > 20
    for command in commands:
        names = {name for parameter in command.params for name in parameter.opts}
        assert {"-q", "--quiet", "-v", "--verbose"} <= names, command.name


@with_common_options
def talk():
    say("note")
    detail("fact")
    say_error("error")
    warnings.warn_explicit("warning", UserWarning, console.__file__, 1)
    with progress("working") as bar:
        say_error("no bar" if bar is None else "bar")


@pytest.mark.parametrize(
    ("quiet", "verbose", "lines"),
    [
        (False, False, ["note", "error", "samewise: warning", "bar"]),
        (True, False, ["error", "no bar"]),
        (False, True, ["note", "samewise: fact", "error", "samewise: warning", "bar"]),
    ],
    ids=["normal", "quiet", "verbose"],
)
def test_what_is_printed_where(quiet, verbose, lines, capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    with warnings.catch_warnings(), reporting(False):
        warnings.simplefilter("always")
        talk(quiet=quiet, verbose=verbose)
    assert [line for line in capsys.readouterr().err.splitlines() if line.strip()] == lines
