"""Units of measure, money and time: their quantity, and their size in the smallest unit of that quantity."""

from typing import NamedTuple


class Unit(NamedTuple):
    """Unit of a quantity.

    Attributes
    ----------
    quantity
        Name of what it measures; a currency is a quantity of its own.
    size
        Its size in a base unit of the quantity.
    """

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
    """Return whether an amount in one unit is another amount in another unit, to `ROUNDED` if the units differ.

    By number alone if a unit is missing; never the same if the units measure different things. The word "pound" is a
    mass and a currency.
    """
    if x is None or y is None:
        return a == b
    if {x, y} == {UNITS["pound"], UNITS["\u00a3"]}:
        return a == b
    if x.quantity != y.quantity:
        return False
    if x == y:
        return a == b
    return abs(a * x.size - b * y.size) <= ROUNDED * max(abs(a * x.size), abs(b * y.size))
