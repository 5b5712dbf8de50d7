"""Numbers in digits, words and Roman numerals, fractions and ordinals, read from pieces of tokens."""

import re
from functools import lru_cache
from typing import NamedTuple

from .pieces import Piece, Pieces

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
WORDS = {word: float(value) for value, word in enumerate(_ONES)}
"""Values of the words for numbers below twenty and of the tens."""
WORDS |= {word: 10.0 * value for value, word in enumerate(_TENS, 2)}
SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
"""Values of the words that multiply the number before them."""
SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
"""Endings of amounts of money that multiply them, as in "$5k"."""

_FIRST = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
_TEENTH = [f"{word}th" for word in _ONES[13:]]
ORDINALS = {word: float(value) for value, word in enumerate([*_FIRST, *_TEENTH], 1)} | {
    f"{word[:-1]}ieth": 10.0 * value for value, word in enumerate(_TENS, 2)
}
"""Values of ordinal words."""

PARTS = {"half": 2, "halves": 2, "quarter": 4, "quarters": 4} | {
    name: int(value) for word, value in ORDINALS.items() if 3 <= value <= 10 for name in (word, f"{word}s")
}
"""Number of parts in a whole of the words for one part, or several."""
_ROMAN = re.compile(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})")
_ENDINGS = frozenset({"st", "nd", "rd", "th"})
BEFORE_ROMAN = frozenset(
    "chapter part volume book act scene phase section article appendix annex grade stage class level group type".split()
)
"""Words after which one capital letter I, V or X is a number."""


class Number(NamedTuple):
    """A number and the pieces ``[start, stop)`` that say it."""

    value: float
    start: int
    stop: int
    share: bool = False  # a part of a whole: "half", "two thirds", "one in five"
    digits: bool = False  # whether its last piece is of digits, so that a letter after it may be a unit


def number_at(pieces: Pieces, i: int) -> Number | None:
    """Return the cardinal number that starts at a piece, or None."""
    text = pieces[i].text
    if text in ("a", "an", "half"):
        return _with_article(pieces, i)
    if pieces[i].number is not None:
        return _from_digits(pieces, i)
    if text not in WORDS and text not in SCALES and text != "dozen":
        return None
    number = _fraction(pieces, i) or _in_words(pieces, i)
    return None if text == "one" and number.stop == i + 1 and _is_pronoun(pieces, i) else number


def _from_digits(pieces: Pieces, i: int) -> Number | None:
    value = pieces[i].number
    assert value is not None
    if pieces[i + 1].glued and pieces[i + 1].text in _ENDINGS:
        return None
    stop, digits = i + 1, True
    if value == int(value) and "/" in pieces[stop].text and pieces[stop].number is not None:
        value, stop = value + (pieces[stop].number or 0.0), stop + 1  # "2 1/2"
    word = pieces[stop].text
    if word in SCALES and not pieces[stop].glued:
        while pieces[stop].text in SCALES:
            value, stop = value * SCALES[pieces[stop].text], stop + 1
        digits = False
    elif word == "dozen":
        value, stop, digits = value * 12, stop + 1, False
    return Number(value, i, stop, digits=digits)


def _in_words(pieces: Pieces, i: int) -> Number:
    text = pieces[i].text
    if text == "dozen":
        return Number(12.0, i, i + 1)
    total, run, stop = 0.0, WORDS.get(text, SCALES.get(text, 0.0)), i + 1
    while True:
        word, before = pieces[stop].text, pieces[stop - 1].text
        after = pieces[stop + 1].text
        if word == "-" and before in WORDS and 20 <= run % 100 <= 90 and 1 <= WORDS.get(after, 0) <= 9:
            stop += 1
        elif word in SCALES:
            run *= SCALES[word]
            if word != "hundred":
                total, run = total + run, 0.0
            stop += 1
        elif word == "dozen":
            run, stop = run * 12, stop + 1
        elif word == "and" and before in SCALES and (after in WORDS):
            stop += 1
        elif word in WORDS and _goes_on(run, WORDS[word], before):
            run, stop = run + WORDS[word], stop + 1
        else:
            break
    value = total + run
    if pieces.texts(stop, stop + 3) == ("and", "a", "half"):
        return Number(value + 0.5, i, stop + 3)
    if pieces[stop].text == "point" and pieces[stop + 1].text in _ONES:
        digits = ""
        stop += 1
        while pieces[stop].text in _ONES[:10]:
            digits, stop = digits + str(int(WORDS[pieces[stop].text])), stop + 1
        return Number(value + (float(f"0.{digits}") if digits else 0.0), i, stop)
    return Number(value, i, stop)


def _goes_on(run: float, more: float, before: str) -> bool:
    # "twenty two", "two hundred five", "hundred and five", "million two"; not "two three".
    if before in SCALES or before == "and":
        return True
    return 20 <= run % 100 <= 90 and run % 10 == 0 and 1 <= more <= 9


def _fraction(pieces: Pieces, i: int) -> Number | None:
    # "three quarters", "two-thirds", "one in five", "nine out of ten".
    value = WORDS.get(pieces[i].text, 0.0)
    after = i + 2 if pieces[i + 1].text == "-" else i + 1
    if 1 <= value <= 20:
        below = PARTS.get(pieces[after].text)
        if below and (value > 1) == pieces[after].text.endswith("s") and value < below:
            return Number(value / below, i, after + 1, True)
        k = i + 2 if pieces[i + 1].text == "in" else i + 3 if pieces.texts(i + 1, i + 3) == ("out", "of") else 0
        whole = WORDS.get(pieces[k].text, 0.0) if k else 0.0
        if value < whole and value <= 9:
            return Number(value / whole, i, k + 1, True)
    return None


def _with_article(pieces: Pieces, i: int) -> Number | None:
    # "a dozen eggs", "a couple of eggs", "a hundred", "half an hour", "half a million", "a quarter", "a third".
    first, after = pieces[i].text, pieces[i + 1].text
    if first == "half":
        hyphen = 1 if after == "-" else 0
        article = 1 if pieces[i + 1 + hyphen].text in ("a", "an") else 0
        word = pieces[i + 1 + hyphen + article].text
        if word == "dozen" or word in SCALES:
            return Number(0.5 * SCALES.get(word, 12.0), i, i + 2 + hyphen + article)
        if after in ("past", "time", "way", "term") or pieces[i - 1].glued or pieces[i].glued:
            return None
        if article or word in ("hour", "minute", "day", "year", "mile", "pint", "litre", "liter", "kilo", "century"):
            return Number(0.5, i, i + 1 + hyphen + article)
        return Number(0.5, i, i + 1, True)
    if after == "dozen":
        return Number(12.0, i, i + 2)
    if after == "couple" and pieces[i + 2].text == "of":
        return Number(2.0, i, i + 2)
    if after in SCALES:
        return _in_words(pieces, i + 1)._replace(start=i)
    if after == "half" and pieces[i + 2].text not in ("past", "time"):
        inner = _with_article(pieces, i + 1)
        return inner and inner._replace(start=i)
    if first == "a" and after in PARTS and not after.endswith("s") and pieces[i + 2].text == "of":
        return Number(1.0 / PARTS[after], i, i + 2, True)
    return None


def _is_pronoun(pieces: Pieces, i: int) -> bool:
    # "no one", "the new one", "one of them", "one another" do not count.
    after, before = pieces[i + 1], pieces[i - 1].text
    if before in (
        "no",
        "this",
        "that",
        "which",
        "any",
        "every",
        "each",
        "some",
        "new",
        "old",
        "other",
        "the",
        "another",
    ):
        return not after.text or not after.text[0].isalnum() or before in ("no", "any", "every") or _is_light(after)
    return _is_light(after)


_LIGHT = frozenset(
    """of is was can could would should will may might must has had who that which by to and or but in on at for with
    from as than another else 's -""".split()
)


def _is_light(piece: Piece) -> bool:
    return not piece.text or not (piece.text[0].isalnum() or piece.text[0] in "-%/") or piece.text in _LIGHT


def ordinal_at(pieces: Pieces, i: int) -> Number | None:
    """Return the ordinal number that starts at a piece, or None: "3rd", "third", "twenty-first"."""
    piece, after = pieces[i], pieces[i + 1]
    if piece.number is not None:
        return Number(piece.number, i, i + 2) if after.glued and after.text in _ENDINGS else None
    if piece.text in ORDINALS:
        return Number(ORDINALS[piece.text], i, i + 1)
    tens = WORDS.get(piece.text, 0.0)
    second = i + 2 if after.text == "-" else i + 1
    ones = ORDINALS.get(pieces[second].text, 0.0)
    return Number(tens + ones, i, second + 1) if tens >= 20 and 1 <= ones <= 9 else None


@lru_cache(1 << 12)
def is_roman(text: str) -> bool:
    """Return whether lower-case letters are a Roman numeral below forty."""
    return len(text) <= 7 and _ROMAN.fullmatch(text) is not None


def roman_at(pieces: Pieces, i: int, token: str) -> Number | None:
    """Return the Roman numeral that starts at a piece, or None.

    It is written in capitals, and stands after a word such as "chapter"; or it has two letters or more, stands after a
    word with a capital letter and ends a phrase, as in "Louis XIV".
    """
    text = pieces[i].text
    match = _ROMAN.fullmatch(text) if len(text) <= 7 and token.strip(".").isupper() else None
    if match is None:
        return None
    value = 10 * len(match[1]) + {"ix": 9, "iv": 4}.get(match[2], len(match[2]) + 4 * match[2].startswith("v"))
    before, after = pieces[i - 1], pieces[i + 1].text
    listed = before.text in BEFORE_ROMAN
    named = len(text) > 1 and before.capital and before.text.isalpha() and (not after or not after[0].isalpha())
    return Number(float(value), i, i + 1) if listed or named else None
