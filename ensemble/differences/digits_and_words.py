"""Numbers in digits and in words: "1,200", "forty-two", "3 million", "a dozen", "half a million"."""

import re

from ...features.sentences import Sentence
from .measure_units import UNITS

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
    """Return the number that starts at a place or None, the place after it, and a unit or sign in the same token.

    Parameters
    ----------
    sentence
        A sentence of the level ``lexical``.
    place
        Place of a token.
    taken
        Places of tokens that belong to dates.
    """
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
