"""Command line: all commands, and how they start and end.

Commands import what they need when they run, so that help does not wait for it.
"""

import signal
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from . import feature_commands, label_commands, systems_commands, wordnet_command
from .ablate_command import ablate
from .adapt_command import adapt
from .command import Command
from .console import reporting
from .dedupe_command import dedupe
from .evaluate_command import evaluate
from .evaluation_options import MEMBERS_ALONE
from .explain_command import explain
from .gold_command import gold
from .index_command import index
from .info_command import info
from .learning_curve_command import learning_curve
from .match_command import match
from .predict_command import predict
from .pyramid_command import pyramid
from .score_command import score
from .select_command import select
from .serve_command import serve
from .threshold_command import threshold
from .train_command import train
from .verbosity import with_verbosity


class _Commands(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # `--compare` alone compares the members; Typer has no option with an optional value.
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
app.add_typer(feature_commands.app, name="features")
app.add_typer(systems_commands.app, name="systems")
app.add_typer(label_commands.app, name="label")
app.add_typer(wordnet_command.app, name="wordnet")


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


for command in (
    *(score, predict, explain, train, evaluate, ablate, learning_curve, serve, pyramid, gold, select),
    *(match, dedupe, index, threshold, adapt, info),
):
    app.command(cls=Command)(with_verbosity(command))


def main() -> None:
    """Run the command line."""
    # End by an exception, so that unfinished files are removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    app()
