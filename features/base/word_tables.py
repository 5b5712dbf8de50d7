"""Tables of words as text files, and the stop-word lists of the field, each a frozen set of lower-case tokens."""

import re
from functools import cache
from pathlib import Path

TAKELAB = frozenset(
    "i a about an are as at be by for from how in is it of on or that the this to was what when where who will with "
    "'s did have has had were 'll".split()
)
"""The 36 short function words of TakeLab (Saric et al., 2012)."""


@cache
def stop_words(name: str) -> frozenset[str]:
    """Return a list by name: ``nltk``, ``takelab``, or ``ecnu``.

    The last has function words, contractions and punctuation in the manner of the ECNU system (Tian et al., 2017), but
    is not its list: ``../data/README.md`` compares them.
    """
    if name == "takelab":
        return TAKELAB
    path = Path(__file__).parents[1] / "data" / f"stopwords-{name}.txt"
    lines = path.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if line and not line.startswith("# "))


def lines_of(path: Path) -> list[str]:
    """Return the lines of a table without its comments, which begin with ``#``; an indented line continues another."""
    lines = re.sub(r"\n +", " ", path.read_text(encoding="utf-8")).splitlines()
    return [line for line in lines if line and not line.startswith("#")]
