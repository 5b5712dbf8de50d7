"""Idf of the vocabulary of a batch, computed once a batch."""

from typing import Literal

import numpy as np

from ..sentences import PairBatch
from ..token_sequences import Field, vocabulary
from .term_frequencies import Idf

Weighting = Literal["ecnu", "smooth"]
"""Name of the method of `Idf` that computes the weights."""


def idf_weights(pairs: PairBatch, field: Field, idf: Idf, kind: Weighting = "smooth") -> np.ndarray:
    """Return the idf of each item of ``vocabulary(pairs, field)``, float64."""

    def compute() -> np.ndarray:
        items = vocabulary(pairs, field).items
        return idf.smooth(field, items) if kind == "smooth" else idf.ecnu(field, items)

    return pairs.memo(("idf", field, kind, idf.digest), compute)
