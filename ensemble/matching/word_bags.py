"""Words of many texts as a sparse matrix of counts; a plain and fast reading, for candidates only."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from ...features.analysis.analysis import cut

_WORD = re.compile(r"\w+|[^\w\s]")


class WordBags(NamedTuple):
    """Words of n texts.

    Attributes
    ----------
    words
        The m distinct words, numbers and marks in lower case, in the order in which they first occur.
    counts
        Shape (n, m), float32: number of times that each text has each word.
    """

    words: list[str]
    counts: csr_array

    @classmethod
    def of(cls, texts: Sequence[str]) -> "WordBags":
        """Return the words of normalised texts, each cut as for a score."""
        places: dict[str, int] = {}
        columns: list[int] = []
        offsets = np.zeros(len(texts) + 1, dtype=np.int64)
        for row, text in enumerate(texts):
            columns += [places.setdefault(word, len(places)) for word in _WORD.findall(cut(text).lower())]
            offsets[row + 1] = len(columns)
        ones = np.ones(len(columns), dtype=np.float32)
        counts = csr_array((ones, np.asarray(columns, dtype=np.int64), offsets), shape=(len(texts), len(places)))
        counts.sum_duplicates()
        return cls(list(places), counts)
