"""Values of the slots of the planted questions: the lists of ``data/planted_values.ini``, and ranges of numbers."""

import re
from configparser import ConfigParser
from itertools import product
from pathlib import Path

_LISTS = ConfigParser(interpolation=None)
_LISTS.read(Path(__file__).parent / "data" / "planted_values.ini", encoding="utf-8")


def _listed(text: str) -> list[str]:
    """Return the values of a list; one with parts, as in ``{bank_name} Bank``, gives all combinations of these."""
    values = []
    for value in (value.strip() for value in text.split(",")):
        names = re.findall(r"\{(\w+)\}", value)
        parts = [_listed(_LISTS["parts"][name]) for name in names]
        values += [value.format(**dict(zip(names, combination, strict=True))) for combination in product(*parts)]
    return values


def _section(name: str) -> dict[str, list[str]]:
    return {slot: _listed(text) for slot, text in _LISTS[name].items()}


def _numbers(first: int, last: int, step: int = 1) -> list[str]:
    return [str(number) for number in range(first, last + 1, step)]


_NAMED, _WORDS = _section("names"), _section("words")
_NUMBERED: dict[str, list[str]] = {
    **_section("numbers"),
    "date": [f"{day} {month}" for month in _WORDS["month"] for day in range(1, 29)],
    "hour": [f"{hour} {half}" for half in ("a.m.", "p.m.") for hour in range(1, 12)],
    "amount": [f"${dollars:,}" for dollars in (*range(15, 100, 5), *range(100, 1000, 20), *range(1000, 4001, 100))],
    "fortune": [f"${dollars:,}" for dollars in range(60_000, 900_001, 7_500)],
    "order": _numbers(10_007, 99_999, 3),
    "year": _numbers(1950, 2024),
    "recentyear": _numbers(2008, 2026),
    "comingyear": _numbers(2025, 2034),
    "version": [f"{major}.{minor}" for major in range(2, 15) for minor in range(1, 10)],
    "rate": [f"{tenths / 10:.1f}" for tenths in range(15, 80) if tenths % 10],
    "fever": [f"{tenths / 10:.1f}" for tenths in range(381, 408) if tenths % 10],
    "percent": _numbers(3, 45),
    "age": _numbers(18, 79),
    "childage": _numbers(3, 12),
    "people": _numbers(3, 24),
    "guests": _numbers(25, 200, 5),
    "days": _numbers(2, 60),
    "fewdays": _numbers(2, 12),
    "weeks": _numbers(3, 36),
    "months": _numbers(2, 30),
    "years": _numbers(2, 30),
    "hours": _numbers(2, 14),
    "minutes": _numbers(15, 120, 5),
    "kilos": _numbers(2, 48),
    "grams": _numbers(250, 3000, 50),
    "milligrams": _numbers(5, 100, 5),
    "centimetres": _numbers(20, 95),
    "height": _numbers(148, 204),
    "kilometres": _numbers(5, 100),
    "mileage": [f"{km:,}" for km in range(15_000, 240_000, 5_000)],
    "litres": _numbers(3, 80),
    "area": _numbers(8, 160),
    "oven": _numbers(130, 240, 5),
    "degrees": _numbers(2, 18),
    "pages": _numbers(5, 400, 5),
    "words": _numbers(800, 6000, 100),
    "megabytes": _numbers(50, 2000, 50),
    "rows": [f"{rows:,}" for rows in range(20_000, 5_000_000, 30_000)],
    "kilowatthours": _numbers(1800, 9000, 100),
    "code": _numbers(10, 99),
    "number": _numbers(2, 40),
    "coats": _numbers(2, 5),
    "decibels": _numbers(70, 110),
    "semitones": _numbers(2, 11),
}

VALUES = _NAMED | _WORDS | _NUMBERED
NUMBERS = frozenset(_NUMBERED)
NAMES = frozenset(_NAMED)
