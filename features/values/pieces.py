"""Pieces of the tokens of a sentence: numbers, words and marks, so that "24V", "10-mile" and "5kg." can be read."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from ..linguistics.normalisation import ascii_digits

MARGIN = 8
"""Pieces that may be looked at beyond either end of a sentence."""

LONGEST = 24
"""Characters of a token that is cut into pieces; longer tokens are names."""


class Piece(NamedTuple):
    """Part of a token.

    Attributes
    ----------
    text
        In lower case, with ASCII digits.
    number
        Value of a piece of digits; None for words and marks.
    glued
        Whether it touches the piece before it in the same token.
    capital
        Whether its token begins with a capital letter.
    begins, dates
        Whether an amount, or a date, may begin with it.
    """

    text: str
    number: float | None
    glued: bool
    capital: bool
    begins: bool = False
    dates: bool = False


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
_WHOLE = frozenset({"a.m.", "p.m.", "a.m", "p.m", "'s", "o'clock"})


def pieces_of(token: str) -> tuple[Piece, ...]:
    """Return the pieces of a token."""
    low = ascii_digits(token).lower()
    capital = token[:1].isupper()
    if low in _WHOLE or len(low) > LONGEST:
        return (Piece(low, None, False, capital),)
    low = low.rstrip(".") or low
    if low.isalpha():
        return (Piece(low, None, False, capital),)
    found: list[Piece] = []
    end = 0
    for match in _PARTS.finditer(low):
        text, glued = match[0], bool(found) and match.start() == end
        end = match.end()
        found.append(Piece(text, _value(text), glued, capital))
    return tuple(found) or (Piece(low, None, False, capital),)


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


NOTHING = Piece("", None, False, False)
"""Piece that stands before the first and after the last of a sentence."""

_TAKEN = (Piece("\0", None, False, False),)


_EDGE = (NOTHING,) * MARGIN


class Pieces(list[Piece]):
    """Pieces of a sentence, with `MARGIN` times `NOTHING` before the first and after the last.

    Parameters
    ----------
    tokens
        Tokens of the sentence, as written.
    cut
        Pieces of each token.
    taken
        Places of tokens that are read otherwise; each is one piece that says nothing.

    Attributes
    ----------
    place
        Place of the token of each piece; -1 for `NOTHING`.
    amounts, dates
        Places in this list of the pieces with which an amount, or a date, may begin.
    """

    def __init__(
        self, tokens: Sequence[str], cut: Mapping[str, tuple[Piece, ...]], taken: Collection[int] = ()
    ) -> None:
        found = [cut[token] for token in tokens]
        for place in taken:
            found[place] = _TAKEN
        inner = [piece for pieces in found for piece in pieces]
        super().__init__([*_EDGE, *inner, *_EDGE])
        edge = [-1] * MARGIN
        if len(inner) == len(tokens):
            self.place = [*edge, *range(len(tokens)), *edge]
        else:
            self.place = [*edge, *(place for place, pieces in enumerate(found) for _ in pieces), *edge]
        self.amounts = [k for k, piece in enumerate(self) if piece.begins]
        self.dates = [k for k, piece in enumerate(self) if piece.dates]

    def texts(self, start: int, stop: int) -> tuple[str, ...]:
        """Return the texts of a run of pieces."""
        return tuple([piece.text for piece in self[start:stop]])

    def places(self, start: int, stop: int) -> tuple[int, ...]:
        """Return the distinct places of the tokens of a run of pieces, at least one of them of the sentence."""
        if stop == start + 1:
            return (self.place[start],)
        return tuple(sorted({place for place in self.place[start:stop] if place >= 0}))
