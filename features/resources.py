"""Statistics that features read: fitted on training text, stored with the model, never refitted on a scored file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import ClassVar

import numpy as np

from .arrays.ragged import Ragged, ngrams
from .lexicon.frequencies import Frequencies
from .pairs import LEVELS, Sentence
from .resource import Resource
from .views import Field, characters

_OTHER = re.compile(r"[\W_]+")


class Idf(Resource):
    """Document and term frequencies of lower-case words and of stems.

    A document is one distinct sentence. Terms that were never seen count as seen in no sentence.
    """

    name = "idf"
    keys: ClassVar[tuple[str, ...]] = ("sentences", "words", "words_df", "words_tf", "stems", "stems_df", "stems_tf")
    fields: ClassVar[tuple[Field, ...]] = ("words", "stems")

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
        """Return how many distinct terms the field has."""
        return len(self.arrays[f"{field}_df"])

    @cached_property
    def _index(self) -> dict[str, dict[str, int]]:
        texts = {field: self.arrays[field].tobytes().decode("utf-8", "surrogatepass") for field in self.fields}
        return {field: {term: i for i, term in enumerate(text.split("\n"))} for field, text in texts.items()}

    def terms(self, field: Field, at_least: int = 1) -> Sequence[str]:
        """Return the terms of a field that stand in at least so many sentences, sorted."""
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

        The reference code gives an unknown term the least idf of its table, which is that of the scored file. Ours is
        that of the training text, where unknown means rare, so an unknown term counts as seen once.
        """
        return np.maximum(np.log10(self.sentences / np.maximum(self._counts(field, terms, "tf"), 1)), 0.0)


class LemmaIdf(Idf):
    """Document and term frequencies of lemmas; fitted on sentences of the level ``lexical``."""

    name = "lemma_idf"
    level = "lexical"
    keys = ("sentences", "lemmas", "lemmas_df", "lemmas_tf")
    fields = ("lemmas",)


class CharacterIdf(Resource):
    """Document frequencies of character n-grams (n = 2, 3, 4) of `letters`, by hash."""

    name = "character_idf"
    keys = ("sentences", "hashes", "df")
    orders: ClassVar[tuple[int, ...]] = (2, 3, 4)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "CharacterIdf":
        """Count the n-grams that occur in at least two of the distinct sentences."""
        codes = characters([letters(sentence.text) for sentence in sentences])
        found, counts = [], []
        for n in cls.orders:
            grams = ngrams(codes, n)
            order = np.lexsort((grams.rows, grams.values))
            values, rows = grams.values[order], grams.rows[order]
            once = np.ones(len(values), dtype=bool)
            once[1:] = (values[1:] != values[:-1]) | (rows[1:] != rows[:-1])
            distinct, df = np.unique(values[once], return_counts=True)
            found.append(distinct[df > 1])
            counts.append(df[df > 1])
        hashes, df = np.concatenate(found), np.concatenate(counts)
        order = np.argsort(hashes)
        return cls({"sentences": np.asarray(len(sentences)), "hashes": hashes[order], "df": df[order].astype(np.int32)})

    def smooth(self, hashes: np.ndarray) -> np.ndarray:
        """Return ``ln((N + 1) / (df + 1)) + 1`` of each n-gram hash; unseen or seen once counts as seen once."""
        known = self.arrays["hashes"]
        if not len(known):
            return np.ones(len(hashes))
        place = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        df = np.where(known[place] == hashes, self.arrays["df"][place], 1)
        return np.log((int(self.arrays["sentences"]) + 1) / (df + 1.0)) + 1


def letters(text: str) -> str:
    """Return the text in lower case with every run of other than letters and digits made one blank."""
    return _OTHER.sub(" ", text.lower()).strip()


class NgramCounts(Resource):
    """Counts of stem n-grams (n = 1..5) for the information weights of NIST (Doddington, 2002), by hash.

    Only n-grams seen at least twice are stored, every other one counts as seen once: no sentence can be read from it.
    """

    name = "ngram_counts"
    keys = ("tokens", "hashes", "counts")
    orders: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "NgramCounts":
        """Count the n-grams of the stems of distinct sentences."""
        from .pairs import PairBatch
        from .views import vocabulary

        nothing = np.empty(0, dtype=np.int64)
        stems = vocabulary(PairBatch(sentences, nothing, nothing), "stems")
        items = Ragged(stems.hashes[stems.ids.values], stems.ids.offsets)
        found, counts = [], []
        for n in cls.orders:
            distinct, count = np.unique(ngrams(items, n).values, return_counts=True)
            found.append(distinct[count > 1])
            counts.append(count[count > 1])
        hashes, count = np.concatenate(found), np.concatenate(counts)
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
        known = self.arrays["hashes"]
        if not len(known):
            return np.ones(len(hashes))
        place = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        return np.where(known[place] == hashes, self.arrays["counts"][place], 1).astype(np.float64)


RESOURCES: dict[str, type[Resource]] = {
    kind.name: kind for kind in (Idf, LemmaIdf, CharacterIdf, NgramCounts, Frequencies)
}
"""Every resource that a feature can declare in ``needs``."""


def resources_of(level: str) -> list[str]:
    """Return the names of the resources that can be fitted on sentences of a level."""
    return [name for name, kind in RESOURCES.items() if LEVELS.index(kind.level) <= LEVELS.index(level)]


class Resources(Mapping[str, Resource]):
    """Fitted resources by name."""

    def __init__(self, resources: Mapping[str, Resource]) -> None:
        self._resources = dict(resources)

    def __getitem__(self, name: str) -> Resource:
        return self._resources[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._resources)

    def __len__(self) -> int:
        return len(self._resources)

    @classmethod
    def fit(cls, names: Sequence[str], sentences: Sequence[Sentence]) -> "Resources":
        """Fit the named resources on distinct sentences.

        Raises
        ------
        ValueError
            If a name is unknown.
        """
        unknown = [name for name in names if name not in RESOURCES]
        if unknown:
            raise ValueError(f"resource {unknown[0]!r} is unknown; the resources are {', '.join(RESOURCES)}")
        return cls({name: RESOURCES[name].fit(sentences) for name in sorted(set(names))})
