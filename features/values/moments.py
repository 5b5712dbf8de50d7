"""Dates with their times of day, in words and digits, read from pieces of tokens."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from .clock import CLOCK_WORDS, HALVES, MONTHS, RELATIVE, SHORT_DAYS, WEEKDAYS, Part, clock_at
from .numbers import ORDINALS, WORDS, ordinal_at
from .pieces import Pieces

_SEASONS = {"spring": 1, "summer": 2, "autumn": 3, "fall": 3, "winter": 4}
_DIRECTION = {"last": -1, "previous": -1, "past": -1, "this": 0, "next": 1, "coming": 1, "following": 1}
_PERIODS = frozenset({"week", "month", "year", "quarter", "weekend", "season", "night"})
_PARTS_OF_DAY = {"morning": 1, "afternoon": 2, "evening": 3, "mornings": 1, "afternoons": 2, "evenings": 3}
_TWILIGHT = {"dawn": 1, "daybreak": 1, "sunrise": 1, "dusk": 2, "sunset": 2, "nightfall": 2}
_PHASES = {"early": 1, "mid": 2, "late": 3}
_NAMED_DAYS = {
    ("new", "year", "'s", "day"): (1, 1), ("new", "year", "'s", "eve"): (31, 12), ("christmas", "day"): (25, 12),
    ("christmas", "eve"): (24, 12), ("boxing", "day"): (26, 12), ("halloween",): (31, 10),
}  # fmt: skip
_NAMED_FIRST = frozenset(names[0] for names in _NAMED_DAYS)
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})")
_WRITTEN = re.compile(r"(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_BEFORE_YEAR = frozenset(
    "in of since by until till from before after during early late mid around to and between".split()
)
_BEFORE_MONTH = frozenset("in of since by until till from before after during early late mid last next this".split())
_NOT_DAYS = frozenset({"%", "percent", "million", "per-cent", "people", "degrees"})

TELLING = frozenset(
    {*MONTHS, *WEEKDAYS, *SHORT_DAYS, "weekdays", *RELATIVE, *_SEASONS, *_PARTS_OF_DAY, *_TWILIGHT, *_DIRECTION}
    | {*_PHASES, *WORDS, *ORDINALS, "noon", "midday", "midnight", "half", "quarter", "a", "new", "christmas", "boxing"}
    | {"halloween"}
)
"""Words that a date or a time of day may begin with; others begin with a digit."""


_EITHER = "day or month first"


class Moment(NamedTuple):
    """Date or time as far as the words give it.

    Attributes
    ----------
    parts, places
        For each named part its value, and the places of its tokens.
    vague
        Whether the time of day may be of either half of the day, as in "half past six".
    """

    parts: dict[str, int]
    places: dict[str, tuple[int, ...]]
    vague: bool = False

    def conflicts(self, other: "Moment") -> list[str]:
        """Return the parts that both have with different values."""
        named = [name for name in self.parts if name in other.parts and self.parts[name] != other.parts[name]]
        if "clock" in named and (self.vague or other.vague):
            same = (self.parts["clock"] - other.parts["clock"]) % 720 == 0
            named = [name for name in named if name != "clock" or not same]
        both = {"day", "month"}
        if both <= self.parts.keys() and both <= other.parts.keys() and self._exchanged(other):
            return [name for name in named if name not in both]
        return named

    def _exchanged(self, other: "Moment") -> bool:
        # 03/05/2026 is a day in March or in May; two dates that are both written so are meant alike.
        ambiguous = (_EITHER in self.parts) != (_EITHER in other.parts)
        return ambiguous and (self.parts["day"], self.parts["month"]) == (other.parts["month"], other.parts["day"])

    def equals(self, other: "Moment") -> bool:
        """Return whether both give some part, and none that both give differs."""
        return not self.parts.keys().isdisjoint(other.parts) and not self.conflicts(other)


def moments(pieces: Pieces, tags: Sequence[str] = ()) -> list[tuple[tuple[int, ...], Moment, int, int]]:
    """Return the dates and times of day in order: places of tokens, value, first piece, and the piece after the last.

    Tags tell the noun "May" from the verb; without them, the words beside it do.
    """
    found: list[tuple[tuple[int, ...], Moment, int, int]] = []
    parts: list[Part] = []
    start, last, end, vague = 0, -1, 0, False

    def close() -> None:
        moment = Moment({name: value for name, value, _ in parts}, {name: places for name, _, places in parts}, vague)
        places = tuple(sorted({place for _, _, some in parts for place in some}))
        found.append((places, moment, start, last + 1))

    for k in pieces.dates:
        if k < end:
            continue
        if parts and k > last + 2:
            close()
            parts, vague = [], False
        part, end, unsure = _parts_at(pieces, k, {name for name, _, _ in parts}, tags)
        if not part:
            continue
        joins = all(pieces[j].text in (",", "of", "the", "in", "at", "on") for j in range(last + 1, k))
        if parts and (not joins or {name for name, _, _ in parts} & {name for name, _, _ in part}):
            close()
            parts, vague = [], False
        start = k if not parts else start
        parts += part
        vague |= unsure
        last = end - 1
    if parts:
        close()
    return found


def _parts_at(pieces: Pieces, k: int, before: set[str], tags: Sequence[str]) -> tuple[list[Part], int, bool]:
    # Parts of a date that start at a piece, the piece after them, and whether a time of day is vague.
    piece = pieces[k]
    if not _may_begin(pieces, k):
        return [], k + 1, False
    if piece.number is None and not piece.text[:1].isdigit():
        parts, stop = _named_part(pieces, k, tags)
        if parts:
            return parts, stop, False
        if piece.text not in WORDS and piece.text not in CLOCK_WORDS and piece.text not in MONTHS:
            ordinal = ordinal_at(pieces, k)
            if ordinal is None:
                return [], k + 1, False
    if parts_and_stop := _written_date(pieces, k):
        return *parts_and_stop, False
    if clock := clock_at(pieces, k):
        return clock
    parts, stop = _day_and_month(pieces, k, tags)
    if parts:
        return parts, stop, False
    after = pieces[k + 1]
    if piece.text.isdecimal() and piece.text[-1] == "0" and after.glued and after.text == "s" and len(piece.text) <= 4:
        year = int(piece.text)
        return [("decade", year if year > 99 else 1900 + year, (pieces.place[k],))], k + 2, False
    if _YEAR.fullmatch(piece.text) and _is_year(pieces, k, before, tags):
        return [("year", int(piece.text), (pieces.place[k],))], k + 1, False
    return [], k + 1, False


_AFTER_NUMBER = frozenset({*HALVES, *MONTHS, "o'clock", "o", "past", "to", "after", "-", "of", "and", "or", "until"})
_AFTER_NUMBER |= {"till", "st", "nd", "rd", "th", "s"}


def _may_begin(pieces: Pieces, k: int) -> bool:
    # A look at the words beside it that spares most numbers a reading.
    text, after = pieces[k].text, pieces[k + 1].text
    if text in WORDS or (text.isdigit() and len(text) < 3):
        near = after in _AFTER_NUMBER or after in ORDINALS or pieces[k - 1].text == "at"
        return near or pieces[k + 2].text in ORDINALS
    if text in _DIRECTION and text != "last":
        return after in _PERIODS or after in WEEKDAYS
    return text != "a" or after == "quarter"


def _is_year(pieces: Pieces, k: int, before: set[str], tags: Sequence[str]) -> bool:
    after, near = pieces[k + 1], pieces[k - 1].text
    if before & {"month", "season"}:
        return True
    if after.glued and after.text not in ("-", "/"):
        return False
    if near in ("in", "since", "until"):
        return True
    counts = tags[pieces.place[k + 1]].startswith("NN") if tags and pieces.place[k + 1] >= 0 else after.text[-1:] == "s"
    return not counts and (near in _BEFORE_YEAR or not near)


def _written_date(pieces: Pieces, k: int) -> tuple[list[Part], int] | None:
    text, here = pieces[k].text, (pieces.place[k],)
    if len(text) < 6:
        return None
    if match := _ISO.fullmatch(text):
        year, month, day = map(int, match.groups())
    elif match := _WRITTEN.fullmatch(text):
        day, month, year = map(int, match.groups())
        if month > 12:
            day, month = month, day
        year += 2000 if year < 100 else 0
    else:
        return None
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    parts: list[Part] = [("day", day, here), ("month", month, here), ("year", year, here)]
    if day <= 12 and not _ISO.fullmatch(text):
        parts.append((_EITHER, 1, here))
    return parts, k + 1


def _day_and_month(pieces: Pieces, k: int, tags: Sequence[str]) -> tuple[list[Part], int]:
    month = _month(pieces, k, tags)
    if month:
        parts: list[Part] = [("month", month, (pieces.place[k],))]
        after = k + 1
        if pieces[after].text == ".":
            after += 1
        if pieces[after].text == "the":
            after += 1
        day, stop = _day(pieces, after)
        follows = pieces[stop]
        if day and follows.text not in _NOT_DAYS and not (follows.glued and follows.text not in ("-", ",", "/")):
            return [*parts, ("day", day, pieces.places(after, stop))], stop
        return parts, k + 1
    day, stop = _day(pieces, k)
    if not day or pieces[stop].glued and pieces[stop].text != "-":
        return [], k
    of_day: Part = ("day", day, pieces.places(k, stop))
    after = stop + 1 if pieces[stop].text == "of" else stop
    month = _month(pieces, after, tags)
    if month:
        return [of_day, ("month", month, (pieces.place[after],))], after + 1
    is_ordinal = ordinal_at(pieces, k) is not None
    if (
        is_ordinal
        and after > stop
        and pieces[after].text in ("each", "every", "the")
        and pieces[after + 1].text == "month"
    ):
        return [of_day], stop
    ends = not pieces[stop].text or pieces[stop].text in ".,;!?"
    if is_ordinal and ends and pieces[k - 1].text == "the" and pieces[k - 2].text in ("on", "by", "from", "before"):
        return [of_day], stop
    # "from 24 to 31 July": the first day is one of July too.
    if pieces[stop].text in ("to", "-", "and", "until", "till", "or"):
        second = stop + 2 if pieces[stop + 1].text == "the" else stop + 1
        other, stop_other = _day(pieces, second)
        after = stop_other + 1 if pieces[stop_other].text == "of" else stop_other
        month = _month(pieces, after, tags) if other else 0
        if month:
            return [of_day, ("month", month, ())], stop
    return [], k


def _month(pieces: Pieces, k: int, tags: Sequence[str]) -> int:
    # "may" and "march" are verbs too.
    piece = pieces[k]
    month = MONTHS.get(piece.text, 0)
    if not month or not piece.capital:
        return 0
    if piece.text not in ("may", "march", "mar", "jan", "dec"):
        return month
    if tags:
        return month if tags[pieces.place[k]].startswith("NNP") else 0
    before, after = pieces[k - 1], pieces[k + 1]
    near = before.text in _BEFORE_MONTH or before.number is not None or before.text in ("st", "nd", "rd", "th")
    return month if near or after.number is not None else 0


def _day(pieces: Pieces, k: int) -> tuple[int, int]:
    piece = pieces[k]
    ordinal = ordinal_at(pieces, k)
    if ordinal is not None:
        return (int(ordinal.value), ordinal.stop) if 1 <= ordinal.value <= 31 else (0, k)
    if piece.text.isascii() and piece.text.isdigit() and len(piece.text) <= 2 and 1 <= int(piece.text) <= 31:
        return int(piece.text), k + 1
    return 0, k


def _named_part(pieces: Pieces, k: int, tags: Sequence[str]) -> tuple[list[Part], int]:
    piece = pieces[k]
    word, here = piece.text, (pieces.place[k],)
    if word in WEEKDAYS:
        # Weekdays are read without a capital too; "sun" and "sat" are other words then.
        return [("weekday", WEEKDAYS[word], here)], k + 1
    if word in SHORT_DAYS and piece.capital and (tags[pieces.place[k]].startswith("NNP") if tags else word != "sun"):
        return [("weekday", SHORT_DAYS[word], here)], k + 1
    if word == "weekdays":
        return [("weekday", 8, here)], k + 1
    if word in RELATIVE:
        return [("from today", RELATIVE[word], here)], k + 1
    noun = not tags or tags[pieces.place[k]].startswith("NN")
    if word in _SEASONS and noun and not (word in ("spring", "fall") and not _after_preposition(pieces, k)):
        return [("season", _SEASONS[word], here)], k + 1
    if word in _PARTS_OF_DAY and noun:
        return [("part of day", _PARTS_OF_DAY[word], here)], k + 1
    if word in _TWILIGHT:
        return [("twilight", _TWILIGHT[word], here)], k + 1
    after = pieces[k + 1].text
    if word in _DIRECTION and after.removesuffix("s") in _PERIODS and not after.endswith("s"):
        return [(f"direction of {after}", _DIRECTION[word], (*here, pieces.place[k + 1]))], k + 2
    if word in ("this", "next") and after in WEEKDAYS:
        return [("direction of day", _DIRECTION[word], here)], k + 1
    if word in _PHASES and (after in _SEASONS or (after in MONTHS and pieces[k + 1].capital)):
        return [("phase", _PHASES[word], here)], k + 1
    order = 9.0 if word == "last" else (number.value if (number := ordinal_at(pieces, k)) else 0.0)
    if order and (after in WEEKDAYS or (after == "day" and pieces[k + 2].text == "of")):
        # "the first Monday in June", "the last day of June"; "last Monday" alone is the one before today.
        if word != "last" or pieces[k + 2].text in ("of", "in"):
            return [("order", int(order), here)], k + 1 + (after == "day")
    for names, (day, month) in _NAMED_DAYS.items() if word in _NAMED_FIRST else ():
        if pieces.texts(k, k + len(names)) == names:
            places = pieces.places(k, k + len(names))
            return [("day", day, places), ("month", month, places)], k + len(names)
    return [], k


def _after_preposition(pieces: Pieces, k: int) -> bool:
    return not frozenset("in this last next of since by".split()).isdisjoint(pieces.texts(k - 2, k))
