"""Tokens of interlinear sentences, and times of day that other languages say in several words."""

from typing import NamedTuple

from ..linguistics.stems import stem
from .clock import MONTHS
from .units import unit_of

Span = tuple[int, int]

BEFORE_HOUR = frozenset("at from until to before after about between and by towards".split())
"""English words after which a number may be an hour."""


class Token(NamedTuple):
    """Token of an interlinear sentence, and the characters of the text that it stands for."""

    token: str
    word: str
    lemma: str
    stem: str
    tag: str
    span: Span


def english_token(word: str, tag: str, span: Span) -> Token:
    """Return a token of an English word."""
    low = word.lower()
    return Token(word, low, low, stem(low, "en"), tag, span)


def with_hours(tokens: list[Token]) -> list[Token]:
    """Return the tokens with each hour and its minutes as one time of day: "3 y media", "halb 7", "at 5 hours"."""
    kept: list[Token] = []
    minutes: Token | None = None
    for k, token in enumerate(tokens):
        after = tokens[k + 1] if k + 1 < len(tokens) else None
        if token.tag == "before hour":
            minutes = token
        elif token.tag == "after hour":
            _add_minutes(kept, token, after)
        elif minutes is not None and _is_hour(token):
            clock, span = _clock(int(token.word), int(minutes.word)), (minutes.span[0], token.span[1])
            kept.append(english_token(clock, "CD", span))
            minutes = None
        elif token.word == "hour" and after is not None and _is_hour(after) and not (kept and kept[-1].tag == "CD"):
            kept.append(english_token("at", "IN", token.span))
        elif token.word == "a" and after is not None and after.tag == "NN" and unit_of(after.word, False) is not None:
            kept.append(english_token("1", "CD", token.span))
        elif _is_minutes(kept, token, after):
            kept.pop()
            hour = kept.pop()
            kept.append(english_token(f"{hour.word}:{int(token.word):02}", "CD", (hour.span[0], token.span[1])))
        elif (
            token.word == "hour"
            and len(kept) > 1
            and _is_hour(kept[-1])
            and kept[-2].word == "at"
            and not (after is not None and after.tag in ("CD", "after hour"))
        ):
            kept.append(english_token("o'clock", "RB", token.span))
        elif token.word == "of" and kept and kept[-1].word in MONTHS and after is not None and after.word.isdigit():
            continue
        else:
            kept.append(token)
    return kept


def _is_minutes(kept: list[Token], token: Token, after: Token | None) -> bool:
    # The last number of "17 hours 30".
    if len(kept) < 2 or kept[-1].word != "hour" or not _is_hour(kept[-2]) or len(token.word) != 2:
        return False
    counts = after is not None and unit_of(after.word, False) is not None
    return token.word.isdigit() and int(token.word) < 60 and not counts


def _is_hour(token: Token) -> bool:
    return token.word.isascii() and token.word.isdigit() and int(token.word) <= 24


def _clock(hour: int, minutes: int) -> str:
    return f"{(hour - (minutes < 0)) % 24}:{minutes % 60:02}"


def _add_minutes(kept: list[Token], token: Token, after: Token | None) -> None:
    # "three and half", "three hours and half": a time of day, or a number before its unit.
    back = 2 if len(kept) > 2 and unit_of(kept[-1].word, False) is not None else 1
    if len(kept) < back or not _is_hour(kept[-back]):
        return
    hour, added = int(kept[-back].word), int(token.word)
    if back == 2:
        counted = kept[-3].word not in BEFORE_HOUR
    else:
        counted = after is not None and unit_of(after.word, False) is not None
    if back == 2 and not counted:
        kept.pop()
    text = f"{hour + added / 60:g}" if counted else _clock(hour, added)
    place = -2 if back == 2 and counted else -1
    end = kept[place].span[1] if place == -2 else token.span[1]
    kept[place] = english_token(text, "CD", (kept[place].span[0], end))
