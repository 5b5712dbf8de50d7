"""Amounts in a sentence: numbers in digits and words, ordinals, and how often, each with its unit."""

import re
from typing import NamedTuple

from ...features.base.sentences import Sentence
from .facts import Fact, next_noun
from .measures import LONGEST, RATES, SYMBOLS, UNITS, Unit, read_number, same_size, unit_of

_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_ORDINALS = {
    word: float(value)
    for value, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(), 1
    )
}
_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_SPEEDS = {"kilometer": "km/h", "kilometre": "km/h", "km": "km/h", "mile": "mph"}
_AFTER_ONCE = frozenset("a per every last this in . , more again on during".split())


class Amount(NamedTuple):
    """Value of a number with its unit."""

    number: float | None  # None where only a unit is given, as in "every day"
    unit: Unit | None
    form: str  # ``count``, ``ordinal``, ``frequency`` ("twice") or ``rate`` ("daily"); different forms are not compared
    number_places: tuple[int, ...]
    unit_places: tuple[int, ...]  # a token that holds both is in both

    def equals(self, other: "Amount") -> bool:
        """Return whether two amounts are of one form and say the same."""
        if self.form != other.form:
            return False
        if self.number is None or other.number is None:
            return self.unit == other.unit
        return same_size(self.number, self.unit, other.number, other.unit)


def amounts(sentence: Sentence, taken: frozenset[int]) -> list[Fact]:
    """Return the amounts of a sentence of the level ``lexical``, in order; their values are `Amount`."""
    found: list[Fact] = []
    place = 0
    while place < len(sentence.tokens):
        amount = None if place in taken else _amount_at(sentence, place, taken)
        if amount is None:
            place += 1
            continue
        places = tuple(sorted({*amount.number_places, *amount.unit_places}))
        anchor = next_noun(sentence.tags, sentence.words, places[-1] + 1)
        if anchor is None and amount.unit_places:
            anchor = None if amount.number is None else amount.unit_places[0]
        found.append(Fact(places, amount, anchor))
        place = max(place, places[-1]) + 1
    return found


def _amount_at(sentence: Sentence, place: int, taken: frozenset[int]) -> Amount | None:
    word = sentence.words[place]
    ordinal = _ordinal(sentence, place)
    if ordinal is not None:
        return Amount(ordinal, None, "ordinal", (place,), ())
    if word in RATES:
        return Amount(None, UNITS[RATES[word]], "rate", (), (place,))
    if word in _TIMES:
        # "once the machines are repaired" is a conjunction.
        after = sentence.words[place + 1 : place + 2]
        counts = word != "once" or not after or after[0] in _AFTER_ONCE
        is_count = counts and sentence.tags[place] in ("RB", "IN", "CD", "NN", "JJ")
        return Amount(_TIMES[word], None, "frequency", (place,), ()) if is_count else None
    rate = _rate(sentence, place)
    return rate if rate is not None else _quantity(sentence, place, taken)


def _ordinal(sentence: Sentence, place: int) -> float | None:
    word, tag = sentence.words[place], sentence.tags[place]
    if digits := _ORDINAL.fullmatch(word[:LONGEST]):
        return float(digits[1])
    before = sentence.words[place - 1] if place else ""
    fits = tag in ("JJ", "CD", "NN") and before in ("the", "a", "its", "his", "her", "my", "our", "their", "your")
    return _ORDINALS.get(word) if fits else None


def _rate(sentence: Sentence, place: int) -> Amount | None:
    # "every week", "per day", "by the hour", "80 tons a day".
    words, lemmas = sentence.words, sentence.lemmas
    unit = lemmas[place] if lemmas[place] in UNITS else None
    if unit is None or not place:
        return None
    if UNITS[unit].quantity != "time":
        return Amount(None, UNITS[unit], "rate", (), (place,)) if words[place - 1] == "per" else None
    before, earlier = words[place - 1], words[place - 2] if place > 1 else ""
    by_the = before == "the" and earlier == "by"
    counted = (
        before in ("a", "an")
        and place > 1
        and (sentence.tags[place - 2] in ("NN", "NNS") or earlier in ("once", "twice", "times", "%"))
    )
    if before in ("every", "per", "each") or by_the or counted:
        return Amount(None, UNITS[unit], "rate", (), (place,))
    return None


def _quantity(sentence: Sentence, place: int, taken: frozenset[int]) -> Amount | None:
    words = sentence.words
    start = place
    symbol = words[place] if words[place] in SYMBOLS and place + 1 < len(words) else ""
    if symbol:
        place += 1
    value, stop, glued = read_number(sentence, place, taken)
    if value is None:
        return None
    number_places = tuple(range(place, stop))
    if symbol or glued in SYMBOLS:
        return Amount(value, UNITS[symbol or glued], "count", number_places, (start,))
    if glued:
        return Amount(value, UNITS[glued], "count", number_places, (place,))
    unit_place = stop
    while unit_place < len(words) and words[unit_place] in ("square", "cubic", "-", "degrees", "degree", "full"):
        unit_place += 1
    name = unit_of(words[unit_place], sentence.lemmas[unit_place]) if unit_place < len(words) else None
    if name is None and unit_place > stop:
        unit_place = stop
        name = unit_of(words[stop], sentence.lemmas[stop])
    if words[stop : stop + 2] == ("per", "cent"):
        return Amount(value, UNITS["percent"], "count", number_places, (stop, stop + 1))
    if name is None:
        times = words[stop : stop + 1] == ("times",)
        return Amount(value, None, "frequency" if times else "count", number_places, ())
    if words[unit_place + 1 : unit_place + 3] in (("an", "hour"), ("per", "hour")) and name in _SPEEDS:
        return Amount(value, UNITS[_SPEEDS[name]], "count", number_places, tuple(range(unit_place, unit_place + 3)))
    return Amount(value, UNITS[name], "count", number_places, (unit_place,))
