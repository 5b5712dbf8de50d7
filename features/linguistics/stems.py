"""Stems of words by language, and what an Arabic word holds without the letters that are written to it."""

from functools import cache

import Stemmer

STEMMERS = {"ar": "arabic", "en": "english", "es": "spanish", "tr": "turkish"}
"""Algorithms of Snowball (Porter, 2001) by ISO 639-1 code."""

_PREFIXES = ("وال", "بال", "فال", "كال", "لل", "ال", "و", "ف", "ب", "ل", "ك", "س")
_VERB_PREFIXES = ("ي", "ت", "ن", "سي", "ست")
_LEAST_REST = 3
"""An Arabic word may begin with a conjunction, a preposition, the article or a person, if so many letters are left."""

_FEMININE_ENDINGS = ("تان", "تين", "ات")
_ENDINGS = (*_FEMININE_ENDINGS, "اء", "ان", "ين", "ون", "وا", "ا", "ه", "ن")
"""Of numbers, genders, cases and persons; the first that an Arabic word has is taken off."""
_LEAST_FEMININE = 2


@cache
def _stemmer(language: str) -> Stemmer.Stemmer:
    return Stemmer.Stemmer(STEMMERS[language])


def stem(word: str, language: str) -> str:
    """Return the stem of a word; the word itself in a language without a stemmer."""
    return str(_stemmer(language).stemWord(word)) if language in STEMMERS else word


def bare_forms(word: str, language: str) -> list[str]:
    """Return an Arabic word and what it may be without its first and last letters; any other word alone.

    After a conjunction, a preposition or the article also with the article, and after a person also with the letter
    that begins the past tense of some verbs. Before the dual or plural of a feminine with the ending of the singular,
    and before the feminine of a colour also with the first letter of the masculine.

    Examples
    --------
    >>> bare_forms("house", "en")
    ['house']
    """
    if language != "ar":
        return [word]
    found = [word]
    for prefix in (*_PREFIXES, *_VERB_PREFIXES):
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= _LEAST_REST:
            found += [rest, f"{'ال' if prefix in _PREFIXES else 'ا'}{rest}"]
    return [*found, *(other for form in found for other in _without_ending(form))]


def _without_ending(word: str) -> list[str]:
    for ending in _ENDINGS:
        rest, feminine = word.removesuffix(ending), ending in _FEMININE_ENDINGS
        if rest != word and len(rest) >= (_LEAST_FEMININE if feminine else _LEAST_REST):
            return [f"{rest}ه"] if feminine else [rest, f"ا{rest}"] if ending == "اء" else [rest]
    return []


def stems(word: str, language: str) -> list[str]:
    """Return the distinct stems of a word and of its `bare_forms`; none in a language without a stemmer."""
    if language not in STEMMERS:
        return []
    return list(dict.fromkeys(stem(form, language) for form in bare_forms(word, language)))
