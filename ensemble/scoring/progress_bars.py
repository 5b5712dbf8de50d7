"""Progress of functions that are called in Python: bars in a notebook or a terminal, or a function of the caller."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

Progress = Callable[[int, int | None], None]
"""Function of the pairs or rows done, and of those in all, None if their number is not known."""

Steps = Callable[[str], Progress | None]
"""Function that returns, for the title of a step, its `Progress`; None not to be called for it."""


@contextmanager
def shown_steps(progress: bool | Steps) -> Iterator[Steps]:
    """Yield the steps of a run, whose bars are closed with it.

    Parameters
    ----------
    progress
        True for the bars of tqdm, False for none, or the caller's own steps.

    Raises
    ------
    ModuleNotFoundError
        If bars are requested and tqdm is not installed.
    TypeError
        If `progress` is something else.
    """
    if callable(progress):
        yield progress
        return
    if not isinstance(progress, bool):
        raise TypeError(f"progress must be True, False or a function of the title of a step, got {progress!r:.60}")
    if not progress:
        yield lambda title: None
        return
    bar_of = _tqdm()
    with ExitStack() as stack:
        yield lambda title: _advanced(stack.enter_context(bar_of(desc=title)))


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "progress=True needs tqdm; pip install 'samewise[notebook]', or pass a function", name=error.name
        ) from error
    return tqdm


def _advanced(bar: Any) -> Progress:
    def advance(done: int, total: int | None) -> None:
        bar.total = total
        bar.update(done - bar.n)

    return advance
