"""Contract of a view: texts as vectors, such that texts that mean nearly the same lie close together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class TextView:
    """A view: a value in a file of `views`, where the catalogue finds it.

    Attributes
    ----------
    name
        Name that ``--views`` takes.
    title
        What it compares, for messages and help.
    codes
        Returns the codes (`text_codes`) of n texts, shape (n, d), int8. Those of a text do not depend on the others.
    digest
        Returns a hex digest of the tables that the codes depend on.
    slow
        Whether the codes come from a network, so that worker processes share the work.
    """

    name: str
    title: str
    codes: Callable[[Sequence[str]], np.ndarray]
    digest: Callable[[], str]
    slow: bool = False
