"""Which language a text is in: said by the user, or detected among those that were named (Lui and Baldwin, 2012)."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

ENGLISH = "en"

SUPPORTED = (ENGLISH, "ar", "es", "tr")
"""ISO 639-1 codes of the languages that sentences can be compared in."""

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

        Raises
        ------
        ValueError
            If a language is not supported.

        Examples
        --------
        >>> Languages.parse("es-en").sides
        ('es', 'en')
        """
        spec = spec.strip().lower()
        if spec == AUTO:
            return cls()
        separator = "-" if "-" in spec else ","
        names = tuple(name.strip() for name in spec.split(separator))
        unknown = [name for name in names if name not in SUPPORTED]
        if unknown or (separator == "-" and len(names) != 2):
            what = f"the language {unknown[0]!r}" if unknown else f"{spec!r}"
            raise ValueError(
                f"{what} is not known; the languages are {', '.join(SUPPORTED)}, written es,en for texts in any of "
                "these, es-en for first texts in the one and second texts in the other, or auto"
            )
        candidates = tuple(dict.fromkeys(names))
        return cls(candidates, (names[0], names[1]) if separator == "-" else None)

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
