"""Tokens that values may be made of, so that most sentences need not be read."""

import re

from ..base.caches import cached_by_word
from .amounts import STARTS
from .clock import SHORT_DAYS
from .codes import ADDRESS, CODE, LETTERED, MODIFIERS, PHONE, PLACEHOLDER, SHORTCUT, VERSION
from .moments import TELLING
from .numbers import PARTS, WORDS
from .signs import sign_of
from .units import PERIODS, SYMBOLS, UNITS

NUMBERS, DATES, SIGNS, LETTER_A, PLAIN, PERIOD = 1, 2, 4, 8, 2048, 4096
"""Bits of what a token may be part of: an amount, a date, a sign; a code, as the letter A after a word; a number below
1000, in digits or one word; or an amount or a date beside words such as "every" and "last"."""

FAMILIES = {CODE: 16, LETTERED: 32, ADDRESS: 64, PLACEHOLDER: 128, SHORTCUT: 256, VERSION: 512, PHONE: 1024}
"""The same for each family of codes."""

FORMS = sum(FAMILIES.values())
"""All families of codes."""

_TIMES = {name for name, unit in UNITS.items() if unit.quantity == "time" and len(name) > 2} - {"min", "sec"}
_NUMBERS = STARTS - {"a", "an", "by", "us", "+", "-", "/", "every", "each"}
_PERIODS = frozenset({*_TIMES, *PERIODS, "weekend", "season"}) - {"second"}
_BESIDE = """a new half first second third boxing last this past next previous coming following early late
mid""".split()
_DATES = (TELLING | {"o'clock", "eve"}) - {*WORDS, *SHORT_DAYS, *_BESIDE}
_ROMAN = frozenset("IVX.")
_MARKS = {"@": ADDRESS, "{": PLACEHOLDER, "<": PLACEHOLDER, "[": PLACEHOLDER, "%": PLACEHOLDER}
_ADDRESS = re.compile(r"//|^[.~]*/.|[\w-]{2,}\.[a-z]{2,}")
_SIGNS = frozenset("<>=*^:;(")


@cached_by_word(1 << 16)
def told_by(token: str) -> int:
    """Return what a token may be part of, as a sum of the numbers above; 0 for most words."""
    low = token.lower()
    if (low in WORDS and low != "one") or (low.isascii() and low.isdigit() and len(low) < 4):
        return PLAIN
    if low.isascii() and low.isalpha():
        return _of_word(token, low)
    found = 0
    digits = any(letter.isnumeric() for letter in low)
    if digits:
        found |= NUMBERS | DATES | (FAMILIES[PHONE] if "-" in low or low[0] in "0+" else 0)
        found |= FAMILIES[CODE] if any(map(str.isalpha, low)) else 0
    parts = low.rstrip(".").split("-")
    found |= NUMBERS | DATES if not WORDS.keys().isdisjoint(parts) else 0
    for part in parts:
        found |= (
            _of_word(part.capitalize(), part) & (NUMBERS | DATES | PERIOD) if part.isascii() and part.isalpha() else 0
        )
    if not low.isascii() and any(sign_of(one) for one in low if not one.isascii() and not one.isalnum()):
        found |= SIGNS
    found |= NUMBERS if any(symbol in low for symbol in SYMBOLS) else 0
    found |= FAMILIES[ADDRESS] if _ADDRESS.search(low) else 0
    for mark, family in _MARKS.items():
        found |= FAMILIES[family] if mark in low else 0
    if "." in low[1:-1] and digits:
        found |= FAMILIES[VERSION] | (FAMILIES[ADDRESS] if low.count(".") > 2 else 0)
    elif digits and low[0] == "v":
        found |= FAMILIES[VERSION]
    if parts[0].partition("+")[0] in MODIFIERS:
        found |= FAMILIES[SHORTCUT]
    last = token.rpartition("-")[2]
    if (len(parts) > 1 and len(last) <= 2 and last[:1].isupper()) or (
        len(low) < 4 and low[-1] in "+-" and low[0] in "abo"
    ):
        found |= FAMILIES[LETTERED]
    found |= SIGNS if not _SIGNS.isdisjoint(low) else 0
    return found


def _of_word(token: str, low: str) -> int:
    if token == "A":
        return LETTER_A
    found = 0
    if low in _NUMBERS or low.removesuffix("s") in PARTS:
        found |= NUMBERS
    if low in _DATES or (low in SHORT_DAYS and token[0].isupper()):
        found |= DATES
    if low in _PERIODS or low.removesuffix("s") in _PERIODS:
        found |= PERIOD
    if low in MODIFIERS:
        found |= FAMILIES[SHORTCUT]
    if len(token) == 1 and token.isupper() and token != "I":
        found |= FAMILIES[LETTERED]
    return found | (NUMBERS if token.isupper() and set(token) <= _ROMAN else 0)
