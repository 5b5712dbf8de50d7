"""Counts of n-grams of stems and lemmas, fitted on training text."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from ..arrays.ragged import Ragged, ngrams
from ..sentences import PairBatch, Sentence
from ..token_sequences import Field, vocabulary
from .array_layouts import Layout, Numbers
from .fitted import Resource


class NgramCounts(Resource):
    """Counts of n-grams (n = 1..5) of stems for the information weights of NIST (Doddington, 2002), by hash.

    Only n-grams seen at least twice are stored; all others count as seen once. No sentence can be recovered.
    """

    name = "ngram_counts"
    layout: ClassVar[Layout] = {
        "tokens": Numbers(np.int64),
        "hashes": Numbers(np.uint64, ("n-grams",), ascending=True),
        "counts": Numbers(np.int32, ("n-grams",), 1, "tokens"),
    }
    field: ClassVar[Field] = "stems"
    orders: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "NgramCounts":
        """Count the n-grams of the field over distinct sentences."""
        nothing = np.empty(0, dtype=np.int64)
        listed = vocabulary(PairBatch(sentences, nothing, nothing), cls.field)
        items = Ragged(listed.hashes[listed.ids.values], listed.ids.offsets)
        hashes_of_order, counts = [], []
        for n in cls.orders:
            distinct, count = np.unique(ngrams(items, n).values, return_counts=True)
            hashes_of_order.append(distinct[count > 1])
            counts.append(count[count > 1])
        hashes, count = np.concatenate(hashes_of_order), np.concatenate(counts)
        order = np.argsort(hashes)
        return cls(
            {"tokens": np.asarray(len(items.values)), "hashes": hashes[order], "counts": count[order].astype(np.int32)}
        )

    @property
    def tokens(self) -> int:
        """Number of tokens counted."""
        return int(self.arrays["tokens"])

    def counts(self, hashes: np.ndarray) -> np.ndarray:
        """Return the count of each n-gram hash, at least 1."""
        listed = self.arrays["hashes"]
        if not len(listed):
            return np.ones(len(hashes))
        place = np.minimum(np.searchsorted(listed, hashes), len(listed) - 1)
        return np.where(listed[place] == hashes, self.arrays["counts"][place], 1).astype(np.float64)


class LemmaNgramCounts(NgramCounts):
    """Counts of n-grams of lemmas, as `NgramCounts`; fitted on sentences of the level ``lexical``."""

    name = "lemma_ngram_counts"
    level = "lexical"
    field = "lemmas"
