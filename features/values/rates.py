"""Rates: how often something happens, and units that something is given in, such as "per litre"."""

from .amount_values import Amount
from .clock import WEEKDAYS
from .numbers import number_at
from .pieces import Pieces
from .units import PERIODS, RATES, SYMBOLS, UNITS, Unit, is_money, unit_of

RATE_STARTS = frozenset({*RATES, "every", "each", "per", "a", "an", "by", "/"})
"""Words and marks that a rate may begin with."""
TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
"""Number of times of a word."""
_EVERY = frozenset({"every", "each", "per"})
_AFTER_ONCE = frozenset("a an per every last this in during on again more and or , . ; ! ? )".split())


def times_at(pieces: Pieces, i: int) -> tuple[Amount, int] | None:
    """Return how often something happens: "twice", "three times", also before "a week" or "every two months"."""
    text = pieces[i].text
    if text in TIMES:
        after = pieces[i + 1].text
        if text == "once" and after and after not in _AFTER_ONCE:
            return None  # "once the machines are repaired", "at once"
        if pieces[i - 1].text == "at":
            return None
        value, stop = TIMES[text], i + 1
    else:
        number = number_at(pieces, i)
        if number is None or number.share or pieces[number.stop].text != "times":
            return None
        value, stop = number.value, number.stop + 1
    counted = pieces.places(i, stop if text in TIMES else stop - 1)
    period = _period(pieces, stop)
    if period is None:
        return Amount(value, None, "frequency", counted, ()), stop
    unit, many, unit_place, stop, more = period
    return Amount(value / many, unit, "rate", (*counted, *more), (unit_place,)), stop


_NONE: tuple[int, ...] = ()


def _period(pieces: Pieces, i: int) -> tuple[Unit, float, int, int, tuple[int, ...]] | None:
    # Unit of time, how many of them, its place, the piece after it, and the places of how many: "every two months".
    if pieces[i].text in ("in", "or"):
        return None
    if pieces[i].text in RATES:
        name, many = RATES[pieces[i].text]
        return UNITS[name], many, pieces.place[i], i + 1, ()
    if pieces[i].text not in _EVERY and pieces[i].text not in ("a", "an") and pieces.texts(i, i + 2) != ("by", "the"):
        return None
    k = i + 2 if pieces[i].text == "by" else i + 1
    k += pieces[k].text == "single"
    many, more = 1.0, _NONE
    if pieces[i].text in _EVERY:
        if pieces.texts(k, k + 3) == ("quarter", "of", "an"):
            many, more, k = 0.25, pieces.places(k, k + 1), k + 3
        elif pieces[k].text in ("other", "second") and time_unit(pieces, k + 1):
            many, more, k = 2.0, pieces.places(k, k + 1), k + 1
        elif (number := number_at(pieces, k)) is not None and number.value > 0:
            many, more, k = number.value, pieces.places(k, number.stop), number.stop
            if pieces.texts(k, k + 2) in (("of", "an"), ("of", "a")):
                k += 2
    unit = time_unit(pieces, k)
    return None if unit is None else (unit, many, pieces.place[k], k + 1, more)


def time_unit(pieces: Pieces, i: int) -> Unit | None:
    """Return the unit of time that a piece is, or None; "night" and "Monday" stand for a day and a week."""
    word = pieces[i].text
    name = "week" if word in WEEKDAYS else PERIODS.get(word) or unit_of(word, False)
    return UNITS[name] if name is not None and UNITS[name].quantity == "time" else None


def rate_at(pieces: Pieces, i: int) -> tuple[Amount, int] | None:
    """Return the rate that starts at a piece of `RATE_STARTS`, and the piece after it; None if there is none."""
    # "every week", "per day", "by the hour", "80 tons a day", "8 euros per kilogram", "weekly".
    text, before = pieces[i].text, pieces[i - 1].text
    if text in ("a", "an") and not _is_counted(pieces, i):
        return None
    period = _period(pieces, i)
    if period is not None:
        unit, many, unit_place, stop, more = period
        if pieces[stop].text == "old" or pieces[i - 1].text == "first":
            return None
        if text in RATES and pieces.texts(i - 2, i) == ("half", "-"):
            many, more = many / 2, pieces.places(i - 2, i)
        if text in ("per", "a", "an", "/") and not more:
            return Amount(None, unit, "rate", (), (unit_place,)), stop
        if pieces[stop - 1].text in WEEKDAYS:  # whose places are those of a date
            return Amount(1.0 / many, unit, "rate", more or pieces.places(i, i + 1), ()), stop
        return Amount(1.0 / many, unit, "rate", more, (unit_place,)), stop
    measured = text == "per" or (text in ("a", "an") and _is_price(pieces, i))
    k = i + 1 if pieces[i + 1].text not in ("square", "cubic") else i + 2
    name = unit_of(pieces[k].text, False) if measured and before else None
    if name is None or name == "per-cent" or text == "per" and pieces[k].text == "cent":
        return None
    name = f"{pieces[i + 1].text}-{name}" if k > i + 1 and f"{pieces[i + 1].text}-{name}" in UNITS else name
    return Amount(None, UNITS[name], "rate", (), pieces.places(i + 1, k + 1)), k + 1


def _is_counted(pieces: Pieces, i: int) -> bool:
    # Whether "a day" says how often: "$5 a day", "80 tons a day", "5% a year".
    if pieces[i - 1].text in ("times", "time"):
        return pieces[i - 1].text == "times"
    back = next((k for k in range(i - 1, i - 6, -1) if pieces[k].number is not None or _is_word(pieces, k)), -1)
    return back >= 0 and not pieces[back].text == "half" and pieces[i - 1].text not in ("for", "in", "within", "about")


def _is_word(pieces: Pieces, k: int) -> bool:
    found = number_at(pieces, k)
    return found is not None and pieces[k].text not in ("a", "an", "half")


def _is_price(pieces: Pieces, i: int) -> bool:
    near = [pieces[k].text for k in range(i - 3, i)]
    return any(text[:1] in SYMBOLS or is_money(UNITS.get(unit_of(text, False) or "")) for text in near if text)
