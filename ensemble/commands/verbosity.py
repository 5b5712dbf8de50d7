"""Options ``--quiet`` and ``--verbose`` of every command, and the details that a verbose run prints."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import Verbosity, detail, is_verbose, set_verbosity
from .option_groups import set_signature

if TYPE_CHECKING:
    from ..multilingual.model import Model
    from ..multilingual.model_source import ModelSource


def _verbosity(
    quiet: Annotated[
        bool, typer.Option("-q", "--quiet", help="Print errors only, no progress, notes or summary.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Also print the model's signature and the settings of the run.")
    ] = False,
) -> None:
    if quiet and verbose:
        raise typer.BadParameter("must be given without --verbose, got both", param_hint="--quiet")
    set_verbosity(Verbosity.QUIET if quiet else Verbosity.VERBOSE if verbose else Verbosity.NORMAL)


def with_verbosity(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add ``--quiet`` and ``--verbose`` to a command, which decide what it prints on standard error."""
    options = inspect.signature(_verbosity).parameters

    @wraps(command)
    def run(**values: Any) -> Any:
        _verbosity(**{name: values.pop(name) for name in options})
        return command(**values)

    set_signature(run, [*inspect.signature(command).parameters.values(), *options.values()])
    return run


def load_model(source: "ModelSource", *, unused: bool = False) -> Any:
    """Load the model of a source, as `ModelSource.load` does; a verbose run prints its signature."""
    model = source.load(unused=unused)
    detail(f"model {model.signature}")
    return model


def model_of_run(
    source: "ModelSource", *, engine: str = "local", workers: str | None = None, batch_size: int | None = None
) -> "ModelSource | Model":
    """Return the model of a run over a table: its source, or in a verbose run the loaded model.

    A verbose run prints the signature, the number of processes and the size of a batch. Spark's executors load the
    model themselves, so its source is returned for them.
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
