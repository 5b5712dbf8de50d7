"""Statistics that features read: fitted on training text, stored with the model, never refitted on a scored file."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from .arrays.ragged import Ragged, ngrams
from .comparison.directions import Directions
from .encoding.directions import EncoderDirections
from .encoding.sentence_encoder import SentenceEncoder
from .encoding.spaces import SpaceMeans
from .lexicon.frequencies import Frequencies
from .lexicon.language_frequencies import LanguageFrequencies
from .lexicon.vectors import WordVectors
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
    """Counts of n-grams (n = 1..5) of stems for the information weights of NIST (Doddington, 2002), by hash.

    Only n-grams seen at least twice are stored, every other one counts as seen once: no sentence can be read from it.
    """

    name = "ngram_counts"
    keys = ("tokens", "hashes", "counts")
    field: ClassVar[Field] = "stems"
    orders: ClassVar[tuple[int, ...]] = (1, 2, 3, 4, 5)

    @classmethod
    def fit(cls, sentences: Sequence[Sentence]) -> "NgramCounts":
        """Count the n-grams of the field over distinct sentences."""
        from .pairs import PairBatch
        from .views import vocabulary

        nothing = np.empty(0, dtype=np.int64)
        listed = vocabulary(PairBatch(sentences, nothing, nothing), cls.field)
        items = Ragged(listed.hashes[listed.ids.values], listed.ids.offsets)
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


class LemmaNgramCounts(NgramCounts):
    """Counts of n-grams of lemmas, as `NgramCounts`; fitted on sentences of the level ``lexical``."""

    name = "lemma_ngram_counts"
    level = "lexical"
    field = "lemmas"


RESOURCES: dict[str, type[Resource]] = {
    kind.name: kind
    for kind in (
        Idf, LemmaIdf, CharacterIdf, NgramCounts, LemmaNgramCounts, Frequencies, Directions, EncoderDirections,
        LanguageFrequencies, SpaceMeans,
    )
}  # fmt: skip
"""Every resource that is fitted on text and that a feature can declare in ``needs``."""


class UserVectors(Resource):
    """Word vectors of the user's: given, not fitted, and not stored with a model.

    Parameters
    ----------
    vectors
        The vectors.
    path
        Where they were read from.

    Attributes
    ----------
    title, family
        What messages call it, and the features that read it.
    """

    name = "user_vectors"
    keys = ()
    title: ClassVar[str] = "word vectors"
    family: ClassVar[str] = "user_embedding"

    def __init__(self, vectors: WordVectors, path: Path | None = None) -> None:
        super().__init__({})
        self.vectors, self.path = vectors, path

    @classmethod
    def read(cls, path: str | Path, digest: str | None = None) -> "UserVectors":
        """Return the vectors of a file or folder; see `vector_files.read_vectors`.

        Raises
        ------
        ValueError
            If they cannot be read, or have another digest than the one given.
        """
        from .lexicon.vector_files import read_vectors

        read = cls(read_vectors(path), Path(path).resolve())
        if digest is not None and read.digest != digest:
            raise ValueError(f"{str(path)!r} holds other word vectors ({read.digest}) than those wanted ({digest})")
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the vectors."""
        return self.vectors.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Where they are, not what they hold.
        return UserVectors.read, (self.path, self.digest)


class UserEncoder(Resource):
    """A sentence encoder of the user's: given, not fitted, and not stored with a model.

    Parameters
    ----------
    encoder
        The encoder.
    path
        The folder that it was read from.

    Attributes
    ----------
    title, family
        As those of `UserVectors`.
    """

    name = "user_encoder"
    keys = ()
    title: ClassVar[str] = "sentence encoder"
    family: ClassVar[str] = "user_contextual"

    def __init__(self, encoder: SentenceEncoder, path: Path | None = None) -> None:
        super().__init__({})
        self.encoder, self.path = encoder, path

    @classmethod
    def read(cls, name: str | Path, digest: str | None = None) -> "UserEncoder":
        """Return the encoder of a folder, or of a name on the hub; see `encoding.folders.load_encoder`.

        Raises
        ------
        ValueError
            If it cannot be read, or has another digest than the one given.
        """
        from .encoding.folders import find_encoder, load_encoder

        path = find_encoder(name)
        read = cls(load_encoder(path), path)
        if digest is not None and read.digest != digest:
            raise ValueError(f"{str(name)!r} holds another encoder ({read.digest}) than the one wanted ({digest})")
        return read

    @cached_property
    def digest(self) -> str:
        """Hex digest of the encoder."""
        return self.encoder.digest

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        # Where it is, not what it holds.
        return UserEncoder.read, (self.path, self.digest)


GIVEN: dict[str, str] = {UserVectors.name: "--vectors", UserEncoder.name: "--encoder"}
"""Every resource that comes from the user and that a feature can declare in ``needs``, and the option that names it."""


def resources_of(level: str) -> list[str]:
    """Return the names of the resources that are fitted on sentences of a level for any model."""
    fitting = {name: kind for name, kind in RESOURCES.items() if LEVELS.index(kind.level) <= LEVELS.index(level)}
    return [name for name, kind in fitting.items() if not kind.costly]


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
    def fit(
        cls, names: Sequence[str], sentences: Sequence[Sentence], given: Mapping[str, Resource] | None = None
    ) -> "Resources":
        """Fit the named resources on distinct sentences.

        Parameters
        ----------
        names
            Names of `RESOURCES`, and of those of `GIVEN` that are given.
        sentences
            Sentences of the level that the resources need.
        given
            What is there already and is not fitted.

        Raises
        ------
        ValueError
            If a name is unknown, or names something of `GIVEN` that is not given.
        """
        given = given or {}
        for name in names:
            if name in GIVEN and name not in given:
                raise ValueError(f"the resource {name!r} is not given; pass {GIVEN[name]}")
            if name not in RESOURCES and name not in given:
                raise ValueError(f"resource {name!r} is unknown; the resources are {', '.join(RESOURCES)}")
        found = {name: given[name] if name in given else RESOURCES[name].fit(sentences) for name in sorted(set(names))}
        return cls(found)

    @property
    def stored(self) -> dict[str, Resource]:
        """Those that are stored with a model."""
        return {name: resource for name, resource in self.items() if name not in GIVEN}
