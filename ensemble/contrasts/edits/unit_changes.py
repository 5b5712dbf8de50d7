"""Units: another unit of the same quantity, and the same quantity in another unit."""

import random
import re

from ....features.analysis.editable_sentence import EditableSentence, digits_of, words_of
from ....features.analysis.inflection import plural
from ..edit import Change

_FAMILIES = (
    ("second", "minute", "hour", "day", "week", "month", "year", "decade"),
    ("milligram", "gram", "kilogram", "ton"),
    ("mcg", "mg", "g", "kg"),
    ("pound", "ounce"),
    ("millimeter", "centimeter", "meter", "kilometer"),
    ("millimetre", "centimetre", "metre", "kilometre"),
    ("mm", "cm", "km"),
    ("inch", "foot", "yard", "mile"),
    ("milliliter", "liter", "gallon"),
    ("millilitre", "litre"),
    ("ml", "dl", "litres"),
    ("dollar", "euro", "cent"),
    ("kb", "mb", "gb", "tb"),
    ("byte", "kilobyte", "megabyte", "gigabyte"),
    ("watt", "kilowatt", "megawatt"),
    ("celsius", "fahrenheit"),
    ("mph", "km/h"),
)
_FAMILY = {unit: family for family in _FAMILIES for unit in family}
_ATTACHED = re.compile(r"(\d+(?:\.\d+)?)(mcg|mg|g|kg|mm|cm|km|ml|KB|MB|GB|TB|kb|mb|gb)$")
_FACTORS = {
    "minute": (60, "second"),
    "hour": (60, "minute"),
    "day": (24, "hour"),
    "week": (7, "day"),
    "year": (12, "month"),
    "decade": (10, "year"),
    "century": (100, "year"),
    "kilogram": (1000, "gram"),
    "kg": (1000, "grams"),
    "gram": (1000, "milligram"),
    "kilometer": (1000, "meter"),
    "kilometre": (1000, "metre"),
    "km": (1000, "meters"),
    "meter": (100, "centimeter"),
    "metre": (100, "centimetre"),
    "liter": (1000, "milliliter"),
    "litre": (1000, "millilitre"),
    "foot": (12, "inch"),
    "yard": (3, "foot"),
    "ton": (1000, "kilogram"),
}
_SMALLER = {small: (factor, large) for large, (factor, small) in _FACTORS.items()}
_LARGEST = 10_000
_LONGEST = 180


def _unit(sentence: EditableSentence, chance: random.Random) -> str | None:
    found: list[int] = []
    for i, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True)):
        counted = i > 0 and (sentence.tags[i - 1] == "CD" or sentence.words[i - 1] in ("few", "several", "many"))
        if _ATTACHED.match(sentence.tokens[i]) or (lemma in _FAMILY and counted and tag[:2] in ("NN", "CD", "JJ")):
            found.append(i)
    if not found:
        return None
    place = found[chance.randrange(len(found))]
    attached = _ATTACHED.match(sentence.tokens[place])
    lemma = attached[2].lower() if attached else sentence.lemmas[place]
    place_in = _FAMILY[lemma].index(lemma)
    others = [other for k, other in enumerate(_FAMILY[lemma]) if other != lemma and abs(k - place_in) <= 3]
    new = others[chance.randrange(len(others))]
    if attached:
        return sentence.replaced(place, place + 1, attached[1] + (new.upper() if attached[2].isupper() else new))
    token = sentence.tokens[place]
    if sentence.tags[place] == "NNS" and token.lower() != lemma and new != "yen":
        new = plural(new)
    return sentence.replaced(place, place + 1, new.upper() if token.isupper() and len(token) > 1 else new)


def _unit_conversion(sentence: EditableSentence, chance: random.Random) -> str | None:
    found: list[tuple[int, int, str]] = []
    for i in range(1, len(sentence)):
        amount = _amount(sentence, i - 1)
        lemma = sentence.lemmas[i]
        if amount is None or sentence.tags[i] not in ("NN", "NNS"):
            continue
        if i + 1 < len(sentence) and sentence.words[i + 1] in ("old", "ago", "'", "'s", "and"):
            continue
        options = []
        if lemma in _FACTORS:
            factor, unit = _FACTORS[lemma]
            options.append((amount * factor, unit))
        if lemma in _SMALLER and amount % _SMALLER[lemma][0] == 0:
            options.append((amount // _SMALLER[lemma][0], _SMALLER[lemma][1]))
        for value, unit in options:
            if 0 < value <= (_LONGEST if lemma in _FAMILIES[0] else _LARGEST):
                number = words_of(value) if not sentence.tokens[i - 1][0].isdigit() and value <= 20 else f"{value:,}"
                name = unit if value == 1 or unit.endswith("s") else plural(unit)
                found.append((i - 1, i + 1, f"{number} {name}"))
    if not found:
        return None
    start, end, new = found[chance.randrange(len(found))]
    return sentence.replaced(start, end, new)


def _amount(sentence: EditableSentence, i: int) -> int | None:
    word = sentence.words[i]
    if word in ("a", "an"):
        # "in a week" has seven days; "once a week" does not.
        return 1 if i and sentence.words[i - 1] in ("for", "in", "within", "after", "takes", "took", "lasts") else None
    if sentence.tags[i] != "CD" or (i and sentence.tags[i - 1] == "CD"):
        return None
    return int(word) if word.isdecimal() and word.isascii() and len(word) < 6 else digits_of(word)


CHANGES = (Change("unit", False, _unit), Change("unit_conversion", True, _unit_conversion))
