"""Dates and times of day in a sentence, in words and digits."""

import re
from typing import NamedTuple

from ...features.base.sentences import Sentence
from .facts import Fact

_MONTHS = "january february march april may june july august september october november december".split()
_MONTH_OF = {name: value for value, name in enumerate(_MONTHS, 1)}
_MONTH_OF |= {name[:3]: value for name, value in _MONTH_OF.items()} | {"sept": 9}
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_DAY_OF = {name: value for value, name in enumerate(_DAYS, 1)} | {
    "mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thurs": 4, "fri": 5
}  # fmt: skip
_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
_RELATIVE = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_DIRECTION = {"last": -1, "previous": -1, "this": 0, "next": 1, "coming": 1, "following": 1}
_PERIODS = frozenset({"week", "month", "year", "quarter", "weekend", "season", "night"})
_PARTS_OF_DAY = {"morning": 1, "afternoon": 2, "evening": 3}
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(am|pm)?")
_HOUR = re.compile(r"(\d{1,2})(am|pm)")
_DAY_NUMBER = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_ISO = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})")
_WRITTEN = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})")
_HALVES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 12, "p.m.": 12, "p.m": 12}
_BEFORE_YEAR = frozenset(
    "in of since by until till from before after during early late mid around to and between".split()
)
_BEFORE_SEASON = frozenset("in this last next of since by".split())

Part = tuple[str, int, tuple[int, ...]]
"""Name of a part of a date (``year``, ``month``, ``day``, ...), its value, and the places of its tokens."""


class Moment(NamedTuple):
    """Date or time as far as the words give it: for each named part its value, and the places of its tokens."""

    parts: dict[str, int]
    places: dict[str, tuple[int, ...]]

    def conflicts(self, other: "Moment") -> list[str]:
        """Return the parts that both have with different values."""
        named = [name for name in self.parts if name in other.parts and self.parts[name] != other.parts[name]]
        both = {"day", "month"}
        if both <= self.parts.keys() and both <= other.parts.keys() and self._exchanged(other):
            return [name for name in named if name not in both]
        return named

    def _exchanged(self, other: "Moment") -> bool:
        # 03/05 is a day in March or in May, unless the month has a name.
        written = self.places["day"] == self.places["month"] or other.places["day"] == other.places["month"]
        return written and (self.parts["day"], self.parts["month"]) == (other.parts["month"], other.parts["day"])

    def shares(self, other: "Moment") -> bool:
        """Return whether both give some part."""
        return not self.parts.keys().isdisjoint(other.parts)


def dates(sentence: Sentence) -> list[Fact]:
    """Return the dates and times of day of a sentence of the level ``lexical``, in order; values are `Moment`."""
    found: list[Fact] = []
    parts: list[Part] = []
    place, last = 0, -1
    size = len(sentence.tokens)
    while place < size:
        part, stop = _parts_at(sentence, place, {name for name, _, _ in parts if last >= place - 2})
        joins = all(word in (",", "of", "the", "in", "at", "on") for word in sentence.words[last + 1 : place])
        repeats = bool({name for name, _, _ in parts} & {name for name, _, _ in part})
        fresh = bool(part) and (place > last + 2 or not joins or repeats)
        if parts and (fresh or (not part and place > last + 2)):
            found.append(_fact(parts))
            parts = []
        if part:
            parts += part
            last = stop - 1
        place = stop
    return [*found, _fact(parts)] if parts else found


def _fact(parts: list[Part]) -> Fact:
    moment = Moment({name: value for name, value, _ in parts}, {name: places for name, _, places in parts})
    places = tuple(sorted({place for _, _, some in parts for place in some}))
    return Fact(places, moment, None)


def _parts_at(sentence: Sentence, place: int, before: set[str]) -> tuple[list[Part], int]:
    # Parts of a date that start at a place, and the place after them.
    for read in (_written_date, _clock, _day_and_month, _named_part):
        parts, stop = read(sentence, place)
        if parts:
            return parts, stop
    word = sentence.words[place]
    if _YEAR.fullmatch(word):
        after = sentence.tags[place + 1] if place + 1 < len(sentence.tags) else ""
        near = sentence.words[place - 1] if place else ""
        counts = after.startswith("NN") and near not in ("in", "since", "until")
        if before & {"month", "season"} or (not counts and (near in _BEFORE_YEAR or not place)):
            return [("year", int(word), (place,))], place + 1
    return [], place + 1


def _written_date(sentence: Sentence, place: int) -> tuple[list[Part], int]:
    word = sentence.words[place]
    if match := _ISO.fullmatch(word):
        year, month, day = map(int, match.groups())
    elif match := _WRITTEN.fullmatch(word):
        day, month, year = map(int, match.groups())
        if month > 12:
            day, month = month, day
        year += 2000 if year < 100 else 0
    else:
        return [], place
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return [], place
    return [("day", day, (place,)), ("month", month, (place,)), ("year", year, (place,))], place + 1


def _clock(sentence: Sentence, place: int) -> tuple[list[Part], int]:
    words = sentence.words
    word, after = words[place], words[place + 1] if place + 1 < len(words) else ""
    if word in ("noon", "midday", "midnight"):
        return [("clock", 0 if word == "midnight" else 720, (place,))], place + 1
    half = _HALVES.get(after)
    if match := _CLOCK.fullmatch(word):
        hour, minute, glued = int(match[1]), int(match[2]), match[3]
        if "." in word and half is None and glued is None:
            return [], place
    elif match := _HOUR.fullmatch(word):
        hour, minute, glued = int(match[1]), 0, match[2]
    elif word.isascii() and word.isdigit() and len(word) <= 2 and (half is not None or after == "o'clock"):
        hour, minute, glued = int(word), 0, None
    else:
        return [], place
    if hour > 24 or minute > 59:
        return [], place
    stop = place + 2 if half is not None or after == "o'clock" else place + 1
    shift = _HALVES[glued] if glued else half
    minutes = ((hour % 12 + shift) if shift is not None else hour) * 60 + minute
    parts: list[Part] = [("clock", minutes, (place,))]
    return parts, stop


def _day_and_month(sentence: Sentence, place: int) -> tuple[list[Part], int]:
    month = _month(sentence, place)
    if month:
        parts: list[Part] = [("month", month, (place,))]
        after = place + 1
        if sentence.words[after : after + 1] == (".",):
            after += 1
        day = _day(sentence, after)
        if day and not (after + 1 < len(sentence.words) and sentence.words[after + 1] in ("%", "percent", "million")):
            return [*parts, ("day", day, (after,))], after + 1
        return parts, place + 1
    day = _day(sentence, place)
    after = place + 1
    if day and sentence.words[after : after + 1] == ("of",):
        after += 1
    month = _month(sentence, after) if after < len(sentence.words) else 0
    if day and month:
        return [("day", day, (place,)), ("month", month, (after,))], after + 1
    return [], place


def _month(sentence: Sentence, place: int) -> int:
    # "may" and "march" are verbs too.
    token, word, tag = sentence.tokens[place], sentence.words[place].rstrip("."), sentence.tags[place]
    month = _MONTH_OF.get(word, 0)
    unsure = word in ("may", "march", "mar", "jan", "dec")
    return month if month and token[0].isupper() and not (unsure and not tag.startswith("NNP")) else 0


def _day(sentence: Sentence, place: int) -> int:
    match = _DAY_NUMBER.fullmatch(sentence.words[place]) if place < len(sentence.words) else None
    return int(match[1]) if match and 1 <= int(match[1]) <= 31 else 0


def _named_part(sentence: Sentence, place: int) -> tuple[list[Part], int]:
    word = sentence.words[place].rstrip(".")
    if word.removesuffix("s") in _DAY_OF or word in _DAY_OF:
        is_short = word not in _DAYS and word.removesuffix("s") not in _DAYS
        if sentence.tokens[place][0].isupper() and not (is_short and not sentence.tags[place].startswith("NNP")):
            return [("weekday", _DAY_OF.get(word) or _DAY_OF[word.removesuffix("s")], (place,))], place + 1
    if word in _RELATIVE:
        return [("from today", _RELATIVE[word], (place,))], place + 1
    noun = sentence.tags[place].startswith("NN")
    if word in _SEASONS and (noun and not (word in ("spring", "fall") and not _after_preposition(sentence, place))):
        return [("season", _SEASONS[word], (place,))], place + 1
    if word in _PARTS_OF_DAY and noun:
        return [("part of day", _PARTS_OF_DAY[word], (place,))], place + 1
    after = sentence.lemmas[place + 1] if place + 1 < len(sentence.lemmas) else ""
    if word in _DIRECTION and after in _PERIODS:
        return [(f"direction of {after}", _DIRECTION[word], (place,))], place + 2
    return [], place


def _after_preposition(sentence: Sentence, place: int) -> bool:
    return not _BEFORE_SEASON.isdisjoint(sentence.words[max(place - 2, 0) : place])
