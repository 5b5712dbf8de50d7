"""Guidelines for annotators: the grades from 0 to 5, each with an example, as text for people and for other tools."""

import textwrap
import tomllib
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Grade(NamedTuple):
    """Grade of the scale: value, 0..5, name, meaning and example pair."""

    value: int
    name: str
    meaning: str
    example: tuple[str, str]


class Guidelines(NamedTuple):
    """Text for annotators: title, introduction, and the grades from the highest down."""

    title: str
    introduction: str
    grades: tuple[Grade, ...]


@cache
def guidelines() -> Guidelines:
    """Return the shipped guidelines; the scale is that of SemEval (Agirre et al., 2012), the wording is ours."""
    text = files(__package__).joinpath("data", "guidelines.toml").read_text(encoding="utf-8")
    facts = tomllib.loads(text)
    grades = tuple(
        Grade(each["value"], each["name"], each["meaning"], (each["sentence1"], each["sentence2"]))
        for each in facts["grade"]
    )
    return Guidelines(facts["title"], " ".join(facts["introduction"].split()), grades)


def guidelines_text() -> str:
    """Return the guidelines as a Markdown page."""
    manual = guidelines()
    parts = [f"# {manual.title}\n", f"{textwrap.fill(manual.introduction, 110)}\n"]
    for grade in manual.grades:
        first, second = grade.example
        parts.append(f"## {grade.value}: {grade.name}\n\n{grade.meaning}\n\n- {first}\n- {second}\n")
    return "\n".join(parts)
