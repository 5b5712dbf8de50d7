"""Tables of phrases and words: the text files in ``data``, whose first lines say what they hold."""

from pathlib import Path

from ...features.linguistics import stopwords


def lines_of(name: str) -> list[str]:
    """Return the lines of a table."""
    return stopwords.lines_of(Path(__file__).parent / "data" / f"{name}.txt")


def word_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of a table of lines ``title: word word``, by title."""
    lists = (line.partition(":") for line in lines_of(name))
    return {title: tuple(words.split()) for title, _, words in lists}
