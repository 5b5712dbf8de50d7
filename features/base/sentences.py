"""Analysed sentences, pairs of them, and batches of pairs: the input of every feature."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

import numpy as np

if TYPE_CHECKING:
    from .caches import SentenceCache

T = TypeVar("T")

LEVELS = ("text", "tokens", "lexical", "parsed")
"""Levels of analysis; each includes those before it."""


class Pair(NamedTuple):
    """Two texts and their gold score (0..5), if they have one."""

    a: str
    b: str
    score: float | None = None


class Entity(NamedTuple):
    """A named entity: ``tokens[start:end]`` and its label (PERSON, ORG, GPE, LOC, DATE, ...)."""

    start: int
    end: int
    label: str


class Sentence(NamedTuple):
    """One analysed text; immutable.

    Attributes
    ----------
    text
        Text as `analysis.normalise` returns it, cut at `analysis.MAX_CHARACTERS`.
    tokens
        Penn Treebank tokens as written.
    words
        The tokens in lower case, in English without accents; parallel to `tokens`.
    stems
        Snowball English stems of the words; parallel to `tokens`.
    truncated
        True if the text was cut, or has a character with `combining_marks.MOST_MARKS` combining marks.
    lemmas, tags
        Lower-case lemmas and Penn Treebank part-of-speech tags, parallel to `tokens`; empty below the level `lexical`.
    heads, relations
        Index of each token's head, the root pointing to itself, and basic Universal Dependencies relations, parallel to
        `tokens`; empty below the level `parsed`.
    entities
        Named entities, in order; empty below the level `parsed`.
    constituents
        The constituency tree in Penn Treebank brackets where the pipeline has one, otherwise empty.
    language
        ISO 639-1 code of the language that it was analysed in; ``und`` for a text in none of the languages that were
        looked for, which is analysed as English.
    """

    text: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    stems: tuple[str, ...]
    truncated: bool = False
    lemmas: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    heads: tuple[int, ...] = ()
    relations: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    constituents: str = ""
    language: str = "en"

    @property
    def level(self) -> str:
        """The deepest level of its analysis: ``tokens``, ``lexical`` or ``parsed``; a text without tokens has all."""
        if len(self.heads) == len(self.tokens):
            return "parsed"
        return "lexical" if len(self.lemmas) == len(self.tokens) else "tokens"


class AnalysedPair(NamedTuple):
    """The two sentences of one pair."""

    a: Sentence
    b: Sentence


class PairBatch(Sequence[AnalysedPair]):
    """A sequence of analysed pairs that holds every distinct sentence once.

    Feature families either iterate over the pairs or work on `sentences` and gather by `left` and `right`.

    Parameters
    ----------
    sentences
        The distinct sentences.
    left, right
        Integer arrays of shape (n,): the index of the sentence on either side of each pair.
    sentence_cache
        Analyses and encodings of sentences of this batch and others, or None.
    own_tables
        User-supplied tables that features read instead of the shipped ones of these names.
    """

    def __init__(
        self,
        sentences: Sequence[Sentence],
        left: np.ndarray,
        right: np.ndarray,
        sentence_cache: "SentenceCache | None" = None,
        own_tables: Mapping[str, Any] | None = None,
    ) -> None:
        self.sentences = tuple(sentences)
        self.left = left
        self.right = right
        self.sentence_cache = sentence_cache
        self.own_tables: Mapping[str, Any] = own_tables or {}
        self._memo: dict[object, Any] = {}

    def __len__(self) -> int:
        return len(self.left)

    @overload
    def __getitem__(self, index: int) -> AnalysedPair: ...
    @overload
    def __getitem__(self, index: slice) -> "PairBatch": ...
    def __getitem__(self, index: int | slice) -> "AnalysedPair | PairBatch":
        if isinstance(index, slice):
            return self.take(np.arange(len(self))[index])
        return AnalysedPair(self.sentences[self.left[index]], self.sentences[self.right[index]])

    def __iter__(self) -> Iterator[AnalysedPair]:
        sentences = self.sentences
        for i, j in zip(self.left.tolist(), self.right.tolist(), strict=True):
            yield AnalysedPair(sentences[i], sentences[j])

    def take(self, rows: np.ndarray) -> "PairBatch":
        """Return the batch of the given rows, with only the sentences that they use."""
        used, places = np.unique(np.concatenate([self.left[rows], self.right[rows]]), return_inverse=True)
        sentences = [self.sentences[i] for i in used]
        return PairBatch(sentences, places[: len(rows)], places[len(rows) :], self.sentence_cache, self.own_tables)

    def with_tables(self, own_tables: Mapping[str, Any]) -> "PairBatch":
        """Return the same pairs, with other tables in place of the shipped ones of these names."""
        return PairBatch(self.sentences, self.left, self.right, self.sentence_cache, own_tables)

    def memo(self, key: object, compute: Callable[[], T]) -> T:
        """Return `compute()`, computed once per batch and key, so that features share costly steps."""
        if key not in self._memo:
            self._memo[key] = compute()
        value: T = self._memo[key]
        return value

    def kept(self, key: object) -> Any:
        """Return what `memo` keeps under a key, or None if it was not computed yet."""
        return self._memo.get(key)
