"""Edits of a sentence: what one is, all of them, their scores, and their tables of words.

The scale is the one that the sentence pairs of the SemEval tasks are labelled by (Agirre et al., 2012): 5, the two mean
the same; 4, mostly equivalent, unimportant details differ; 3, roughly equivalent, an important detail differs or is
missing; 2, not equivalent, but they share some details; 1, not equivalent, but on one topic; 0, on different topics.
The scores here are set by that definition alone. None is taken from data, from a paper or from a development set.

- An edit that keeps the meaning gives 5. Where one word stands for another, two people seldom agree that every shade
  is the same, so a synonym gives 4.6. A converse, a moved phrase or a double negation gives 4.8: the same meaning
  with another emphasis.
- An edit after which both sentences cannot be true, or ask for opposite things, leaves them sharing details only: 2.
  These are opposites, negation, exchanged roles and exchanged intents.
- An edit that puts another person or thing in the place of one describes another event of the same kind: between "share
  some details" and "on one topic". Another thing of the same kind, or another name, gives 1.5.
- An edit that changes an important detail of one event is between "an important detail differs" and "share some
  details", and gives 2.5: a number, a unit, a quantity of a whole, a degree of duty or certainty, an order in time, a
  condition.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ...features.analysis.editable_sentence import EditableSentence
from ...features.base import word_tables

Edit = Callable[[EditableSentence, random.Random], str | None]
"""Function that returns the edited text, or None where the edit does not apply to the sentence."""


@dataclass(frozen=True)
class Change:
    """A kind of edit of one sentence.

    Attributes
    ----------
    name
        The kind; `guideline.SCORES` has a score for it.
    keeps
        Whether the edited sentence means the same.
    edit
        The function that makes it.
    """

    name: str
    keeps: bool
    edit: Edit


@cache
def all_changes() -> dict[str, Change]:
    """Return every kind by its name, in order of the modules and of their tuples ``CHANGES``."""
    found: dict[str, Change] = {}
    for module in sorted(info.name for info in iter_modules([str(Path(__file__).parent / "edits")])):
        for change in import_module(f"{__package__}.edits.{module}").CHANGES:
            if change.name in found:
                raise ValueError(f"kinds of edits must have distinct names, got {change.name!r} twice; rename one")
            found[change.name] = change
    return found


SAME = 5.0
NEARLY_SAME = 4.8
SYNONYM = 4.6
DETAIL = 2.5
OPPOSITE = 2.0
OTHER_THING = 1.5

SCORES = {
    # kinds that keep the meaning
    "passive": SAME,
    "number_words": SAME,
    "unit_conversion": SAME,
    "abbreviation": SAME,
    "contraction": SAME,
    "equal_phrase": SAME,
    "clause_order": SAME,
    "moved_phrase": NEARLY_SAME,
    "converse": NEARLY_SAME,
    "double_negation": NEARLY_SAME,
    "synonym": SYNONYM,
    # kinds that change it
    "antonym": OPPOSITE,
    "negation": OPPOSITE,
    "intent": OPPOSITE,
    "roles": OPPOSITE,
    "co_hyponym": OTHER_THING,
    "name": OTHER_THING,
    "number": DETAIL,
    "unit": DETAIL,
    "quantifier": DETAIL,
    "modality": DETAIL,
    "time_order": DETAIL,
    "condition": DETAIL,
}
"""Score of a pair of a sentence and its edit, 0..5, by the name of the kind."""

BLENDED = 0.2
"""Points added to the score of a dissimilar pair when one side names the subject of the other in passing: one more
detail is shared, which is worth a fifth of a step of the scale."""


def lines_of(name: str) -> list[str]:
    """Return the lines of a table."""
    return word_tables.lines_of(Path(__file__).parent / "data" / f"{name}.txt")


def word_lists(name: str) -> dict[str, tuple[str, ...]]:
    """Return the lists of a table of lines ``title: word word``, by title."""
    lists = (line.partition(":") for line in lines_of(name))
    return {title: tuple(words.split()) for title, _, words in lists}
