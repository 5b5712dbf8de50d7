"""What annotators are told: the grades from 0 to 5, each with an example, as text for people and for other tools."""

import textwrap
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Grade(NamedTuple):
    """A grade of the scale: its value, 0..5, its name, what it means, and an example pair."""

    value: int
    name: str
    meaning: str
    example: tuple[str, str]


class Guidelines(NamedTuple):
    """The text that annotators read: title, introduction, and the grades from the highest down."""

    title: str
    introduction: str
    grades: tuple[Grade, ...]


@cache
def guidelines() -> Guidelines:
    """Return the guidelines that ship, in our own words; the scale is that of SemEval (Agirre et al., 2012)."""
    text = files(__package__).joinpath("data", "guidelines.toml").read_text(encoding="utf-8")
    facts = tomllib.loads(text)
    grades = tuple(
        Grade(each["value"], each["name"], each["meaning"], (each["sentence1"], each["sentence2"]))
        for each in facts["grade"]
    )
    return Guidelines(facts["title"], " ".join(facts["introduction"].split()), grades)


def guidelines_text() -> str:
    """Return the guidelines as a Markdown page."""
    told = guidelines()
    parts = [f"# {told.title}\n", f"{textwrap.fill(told.introduction, 110)}\n"]
    for grade in told.grades:
        first, second = grade.example
        parts.append(f"## {grade.value}: {grade.name}\n\n{grade.meaning}\n\n- {first}\n- {second}\n")
    return "\n".join(parts)
