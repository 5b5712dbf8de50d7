"""Times of day, in words and digits, and the names of months and weekdays."""

import re

from .numbers import WORDS
from .pieces import Piece, Pieces

_MONTHS = "january february march april may june july august september october november december".split()
MONTHS = {name: value for value, name in enumerate(_MONTHS, 1)}
MONTHS |= {name[:3]: value for name, value in MONTHS.items()} | {"sept": 9}
"""Number of a month by its name, whole or short."""
_DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
WEEKDAYS = {name: value for value, name in enumerate(_DAYS, 1)} | {f"{name}s": k for k, name in enumerate(_DAYS, 1)}
"""Number of a weekday by its name, in the singular or the plural."""
SHORT_DAYS = {"mon": 1, "tue": 2, "tues": 2, "wed": 3, "thu": 4, "thurs": 4, "fri": 5, "sat": 6, "sun": 7}
"""Number of a weekday by its abbreviation, which has a capital letter."""
RELATIVE = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
"""Days from today of a word."""
HALVES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 12, "p.m.": 12, "p.m": 12}
"""Hours that are added by the half of the day."""
_SHIFTS = {"morning": 0, "afternoon": 12, "evening": 12}
_CLOCK = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2})?")
_AFTER_HOUR = frozenset("in on this today tomorrow tonight sharp every and or until till to for please".split())

Part = tuple[str, int, tuple[int, ...]]
"""Name of a part of a date (``year``, ``month``, ``day``, ...), its value, and the places of its tokens."""

CLOCK_WORDS = frozenset({"noon", "midday", "midnight", "half", "quarter", "a", "at"})
"""Words that a time of day may begin with, beside numbers."""


def clock_at(pieces: Pieces, k: int) -> tuple[list[Part], int, bool] | None:
    """Return the time of day that starts at a piece, the next piece, and whether its half of the day is open."""
    text, after = pieces[k].text, pieces[k + 1].text
    if text in ("noon", "midday", "midnight"):
        return [("clock", 0 if text == "midnight" else 720, (pieces.place[k],))], k + 1, False
    if pieces[k + 1].text in _SPOKEN or pieces[k + 2].text in _SPOKEN or text == "half":
        spoken = _spoken(pieces, k)
        if spoken:
            return spoken
    half = HALVES.get(after)
    vague = False
    if match := _CLOCK.fullmatch(text) if len(text) > 3 else None:
        hour, minute = int(match[1]), int(match[2])
        if "." in text and half is None:
            if pieces[k - 1].text not in ("at", "until", "till", "by", "before", "after") or hour > 24 or minute > 59:
                return None
            if after[:1].isalnum() and after not in _AFTER_HOUR and after not in HALVES:
                return None
            vague = hour <= 12
    elif text.isascii() and text.isdigit() and len(text) <= 2 or text in WORDS and 1 <= WORDS[text] <= 12:
        hour, minute = int(text) if text.isdigit() else int(WORDS[text]), 0
        if half is None and after not in ("o'clock", "o"):
            if not _is_hour(pieces, k, hour):
                return None
            vague = True
        elif half is None:
            vague = True
    else:
        return None
    if hour > 24 or minute > 59 or (hour == 24 and minute):
        return None
    stop = k + 2 if half is not None or after == "o'clock" else k + 1
    if half is None and (shift := _half_of_day(pieces, stop)) is not None:
        half, vague, stop = (shift if hour <= 12 else None), False, stop + 3
    minutes = ((hour % 12 + half) if half is not None else hour) * 60 + minute
    told = pieces.places(k, k + 2) if after in HALVES else (pieces.place[k],)
    return [("clock", minutes % 1440, told)], stop, vague


def _half_of_day(pieces: Pieces, k: int) -> int | None:
    return _SHIFTS.get(pieces[k + 2].text) if pieces.texts(k, k + 2) == ("in", "the") else None


def _is_hour(pieces: Pieces, k: int, hour: int) -> bool:
    # "at 8", "until six", and nothing after it that could be counted.
    after = pieces[k + 1].text
    open_end = not after or after in _AFTER_HOUR or after in ".,;!?" or after in WEEKDAYS or after in RELATIVE
    return 1 <= hour <= 24 and open_end and pieces[k - 1].text == "at"


_SPOKEN = frozenset({"past", "to", "after"})
_BEFORE_HALF = frozenset("at till until til by before after around about from".split())


def _spoken(pieces: Pieces, k: int) -> tuple[list[Part], int, bool] | None:
    # "half past six", "a quarter to eight", "ten to nine", "half seven".
    first = pieces[k].text
    k_after = k + 1 if first == "a" and pieces[k + 1].text == "quarter" else k
    word = pieces[k_after].text
    minute = {"half": 30, "quarter": 15}.get(word, int(WORDS.get(word, 0)))
    link = pieces[k_after + 1].text
    hour = _hour_of(pieces[k_after + 2])
    if (
        word == "half"
        and pieces[k - 1].text in _BEFORE_HALF
        and 1 <= _hour_of(pieces[k_after + 1]) <= 12
        and pieces[k + 2].text not in ("a", "dozen")
    ):
        hour, link, stop = _hour_of(pieces[k_after + 1]), "past", k_after + 2
    else:
        stop = k_after + 3
    if not (1 <= minute <= 30 and 1 <= hour <= 12) or link not in ("past", "to", "after"):
        return None
    if link == "to" and word not in ("half", "quarter") and (minute % 5 or not _ends_hour(pieces, stop, k)):
        return None
    if link == "after" and word not in ("half", "quarter"):
        return None
    minutes = hour * 60 + (minute if link != "to" else -minute)
    places = pieces.places(k, stop)
    half = HALVES.get(pieces[stop].text)
    shift = half if half is not None else _half_of_day(pieces, stop)
    if shift is None:
        return [("clock", minutes % 1440, places)], stop, True
    return [("clock", minutes % 720 + shift * 60, places)], stop + (1 if half is not None else 3), False


def _ends_hour(pieces: Pieces, stop: int, start: int) -> bool:
    # "ten to nine" is a time of day where nothing that could be counted follows.
    after = pieces[stop].text
    return (not after or not after[0].isalnum() or after in _AFTER_HOUR) and pieces[start - 1].text != "from"


def _hour_of(piece: Piece) -> int:
    if piece.text in WORDS:
        return int(WORDS[piece.text])
    return int(piece.text) if piece.text.isascii() and piece.text.isdigit() and len(piece.text) <= 2 else 0
