"""Pieces of the tokens of a sentence: numbers, words and marks, so that "24V", "10-mile" and "5kg." can be read."""

import re
import unicodedata
from collections.abc import Collection, Sequence
from typing import NamedTuple

from ..base.caches import cached_by_word

TAKEN = "\0"
"""Text of a piece that is read otherwise."""

LONGEST = 24
"""Characters of a token that is cut into pieces; longer tokens are names."""


class Piece(NamedTuple):
    """Part of a token.

    Attributes
    ----------
    text
        In lower case, with ASCII digits.
    place
        Place of its token.
    number
        Value of a piece of digits; None for words and marks.
    glued
        Whether it touches the piece before it in the same token.
    capital
        Whether its token begins with a capital letter.
    """

    text: str
    place: int
    number: float | None
    glued: bool
    capital: bool


_PARTS = re.compile(
    r"""
    \d{1,2}:\d{2}(?::\d{2})?(?!\d)
    | \d{4}[-/.]\d{1,2}[-/.]\d{1,2}(?!\d) | \d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})(?![\d.])
    | \d+(?:\.\d+){2,}
    | \d+/\d+(?![\d/])
    | \d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d) | \d+(?:[.,]\d+)? | \.\d+
    | [^\W\d_]+/[^\W\d_]+ | [^\W\d_]+(?:'[^\W\d_]+)?\d?(?!\d) | [^\W\d_]+ | °[cf]\b | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_FRACTION = re.compile(r"(\d{1,4})/(\d{1,4})")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"))
_WHOLE = frozenset({"a.m.", "p.m.", "a.m", "p.m", "'s", "o'clock"})


def plain(text: str) -> str:
    """Return a text with ASCII digits and hyphens, and one spelling of wide letters, fractions and units.

    Examples
    --------
    >>> plain("２½ km²"), plain("\u221210 ℃")
    ('2 1/2 km2', '-10 °C')
    """
    if text.isascii():
        return text
    spaced = "".join(
        f" {unicodedata.normalize('NFKC', letter).replace(chr(0x2044), '/')}"
        if unicodedata.decomposition(letter).startswith("<fraction>")
        else letter
        for letter in text
    )
    wide = unicodedata.normalize("NFKC", spaced).translate(_DASHES)
    return "".join(str(unicodedata.decimal(letter, letter)) for letter in wide).strip()


@cached_by_word(1 << 15)
def _cut(token: str) -> tuple[tuple[str, float | None, bool], ...]:
    # Text, value and whether it touches the piece before.
    low = plain(token).lower()
    if low in _WHOLE or len(low) > LONGEST:
        return ((low, None, False),)
    low = low if len(low) == 1 else low.rstrip(".")
    if low.isalpha():
        return ((low, None, False),)
    found: list[tuple[str, float | None, bool]] = []
    end = 0
    for match in _PARTS.finditer(low):
        text, glued = match[0], bool(found) and match.start() == end
        end = match.end()
        found.append((text, _value(text), glued))
    return tuple(found) or ((low, None, False),)


def _value(text: str) -> float | None:
    if not (text[0].isdigit() or text[0] == "."):
        return None
    if fraction := _FRACTION.fullmatch(text):
        below = int(fraction[2])
        return int(fraction[1]) / below if below else None
    if not _NUMBER.fullmatch(text):
        return None
    # A comma before three digits parts thousands; before others it is a decimal point, as in "0,75".
    head, comma, tail = text.rpartition(",")
    decimal = bool(comma) and "." not in text and "," not in head and len(tail) != 3
    return float(text.replace(",", "." if decimal else ""))


def pieces_of(tokens: Sequence[str], taken: Collection[int] = ()) -> list[Piece]:
    """Return the pieces of all tokens, in order; a token whose place is taken is one piece that says nothing."""
    found = []
    for place, token in enumerate(tokens):
        capital = token[:1].isupper()
        if place in taken:
            found.append(Piece(TAKEN, place, None, False, False))
            continue
        if token.isalpha() and token.isascii():
            found.append(Piece(token.lower(), place, None, False, capital))
            continue
        for text, number, glued in _cut(token):
            found.append(Piece(text, place, number, glued, capital))
    return found


NOTHING = Piece("", -1, None, False, False)
"""What stands before the first piece and after the last."""


class Pieces(Sequence[Piece]):
    """Pieces of a sentence; any place outside has `NOTHING`."""

    def __init__(self, tokens: Sequence[str], taken: Collection[int] = ()) -> None:
        self._pieces = pieces_of(tokens, taken)

    def __len__(self) -> int:
        return len(self._pieces)

    def __getitem__(self, i: int) -> Piece:  # type: ignore[override]
        return self._pieces[i] if 0 <= i < len(self._pieces) else NOTHING

    def texts(self, start: int, stop: int) -> tuple[str, ...]:
        """Return the texts of a run of pieces, "" outside."""
        return tuple(self[i].text for i in range(start, stop))

    def places(self, start: int, stop: int) -> tuple[int, ...]:
        """Return the distinct places of the tokens of a run of pieces."""
        return tuple(sorted({self[i].place for i in range(max(start, 0), min(stop, len(self._pieces)))}))
