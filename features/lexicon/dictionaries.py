"""Dictionaries into English, one word for each word of a language, learned from translated sentences."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np

from ..linguistics.stems import bare_forms, stem
from ..word_cache import cached_by_word
from .mapped_arrays import map_arrays
from .word_list import WordList

HERE = Path(__file__).parents[1] / "data" / "dictionaries"

LEAST_PREFIX = 4
"""Least number of letters that an unlisted word shares with the listed word that stands for it."""

_CACHED_WORDS = 1 << 14


class Dictionary:
    """English words by words of a language.

    Parameters
    ----------
    words
        Words in the spelling of `normalise_text`, packed by `word_list.pack_words`; a stem that is not a word begins
        with ``#``.
    english
        An English word for each, one a line, as uint8; empty for a word that mostly has no counterpart.
    language
        ISO 639-1 code.
    digest
        Hex digest of the content.
    """

    def __init__(self, words: np.ndarray, english: np.ndarray, language: str, digest: str = "") -> None:
        self._words, self._english = WordList(words), english.tobytes().decode().split("\n")
        if len(self._words) != len(self._english):
            raise ValueError(
                f"a dictionary must have an English word for each word, got {len(self._english)} for "
                f"{len(self._words)}; "
                "make it again"
            )
        self.language, self.digest = language, digest
        self.english = cached_by_word(_CACHED_WORDS)(self._find)

    def __len__(self) -> int:
        """Return the number of words and stems."""
        return len(self._words)

    def entries(self) -> Iterator[tuple[str, str]]:
        """Yield the words that have an English word, without the stems, each with its English word."""
        for place, english in enumerate(self._english):
            word = self._words[place]
            if english and not word.startswith("#"):
                yield word, english

    def _find(self, word: str) -> str:
        """Return the English word for a word, its stem or its longest listed part; else the word itself."""
        forms = []
        for form in bare_forms(word, self.language):
            root = stem(form, self.language)
            forms += [form, f"#{root}", root]
        for end in range(min(len(word) - 1, self._words.longest), LEAST_PREFIX - 1, -1):
            forms += [word[:end], f"#{word[:end]}"]
        for form in forms:
            place = self._words.find(form)
            if place >= 0:
                return self._english[place]
        return word


def dictionary_languages() -> tuple[str, ...]:
    """Return the codes of the languages with a shipped dictionary, sorted."""
    return tuple(sorted(path.parent.name for path in HERE.glob("*/manifest.json")))


@cache
def dictionary(language: str) -> Dictionary:
    """Return the dictionary of a language that ships with the package, checked against its manifest.

    Raises
    ------
    ValueError
        If the language has no dictionary, or a file is missing, cut or changed.
    """
    if language not in dictionary_languages():
        raise ValueError(
            f"the language of a dictionary must be one of {', '.join(dictionary_languages())}, got {language!r}; "
            "name another translator"
        )
    mapped = map_arrays(HERE / language, "install samewise again, or make it again")
    return Dictionary(mapped.arrays["words"], mapped.arrays["english"], language, mapped.digest)
