"""Groups of command-line options that a command takes as one parameter."""

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Group = Callable[..., Any]
"""Function or dataclass whose parameters are options, as Typer reads them, and whose result is the group's value."""


def option_groups(**groups: Group) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Replace parameters of a command, or of a group, by the options of groups.

    Typer reads the signature of a command. The decorated command shows it the options of each group in the place of the
    parameter that has the group's name; when it runs, it gives that parameter the value that the group makes of them.

    Parameters
    ----------
    groups
        For each such parameter, the group.
    """

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        options: list[inspect.Parameter] = []
        for name, parameter in inspect.signature(command).parameters.items():
            options += inspect.signature(groups[name]).parameters.values() if name in groups else [parameter]

        @wraps(command)
        def run(**values: Any) -> Any:
            for name, group in groups.items():
                values[name] = group(**{option: values.pop(option) for option in inspect.signature(group).parameters})
            return command(**values)

        set_signature(run, options)
        return run

    return decorate


def only(group: Group, *names: str) -> Group:
    """Return a group that has only some options of another; the others keep their defaults."""

    @wraps(group)
    def make(**values: Any) -> Any:
        return group(**values)

    set_signature(make, (inspect.signature(group).parameters[name] for name in names))
    return make


def set_signature(function: Any, options: Iterable[inspect.Parameter]) -> None:
    """Set the signature that Typer reads."""
    # By keyword only, because Python allows no parameter without a default after one with a default.
    parameters = [option.replace(kind=inspect.Parameter.KEYWORD_ONLY) for option in options]
    function.__signature__ = inspect.Signature(parameters)
    function.__annotations__ = {option.name: option.annotation for option in parameters}
