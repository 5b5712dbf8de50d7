"""Facts that a file of `language_facts` declares about one language."""

from collections.abc import Callable
from dataclasses import dataclass

ENGLISH = "en"


def _word_alone(word: str) -> list[str]:
    return [word]


@dataclass(frozen=True)
class Language:
    """Facts about one language; `code` and `name` suffice for a language without peculiarities.

    Attributes
    ----------
    code, code3
        ISO 639-1 and ISO 639-3 codes.
    name
        English name.
    stemmer
        Snowball algorithm (Porter, 2001); None for a language without one, whose words are their own stems.
    spell
        Function that puts a text into lower case with one spelling of each letter; `normalise_text` calls it.
    bare_forms
        Function that returns a word, and the word without attached parts such as articles.
    apertium
        Code of the language in the translation pairs of Apertium; None for a language that is not translated by it.
    measured
        Whether scores in the language were compared with those of people; pairs in others are flagged.
    probe
        A sentence that means ``A man is playing the guitar in the street.``, whose score shows whether two machines
        agree; None to leave the language out of the probe.
    """

    code: str
    code3: str
    name: str
    stemmer: str | None = None
    spell: Callable[[str], str] = str.lower
    bare_forms: Callable[[str], list[str]] = _word_alone
    apertium: str | None = None
    measured: bool = False
    probe: str | None = None
