"""Command that refuses empty values of options and arguments before it runs."""

from typing import Any

import typer
from typer.core import TyperCommand

TEXTS = ("A", "B")
"""Arguments that are texts, which may be empty."""


class Command(TyperCommand):
    """Command that refuses an empty option or argument, or one of commas alone, with exit status 2.

    An empty path would mean the working directory, and an empty list the default.
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
                _check(arg or texts, "the name of a table, file or folder", ctx)
            elif not getattr(options[name], "is_flag", False):
                _check((value if equals else next(rest, name)).strip(" ,"), name, ctx)
        return super().parse_args(ctx, args)


def _check(content: object, name: str, ctx: Any) -> None:
    if not content:
        raise typer.BadParameter("must not be empty, got ''; leave it out or give a value", ctx, param_hint=name)
