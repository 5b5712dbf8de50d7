"""Emoji, emoticons, arrows and the signs of comparisons and sums, with what they express."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

EMOJI, COMPARISON, ARROW, OPERATION = "emoji", "comparison", "arrow", "operation"
"""Groups of signs; those of different groups are not compared."""


class Sign(NamedTuple):
    """A sign.

    Attributes
    ----------
    group
        One of the groups above.
    name
        Unicode name of the first character, without what tells variants apart; signs of one name say the same.
    polarity
        1 for what is good or affirmed, -1 for what is bad or denied, else 0.
    """

    group: str
    name: str
    polarity: int = 0

    def equals(self, other: "Sign") -> bool:
        """Return whether two signs of one group say the same: one name, or one polarity that is not 0."""
        return self.group == other.group and (self.name == other.name or self.polarity == other.polarity != 0)


_GOOD = (
    "GRINNING|SMIL|TEARS OF JOY|LAUGHING|HEART|THUMBS UP|CHECK MARK|HEAVY CHECK|PARTY|CLAPPING|OK HAND|GREEN CIRCLE|"
    "RAISING BOTH|FACE SAVOURING|FACE THROWING A KISS|KISSING|RELIEVED|STAR-STRUCK|HUGGING|TROPHY|SPARKLES|BALLOON|"
    "SUN WITH|BLACK SUN|WHITE SMILING|SQUARED OK|HUNDRED POINTS|OPEN MOUTH AND TIGHTLY|SMIRKING|FLEXED BICEPS"
)
_BAD = (
    "BROKEN HEART|CRYING|ANGRY|POUTING|THUMBS DOWN|CROSS MARK|FROWN|DISAPPOINTED|PENSIVE|WORRIED|NAUSEATED|NO ENTRY|"
    "SKULL|RED CIRCLE|WEARY|CONFOUNDED|PERSEVERING|FACE WITH OPEN MOUTH VOMITING|FACE SCREAMING|ANGUISHED|FEARFUL|"
    "UNAMUSED|TIRED FACE|IMP|PILE OF POO|PROHIBITED|MULTIPLICATION X|BALLOT X|SYMBOLS COVERING|STEAM FROM NOSE|"
    "NO GOOD|RAIN"
)
_POLARITIES = ((-1, re.compile(rf"\b(?:{_BAD})")), (1, re.compile(rf"\b(?:{_GOOD})")))
_EMOTICONS = {
    1: ":) :-) =) :d :-d ;) ;-) :] ^^ ^_^ xd :p :-p <3 (: :')".split(),
    -1: ":( :-( =( :'( :[ :/ :-/ d: >:( </3 ): :c ;(".split(),
}
_FACES = {face: polarity for polarity, faces in _EMOTICONS.items() for face in faces}
_FACE = re.compile(
    r"(?<![\w:])(?:" + "|".join(sorted(map(re.escape, _FACES), key=len, reverse=True)) + r")(?![\w/(])", re.IGNORECASE
)
_ASCII = re.compile(
    r"(?:(?<=\s)|(?<=[\w)]))(?:[<>!=]=|[<>=])(?=\s?[-+$\d\w(])(?![a-z/][\w-]*>)|(?<=[\d)]\s)[*/+-](?=\s[\d(])|->|<-(?=\s)"
)
_WAYS = ("LEFTWARDS", "RIGHTWARDS", "UPWARDS", "DOWNWARDS")
_NAMES = {
    OPERATION: {"*": "times", "/": "divided", "+": "plus", "-": "minus", "\u00d7": "times", "\u00f7": "divided"},
    COMPARISON: {"<": "<", ">": ">", "\u2264": "<", "\u2265": ">", "<=": "<", ">=": ">", "=": "=", "==": "="}
    | {"!=": "!=", "\u2260": "!=", "\u2248": "="},
    ARROW: {"->": "RIGHTWARDS", "<-": "LEFTWARDS"},
}
_SIGNS = {mark: Sign(group, name) for group, names in _NAMES.items() for mark, name in names.items()}


@lru_cache(1 << 12)
def sign_of(letter: str) -> Sign | None:
    """Return the sign that one character is, or None.

    Examples
    --------
    >>> sign_of("\u2705").polarity, sign_of("\u274c").polarity, sign_of("\u2192").name, sign_of("x")
    (1, -1, 'RIGHTWARDS', None)
    """
    if letter in _SIGNS and not letter.isascii():
        return _SIGNS[letter]
    name = unicodedata.name(letter, "")
    way = next((way for way in _WAYS if way in name), "") if "ARROW" in name else ""
    if way:
        return Sign(ARROW, way)
    if unicodedata.category(letter) != "So" or letter in "\u00b0\u00a9\u00ae" or name.startswith("BOX DRAWINGS"):
        return None
    polarity = next((value for value, pattern in _POLARITIES if pattern.search(name)), 0)
    return Sign(EMOJI, name.removeprefix("HEAVY ").removeprefix("WHITE ").removeprefix("BLACK "), polarity)


def signs_in(text: str) -> list[tuple[int, int, Sign]]:
    """Return the signs of a text in order: start, end and value.

    A sign that is repeated at once counts once; emoji that are neither good nor bad are counted, as three chillies are.
    """
    found: list[tuple[int, int, Sign]] = []
    for match in _FACE.finditer(text):
        polarity = _FACES[match[0].lower()]
        found.append((*match.span(), Sign(EMOJI, "FACE" if polarity > 0 else "SAD FACE", polarity)))
    taken = {place for start, end, _ in found for place in range(start, end)}
    for match in _ASCII.finditer(text):
        if match.start() not in taken:
            found.append((*match.span(), _SIGNS[match[0]]))
    if not text.isascii():
        last, before = None, -2
        for place, letter in enumerate(text):
            sign = None if letter.isascii() or letter.isalnum() else sign_of(letter)
            if sign is None:
                continue
            if sign == last and before >= place - 2:
                start, _, one = found[-1]
                found[-1] = start, place + 1, one if one.polarity else one._replace(name=f"{one.name}, {sign.name}")
            else:
                found.append((place, place + 1, sign))
            last, before = sign, place
    return sorted(found)
