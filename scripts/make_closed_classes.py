"""Write the words for numbers, months, weekdays, units and currencies of a language from CLDR and num2words.

They are the second part of each file of `features/data/closed_classes`; the first, written by hand, stays as it is.

    pip install babel num2words
    python scripts/make_closed_classes.py de fr
"""

import argparse
import re
from collections.abc import Iterator

from babel import Locale
from babel.dates import get_day_names, get_month_names
from babel.numbers import get_currency_name, get_decimal_symbol
from babel.units import format_unit
from num2words import num2words
from samewise.features.linguistics.closed_classes import FOLDER, MADE
from samewise.features.values.clock import MONTHS, WEEKDAYS

COUNTS = (*range(101), *range(200, 1000, 100), 1000, 10**6)
ORDINALS = range(1, 32)
UNITS = {
    "duration": "second minute hour day week month year century",
    "mass": "gram kilogram milligram tonne pound ounce",
    "length": "millimeter centimeter meter kilometer inch foot yard mile",
    "volume": "liter milliliter centiliter gallon cup tablespoon teaspoon",
    "area": "hectare acre square-meter square-kilometer",
    "digital": "byte kilobyte megabyte gigabyte terabyte",
    "power": "watt kilowatt",
    "electric": "volt",
}
"""Units of CLDR by what they measure; the rules of values know them by these names."""
CURRENCIES = {"EUR": "euro", "USD": "dollar", "CHF": "franc", "JPY": "yen", "CNY": "yuan", "INR": "rupee"}
CURRENCIES |= {"PLN": "zloty", "RUB": "ruble", "MXN": "peso"}
FORMS = (1, 2, 3, 11, 100)
"""Counts whose forms of a unit are all that a language has."""


def counted(text: str) -> str:
    """Return the name of a unit without the number beside it."""
    return re.sub(r"[\d\u0660-\u0669\u200e\u200f\u061c]+", "", text).strip()


def number_words(language: str, kind: str, values: tuple[int, ...] | range) -> Iterator[tuple[str, list[str]]]:
    """Yield numbers with their words in a language, without those that are written in digits."""
    for value in values:
        try:
            words = str(num2words(value, lang=language, to=kind)).strip().lower()
        except (NotImplementedError, OverflowError):
            continue
        if not any(map(str.isdigit, words)):
            yield str(value), [words]


def sections(language: str) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """Yield the name of each section of a language, and its English words with those of the language."""
    locale = Locale(language)
    yield "numbers", list(number_words(language, "cardinal", COUNTS))
    yield "ordinals", list(number_words(language, "ordinal", ORDINALS))
    named: dict[str, list[str]] = {}
    months = [name.capitalize() for name in list(MONTHS)[:12]]
    days = [name.capitalize() for name in list(WEEKDAYS)[:7]]
    for context in ("format", "stand-alone"):
        # Short names are left out: "mar" and "so" are more often other words.
        for values, names, first in ((get_month_names, months, 1), (get_day_names, days, 0)):
            for key, name in values("wide", context, locale).items():
                named.setdefault(names[key - first], []).append(name)
    yield "NNP", list(named.items())
    units: dict[str, list[str]] = {}
    for measure, names in UNITS.items():
        for name in names.split():
            for count in FORMS:
                text = format_unit(count, f"{measure}-{name}", "long", locale=locale)
                # Arabic has a dual, which says two without a number.
                english = name.replace("-", " ") if count != 2 or counted(text) != text else f"2 {name}"
                units.setdefault(english, []).append(counted(text))
    for code, name in CURRENCIES.items():
        units[name] = [get_currency_name(code, count, locale) for count in (None, *FORMS)]
    yield "NN", list(units.items())


def made_part(language: str) -> str:
    """Return the second part of the file of a language."""
    lines = [MADE, "[facts]", f"decimal: {get_decimal_symbol(Locale(language))}"]
    for name, entries in sections(language):
        lines.append(f"[{name}]")
        for english, words in entries:
            distinct = [word for word in dict.fromkeys(words) if len(word) > 1 and any(map(str.isalpha, word))]
            if distinct:
                lines.append(f"{english}: {'|'.join(distinct)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the second part of the files of the languages named."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("languages", nargs="+", metavar="CODE", help="ISO 639-1 codes")
    for language in parser.parse_args().languages:
        path = FOLDER / f"{language}.txt"
        written = path.read_text(encoding="utf-8").partition(MADE)[0] if path.exists() else ""
        path.write_text(written + made_part(language), encoding="utf-8")


if __name__ == "__main__":
    main()
