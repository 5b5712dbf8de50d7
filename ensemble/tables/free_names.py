"""Names for new columns that no column of a table has yet."""

from collections.abc import Callable, Iterable
from typing import Any

TOGETHER = ("score", "low", "high")
"""Columns that are prefixed together, so that an interval has the name of its score."""


def _same(name: Any) -> Any:
    return name


def free_names(wanted: Iterable[str], taken: Iterable[Any], fold: Callable[[Any], Any] = _same) -> list[str]:
    """Return a name for each new column; a name that is taken is prefixed, as in ``samewise_score``.

    If a name of `TOGETHER` is taken, all of them are prefixed.

    Parameters
    ----------
    wanted
        The names of the new columns.
    taken
        The names of the columns that are there.
    fold
        Maps names that count as equal to one value, as `str.lower` does where case does not matter.
    """
    used = set(map(fold, taken))
    names = list(wanted)
    group = [name for name in TOGETHER if name in names]
    prefix = ""
    while any(fold(f"{prefix}{name}") in used for name in group):
        prefix += "samewise_"
    found = []
    for name in names:
        free = f"{prefix}{name}" if name in group else name
        while fold(free) in used:
            free = f"samewise_{free}"
        used.add(fold(free))
        found.append(free)
    return found
