"""Document and term frequencies of words, stems and lemmas, fitted on training text."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import compress
from typing import ClassVar

import numpy as np

from ..sentences import Sentence
from ..token_sequences import Field
from .array_layouts import Layout, Numbers, Words
from .fitted import Resource


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
