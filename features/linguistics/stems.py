"""Stems of words by language, and words without the letters that their script attaches to them."""

from collections.abc import Callable
from functools import cache

import Stemmer

from .known_languages import LANGUAGES


def stem_function(language: str) -> Callable[[str], str]:
    """Return the function that stems a word; it returns the word itself in a language without a stemmer."""
    facts = LANGUAGES.get(language)
    if facts is None or facts.stemmer is None:
        return str
    stem_word: Callable[[str], str] = _stemmer(facts.stemmer).stemWord
    return stem_word


@cache
def _stemmer(algorithm: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(algorithm)


def stem(word: str, language: str) -> str:
    """Return the stem of a word; the word itself in a language without a stemmer."""
    return stem_function(language)(word)


def bare_forms(word: str, language: str) -> list[str]:
    """Return a word, and its possible forms without attached letters, as in Arabic; see `Language.bare_forms`.

    Examples
    --------
    >>> bare_forms("house", "en")
    ['house']
    """
    return LANGUAGES[language].bare_forms(word) if language in LANGUAGES else [word]


def stems(word: str, language: str) -> list[str]:
    """Return the distinct stems of a word and of its `bare_forms`; none in a language without a stemmer."""
    if language not in LANGUAGES or LANGUAGES[language].stemmer is None:
        return []
    return list(dict.fromkeys(stem(form, language) for form in bare_forms(word, language)))
