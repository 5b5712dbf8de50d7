"""Document frequencies of character n-grams, fitted on training text."""

import re
from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..arrays.ragged import ngrams
from ..sentences import Sentence
from ..token_sequences import characters
from .array_layouts import Layout, Numbers
from .fitted import Resource

_OTHER = re.compile(r"[\W_]+")


class CharacterIdf(Resource):
    """Document frequencies of character n-grams (n = 2, 3, 4) of `letters`, by hash."""

    name = "character_idf"
    layout: ClassVar[Layout] = {
        "sentences": Numbers(np.int64),
        "hashes": Numbers(np.uint64, ("n-grams",), ascending=True),
        "df": Numbers(np.int32, ("n-grams",), 1, "sentences"),
    }
    orders: ClassVar[tuple[int, ...]] = (2, 3, 4)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "CharacterIdf":
        """Count the n-grams that occur in at least two of the distinct sentences."""
        codes = characters([letters(sentence.text) for sentence in sentences])
        hashes_of_order, counts = [], []
        for n in cls.orders:
            grams = ngrams(codes, n)
            order = np.lexsort((grams.rows, grams.values))
            values, rows = grams.values[order], grams.rows[order]
            once = np.ones(len(values), dtype=bool)
            once[1:] = (values[1:] != values[:-1]) | (rows[1:] != rows[:-1])
            distinct, df = np.unique(values[once], return_counts=True)
            hashes_of_order.append(distinct[df > 1])
            counts.append(df[df > 1])
        hashes, df = np.concatenate(hashes_of_order), np.concatenate(counts)
        order = np.argsort(hashes)
        return cls({"sentences": np.asarray(len(sentences)), "hashes": hashes[order], "df": df[order].astype(np.int32)})

    def smooth(self, hashes: np.ndarray) -> np.ndarray:
        """Return ``ln((N + 1) / (df + 1)) + 1`` of each n-gram hash; hashes that are not listed count as seen once."""
        listed = self.arrays["hashes"]
        if not len(listed):
            return np.ones(len(hashes))
        place = np.minimum(np.searchsorted(listed, hashes), len(listed) - 1)
        df = np.where(listed[place] == hashes, self.arrays["df"][place], 1)
        return np.log((int(self.arrays["sentences"]) + 1) / (df + 1.0)) + 1


def letters(text: str) -> str:
    """Return the text in lower case, with a blank for every run of characters other than letters and digits."""
    return _OTHER.sub(" ", text.lower()).strip()
