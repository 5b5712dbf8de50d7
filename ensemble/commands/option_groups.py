"""Groups of options, rules about them, and the options of all commands."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .config_file import read_config
from .console import Verbosity, detail, is_verbose, set_verbosity

if TYPE_CHECKING:
    from ..loading import Model, ModelRef


ADVANCED = "Advanced"
"""Panel of options that ``--help`` leaves out of a command with many; ``--help-all`` has them."""

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
    # Options and arguments on the command line or in a file of settings, as help shows them.
    given = set()
    for parameter in context.command.params:
        origin = context.get_parameter_source(parameter.name or "")
        if origin is not None and origin.name in ("COMMANDLINE", "DEFAULT_MAP"):
            name = parameter.metavar if parameter.param_type_name == "argument" else parameter.opts[-1]
            given.add(str(name))
    return given


def _print_all_help(context: typer.Context, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        context.meta[ADVANCED] = True
        print(context.get_help())
        raise typer.Exit()


def _common(
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Print errors only, no progress, notes or summary.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also print the model's signature and the settings of the run.")
    ] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            "--config",
            metavar="FILE.toml",
            exists=True,
            dir_okay=False,
            callback=read_config,
            is_eager=True,
            help="File of options; those on the command line win.",
        ),
    ] = None,
    help_all: Annotated[
        bool,
        typer.Option("--help-all", callback=_print_all_help, is_eager=True, help="Show all options and exit."),
    ] = False,
) -> None:
    if quiet and verbose:
        raise typer.BadParameter("must be given without --verbose, got both", param_hint="--quiet")
    set_verbosity(Verbosity.QUIET if quiet else Verbosity.VERBOSE if verbose else Verbosity.NORMAL)


def with_common_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options to a command that all commands have: what it prints on standard error, and all its help."""
    options = inspect.signature(_common).parameters

    @wraps(command)
    def run(**values: Any) -> Any:
        _common(**{name: values.pop(name) for name in options if name in values})
        return command(**values)

    set_signature(run, [*inspect.signature(command).parameters.values(), *options.values()])
    return run


def load_model(source: "ModelRef", *, unused: bool = False) -> Any:
    """Load the model of a source, as `ModelRef.load` does; a verbose run prints its signature."""
    model = source.load(unused=unused)
    detail(f"model {model.signature}")
    return model


def model_of_run(
    source: "ModelRef", *, engine: str = "local", workers: str | None = None, batch_size: int | None = None
) -> "ModelRef | Model":
    """Return the model of a run over a table: its reference, or in a verbose run the loaded model.

    A verbose run prints the signature, the number of processes and the size of a batch. Spark's executors load the
    model themselves, so its reference is returned for them.
    """
    if not is_verbose():
        return source
    if engine != "local":
        detail(f"model {source.model}, on Spark")
        return source
    model: Model = load_model(source)
    if workers is not None:
        from ..scoring.worker_processes import worker_count

        count = worker_count(workers)
        detail(f"{count} {'process' if count == 1 else 'processes'}{' (auto)' if workers == 'auto' else ''}")
    if batch_size is not None:
        detail(f"batches of {batch_size:,} rows")
    return model
