"""Help of every command: defaults, and width."""

import re

import pytest
import typer
from samewise.ensemble.commands.cli import app
from typer.testing import CliRunner

WIDTH = 80


def _commands(command, path=()):
    yield path, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from _commands(inner, (*path, name))


COMMANDS = dict(_commands(typer.main.get_command(app)))


def _help(path, option=None):
    option = option or ("--help" if hasattr(COMMANDS[path], "commands") else "--help-all")
    done = CliRunner().invoke(app, [*path, option], env={"COLUMNS": str(WIDTH), "TERMINAL_WIDTH": str(WIDTH)})
    assert done.exit_code == 0
    return done.output


def _entry(text, option):
    """Return the lines of an option on one line."""
    lines = text.partition("Options:\n")[2].splitlines()
    [start] = [k for k, line in enumerate(lines) if option in line.replace(",", " ").split("  ", 3)[1].split()]
    more = [k for k in range(start + 1, len(lines)) if not lines[k].startswith("     ")]
    return " ".join(" ".join(lines[start : (more or [len(lines)])[0]]).split())


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_no_line_is_wider_than_a_terminal_or_cut(path):
    text = _help(path)
    assert max(map(len, text.splitlines())) <= WIDTH
    summaries = text.partition("Commands:\n")[2]
    assert "..." not in summaries


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_with_a_default_shows_it(path):
    text = _help(path)
    for parameter in COMMANDS[path].params:
        if parameter.param_type_name != "option" or parameter.is_flag or parameter.default in (None, "", ()):
            continue
        assert f"[default: {parameter.default}" in _entry(text, parameter.opts[0]), parameter.opts


LEAVES = [path for path, command in COMMANDS.items() if not hasattr(command, "commands")]


def _shown(text):
    return re.findall(r"^  (?:-\w, )?(--[\w-]+)", text.partition("Options:\n")[2], re.MULTILINE)


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_the_first_screen_has_at_most_20_options_and_the_other_has_all(path):
    options = {parameter.opts[-1] for parameter in COMMANDS[path].params if parameter.param_type_name == "option"}
    assert {*_shown(_help(path))} == options | {"--help"}
    first = _help(path, "--help")
    assert len(_shown(first)) <= 20
    left_out = len(options) + 1 - len(_shown(first))
    assert (f"{left_out} more options are shown by --help-all" in first) == bool(left_out)


@pytest.mark.parametrize("path", COMMANDS, ids=" ".join)
def test_every_option_and_argument_has_a_help_text(path):
    for parameter in COMMANDS[path].params:
        assert parameter.help or parameter.name == "help", parameter.name


def test_the_options_of_one_command_are_found():
    entry = _entry(_help(("predict",)), "--batch-size")
    assert entry.startswith("--batch-size N Rows scored at a time.")
    assert "[default: 2048; x>=1]" in entry


def test_commands_are_listed_by_what_they_are_for():
    sections = re.findall(r"^(\w[\w ]*):\n  (\w+)", _help(()), re.MULTILINE)
    assert dict(sections) == {
        "Score and decide": "score",
        "Match": "dedupe",
        "Train and measure": "train",
        "Labels": "label",
        "Research": "research",
        "Serve": "serve",
    }


OF_TABLES = {"--delimiter", "--no-header", "--encoding", "--sheet"}


@pytest.mark.parametrize("path", LEAVES, ids=" ".join)
def test_whatever_reads_a_table_by_column_can_be_told_what_the_file_does_not_show(path):
    options = {name for parameter in COMMANDS[path].params for name in parameter.opts}
    reads = not options.isdisjoint({"--column", "--format"})
    assert options >= OF_TABLES if reads else options.isdisjoint(OF_TABLES)
