"""Document and term frequencies of words, stems and lemmas, fitted on training text."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import ClassVar, Literal

import numpy as np

from ..arrays.ragged import Ragged, ngrams
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import Field, characters, vocabulary
from .fitted import Layout, Numbers, Resource, Words


def _layout(fields: tuple[Field, ...]) -> Layout:
    layout: dict[str, Numbers | Words] = {"sentences": Numbers(np.int64)}
    for field in fields:
        layout[field] = Words(field)
        layout[f"{field}_df"] = Numbers(np.int32, (field,), 1, "sentences")
        layout[f"{field}_tf"] = Numbers(np.int32, (field,), 1)
    return layout


class Idf(Resource):
    """Document and term frequencies of lower-case words and of stems.

    A document is one distinct sentence. Terms that are not in the training text have the frequency 0.
    """

    name = "idf"
    fields: ClassVar[tuple[Field, ...]] = ("words", "stems")
    layout: ClassVar[Layout] = _layout(fields)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "Idf":
        """Count the fields over distinct sentences."""
        arrays: dict[str, np.ndarray] = {"sentences": np.asarray(len(sentences), dtype=np.int64)}
        for field in cls.fields:
            rows = [getattr(sentence, field) for sentence in sentences]
            df = Counter(item for row in rows for item in set(row))
            tf = Counter(item for row in rows for item in row)
            terms = sorted(df)
            arrays[field] = np.frombuffer("\n".join(terms).encode("utf-8", "surrogatepass"), dtype=np.uint8)
            arrays[f"{field}_df"] = np.asarray([df[term] for term in terms], dtype=np.int32)
            arrays[f"{field}_tf"] = np.asarray([tf[term] for term in terms], dtype=np.int32)
        return cls(arrays)

    @property
    def sentences(self) -> int:
        """Number of sentences counted."""
        return int(self.arrays["sentences"])

    def size(self, field: Field) -> int:
        """Return the number of distinct terms of the field."""
        return len(self.arrays[f"{field}_df"])

    @cached_property
    def _index(self) -> dict[str, dict[str, int]]:
        texts = {field: self.arrays[field].tobytes().decode("utf-8", "surrogatepass") for field in self.fields}
        return {field: {term: i for i, term in enumerate(text.split("\n"))} for field, text in texts.items()}

    def terms(self, field: Field, at_least: int = 1) -> Sequence[str]:
        """Return the terms of a field that occur in at least `at_least` sentences, sorted."""
        return tuple(compress(self._index[field], self.arrays[f"{field}_df"] >= at_least))

    def _counts(self, field: Field, terms: Sequence[str], kind: str) -> np.ndarray:
        index = self._index[field]
        rows = np.fromiter((index.get(term, -1) for term in terms), dtype=np.int64, count=len(terms))
        return np.append(self.arrays[f"{field}_{kind}"], 0)[rows].astype(np.float64)

    def smooth(self, field: Field, terms: Sequence[str]) -> np.ndarray:
        """Return ``ln((N + 1) / (df + 1)) + 1`` of each term; at least 1."""
        return np.log((self.sentences + 1) / (self._counts(field, terms, "df") + 1)) + 1

    def ecnu(self, field: Field, terms: Sequence[str]) -> np.ndarray:
        """Return ``log10(N / count)`` of each term, not below 0 (Tian et al., 2017).

        The reference code fits its table on the scored file and gives an unknown term the least idf. This table is
        fitted on the training text, where unknown terms are rare, so they count as seen once.
        """
        return np.maximum(np.log10(self.sentences / np.maximum(self._counts(field, terms, "tf"), 1)), 0.0)


class LemmaIdf(Idf):
    """Document and term frequencies of lemmas; fitted on sentences of the level ``lexical``."""

    name = "lemma_idf"
    level = "lexical"
    fields = ("lemmas",)
    layout: ClassVar[Layout] = _layout(fields)


Weighting = Literal["ecnu", "smooth"]
"""Name of the method of `Idf` that computes the weights."""


def idf_weights(pairs: PairBatch, field: Field, idf: Idf, kind: Weighting = "smooth") -> np.ndarray:
    """Return the idf of each item of ``vocabulary(pairs, field)``, float64."""

    def compute() -> np.ndarray:
        items = vocabulary(pairs, field).items
        return idf.smooth(field, items) if kind == "smooth" else idf.ecnu(field, items)

    return pairs.memo(("idf", field, kind, idf.digest), compute)


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
