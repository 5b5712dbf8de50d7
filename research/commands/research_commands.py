"""Commands of research, under one name."""

import typer

from ...ensemble.commands.cli import Command
from ...ensemble.commands.option_groups import with_common_options
from .pyramid_command import pyramid
from .systems_commands import app as systems
from .wordnet_command import wordnet

app = typer.Typer(help="Published systems and evaluations.", no_args_is_help=True, rich_markup_mode=None)
app.command("pyramid", cls=Command)(with_common_options(pyramid))
app.command("wordnet", cls=Command)(with_common_options(wordnet))
app.add_typer(systems, name="systems")
