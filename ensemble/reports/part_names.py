"""Titles and meanings of the parts of a model, for people who do not know the names of its columns."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import NamedTuple


class PartName(NamedTuple):
    """Title of a part, and one line on what it measures or is; the line is empty for a part that is not ours."""

    title: str
    meaning: str

    def note(self, name: str) -> str:
        """Return the line on the part after its name in the code, which commands and tables use."""
        return f"{name}: {self.meaning}" if self.meaning else ""


@cache
def part_names() -> Mapping[str, PartName]:
    """Return the names of all families of features, of the members, and of the rules, by their names in the code."""
    table = tomllib.loads(files(__package__).joinpath("data", "part_names.toml").read_text(encoding="utf-8"))
    return MappingProxyType({name: PartName(*texts) for section in table.values() for name, texts in section.items()})


def part_name(name: str) -> PartName:
    """Return the name of a part; for an unknown part, such as a user-supplied family, its name without underscores.

    Columns keep their names, by which patterns choose them.
    """
    return part_names().get(name) or PartName(name if "." in name else name.replace("_", " "), "")
