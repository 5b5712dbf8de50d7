"""Names of the core, and those that other packages add to them by entry points."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, TypeVar

T = TypeVar("T")


class ShippedTable(NamedTuple):
    """A table that is part of the package.

    Attributes
    ----------
    load
        Function that loads the table; vectors are named by its argument.
    digest
        Return a digest of its content.
    """

    load: Callable[..., Any]
    digest: Callable[[], str]


class Extended(Mapping[str, T]):
    """A mapping that reads what extensions add only where a name is not in the core, or all names are listed.

    Parameters
    ----------
    core
        Values of the core, which come first.
    added
        Function that returns the values of the extensions.
    """

    def __init__(self, core: Mapping[str, T], added: Callable[[], Mapping[str, T]]) -> None:
        self.core, self._added = core, added

    def __getitem__(self, name: str) -> T:
        return self.core[name] if name in self.core else self._added()[name]

    def __iter__(self) -> Iterator[str]:
        return iter({**self.core, **self._added()})

    def __len__(self) -> int:
        return len({**self.core, **self._added()})


@cache
def extensions() -> tuple[Any, ...]:
    """Return the modules of the entry points ``samewise.features``.

    Each has the name of a package of families (`FAMILIES`), sets (`FEATURE_SETS`), tables (`SHIPPED_TABLES`) and
    resources (`RESOURCES`).
    """
    from importlib.metadata import entry_points  # late: no score needs it

    return tuple(entry.load() for entry in sorted(entry_points(group="samewise.features")))


def added(attribute: str) -> Callable[[], dict[str, Any]]:
    """Return a function that joins a mapping of all `extensions`."""
    return lambda: {name: value for module in extensions() for name, value in getattr(module, attribute).items()}
