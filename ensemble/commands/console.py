"""What the command line prints: tables for a terminal or for a pipe, progress, and errors in one sentence."""

import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any


def sentence(error: BaseException) -> str:
    """Return an expected error as one sentence."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    return (str(error).strip().splitlines() or [type(error).__name__])[0]


@contextmanager
def reporting(debug: bool) -> Iterator[None]:
    """Turn an expected error into one sentence on standard error and exit status 1, an interrupt into status 130.

    Warnings of our own are one sentence too.
    """
    shown = warnings.showwarning
    warnings.showwarning = partial(_say_warning, shown)
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has gone; what is still in the buffer must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(1) from None
    except SystemExit as error:
        _say_notes(error)
        raise
    except KeyboardInterrupt as error:
        if debug:
            raise
        _say_notes(error)
        raise SystemExit(130) from None
    except (ValueError, OSError) as error:
        if debug:
            raise
        say(f"samewise: {sentence(error)}")
        _say_notes(error)
        raise SystemExit(1) from None
    finally:
        warnings.showwarning = shown


def _say_warning(
    shown: Any, message: Warning | str, category: type[Warning], filename: str, lineno: int, *rest: Any
) -> None:
    if category is UserWarning and Path(filename).is_relative_to(Path(__file__).parents[1]):
        say(f"samewise: {message}")
    else:
        shown(message, category, filename, lineno, *rest)


def _say_notes(error: BaseException) -> None:
    for note in getattr(error, "__notes__", ()):
        say(f"samewise: {note}")


def say(text: str) -> None:
    """Print on standard error."""
    print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)


def print_json(value: Any) -> None:
    """Print a value as one line of JSON."""
    from ..tables.text_rows import json_text

    print(json_text(value))


def show(rows: Sequence[Sequence[str]], header: Sequence[str] = (), numbers: Sequence[int] = ()) -> None:
    """Print a table: framed on a terminal, else in aligned columns.

    Parameters
    ----------
    rows
        Cells.
    header
        Column names.
    numbers
        Columns to align on the right.
    """
    if sys.stdout.isatty():
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        table = Table(*header, box=box.SIMPLE, show_header=bool(header))
        for k, column in enumerate(table.columns):
            column.justify = "right" if k in numbers else "left"
        for row in rows:
            table.add_row(*(Text(cell, overflow="fold") for cell in row))
        Console().print(table)
        return
    lines = [*([header] if header else []), *rows]
    widths = [max(len(line[k]) for line in lines) for k in range(len(lines[0]))] if lines else []
    for line in lines:
        cells = [c.rjust(w) if k in numbers else c.ljust(w) for k, (c, w) in enumerate(zip(line, widths, strict=True))]
        print("  ".join(cells).rstrip())


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Show a progress bar on standard error if that is a terminal; yield what to call with (done, total)."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),  # back and forth where the end is not known
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
