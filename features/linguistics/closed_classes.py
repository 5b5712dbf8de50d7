"""Closed-class words of a language: numbers, months, units, negations, modals, question words, and their English.

One file of `data/closed_classes` is one language. A line is ``English: word|word|…``. A section in brackets is the
Penn Treebank tag of its English words, or one of these:

- ``numbers`` and ``ordinals``, whose English is a number;
- ``before hour`` and ``after hour``, whose English is the minutes past or to the hour after or before them;
- ``opposites``: words of open classes; they keep their own spelling, and have the English word as a lemma;
- ``patterns``: a regular expression of a whole word in lower case, whose first group remains after the English word.

``…`` in a phrase stands for up to four words, and the English word for its last one. Lines before the first section,
and those of the section ``facts``, are facts about spelling.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from .normalisation import normalise_text
from .stems import stem

FOLDER = Path(__file__).parents[1] / "data" / "closed_classes"

MADE = "# Below: from CLDR and num2words, by scripts/make_closed_classes.py."
"""Line above what a script writes; what stands above it is written by hand."""

GAP = "…"
_MOST_BETWEEN = 4
_LONGEST_NUMBER = 80
_TAG = {"numbers": "CD", "ordinals": "JJ"}
_WORD = re.compile(r"\w+|[^\w\s]")


class Gloss(NamedTuple):
    """English words that stand for a word or phrase.

    Attributes
    ----------
    english
        The words, in order; none for a word that English leaves out.
    tag
        Their Penn Treebank tag.
    section
        Section of the file.
    """

    english: tuple[str, ...]
    tag: str
    section: str


class Match(NamedTuple):
    """A gloss of the words up to `stop`, and those between them that it does not stand for."""

    stop: int
    gloss: Gloss
    skipped: range


class ClosedClasses:
    """Closed-class words of one language.

    Attributes
    ----------
    facts
        Facts about spelling, as lists of words by name.
    """

    def __init__(self, text: str, language: str) -> None:
        self.language = language
        self.facts: dict[str, tuple[str, ...]] = {}
        self.patterns: list[tuple[re.Pattern[str], Gloss]] = []
        self._phrases: dict[str, list[tuple[tuple[str, ...], Gloss]]] = {}
        self._stems: dict[str, Gloss] = {}
        section = ""
        for line in text.splitlines():
            if line.startswith("["):
                section = line.strip("[]")
            elif line.strip() and not line.startswith("#"):
                english, _, words = line.partition(":")
                self._add(section, english.strip(), words.strip())
        for of_word in self._phrases.values():
            of_word.sort(key=lambda one: -len(one[0]))

    def _add(self, section: str, english: str, words: str) -> None:
        if section in ("", "facts"):
            self.facts[english] = tuple(words.split())
            return
        gloss = Gloss(tuple(english.replace("_", " ").split()), _TAG.get(section, section), section)
        if section == "patterns":
            self.patterns.append((re.compile(words), gloss))
            return
        for phrase in words.split("|"):
            parts = tuple(self.words_of(phrase))
            self._phrases.setdefault(parts[0], []).append((parts, gloss))
            if section == "opposites" and len(parts) == 1:
                self._stems.setdefault(stem(parts[0], self.language), gloss)

    def words_of(self, text: str) -> Iterator[str]:
        """Yield the words of a text as they are looked up."""
        for word in _WORD.findall(text):
            yield word if word == GAP else normalise_text(word, self.language).strip()

    @property
    def english(self) -> frozenset[str]:
        """All English words that stand for a word or phrase."""
        glosses = (gloss for phrases in self._phrases.values() for _, gloss in phrases)
        return frozenset(word for gloss in glosses for word in gloss.english)

    def number_parts(self, word: str) -> list[str]:
        """Return the two or more number words that a word is made of, as in German; none if it is not."""
        if "glued numbers" not in self.facts or not 5 <= len(word) <= _LONGEST_NUMBER or any(self._numbers(word)):
            return []
        return self._parts(word)

    def _parts(self, word: str) -> list[str]:
        # The longest number word first, unless the rest is none: "cento" in "centotto".
        for end in range(len(word), 1, -1):
            if any(self._numbers(word[:end])):
                rest = word[end:]
                if not rest:
                    return [word]
                joiner = next((one for one in self.facts.get("joiners", ()) if rest.startswith(one)), "")
                if following := self._parts(rest[len(joiner) :]) or (self._parts(rest) if joiner else []):
                    return [word[:end], *following]
        return []

    def _numbers(self, word: str) -> Iterator[bool]:
        return (True for parts, gloss in self._phrases.get(word, ()) if parts == (word,) and gloss.section == "numbers")

    def knows(self, word: str) -> bool:
        """Return whether a word begins a phrase that is no opposite."""
        return any(gloss.section != "opposites" for _, gloss in self._phrases.get(word, ()))

    def match(self, words: Sequence[str], start: int) -> Match | None:
        """Return the gloss of the longest phrase that starts at a place; None if there is none."""
        for form in self._forms(words[start]):
            for parts, gloss in self._phrases.get(form, ()):
                stop = _end(parts, words, start)
                if stop:
                    gap = parts.index(GAP) if GAP in parts else 0
                    skipped = range(start + gap, stop - len(parts) + gap + 1) if gap else range(0)
                    return Match(stop, gloss, skipped)
        return None

    def of_pattern(self, word: str) -> tuple[Gloss, str] | None:
        """Return the gloss that a word has inside it, and the rest of the word."""
        for pattern, gloss in self.patterns:
            if found := pattern.fullmatch(word):
                return gloss, "".join(part or "" for part in found.groups())
        return None

    def opposite(self, word: str) -> Gloss | None:
        """Return the gloss of a word of the section ``opposites``, by its stem."""
        return self._stems.get(stem(word, self.language))

    def _forms(self, word: str) -> Iterator[str]:
        # The word, and the word without an ending if it is long enough.
        yield word
        for ending in self.facts.get("endings", ()):
            bare = word.removesuffix(ending)
            if (
                bare != word
                and len(bare) > 2
                and any(gloss.section in _INFLECTED for parts, gloss in self._phrases.get(bare, ()) if len(parts) == 1)
            ):
                yield bare


_INFLECTED = frozenset({"numbers", "ordinals", "NN", "NNP", "JJ"})


def _end(parts: tuple[str, ...], words: Sequence[str], start: int) -> int:
    # The place after a phrase that starts at a place; 0 if it does not.
    if GAP not in parts:
        stop = start + len(parts)
        return stop if len(parts) == 1 or tuple(words[start + 1 : stop]) == parts[1:] else 0
    gap = parts.index(GAP)
    head, tail = parts[:gap], parts[gap + 1 :]
    if tuple(words[start + 1 : start + gap]) != head[1:]:
        return 0
    first = start + gap
    for place in range(first, min(first + _MOST_BETWEEN + 1, len(words))):
        if tuple(words[place : place + len(tail)]) == tail:
            return place + len(tail)
        if not words[place][:1].isalnum():
            return 0
    return 0


@cache
def closed_class_languages() -> tuple[str, ...]:
    """Return the codes of the languages that have a file, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


@cache
def closed_classes(language: str) -> ClosedClasses:
    """Return the closed-class words of a language that has a file.

    Raises
    ------
    ValueError
        If the language has none.
    """
    if language not in closed_class_languages():
        raise ValueError(
            f"a language with closed-class words must be one of {', '.join(closed_class_languages())}, got "
            f"{language!r}; add a file to features/data/closed_classes"
        )
    return ClosedClasses((FOLDER / f"{language}.txt").read_text(encoding="utf-8"), language)


def has_free_word_order(language: str) -> bool:
    """Return whether the order of words says little about their roles, as the file of a language tells."""
    return language in closed_class_languages() and "free word order" in closed_classes(language).facts
