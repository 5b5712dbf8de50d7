"""Names that options take, with a suggestion for an unknown name and completion in shells."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import typer

from ..differences.facts import KINDS


def names_of(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas between them."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def one_of(value: str, choices: Sequence[str], option: str | None = None) -> None:
    """Refuse a value of an option that is not one of the choices, with exit status 2."""
    if value not in choices:
        from ..._messages import did_you_mean

        known = f"must be one of {', '.join(choices)}, got {value!r}"
        raise typer.BadParameter(f"{known}{did_you_mean(value, choices)}", param_hint=option)


@dataclass(frozen=True)
class Choices:
    """Names that an option takes.

    Attributes
    ----------
    read
        Function that returns the names. Completion calls it too, so it must be quick.
    several
        Whether the option takes a list, with commas between the names.
    strict
        Whether every unknown name is refused here; otherwise only one that is close to a name, for a suggestion. The
        library refuses the others.
    """

    read: Callable[[], Iterable[str]]
    several: bool = False
    strict: bool = True

    def check(self, value: str | None) -> str | None:
        """Return the value of the option; refuse an unknown name in it, with exit status 2."""
        if value is not None:
            for name in names_of(value) if self.several else (value,):
                self.check_name(name)
        return value

    def check_name(self, name: str, option: str | None = None) -> None:
        """Refuse an unknown name, with exit status 2."""
        from ..._messages import did_you_mean

        names = tuple(self.read())
        if self.strict or did_you_mean(name, names):
            one_of(name, names, option)

    def complete(self, incomplete: str) -> list[str]:
        """Return the values that complete a prefix; in a list only the last name is completed."""
        before, comma, last = incomplete.rpartition(",") if self.several else ("", "", incomplete)
        named = names_of(before)
        return [f"{before}{comma}{name}" for name in self.read() if name.startswith(last) and name not in named]


def _profiles() -> tuple[str, ...]:
    from ...models.profiles import ALL_PROFILES

    return ALL_PROFILES


PROFILES = Choices(_profiles)
"""Models that ship."""


def check_model(name: str | None) -> str | None:
    """Return the folder or profile of a model; refuse a misspelt profile, with exit status 2.

    A name that is neither a path nor close to a profile is left to the loading of the model, which reports the error.
    """
    from ..._messages import did_you_mean

    known = name is None or name in _profiles() or Path(name).exists()
    close = "" if known or name is None else did_you_mean(name, _profiles())
    if close:
        raise typer.BadParameter(f"must be a folder or a profile, got {name!r}{close}")
    return name


def _feature_sets() -> tuple[str, ...]:
    from ...features.pipeline.catalogue import all_families
    from ...features.pipeline.named_sets import FEATURE_SETS

    return (*FEATURE_SETS, *all_families())


FEATURES = Choices(_feature_sets, several=True)
"""Named sets and families of features; `catalogue.resolve` also takes patterns, and refuses what matches nothing."""


def _members() -> tuple[str, ...]:
    from ...models.member import MEMBERS

    return tuple(MEMBERS)


MEMBERS = Choices(_members, several=True, strict=False)
"""Members of an ensemble."""


def _formats() -> tuple[str, ...]:
    from ..tables.table_format import table_formats

    return tuple(table_formats())


FORMATS = Choices(_formats)
"""Formats of tables."""

ENGINES = Choices(lambda: ("local", "spark"))
"""Engines that divide the work of a run."""

NONE = "none"
"""Name that stands for no difference."""

DIFFERENCES = Choices(lambda: (*KINDS, NONE), several=True)
"""Kinds of differences."""
