"""Names of options: one meaning each in all commands, and what is said of former ones."""

from collections import defaultdict

import pytest
import typer
from samewise.ensemble.commands.cli import app
from samewise.ensemble.commands.option_names import COMMANDS as FORMER_COMMANDS
from samewise.ensemble.commands.option_names import OPTIONS
from typer.testing import CliRunner


def _leaves(command, path=()):
    for name, inner in command.commands.items():
        if hasattr(inner, "commands"):
            yield from _leaves(inner, (*path, name))
        else:
            yield (*path, name), inner


COMMANDS = dict(_leaves(typer.main.get_command(app)))


def _options(command):
    return {parameter.opts[-1]: parameter for parameter in command.params if parameter.param_type_name == "option"}


def test_an_option_means_the_same_in_all_commands():
    meanings = defaultdict(lambda: defaultdict(list))
    for path, command in COMMANDS.items():
        for name, option in _options(command).items():
            # Each command writes something else.
            if name != "--output":
                kind = (option.help, option.metavar, type(option.type).__name__, option.multiple)
                meanings[name][kind].append(" ".join(path))
    assert {name: dict(kinds) for name, kinds in meanings.items() if len(kinds) > 1} == {}


FORMER = [
    (path, former, next(name for name in now if name in _options(command)))
    for path, command in COMMANDS.items()
    for former, now in OPTIONS.items()
    if former not in _options(command) and not _options(command).keys().isdisjoint(now)
]


@pytest.mark.parametrize(("path", "former", "now"), FORMER, ids=lambda value: value if isinstance(value, str) else "")
def test_a_former_name_is_refused_with_the_name_of_today(path, former, now):
    done = CliRunner().invoke(app, [*path, former, "x"])
    assert done.exit_code == 2
    assert f"Error: {former} is now {now}" in done.output
    assert f"{former} is now {now}" in CliRunner().invoke(app, [*path, f"{former}=x"]).output


def test_every_former_name_is_of_a_command():
    assert {former for _, former, _ in FORMER} == OPTIONS.keys()


@pytest.mark.parametrize(("former", "now"), FORMER_COMMANDS.items())
def test_a_former_command_is_refused_with_the_name_of_today(former, now):
    assert any(path[: len(now.split())] == tuple(now.split()) for path in COMMANDS)
    done = CliRunner().invoke(app, [former, "--help"])
    assert done.exit_code == 2
    assert f"Error: samewise {former} is now samewise {now}" in done.output


def test_a_value_is_no_former_name():
    done = CliRunner().invoke(app, ["score", "a", "--", "--own"])
    assert "is now" not in done.output
