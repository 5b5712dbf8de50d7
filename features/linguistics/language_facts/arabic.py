"""Facts about Arabic: the spelling of its letters, and words without attached letters."""

import re

from ..language import Language

_SIGNS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]")
"""Tatweel and vowel signs."""
_LETTERS = {ord(old): new for old, new in zip("أإآٱىیکة", "ااااييكه", strict=True)}

_PREFIXES = ("وال", "بال", "فال", "كال", "لل", "ال", "و", "ف", "ب", "ل", "ك", "س")
"""Conjunctions, prepositions and the article."""
_VERB_PREFIXES = ("ي", "ت", "ن", "سي", "ست")
"""Persons of verbs."""
_LEAST_REST = 3
"""Least number of letters that remain without a prefix or an ending."""

_FEMININE_ENDINGS = ("تان", "تين", "ات")
_ENDINGS = (*_FEMININE_ENDINGS, "اء", "ان", "ين", "ون", "وا", "ا", "ه", "ن")
"""Endings of numbers, genders, cases and persons; the first that a word has is removed."""
_LEAST_FEMININE = 2


def _spell(text: str) -> str:
    # Alef with hamza, madda or wasla is alef, alef maksura is yeh, and teh marbuta is heh (Larkey et al., 2002).
    return _SIGNS.sub("", text.lower()).translate(_LETTERS)


def bare_forms(word: str) -> list[str]:
    """Return a word, and its possible forms without prefixes and endings.

    Without a conjunction, a preposition or the article also with the article, and without a person also with the letter
    that begins the past tense of some verbs. Without the dual or plural of a feminine with the ending of the singular,
    and without the feminine of a colour also with the first letter of the masculine.
    """
    forms = [word]
    for prefix in (*_PREFIXES, *_VERB_PREFIXES):
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) >= _LEAST_REST:
            forms += [rest, f"{'ال' if prefix in _PREFIXES else 'ا'}{rest}"]
    return [*forms, *(shorter for form in forms for shorter in _without_ending(form))]


def _without_ending(word: str) -> list[str]:
    for ending in _ENDINGS:
        rest, feminine = word.removesuffix(ending), ending in _FEMININE_ENDINGS
        if rest != word and len(rest) >= (_LEAST_FEMININE if feminine else _LEAST_REST):
            return [f"{rest}ه"] if feminine else [rest, f"ا{rest}"] if ending == "اء" else [rest]
    return []


LANGUAGE = Language(
    code="ar",
    code3="ara",
    name="Arabic",
    measured=True,
    stemmer="arabic",
    spell=_spell,
    bare_forms=bare_forms,
    probe="رجل يعزف على الجيتار في الشارع.",
)
