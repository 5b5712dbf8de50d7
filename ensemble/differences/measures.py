"""Numbers as digits and in words, and units of measures."""

import re
from typing import NamedTuple

from ...features.base.sentences import Sentence


class Unit(NamedTuple):
    """Unit of a quantity: what it measures (a currency is a quantity of its own), and its size in a base unit."""

    quantity: str
    size: float


# A line is a quantity; an entry is a size and the spellings of the unit, in lower case and in the singular.
_TABLE = """
time: 1 second sec s; 60 minute min; 3600 hour hr h; 86400 day; 604800 week; 1209600 fortnight; \
2629746 month; 7889238 quarter; 31556952 year yr; 315569520 decade; 3155695200 century
mass: 1e-6 microgram mcg; 1e-3 milligram mg; 1 gram gramme g; 1e3 kilogram kilogramme kilo kg; 1e6 tonne ton; \
453.59237 pound lb lbs; 28.349523125 ounce oz; 6350.29318 stone
length: 1 millimeter millimetre mm; 10 centimeter centimetre cm; 1e3 meter metre m; 1e6 kilometer kilometre km; \
25.4 inch; 304.8 foot feet ft; 914.4 yard yd; 1609344 mile
volume: 1 milliliter millilitre ml; 10 centiliter centilitre cl; 100 deciliter decilitre dl; 1e3 liter litre l; \
4546.09 gallon; 568.26125 pint; 240 cup; 15 tablespoon tbsp; 5 teaspoon tsp
area: 4046.8564224 acre; 1e4 hectare ha
data: 1 byte; 1e3 kilobyte kb; 1e6 megabyte mb; 1e9 gigabyte gb; 1e12 terabyte tb
power: 1 watt w; 1e3 kilowatt kw; 1e6 megawatt mw; 1e9 gigawatt gw
force: 1 newton; 1e3 kilonewton
voltage: 1e-3 millivolt; 1 volt; 1e3 kilovolt
energy: 1 joule; 4.184 calorie; 4184 kilocalorie kcal; 3.6e6 kilowatt-hour kwh
speed: 1 km/h kph kmh; 1.609344 mph; 3.6 m/s
ratio: 1 percent per-cent % pct
dollars: 1 dollar $ usd; 0.01 cent
euros: 1 euro \u20ac eur
pounds: 1 \u00a3 gbp
francs: 1 franc chf
yen: 1 yen \u00a5 jpy
celsius: 1 celsius c \u00b0c
fahrenheit: 1 fahrenheit \u00b0f
degrees: 1 degree \u00b0
"""

UNITS = {
    name: Unit(quantity, float(entry.split()[0]))
    for quantity, _, entries in (line.partition(": ") for line in _TABLE.strip().splitlines())
    for entry in entries.split("; ")
    for name in entry.split()[1:]
}
"""Units by spelling, in lower case and in the singular."""

ROUNDED = 0.02
"""Greatest relative difference of equal amounts in different units: ten metres are 33 feet, three months 90 days."""

SYMBOLS = frozenset("$\u20ac\u00a3\u00a5")
"""Signs of currencies, which stand before the number."""

RATES = {
    "hourly": "hour",
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "quarterly": "quarter",
    "annually": "year",
    "annual": "year",
    "yearly": "year",
}
"""Unit of time of the words that say how often something happens."""

_OFTEN_WORDS = frozenset({"s", "m", "h", "l", "g", "w", "min", "second", "stone"})


def unit_of(word: str, lemma: str) -> str | None:
    """Return the spelling in `UNITS` of a lower-case word or its lemma, or None."""
    if word in UNITS:
        return word
    if lemma in UNITS:
        return lemma
    singular = word.removesuffix("s")
    return singular if singular in UNITS and singular not in _OFTEN_WORDS else None


def same_size(a: float, x: Unit | None, b: float, y: Unit | None) -> bool:
    """Return whether an amount in one unit is another amount in another unit, to `ROUNDED` if the units differ."""
    if x is None or y is None:
        return a == b
    if {x, y} == {UNITS["pound"], UNITS["\u00a3"]}:
        return a == b
    if x.quantity != y.quantity:
        return False
    if x == y:
        return a == b
    return abs(a * x.size - b * y.size) <= ROUNDED * max(abs(a * x.size), abs(b * y.size))


_DIGITS = re.compile(r"([$\u20ac\u00a3\u00a5]?)([+-]?\d[\d,]*(?:\.\d+)?|\.\d+)(?:-?([a-z%\u00b0]+(?:/[a-z]+)?))?")
_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_VALUES = {word: float(value) for value, word in enumerate(_ONES)}
_VALUES |= {word: 10.0 * value for value, word in enumerate(_TENS, 2)}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
_SHORT_SCALES = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9}
_FOR_ONE = frozenset(
    "for in within after takes take took lasts last lasted under than about nearly almost half".split()
)

LONGEST = 18
"""Characters of a token that is read as a number; longer strings of digits are names."""


def read_number(sentence: Sentence, place: int, taken: frozenset[int]) -> tuple[float | None, int, str]:
    """Return the number that starts at a place or None, the place after it, and a unit or sign in the same token."""
    words = sentence.words
    word = words[place] if place < len(words) and place not in taken else ""
    if word in ("a", "an", "half") and place + 1 < len(words):
        return _with_article(sentence, place)
    value, glued = _plain(word)
    if value is None or _is_pronoun(sentence, place):
        return None, place, ""
    stop = place + 1
    if glued:
        return value, stop, glued
    total, run = 0.0, value
    while stop < len(words) and stop not in taken:
        word = words[stop]
        if word in _SCALES:
            run *= _SCALES[word]
            if word != "hundred":
                total, run = total + run, 0.0
        elif run >= 100 and word == "and" and _plain(words[min(stop + 1, len(words) - 1)])[0] is not None:
            if sentence.words[stop - 1] != "hundred":
                break
        elif word in _VALUES and run % 100 == 0 and sentence.words[stop - 1] in (*_SCALES, "and"):
            run += _VALUES[word]
        else:
            break
        stop += 1
    return total + run, stop, ""


def _is_pronoun(sentence: Sentence, place: int) -> bool:
    # "no one", "the new one", "one of them" do not count.
    if sentence.words[place] != "one":
        return False
    after = sentence.tags[place + 1] if place + 1 < len(sentence.tags) else ""
    return not (after.startswith(("NN", "JJ")) or after == "CD")


def _with_article(sentence: Sentence, place: int) -> tuple[float | None, int, str]:
    # "a dozen eggs", "a couple of eggs", "a hundred", "within a week".
    words, after = sentence.words, sentence.words[place + 1]
    if words[place] == "half":
        if after not in ("a", "an"):
            return None, place, ""
        value, stop, _ = _with_article(sentence, place + 1) if place + 2 < len(words) else (None, place, "")
        return (value / 2, stop, "") if value is not None else (None, place, "")
    if after == "dozen":
        return 12.0, place + 2, ""
    if after == "couple" and words[place + 2 : place + 3] == ("of",):
        return 2.0, place + 2, ""
    if after in _SCALES:
        return _SCALES[after], place + 2, ""
    unit = UNITS.get(sentence.lemmas[place + 1])
    measured = unit is not None and unit.quantity == "time" and words[place + 2 : place + 3] != ("of",)
    if measured and place and words[place - 1] in _FOR_ONE:
        return 1.0, place + 1, ""
    return None, place, ""


def _plain(word: str) -> tuple[float | None, str]:
    # Value of one token, and the unit or sign that it holds.
    if word in _VALUES:
        return _VALUES[word], ""
    if word in _SCALES:
        return _SCALES[word], ""
    tens, _, ones = word.partition("-")
    if tens in _VALUES and ones in _VALUES:
        return _VALUES[tens] + _VALUES[ones], ""
    if tens in _VALUES and ones in UNITS:
        return _VALUES[tens], ones
    if word == "dozen":
        return 12.0, ""
    match = _DIGITS.fullmatch(word) if len(word) <= LONGEST else None
    if match is None:
        return None, ""
    value, ending = float(match[2].replace(",", "")), match[3] or ""
    if match[1]:
        return value * _SHORT_SCALES.get(ending, 1.0), match[1]
    if ending in UNITS:
        return value, ending
    return (value, "") if not ending else (None, "")
