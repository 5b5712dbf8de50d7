"""Lemmas by word and tag from learned tables: listed words, and edits of word endings.

The table of English words: ``scripts/make_english_words.py`` makes it from WordNet 3.0 (Miller, 1995) and the word
frequencies of wordfreq (Speer, 2022). It is mapped into memory: a process that looks up few words reads little of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..arrays.joins import places_among
from ..base.mapped_arrays import map_arrays


class LemmaRules:
    """Lemmas of lower-case words with a given tag: listed, or by rules for endings."""

    longest = 7
    most_cached = 50_000

    def __init__(
        self,
        listed: Mapping[str, Mapping[str, str]],
        endings: Mapping[str, Mapping[str, Sequence[Any]]],
        known: Mapping[str, Iterable[str]],
    ) -> None:
        self._listed, self._endings = listed, endings
        self._known = {kind: frozenset(lemmas) for kind, lemmas in known.items()}
        self._cached: dict[tuple[str, str], str] = {}

    def lemmas(self, words: Sequence[str], tags: Sequence[str]) -> list[str]:
        """Return the lemma of each word with its tag; each distinct pair is computed once. Not safe for threads."""
        lemma_of = self._cached
        if len(lemma_of) > self.most_cached:
            lemma_of.clear()
        for key in set(zip(words, tags, strict=True)).difference(lemma_of):
            lemma_of[key] = self(*key)
        return list(map(lemma_of.__getitem__, zip(words, tags, strict=True)))

    def __call__(self, word: str, tag: str) -> str:
        """Return the lemma of the word; the word itself if no rule fits."""
        lemma = self._listed.get(tag, {}).get(word)
        return self.by_ending(word, tag) if lemma is None else lemma

    def by_ending(self, word: str, tag: str) -> str:
        """Return the lemma by the endings alone."""
        endings, known_lemmas = self._endings.get(tag, {}), self._known.get(tag[:2], frozenset())
        first = None
        for start in range(max(len(word) - self.longest, 0), len(word) + 1):
            rule = endings.get(word[start:])
            if rule is not None and len(word) - rule[0] + len(rule[1]) > 1:
                lemma = f"{word[: len(word) - rule[0]]}{rule[1]}"
                if lemma in known_lemmas:
                    return lemma
                first = first or lemma
        return first or word


FOLDER = Path(__file__).parents[1] / "data" / "english"

UNLISTED, OWN, SHARED, FOREIGN = -1, 0, 1, 2
"""Kinds of words. A word is English's own if no other language in Latin letters uses it over twice as often, foreign if
one uses it over fifty times as often, and shared in between. English text seldom has an unlisted word."""

HASH_BITS = 32
"""Upper bits of the `text_hash` of a word that are stored: one unlisted word in 44,000 is taken for a listed one."""


class EnglishWords(NamedTuple):
    """Kinds of lower-case words."""

    hashes: np.ndarray  # upper halves of `text_hash`, ascending, uint32
    codes: np.ndarray  # `OWN`, `SHARED` or `FOREIGN`, uint8

    def kinds(self, hashes: np.ndarray) -> np.ndarray:
        """Return the kind of each word by its `text_hash`, shape (n,), int64; `UNLISTED` for an unlisted one."""
        places = places_among(short_hashes(hashes), self.hashes)
        return np.where(places < 0, UNLISTED, self.codes[places].astype(np.int64))


def short_hashes(hashes: np.ndarray) -> np.ndarray:
    """Return the upper `HASH_BITS` bits of hashes of 64 bits, uint32."""
    return (hashes >> np.uint64(64 - HASH_BITS)).astype(np.uint32)


@cache
def english_words() -> EnglishWords:
    """Return the table that ships with the package."""
    arrays, _ = map_arrays(FOLDER, "install the package again, or run scripts/make_english_words.py")
    return EnglishWords(arrays["hashes"], arrays["codes"])
