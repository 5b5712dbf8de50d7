"""Languages of texts: as the user names them, or detected among those named (Lui and Baldwin, 2012)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from .known_languages import LANGUAGES
from .language import ENGLISH

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

__all__ = ["ENGLISH", "SUPPORTED", "UNKNOWN", "Languages", "detect", "languages_folder"]

SUPPORTED = tuple(LANGUAGES)
"""ISO 639-1 codes of the languages that sentences can be compared in."""

UNKNOWN = "und"
"""Code of the language of a text in none of the languages named (ISO 639-2)."""

AUTO = "auto"

MOST_AGAINST = 2.0
"""Least advantage, in nats of `py3langid`, of another language over those named: the text is in none of them.

Measured: it loses 0.1 % of 16,500 English, Spanish, Arabic and Turkish sentences of translation and similarity data,
and 0.3 % of the very short Turkish ones of Tatoeba. It finds 41 of 45 short sentences in nineteen other languages; the
rest are Azerbaijani taken for Turkish, and Galician or Catalan taken for Spanish.
"""

_LETTER = re.compile(r"[^\W\d_]")

_CODE_OF_NAME = {
    name: language.code
    for language in LANGUAGES.values()
    for name in (language.code, language.code3, language.name.lower())
}

# As in es-MX, es_ES and es-419 (BCP 47); es-EN are two languages, because no country has the code EN.
_REGION = re.compile(r"(?<=[a-z])[-_](?!EN)([A-Z]{2}|\d{3})(?!\w)")


@dataclass(frozen=True)
class Languages:
    """Languages of pairs, as far as they are known.

    Attributes
    ----------
    candidates
        Codes of the languages that a text may be in.
    sides
        Codes of the languages of the first and of the second text of every pair; None if they are not known.
    """

    candidates: tuple[str, ...] = SUPPORTED
    sides: tuple[str, str] | None = None

    @classmethod
    def parse(cls, spec: str) -> "Languages":
        """Return the languages of a specification.

        ``es,en`` stands for texts in any of these, ``es-en`` for the languages of first and second texts, ``auto`` for
        any supported language. A language is an ISO 639-1 or 639-3 code or an English name, in capitals or not. A
        region in capitals or digits after a code in small letters, as in ``es-MX``, is ignored.

        Raises
        ------
        ValueError
            If a language is not supported, or none is named.

        Examples
        --------
        >>> Languages.parse("es-en").sides
        ('es', 'en')
        >>> Languages.parse("es-MX,Turkish").candidates
        ('es', 'tr')
        """
        spec = spec.strip()
        if spec.lower() == AUTO:
            return cls()
        plain = _REGION.sub("", spec)
        separator = "-" if "-" in plain else ","
        names = [name.strip() for name in plain.split(separator)]
        unknown = [name for name in names if name and name.lower() not in _CODE_OF_NAME]
        supported = ", ".join(f"{language.code} {language.name}" for language in LANGUAGES.values())
        if unknown:
            raise ValueError(f"a language must be one of {supported}, got {unknown[0]!r}; docs/extending.md adds one")
        if not all(names) or (separator == "-" and len(names) != 2):
            raise ValueError(
                f"languages must be written es,en (each text in either), es-en (first texts in es, second ones in en) "
                f"or auto, got {spec!r}; the languages are {supported}"
            )
        codes = [_CODE_OF_NAME[name.lower()] for name in names]
        return cls(tuple(dict.fromkeys(codes)), (codes[0], codes[1]) if separator == "-" else None)

    @property
    def readable(self) -> tuple[str, ...]:
        """Codes of the languages that an English text may be beside: with English, unless both sides are known."""
        return self.candidates if self.sides is not None else tuple(dict.fromkeys((*self.candidates, ENGLISH)))

    def __str__(self) -> str:
        """Return a specification that `parse` reads."""
        if self.sides is not None:
            return "-".join(self.sides)
        return AUTO if set(self.candidates) == set(SUPPORTED) else ",".join(self.candidates)

    def of_pairs(self, pairs: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
        """Return the languages of both texts of n pairs."""
        if self.sides is not None:
            return [self.sides] * len(pairs)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair[:2]))
        language_of = dict(zip(texts, detect(texts, self.candidates), strict=True))
        return [(language_of[pair[0]], language_of[pair[1]]) for pair in pairs]


def detect(
    texts: Sequence[str], candidates: Sequence[str] = SUPPORTED, most_against: float = MOST_AGAINST
) -> list[str]:
    """Return the language of each text: one of the candidates, or `UNKNOWN`.

    Each text is detected alone; a text without a letter counts as the first candidate. The model of 139 languages is
    part of the library, so that the same text is in the same language everywhere.

    Parameters
    ----------
    texts
        Normalised texts.
    candidates
        ISO 639-1 codes.
    most_against
        Advantage in nats of another language over the likeliest candidate from which a text is in no candidate
        language.

    Raises
    ------
    ValueError
        If `candidates` is empty.

    Examples
    --------
    >>> detect(["Dos niños están bailando", "Kids are dancing.", "Twee kinderen dansen in de tuin."])
    ['es', 'en', 'und']
    """
    if len(candidates) == 0:
        raise ValueError("the candidates must be at least one language, got none; name some, such as es,en")
    identifier = _identifier()
    languages = []
    for text in texts:
        if not _LETTER.search(text):
            languages.append(candidates[0])
            continue
        ranked = identifier.rank(text)
        shares = dict(ranked)
        best = max(candidates, key=lambda code: shares[code])
        against = math.log(ranked[0][1]) - math.log(max(shares[best], 1e-30))
        languages.append(best if against < most_against else UNKNOWN)
    return languages


@cache
def _identifier() -> "LanguageIdentifier":
    # Reading its model takes 0.4 s, which runs in English alone do not need.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def languages_folder() -> Path:
    """Return the folder with the encoder and profiles of other languages: the distribution ``samewise-languages``.

    If it is not installed, a folder of this package, which is empty unless something was made there.
    """
    spec = find_spec("samewise_languages")
    places = spec.submodule_search_locations if spec is not None else None
    return Path(places[0]) if places else Path(__file__).parents[1] / "data" / "languages"
