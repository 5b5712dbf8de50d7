"""Amounts of a sentence: numbers with their unit, sign and bound, and ordinals, read from pieces of tokens."""

from .amount_values import OVER, UNDER, Amount
from .numbers import ORDINALS, PARTS, SCALES, SHORT_SCALES, WORDS, Number, is_roman, number_at, ordinal_at, roman_at
from .pieces import Pieces
from .rates import RATE_STARTS, TIMES, rate_at, time_unit, times_at
from .units import PERIODS, RATES, SHARE, SYMBOLS, UNITS, Unit, unit_of

STARTS = frozenset(
    {*WORDS, *SCALES, *ORDINALS, *RATES, *SYMBOLS, "dozen", "half", "once", "twice", "thrice", "every", "each", "per"}
    | {"a", "an", "by", "/", "+", "-", "\u00b1", "minus", "plus", "us"}
)
"""Words and marks that an amount may begin with; others begin with a digit, or are Roman numerals."""

AFTER_ARTICLE = frozenset({*SCALES, *PARTS, *UNITS, *PERIODS, "dozen", "couple", "square", "cubic", "single", "$"})
"""Words that an amount may have after "a"."""


def amount_at(pieces: Pieces, i: int, tokens: tuple[str, ...]) -> tuple[Amount, int] | None:
    """Return the amount that starts at a piece, and the piece after it; None if there is none."""
    text, after, found = pieces[i].text, pieces[i + 1], None
    if pieces[i].number is None and text not in WORDS:
        if text in RATE_STARTS:
            found = rate_at(pieces, i)
        elif pieces[i].capital and is_roman(text):
            found = _roman(pieces, i, tokens[pieces.place[i]])
    if found is None and (after.glued or text in ORDINALS or (text in WORDS and after.text in ORDINALS)):
        found = _ordinal(pieces, i)
    if found is None and (text in TIMES or "times" in pieces.texts(i + 1, i + 7)):
        found = times_at(pieces, i)
    return found or _quantity(pieces, i)


_OWNERS = frozenset("the a an its his her my our their your this that every each on in for".split())


def _ordinal(pieces: Pieces, i: int) -> tuple[Amount, int] | None:
    number = ordinal_at(pieces, i)
    if number is None:
        return None
    piece, before = pieces[i], pieces[i - 1].text
    if piece.number is None and number.stop == i + 1 and piece.text in ("first", "second", "third"):
        # "first, open the lid" and "a second" of time do not count.
        after = pieces[i + 1].text
        if not (before in _OWNERS or before == "" or before in (".", ",", ";", ":")) or not after[:1].isalpha():
            return None
        if before in ("a", "per", "every", "each") and piece.text == "second" and after in ("of", "or", "and", "in"):
            return None
    return Amount(number.value, None, "ordinal", pieces.places(i, number.stop), ()), number.stop


def _roman(pieces: Pieces, i: int, token: str) -> tuple[Amount, int] | None:
    number = roman_at(pieces, i, token)
    return number and (Amount(number.value, None, "count", pieces.places(i, i + 1), ()), i + 1)


_SPEEDS = {"kilometer": "km/h", "kilometre": "km/h", "km": "km/h", "mile": "mph"}
_PER_SECOND = {"metre": "m/s", "meter": "m/s", "m": "m/s"}
_FOR_ONE = frozenset("for in within after takes take took lasts last lasted under than about nearly almost".split())
_LEAST = {("at", "least"), ("no", "fewer", "than"), ("no", "less", "than"), ("not", "less", "than"), ("from",)}
_LEAST |= {("more", "than"), ("over",), ("above",), ("minimum", "of"), ("exceeding",), (">",), ("\u2265",), (">", "=")}
_MOST = {("at", "most"), ("no", "more", "than"), ("not", "more", "than"), ("less", "than"), ("fewer", "than")}
_MOST |= {("up", "to"), ("under",), ("below",), ("maximum", "of"), ("<",), ("\u2264",), ("<", "=")}
_MORE = frozenset({("or", "more"), ("or", "over"), ("or", "longer"), ("and", "over"), ("and", "up"), ("+",)})
_LESS = frozenset({("or", "less"), ("or", "fewer"), ("or", "under")})
_SIGNS = frozenset({"+", "-", "\u00b1", "minus", "plus"})


def _quantity(pieces: Pieces, i: int) -> tuple[Amount, int] | None:
    start, symbol, sign = i, "", ""
    if pieces[i].text in _SIGNS and not (pieces[i].glued and _is_value(pieces, i - 1)):
        if pieces[i].text in ("-", "minus", "\u00b1") or not _is_value(pieces, i - 1):
            sign, i = {"minus": "-", "plus": ""}.get(pieces[i].text, pieces[i].text), i + 1
        if sign == "-" and pieces[start].text == "-" and not (pieces[i].glued or pieces[i].text in SYMBOLS):
            return None  # a dash
    if pieces[i].text in SYMBOLS or (pieces[i].text in ("us", "a") and pieces[i + 1].text == "$"):
        i += pieces[i].text not in SYMBOLS
        symbol, i = pieces[i].text, i + 1
    number = number_at(pieces, i)
    if number is None:
        return _one_unit(pieces, start)
    bound = "\u00b1" if sign == "\u00b1" else _bound(pieces, start, number.stop)
    value = -number.value if sign == "-" else number.value
    number_places = pieces.places(start if sign else i, number.stop)
    if symbol:
        after = pieces[number.stop]
        scale = SHORT_SCALES.get(after.text, 1.0) if after.glued or after.text in ("bn", "mn", "k") else 1.0
        amount = Amount(value * scale, UNITS[symbol], "count", number_places, pieces.places(i - 1, i), bound)
        return amount, number.stop + (scale > 1.0)
    if pieces[number.stop].glued and number.digits and pieces[number.stop].text in ("k", "mn", "bn"):
        number = number._replace(value=value * SHORT_SCALES[pieces[number.stop].text], stop=number.stop + 1)
        value = number.value
    unit, first, stop = _unit(pieces, number)
    if unit is None:
        unit = SHARE if number.share else None
        return Amount(value, unit, "count", number_places, (), bound), number.stop
    return Amount(value, unit, "count", number_places, pieces.places(first, stop), bound), stop


def _is_value(pieces: Pieces, i: int) -> bool:
    return pieces[i].number is not None or pieces[i].text[:1].isalpha() or pieces[i].text == ")"


def _one_unit(pieces: Pieces, i: int) -> tuple[Amount, int] | None:
    # "within a week" is one week.
    if pieces[i].text not in ("a", "an") or pieces[i - 1].text not in _FOR_ONE or pieces[i + 2].text == "of":
        return None
    unit = time_unit(pieces, i + 1) if pieces[i + 1].text not in PERIODS else None
    if unit is None:
        return None
    return Amount(1.0, unit, "count", pieces.places(i, i + 1), pieces.places(i + 1, i + 2)), i + 2


def _unit(pieces: Pieces, number: Number) -> tuple[Unit | None, int, int]:
    # The unit after a number, and its first piece and the piece after it.
    k = stop = number.stop
    if number.share and pieces.texts(k, k + 2) in (("of", "an"), ("of", "a")):
        name = unit_of(pieces[k + 2].text, False)
        return (UNITS[name], k + 2, k + 3) if name else (None, k, k)
    if number.share and pieces.texts(k, k + 2) == ("of", "the"):
        return None, k, k
    if pieces.texts(k, k + 2) == ("per", "cent"):
        return UNITS["percent"], k, k + 2
    while pieces[k].text in ("-", "full", "whole", "square", "cubic", "sq", "degrees", "degree", "\u00b0", "more"):
        k += 1
    before, word = pieces[k - 1].text, pieces[k].text
    name = unit_of(word, number.digits or pieces[k].glued)
    if word == "in" and number.digits and (pieces[k].glued or pieces[k + 1].text in _AFTER_INCHES):
        name = "inch"
    if before in ("degrees", "degree", "\u00b0"):
        name = name if name is not None and UNITS[name].quantity in ("celsius", "fahrenheit") else "degree"
        k = k + 1 if name != "degree" else k
        return UNITS[name], stop, k
    if before in ("square", "cubic", "sq") and name is not None:
        name = f"{'square' if before == 'sq' else before}-{name}"
        name = {"square-m": "m2", "square-ft": "ft2", "square-km": "km2"}.get(name, name)
        return (UNITS[name], k - 1, k + 1) if name in UNITS else (None, stop, stop)
    if name is None:
        return None, stop, stop
    after = pieces.texts(k + 1, k + 3)
    if after in (("an", "hour"), ("per", "hour")) and name in _SPEEDS:
        return UNITS[_SPEEDS[name]], k, k + 3
    if after in (("a", "second"), ("per", "second")) and name in _PER_SECOND:
        return UNITS[_PER_SECOND[name]], k, k + 3
    return UNITS[name], k, k + 1


_AFTER_INCHES = frozenset({"", *",.;:)x", "wide", "long", "high", "deep", "tall", "thick", "across", "by", "diameter"})
"""Pieces after the unit in "a shelf of 30 in, white"; in "30 in stock" there is no unit."""

BOUNDS = frozenset(words[-1] for words in (*_LEAST, *_MOST))
"""Words, and marks, that a bound before a number may end with."""
_NEXT = frozenset(words[0] for words in (*_MORE, *_LESS))


def _bound(pieces: Pieces, start: int, stop: int) -> str:
    for size in (3, 2, 1) if pieces[start - 1].text in BOUNDS else ():
        before = pieces.texts(start - size, start)
        if before in _LEAST:
            return OVER
        if before in _MOST:
            return UNDER
    if pieces[start - 1].text == "between" or (pieces[stop].text == "-" and pieces[stop + 1].number is not None):
        return OVER
    for k in (stop, stop + 1):
        if pieces[k].text not in _NEXT:
            continue
        if pieces.texts(k, k + 2) in _MORE or pieces.texts(k, k + 1) in _MORE:
            return OVER
        if pieces.texts(k, k + 2) in _LESS:
            return UNDER
    ends = pieces[start - 1].text in ("-", "to", "and") and pieces[start - 2].number is not None
    low = pieces[start - 3].text in ("between", "from") or pieces[start - 1].text in ("-", "to")
    return UNDER if ends and low else ""
