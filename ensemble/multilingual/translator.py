"""Contract of a translator, and the one that reads a dictionary."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Protocol
from unicodedata import normalize

from ...features.lexicon.dictionaries import dictionary, dictionary_languages
from ...features.linguistics.languages import ENGLISH
from ...features.linguistics.normalisation import split_text


class Translator(Protocol):
    """Translator of texts from one language into another."""

    @property
    def name(self) -> str:
        """Name and version, for the signature of a model that uses it."""
        ...

    def covers(self, source: str, target: str) -> bool:
        """Return whether the translator covers a direction."""
        ...

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the translations of texts, in order; empty where there is none."""
        ...


_NO_BLANK = frozenset(".,;:?!)")


class DictionaryTranslator:
    """Translator that replaces each word by its most likely English word."""

    @cached_property
    def name(self) -> str:
        """``dictionary`` and the digests of those that ship."""
        return " ".join(["dictionary", *(dictionary(language).digest[:8] for language in dictionary_languages())])

    def covers(self, source: str, target: str) -> bool:
        """Return whether the translator covers a direction."""
        return target == ENGLISH and source in dictionary_languages()

    def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Return the texts in English words, in order."""
        words = dictionary(source)
        return [_sentence([_word(words.english, word.text) for word in split_text(text, source)]) for text in texts]


def _word(english: Callable[[str], str], word: str) -> str:
    if not any(map(str.isalpha, word)):
        return word
    translation = english(word)
    # Words in letters that English does not have mislead a model of English; Arabic names are lost with them.
    latin = translation.isascii() or normalize("NFD", translation)[:1].isascii()
    return translation if latin else ""


def _sentence(words: list[str]) -> str:
    text = ""
    for word in filter(None, words):
        text += word if not text or word in _NO_BLANK else f" {word}"
    return text[:1].upper() + text[1:]
