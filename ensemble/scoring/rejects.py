"""List of the rows that a run set aside: ``OUT.rejects.jsonl``, or standard error."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from ..._files import remove_abandoned
from ..tables.table_reader import TableError
from ..tables.table_writer import check_output, complete_output, is_stream
from ..tables.text_rows import json_text

_BEGINNING = re.compile(rb'\{"line": [0-9]+, "(id|reason)": ')
"""The first bytes of every list that a run wrote."""


def rejects_file(target: str | Path) -> Path | None:
    """Return the file for the rejects of an output; None where they go to standard error.

    Raises
    ------
    TableError
        If there is a file of that name that no run wrote: the run may replace or remove it.
    OSError
        If it cannot be written.
    """
    if is_stream(target) or Path(target).is_char_device():
        return None
    path = Path(f"{target}.rejects.jsonl")
    if path.exists() and not is_rejects(path):
        raise TableError(
            f"{path} must be a list of rejects of an earlier run, which this one replaces, got another file; rename "
            "it, or name another output"
        )
    check_output(path)
    remove_abandoned(path)
    return path


def is_rejects(path: Path) -> bool:
    """Return whether a file holds rejects of a run, or nothing."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(64)
    return not head or _BEGINNING.match(head) is not None


def remove_rejects(path: Path) -> None:
    """Remove the rejects of an earlier run, and no other file."""
    if is_rejects(path):
        path.unlink(missing_ok=True)


@contextmanager
def noting(path: Path | None) -> Iterator[Callable[[dict[str, Any]], None]]:
    """Yield a function that adds a row to a file, or prints it on standard error if there is none.

    The file is opened at the first row, so that a clean run leaves no empty one.
    """
    if path is None:
        yield lambda facts: print(json_text(facts), file=sys.stderr)
        return
    with ExitStack() as stack:
        file: list[Any] = []

        def note(facts: dict[str, Any]) -> None:
            if not file:
                file.append(stack.enter_context(complete_output(path)))
            file[0].write((json_text(facts) + "\n").encode())

        yield note
