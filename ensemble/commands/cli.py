"""Command line: all commands, and how they start and end.

A command is imported when it is named, and imports what it needs when it runs, so that neither a score nor help waits
for others.
"""

import gc
import re
import signal
import sys
from collections import UserDict
from collections.abc import Iterator
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

from .console import escape_unencodable, reporting
from .option_groups import ADVANCED, with_common_options
from .option_names import COMMANDS, option_now

TEXTS = ("A", "B")
"""Arguments that are texts, which may be empty."""


_LIKE_TEXT = re.compile(r"-+([^\w-]|\d|.*\s)")
"""Argument that begins as an option and cannot be one, such as ``-5 degrees``."""

MOST_OPTIONS = 20
"""Most options that ``--help`` shows."""


class Command(TyperCommand):
    """Command that refuses an empty option or argument, or one of commas alone, with exit status 2.

    An empty path would mean the working directory, and an empty list the default. Of many options, ``--help`` shows
    those that most users need.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments of the command line, and refuse empty ones."""
        options = {name: parameter for parameter in self.params for name in parameter.opts if name.startswith("-")}
        texts = any(parameter.metavar in TEXTS for parameter in self.params)
        rest = iter(args)
        for arg in rest:
            name, equals, value = arg.partition("=")
            if arg == "--":
                break
            if name not in options:
                if texts and _LIKE_TEXT.match(arg):
                    ctx.fail(f"no option {arg!r}; put -- before texts that begin with -, as in: -- {arg!r}")
                now = option_now(name, options)
                if now is not None:
                    ctx.fail(f"{name} is now {now}")
                _check(arg or texts, "the name of a table, file or folder", ctx)
            elif not getattr(options[name], "is_flag", False):
                _check((value if equals else next(rest, name)).strip(" ,"), name, ctx)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options; of many, without the advanced ones."""
        options = [parameter for parameter in self.params if parameter.param_type_name == "option"]
        advanced = [option for option in options if getattr(option, "rich_help_panel", None) == ADVANCED]
        shown = len(options) < MOST_OPTIONS or ADVANCED in ctx.meta  # --help is one more
        left_out: list[Any] = [] if shown else advanced
        for option in left_out:
            option.hidden = True
        super().format_options(ctx, formatter)
        for option in left_out:
            option.hidden = False
        if left_out:
            formatter.write_paragraph()
            formatter.write_text(f"{len(left_out)} more options are shown by --help-all.")


def _check(content: object, name: str, ctx: Any) -> None:
    if not content:
        raise typer.BadParameter("must not be empty, got ''; leave it out or give a value", ctx, param_hint=name)


_HERE = "samewise.ensemble.commands"

_SECTIONS = {
    "Score and decide": ("score", "predict", "explain", "threshold", "adapt", "info"),
    "Match": ("dedupe", "match", "index"),
    "Train and measure": ("train", "evaluate", "ablate", "learning-curve", "features"),
}
_HOME = {"features": "feature_commands:app"}
"""Module and name of a command, where they do not follow from its own name."""

_OTHERS = "samewise.commands."
"""Beginning of the groups of entry points by which apps and research bring commands; the rest is their section."""


def _home(name: str) -> str:
    function = name.replace("-", "_")
    return f"{_HERE}.{_HOME.get(name, f'{function}_command:{function}')}"


class _OnDemand(UserDict[str, Any]):
    # Commands by name, in the order of help; first their homes, which are read when a command is asked for.

    def __init__(self) -> None:
        super().__init__({name: _home(name) for names in _SECTIONS.values() for name in names})
        self.sections: dict[str, tuple[str, ...]] = dict(_SECTIONS)

    def find_others(self) -> None:
        if self.sections.keys() == _SECTIONS.keys():
            from importlib.metadata import entry_points  # late: no score needs it

            found = entry_points()
            for group in sorted(group for group in found.groups if group.startswith(_OTHERS)):
                inside = {each.name: each.value for each in found.select(group=group)}
                self.sections[group.removeprefix(_OTHERS).capitalize()] = tuple(inside)
                self.data |= inside

    def __iter__(self) -> Iterator[str]:
        self.find_others()
        return super().__iter__()

    def __contains__(self, name: object) -> bool:
        return name in self.data or name in list(self)

    def __getitem__(self, name: str) -> Any:
        if name not in self:
            raise KeyError(name)
        if isinstance(self.data[name], str):
            self.data[name] = _command(name, self.data[name])
        return self.data[name]

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default


def _command(name: str, home: str) -> Any:
    module, _, attribute = home.partition(":")
    found = getattr(import_module(module), attribute)
    if isinstance(found, typer.Typer):
        made: Any = get_group(found)
    else:
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cls=Command)(with_common_options(found))
        made = get_command(alone)
    made.name = name
    return made


class _Commands(TyperGroup):
    commands: Any

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _OnDemand()

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        names = list(self.commands)
        width = formatter.width - 6 - max(map(len, names))
        for section, inside in self.commands.sections.items():
            with formatter.section(section):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(width)) for name in inside])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] in COMMANDS and args[0] not in self.commands:
            ctx.fail(f"samewise {args[0]} is now samewise {COMMANDS[args[0]]}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with reporting(bool(ctx.params.get("debug"))):
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Commands,
    help="Semantic similarity of two sentences, from 0 (unrelated) to 5 (the same).",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    # Plain help: importing rich takes longer than the rest of `samewise --help`.
    rich_markup_mode=None,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"samewise {version('samewise')}")
        raise typer.Exit()


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


def main() -> None:
    """Run the command line."""
    escape_unencodable()
    # End by an exception, so that unfinished files are removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    # What one score makes stays to its end: looking for garbage among it takes 3 % of the time.
    if sys.argv[1:2] == ["score"]:
        gc.disable()
    app()
