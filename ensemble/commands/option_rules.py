"""Rules on which options of a command go together."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

import typer

from .option_groups import set_signature


@dataclass(frozen=True)
class Rule:
    """Rule on which options go together.

    Attributes
    ----------
    option
        The option that the rule is for, as typed.
    remedy
        Text of the error.
    without
        Options that must not be given with it.
    needs
        Options of which one must be given with it.
    """

    option: str
    remedy: str
    without: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()

    def broken_by(self, given: set[str]) -> bool:
        """Return whether a command line with this option and the given ones breaks the rule."""
        return not given.isdisjoint(self.without) or (bool(self.needs) and given.isdisjoint(self.needs))


def option_rules(*rules: Rule) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Refuse a command line that breaks a rule, with exit status 2, before the decorated command runs."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def run(*, context: typer.Context, **values: Any) -> None:
            given = _given_options(context)
            for rule in rules:
                if rule.option in given and rule.broken_by(given):
                    raise typer.BadParameter(rule.remedy, param_hint=rule.option)
            command(**values)

        context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        set_signature(run, [context, *inspect.signature(command).parameters.values()])
        return run

    return decorate


def _given_options(context: typer.Context) -> set[str]:
    # Options and arguments on the command line, as help shows them.
    given = set()
    for parameter in context.command.params:
        origin = context.get_parameter_source(parameter.name or "")
        if origin is not None and origin.name == "COMMANDLINE":
            name = parameter.metavar if parameter.param_type_name == "argument" else parameter.opts[-1]
            given.add(str(name))
    return given
