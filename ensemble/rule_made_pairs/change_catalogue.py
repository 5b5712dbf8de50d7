"""All kinds of edits, collected from the modules of `kinds`."""

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from . import kinds
from .change import Change


@cache
def all_changes() -> dict[str, Change]:
    """Return every kind by its name, in order of the modules and of their tuples ``CHANGES``.

    Raises
    ------
    ValueError
        If two kinds have one name.
    """
    found: dict[str, Change] = {}
    for module in sorted(info.name for info in iter_modules(kinds.__path__)):
        for change in import_module(f"{kinds.__name__}.{module}").CHANGES:
            if change.name in found:
                raise ValueError(f"kinds of edits must have distinct names, got {change.name!r} twice; rename one")
            found[change.name] = change
    return found
