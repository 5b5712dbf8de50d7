"""Command line: all commands, and how they start and end.

A command is imported when it is named, and imports what it needs when it runs, so that neither a score nor help waits
for others.
"""

import gc
import signal
import sys
from collections import UserDict
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from .command import Command
from .console import reporting
from .verbosity import with_verbosity

_COMMANDS = (
    *("score", "predict", "explain", "train", "evaluate", "ablate", "learning-curve", "serve", "pyramid", "gold"),
    *("select", "match", "dedupe", "index", "threshold", "adapt", "info"),
)
_GROUPS = {
    "features": "feature_commands",
    "systems": "systems_commands",
    "label": "label_commands",
    "wordnet": "wordnet_command",
}


class _OnDemand(UserDict[str, Any]):
    # Commands by name, in the order of help; None until one is asked for.

    def __init__(self) -> None:
        super().__init__(dict.fromkeys((*_COMMANDS, *_GROUPS)))

    def __getitem__(self, name: str) -> Any:
        if super().__getitem__(name) is None:
            self[name] = _command(name)
        return super().__getitem__(name)


def _command(name: str) -> Any:
    if name in _GROUPS:
        made: Any = get_group(import_module(f".{_GROUPS[name]}", __package__).app)
    else:
        function = name.replace("-", "_")
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cls=Command)(
            with_verbosity(getattr(import_module(f".{function}_command", __package__), function))
        )
        made = get_command(alone)
    made.name = name
    return made


class _Commands(TyperGroup):
    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _OnDemand()

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # `--compare` alone compares the members; Typer has no option with an optional value.
        if "--compare" not in args:
            return super().parse_args(ctx, args)
        from .evaluation_options import MEMBERS_ALONE

        bare = [i for i, arg in enumerate(args) if arg == "--compare" and (args[i + 1 :] or ["-"])[0].startswith("-")]
        for place in reversed(bare):
            args = [*args[: place + 1], MEMBERS_ALONE, *args[place + 1 :]]
        return super().parse_args(ctx, args)

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
    # End by an exception, so that unfinished files are removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    # What one score makes stays to its end: looking for garbage among it takes 3 % of the time.
    if sys.argv[1:2] == ["score"]:
        gc.disable()
    app()
