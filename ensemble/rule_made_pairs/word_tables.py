"""Tables of phrases and words: the text files in ``data``, whose first lines say what they hold."""

import re
from importlib.resources import files


def lines_of(name: str) -> list[str]:
    """Return the lines of a table without its comments, which begin with ``#``; an indented line continues another."""
    text = files(__package__).joinpath("data", f"{name}.txt").read_text(encoding="utf-8")
    lines = re.sub(r"\n +", " ", text).splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def word_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of a table of lines ``title: word word``, by title."""
    lists = (line.partition(":") for line in lines_of(name))
    return {title: tuple(words.split()) for title, _, words in lists}
