"""Output of the command line: tables for a terminal or for a pipe, progress, and errors in one sentence."""

import io
import json
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from functools import partial
from typing import Any

from ..._messages import printable, printable_json


class Verbosity(Enum):
    """Amount of what a command prints on standard error."""

    QUIET = "quiet"
    """Errors only."""
    NORMAL = "normal"
    """Progress, notes and summaries too."""
    VERBOSE = "verbose"
    """The model and the settings of the run too."""


_verbosity = ContextVar("_verbosity", default=Verbosity.NORMAL)


def set_verbosity(verbosity: Verbosity) -> None:
    """Set what is printed on standard error until the command ends."""
    _verbosity.set(verbosity)


def is_verbose() -> bool:
    """Return whether details are printed."""
    return _verbosity.get() is Verbosity.VERBOSE


def _is_quiet() -> bool:
    return _verbosity.get() is Verbosity.QUIET


def sentence(error: BaseException) -> str:
    """Return an expected error as one sentence, with its control characters escaped."""
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.strerror}: {error.filename}" if error.filename else error.strerror
    else:
        text = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return printable(text)


@contextmanager
def reporting(debug: bool) -> Iterator[None]:
    """Turn an expected error into one sentence on standard error and exit status 1, an interrupt into status 130.

    Warnings of the package are one sentence too, and left out if the command is quiet. When the command ends, the next
    one in this process is as verbose as any other.
    """
    shown, before = warnings.showwarning, _verbosity.set(Verbosity.NORMAL)
    warnings.showwarning = partial(_say_warning, shown)
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of our output has gone; the rest of the buffer must not be written at exit.
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
    except (ValueError, OSError, ModuleNotFoundError) as error:
        # Python's own message for a missing module is a fault of samewise; ours names the extra to install.
        unexpected = isinstance(error, ModuleNotFoundError) and str(error).startswith("No module named")
        if debug or unexpected:
            raise
        say_error(f"samewise: {sentence(error)}")
        _say_notes(error)
        raise SystemExit(1) from None
    finally:
        warnings.showwarning = shown
        _verbosity.reset(before)


def _say_warning(
    shown: Any, message: Warning | str, category: type[Warning], filename: str, lineno: int, *rest: Any
) -> None:
    if _is_quiet():
        return
    if category is UserWarning and _is_ours(filename):
        say(f"samewise: {printable(str(message))}")
    else:
        shown(message, category, filename, lineno, *rest)


def _is_ours(filename: str) -> bool:
    # By the loaded modules: in a checkout the parts of the package have no folder in common.
    package = __name__.partition(".")[0]
    files = (
        getattr(module, "__file__", None) for name, module in list(sys.modules.items()) if name.startswith(package)
    )
    return filename in files


def _say_notes(error: BaseException) -> None:
    for note in getattr(error, "__notes__", ()):
        say_error(f"samewise: {note}")


def say(text: str) -> None:
    """Print a note or a summary on standard error, unless the command is quiet."""
    if not _is_quiet():
        say_error(text)


def detail(text: str) -> None:
    """Print a fact on the run on standard error if the command is verbose."""
    if is_verbose():
        say_error(f"samewise: {text}")


def say_error(text: str) -> None:
    """Print on standard error, also if the command is quiet."""
    print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr, flush=True)


def escape_unencodable() -> None:
    """Print characters that standard output cannot encode, such as 😀 in code page 1252, as escapes."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def print_json(value: Any) -> None:
    """Print a value as one line of JSON, in ASCII where standard output cannot encode it."""
    from ..tables.text_rows import json_text

    text = printable_json(json_text(value))
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, default=str)
    print(text)


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
    rows = [[printable(cell) for cell in row] for row in rows]
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
def progress(title: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """Show a progress bar on standard error if that is a terminal; yield its function of (done, total).

    A quiet command shows no bar.
    """
    if _is_quiet() or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),  # moves back and forth while the total is unknown
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
