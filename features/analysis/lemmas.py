"""Lemmas by word and tag from learned tables: listed words, and edits of word endings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any


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
