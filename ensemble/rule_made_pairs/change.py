"""The contract of a kind of edit: its name, whether it keeps the meaning, and a function that makes it."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from .editable_sentence import EditableSentence

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
