"""Contract of a view: texts as vectors, such that texts that mean nearly the same lie close together."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

NEARER = 0.05
"""Cosine that a text beyond those asked for must have above the least one; see `TextView.depth`."""


@dataclass(frozen=True)
class TextView:
    """A view: a value in a file of `views`, where the catalogue finds it.

    Attributes
    ----------
    name
        Name that ``--views`` takes.
    title
        Property that it compares, for messages and help.
    codes
        Returns the codes (`search.text_codes`) of n texts, shape (n, d), int8; those of a text depend on no other.
    digest
        Returns a hex digest of the tables that the codes depend on.
    correlation
        Pearson correlation of its cosine with the scores of `full` on the pairs of STS 2012 to 2017: the view with the
        largest, of those used, says which candidates are too far apart.
    slack, most_similar
        A candidate that is to reach a share of the scale must have a cosine of at least this share less `slack`, but
        never more than `most_similar`.
    slow
        Whether the codes come from a network, so that worker processes share the work.
    depth
        Factor of the number of close texts up to which further ones are candidates, if they are nearer by `NEARER`.
    """

    name: str
    title: str
    codes: Callable[[Sequence[str]], np.ndarray]
    digest: Callable[[], str]
    correlation: float
    slack: float
    most_similar: float
    slow: bool = False
    depth: int = 1

    def least(self, share: float) -> float:
        """Return the cosine under which a candidate hardly ever reaches a share of the scale, 0..1."""
        return float(np.clip(share - self.slack, 0.0, self.most_similar))
