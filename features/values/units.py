"""Units of measure, money, time and data, and amounts that are equal by conversion.

The table is ours. The library pint was measured: importing it and its registry takes 0.9 s, one conversion 170
microseconds. It knows no money, and reads other things into what people write: "kilos" is a kilosecond, "pct" a
picocarat, "kb" a kilobarn.
"""

from math import isclose
from typing import NamedTuple


class Unit(NamedTuple):
    """Unit of a quantity: what it measures (a currency is a quantity of its own), and its size in a base unit."""

    quantity: str
    size: float


# A line is a quantity; an entry is a size and the spellings of the unit, in lower case and in the singular.
_TABLE = """
time: 1e-3 millisecond ms msec; 1 second sec s; 60 minute min; 3600 hour hr h; 86400 day; 604800 week wk; \
1209600 fortnight; 2629746 month mo mth; 7889238 quarter; 31556952 year yr; 315569520 decade; 3155695200 century
mass: 1e-6 microgram mcg \u03bcg ug; 1e-3 milligram mg; 1 gram gramme g; 1e3 kilogram kilogramme kilo kg; \
1e6 tonne ton; 453.59237 pound lb lbs; 28.349523125 ounce oz; 6350.29318 stone
length: 1e-3 micrometre micrometer micron \u03bcm um; 1 millimeter millimetre mm; 10 centimeter centimetre cm; \
1e3 meter metre m; 1e6 kilometer kilometre km; 25.4 inch; 304.8 foot feet ft; 914.4 yard yd; 1609344 mile
volume: 1e-3 microliter microlitre \u03bcl ul; 1 milliliter millilitre ml cc; 10 centiliter centilitre cl; \
100 deciliter decilitre dl; 1e3 liter litre l ltr; 1e6 m3 cubic-meter cubic-metre; 4546.09 gallon; \
568.26125 pint; 240 cup; 15 tablespoon tbsp; 5 teaspoon tsp
area: 1 m2 sqm square-meter square-metre; 0.09290304 ft2 sqft square-foot square-feet; 1e-4 cm2 square-centimetre; \
1e6 km2 square-kilometre square-kilometer; 2589988.110336 square-mile; 4046.8564224 acre; 1e4 hectare ha
data: 0.125 bit; 1 byte; 1e3 kilobyte kb; 1e6 megabyte mb; 1e9 gigabyte gb gig; 1e12 terabyte tb
rate of data: 1 kbps kbit/s; 1e3 mbps mbit/s; 1e6 gbps gbit/s
power: 1 watt w; 1e3 kilowatt kw; 1e6 megawatt mw; 1e9 gigawatt gw; 735.49875 hp horsepower
force: 1 newton; 1e3 kilonewton
voltage: 1e-3 millivolt mv; 1 volt v; 1e3 kilovolt kv
current: 1e-3 milliampere milliamp ma; 1 ampere amp
charge: 1 mah; 1e3 ah
frequency: 1 hertz hz; 1e3 kilohertz khz; 1e6 megahertz mhz; 1e9 gigahertz ghz
pressure: 1 pascal pa; 100 hpa millibar mbar; 1e3 kilopascal kpa; 1e5 bar; 6894.757 psi
energy: 1 joule; 1e3 kilojoule kj; 4.184 calorie; 4184 kilocalorie kcal; 3600 wh; 3.6e6 kilowatt-hour kwh
speed: 1 km/h kph kmh; 1.609344 mph; 3.6 m/s; 1.852 knot
ratio: 1 percent per-cent % pct; 0.1 permille \u2030; 100 of-one
dollars: 1 dollar $ usd buck; 0.01 cent
euros: 1 euro \u20ac eur
pounds: 1 \u00a3 gbp quid; 0.01 pence p
francs: 1 franc chf
yen: 1 yen \u00a5 jpy
yuan: 1 yuan rmb cny renminbi
zlotys: 1 zloty pln
kronor: 1 krona kronor sek
kroner: 1 krone kroner nok dkk
rubles: 1 ruble rouble
pesos: 1 peso mxn
rupees: 1 rupee \u20b9 inr
celsius: 1 celsius c \u00b0c
fahrenheit: 1 fahrenheit \u00b0f
degrees: 1 degree \u00b0
angle: 1 radian
sound: 1 decibel db
pixels: 1 pixel px; 1e6 megapixel mp
"""

UNITS = {
    name: Unit(quantity, float(entry.split()[0]))
    for quantity, _, entries in (line.partition(": ") for line in _TABLE.strip().splitlines())
    for entry in entries.split("; ")
    for name in entry.split()[1:]
}
"""Units by spelling, in lower case and in the singular."""

SHARE = UNITS["of-one"]
"""Unit of a part of a whole: a half, one in five."""

ROUNDED = 0.02
"""Greatest relative difference of equal amounts in different units: ten metres are 33 feet, three months 90 days."""

ROUNDED_RATES = 0.1
"""Greatest relative difference of equal rates: once a month is once in four weeks."""

ROUNDED_DEGREES = 0.6
"""Greatest difference of equal temperatures in different units, in degrees Celsius: 180 and 356 degrees."""

SYMBOLS = frozenset("$\u20ac\u00a3\u00a5\u20b9")
"""Signs of currencies, which stand before the number."""

RATES = {
    "hourly": ("hour", 1.0),
    "daily": ("day", 1.0),
    "nightly": ("day", 1.0),
    "weekly": ("week", 1.0),
    "biweekly": ("week", 2.0),
    "fortnightly": ("week", 2.0),
    "monthly": ("month", 1.0),
    "bimonthly": ("month", 2.0),
    "quarterly": ("quarter", 1.0),
    "annually": ("year", 1.0),
    "annual": ("year", 1.0),
    "yearly": ("year", 1.0),
}
"""Unit of time, and how many of them, of the words that say how often something happens."""

PERIODS = {"night": "day", "evening": "day", "morning": "day", "afternoon": "day", "spring": "year", "summer": "year"}
PERIODS |= {"autumn": "year", "winter": "year"}
"""Unit of time of a word that, after "every", says how often."""

_ALONE = frozenset({"s", "p", "m", "h", "l", "g", "w", "c", "v", "pa", "ma", "mp", "um", "ug", "ul", "mo", "ha", "ms"})
_NO_PLURAL = frozenset({*_ALONE, "foot", "feet"})
_TEMPERATURES = frozenset({"celsius", "fahrenheit"})


def unit_of(word: str, after_digits: bool = True) -> str | None:
    """Return the spelling in `UNITS` of a lower-case word in the singular or the plural, or None.

    One or two letters, such as "m", are a unit only after digits.
    """
    if word in UNITS:
        return word if after_digits or word not in _ALONE else None
    if word.endswith("ies"):
        return f"{word[:-3]}y" if f"{word[:-3]}y" in UNITS else None
    for ending in ("s", "es", "."):
        stem = word.removesuffix(ending)
        if stem != word and stem in UNITS and stem not in _NO_PLURAL:
            return stem
    return None


def same_size(a: float, x: Unit | None, b: float, y: Unit | None) -> bool:
    """Return whether an amount in one unit is another amount in another unit.

    Amounts in one unit must be exactly equal. Those in different units may differ by `ROUNDED`, temperatures by
    `ROUNDED_DEGREES`. A number without a unit is compared by its value.
    """
    if x is None or y is None:
        if isclose(a, b):
            return True
        units = [unit for unit in (x, y) if unit is not None]
        shares = bool(units) and units[0].quantity == "ratio"
        return shares and isclose(a * (x.size / 100 if x else 1.0), b * (y.size / 100 if y else 1.0))
    if x == y:
        return isclose(a, b)
    names = {x.quantity, y.quantity}
    if {x, y} == {UNITS["pound"], UNITS["\u00a3"]} or ("degrees" in names and names & _TEMPERATURES):
        return isclose(a, b)
    if names == _TEMPERATURES:
        one, other = (value if unit.quantity == "celsius" else (value - 32) / 1.8 for value, unit in ((a, x), (b, y)))
        return abs(one - other) <= ROUNDED_DEGREES
    if x.quantity != y.quantity:
        return names == {"dollars", "euros"} and UNITS["cent"] in (x, y) and isclose(a * x.size, b * y.size)
    return abs(a * x.size - b * y.size) <= ROUNDED * max(abs(a * x.size), abs(b * y.size))


_MONEY = frozenset(
    {"dollars", "euros", "pounds", "francs", "yen", "rupees", "yuan", "zlotys", "kronor", "kroner", "rubles", "pesos"}
)


def is_money(unit: Unit | None) -> bool:
    """Return whether a unit is one of money."""
    return unit is not None and unit.quantity in _MONEY


def measure_alike(x: Unit | None, y: Unit | None) -> bool:
    """Return whether amounts in two units can be compared: both without a unit, of one quantity, or of money."""
    if x is None or y is None:
        return x is y
    names = {x.quantity, y.quantity}
    return len(names) == 1 or names <= {*_TEMPERATURES, "degrees"} or names <= _MONEY
