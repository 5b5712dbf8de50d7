"""Which language a text is in: said by the user, or detected among those that were named (Lui and Baldwin, 2012)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH = "en"

NAMES = {ENGLISH: "English", "ar": "Arabic", "es": "Spanish", "tr": "Turkish"}
"""English names by ISO 639-1 codes of the languages that sentences can be compared in."""

SUPPORTED = tuple(NAMES)
"""The codes alone."""

UNKNOWN = "und"
"""What a text is in that is in none of the languages named (ISO 639-2)."""

AUTO = "auto"

MOST_AGAINST = 2.0
"""A text is in no named language if another one is this much more likely, in nats as `py3langid` counts them.

Measured: 0.1 % of 16,500 English, Spanish, Arabic and Turkish sentences of translation and similarity data are lost by
it, 0.3 % of the very short Turkish ones of Tatoeba, and 41 of 45 short sentences in nineteen other languages are found;
what is kept is Azerbaijani taken for Turkish and Galician or Catalan taken for Spanish.
"""

_LETTER = re.compile(r"[^\W\d_]")

_SAID = {said: code for code, name in NAMES.items() for said in (code, name.lower())}
_SAID |= {"eng": ENGLISH, "ara": "ar", "spa": "es", "tur": "tr"}  # ISO 639-3

# As in es-MX, es_ES and es-419 (BCP 47); es-EN are two languages, for there is no country of that code.
_REGION = re.compile(r"(?<=[a-z])[-_](?!EN)([A-Z]{2}|\d{3})(?!\w)")


@dataclass(frozen=True)
class Languages:
    """What is known of the languages of pairs.

    Attributes
    ----------
    candidates
        Each text is in one of these.
    sides
        The languages of the first and of the second text of every pair, where they are known.
    """

    candidates: tuple[str, ...] = SUPPORTED
    sides: tuple[str, str] | None = None

    @classmethod
    def parse(cls, spec: str) -> "Languages":
        """Return what a user says: ``es,en``, any of these; ``es-en``, first and second text; ``auto``, any supported.

        A language is an ISO 639-1 or 639-3 code or an English name, in capitals or not. A region in capitals or digits
        after a code in small letters, as in ``es-MX``, is left out.

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
        said = [name.strip() for name in plain.split(separator)]
        codes = [_SAID.get(name.lower(), "") for name in said]
        if not all(codes) or (separator == "-" and len(codes) != 2):
            unknown = next((name for name, code in zip(said, codes, strict=True) if not code), "")
            what = f"the language {unknown!r} is not known" if unknown else f"{spec!r} is no list of languages"
            raise ValueError(
                f"{what}; the languages are {', '.join(f'{code} {name}' for code, name in NAMES.items())}, written "
                "es,en for texts in any of these, es-en for first texts in the one and second texts in the other, or "
                "auto"
            )
        return cls(tuple(dict.fromkeys(codes)), (codes[0], codes[1]) if separator == "-" else None)

    def __str__(self) -> str:
        """Return what `parse` reads."""
        if self.sides is not None:
            return "-".join(self.sides)
        return AUTO if set(self.candidates) == set(SUPPORTED) else ",".join(self.candidates)

    def of_pairs(self, pairs: Sequence[Sequence[str]]) -> list[tuple[str, str]]:
        """Return the languages of both texts of n pairs."""
        if self.sides is not None:
            return [self.sides] * len(pairs)
        texts = list(dict.fromkeys(text for pair in pairs for text in pair[:2]))
        found = dict(zip(texts, detect(texts, self.candidates), strict=True))
        return [(found[pair[0]], found[pair[1]]) for pair in pairs]


def detect(texts: Sequence[str], candidates: Sequence[str] = SUPPORTED) -> list[str]:
    """Return the language of each text: one of the candidates, or `UNKNOWN`.

    Every text is looked at alone. One without a letter has no language, and counts as the first candidate. The model of
    139 languages is part of the library, so that the same text is in the same language everywhere.

    Parameters
    ----------
    texts
        Normalised texts.
    candidates
        ISO 639-1 codes.

    Raises
    ------
    ValueError
        If there is no candidate.

    Examples
    --------
    >>> detect(["Dos niños están bailando", "Kids are dancing.", "Zwei Kinder tanzen im Garten."])
    ['es', 'en', 'und']
    """
    if len(candidates) == 0:
        raise ValueError("there is no language to detect; name some, such as es,en")
    identifier = _identifier()
    found = []
    for text in texts:
        if not _LETTER.search(text):
            found.append(candidates[0])
            continue
        ranked = identifier.rank(text)
        shares = dict(ranked)
        best = max(candidates, key=lambda code: shares[code])
        against = math.log(ranked[0][1]) - math.log(max(shares[best], 1e-30))
        found.append(best if against < MOST_AGAINST else UNKNOWN)
    return found


@cache
def _identifier() -> "LanguageIdentifier":
    # Reading its model takes 0.4 s, which no run without other languages pays.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


def languages_folder() -> Path:
    """Return the folder with the encoders and profiles of other languages: the distribution ``samewise-languages``.

    Where that is not installed, a folder of this package, which is empty unless something was made there.
    """
    found = find_spec("samewise_languages")
    places = found.submodule_search_locations if found is not None else None
    return Path(places[0]) if places else Path(__file__).parents[1] / "data" / "languages"
