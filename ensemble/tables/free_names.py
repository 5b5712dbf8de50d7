"""Names for new columns that no column of a table has yet."""

from collections.abc import Callable, Iterable
from typing import Any


def _same(name: Any) -> Any:
    return name


def free_names(wanted: Iterable[str], taken: Iterable[Any], fold: Callable[[Any], Any] = _same) -> list[str]:
    """Return a name for each new column; a name that is taken is prefixed, as in ``samewise_score``.

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
    names = []
    for name in wanted:
        while fold(name) in used:
            name = f"samewise_{name}"
        used.add(fold(name))
        names.append(name)
    return names
