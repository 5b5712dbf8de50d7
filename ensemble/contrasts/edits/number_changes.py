"""Numbers: another number of like form, and the same number in words or digits."""

import random
import re

from ....features.analysis.editable_sentence import EditableSentence, digits_of, ordinal_digits, words_of
from ....features.analysis.inflection import plural
from ..edit import Change

_INTEGER = re.compile(r"\d{1,9}$")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+$")
_DECIMAL = re.compile(r"\d+\.\d+$")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})$")
_ORDINAL = re.compile(r"(\d+)(st|nd|rd|th)$")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MONTHS = frozenset("january february march april may june july august september october november december".split())


def _number(sentence: EditableSentence, chance: random.Random) -> str | None:
    tagged = enumerate(zip(sentence.words, sentence.tags, strict=True))
    places = [i for i, (word, tag) in tagged if tag == "CD" or word[0].isdecimal() or word in _ORDINALS]
    if not places:
        return None
    place = places[chance.randrange(len(places))]
    new = _other(sentence, place, chance)
    if new is None:
        return None
    after = place + 1
    if sentence.words[place] in ("one", "1") and after < len(sentence) and sentence.tags[after] == "NN":
        return sentence.composed([(0, place), new, plural(sentence.words[after]), (after + 1, len(sentence))])
    return sentence.replaced(place, after, new[:1].upper() + new[1:] if place == 0 else new)


def _other(sentence: EditableSentence, i: int, chance: random.Random) -> str | None:
    token, word, tag = sentence.tokens[i], sentence.words[i], sentence.tags[i]
    after = sentence.tags[i + 1] if i + 1 < len(sentence) else ""
    if clock := _CLOCK.match(token):
        hour = int(clock[1])
        return f"{hour % 12 + 1}:{clock[2]}" if hour <= 12 else f"{(hour + chance.randint(1, 5)) % 24}:{clock[2]}"
    if ordinal := _ORDINAL.match(token):
        return ordinal_digits(_near(int(ordinal[1]), chance))
    if word in _ORDINALS and tag in ("JJ", "NN") and after.startswith("NN") and i:
        if sentence.words[i - 1] in ("the", "his", "her", "my", "their", "our", "your", "its"):
            return chance.choice([other for other in _ORDINALS[:6] if other != word])
        return None
    if tag != "CD":
        return None
    if _INTEGER.match(token):
        value = int(token)
        if len(token) == 4 and 1500 <= value <= 2099:
            return str(value + chance.choice((-1, 1)) * chance.randint(1, 30))
        if len(token) > 1 and token[0] == "0":
            return None
        if i and sentence.words[i - 1] in _MONTHS and value <= 31:
            return str(chance.choice([day for day in range(1, 29) if day != value]))
        return str(_near(value, chance))
    if _GROUPED.match(token):
        return f"{_near(int(token.replace(',', '')), chance):,}"
    if _DECIMAL.match(token):
        decimals = len(token.partition(".")[2])
        return f"{float(token) * chance.choice((0.5, 2, 3)) + 0.1:.{decimals}f}"
    value = digits_of(word) or 0
    if word == "one":
        # Often a pronoun: a number only before its noun.
        return words_of(chance.randint(2, 6)) if after == "NN" and sentence.words[i - 1 if i else 0] != "no" else None
    if value > 1:
        return words_of(_near(value, chance)) if value <= 100 else None
    others = ("hundred", "thousand", "million", "billion")
    return chance.choice([other for other in others if other != word]) if word in others else None


def _near(value: int, chance: random.Random) -> int:
    # One more or less of few things, a multiple, or two digits exchanged; not 0 or 1, which change nouns beside them.
    text = str(value)
    options = [value * 2, value * 3] if value >= 100 else [value + 1, value - 1, value * 2, value + 2]
    if value >= 10:
        options += [value + value // 2, value * 10 if value < 1000 else value * 3, int(text[1] + text[0] + text[2:])]
    options = [option for option in options if option > 1 and option != value and len(str(option)) >= len(text) - 1]
    return options[chance.randrange(len(options))]


def _number_words(sentence: EditableSentence, chance: random.Random) -> str | None:
    found: list[tuple[int, int, str]] = []
    for i, (token, word) in enumerate(zip(sentence.tokens, sentence.words, strict=True)):
        before = sentence.words[i - 1] if i else ""
        after = sentence.words[i + 1] if i + 1 < len(sentence) else ""
        if word == "dozen" and before == "a" and sentence.tags[i + 1 : i + 2] == ("NNS",):
            found.append((i - 1, i + 1, chance.choice(("twelve", "12"))))
        if sentence.tags[i] != "CD" or before in ("$", "£", "€", "#", "no.", "chapter", "page") or before in _MONTHS:
            continue
        if (
            (i and sentence.tags[i - 1] in ("NNP", "NN", "CD"))
            or after in ("%", "/", "-", ":", ".", "st", "&")
            or before == "&"
        ):
            if not (after == "." and i + 1 == sentence.end):
                continue
        if i + 1 < len(sentence) and sentence.tags[i + 1] in ("CD", "NNP"):
            continue
        if _INTEGER.match(token) and token[0] != "0" and 2 <= int(token) <= 99:
            if not after.startswith(("am", "pm", "a.m", "p.m", "o'")):
                found.append((i, i + 1, words_of(int(token))))
        elif (value := digits_of(word)) is not None and value >= 2 and i:
            found.append((i, i + 1, str(value)))
    if not found:
        return None
    start, end, new = found[chance.randrange(len(found))]
    return sentence.replaced(start, end, new[:1].upper() + new[1:] if start == 0 else new)


CHANGES = (Change("number", False, _number), Change("number_words", True, _number_words))
