"""Pairs of a held-out set that a model saw at training, whole or in part: figures on them flatter it."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ...features.analysis.analysis import normalise


class Leaks(NamedTuple):
    """Marks of n held-out pairs that share something with the training pairs, each of shape (n,), bool."""

    pairs: np.ndarray  # whether the pair, in either order, is a training pair too
    sentences: np.ndarray  # whether at least one of its sentences is in a training pair; True where `pairs` is

    @classmethod
    def of(cls, held_out: Sequence[Sequence[str]], training: Sequence[Sequence[str]]) -> "Leaks":
        """Return what held-out pairs share with training pairs; letter case and white space do not count."""
        seen = {_key(pair) for pair in training}
        known = {text for pair in seen for text in pair}
        keys = [_key(pair) for pair in held_out]
        pairs = np.fromiter((key in seen for key in keys), bool, len(keys))
        sentences = np.fromiter((not known.isdisjoint(key) for key in keys), bool, len(keys))
        return cls(pairs, sentences)


def _key(pair: Sequence[str]) -> frozenset[str]:
    return frozenset(normalise(text).casefold() for text in pair)
