"""All values of a sentence, read from its tokens alone; tags refine them where the sentence has any."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from ..base.caches import cached_by_word
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import vocabulary
from ..base.word_tables import stop_words
from ..linguistics.tokenizer import token_spans
from .amounts import OVER, UNDER, Amount, amount_at
from .codes import Code, code_of, codes_in
from .moments import TELLING, Moment, moments
from .numbers import ORDINALS, SCALES, WORDS
from .pieces import Pieces
from .signs import Sign, sign_of, signs_in
from .units import PERIODS, RATES, SYMBOLS, UNITS, unit_of

NUMBER, QUANTITY, DATE, CODE, SIGN = "number", "quantity", "date", "code", "sign"
"""Kinds of values: a number without a unit, one with a unit, a date or time, a code or address, an emoji or sign."""

_PIECES, _FORMS, _SIGNS, _LETTER_A = 1, 2, 4, 8
_STARTS = frozenset({*WORDS, *SCALES, *ORDINALS, *RATES, "dozen", "half", "once", "twice", "thrice", "every", "each"})
_STARTS |= {"per", "a", "an", "by", "/", "+", "-", "\u00b1", "minus", "plus", "us", *SYMBOLS}
_TIMES = {name for name, unit in UNITS.items() if unit.quantity == "time" and len(name) > 2}
_TELLING = (_STARTS | TELLING | _TIMES | set(PERIODS)) - {
    "a",
    "an",
    "by",
    "us",
    "+",
    "-",
    "/",
    "last",
    "this",
    "new",
    "min",
    "sec",
}
_TELLING = frozenset({*_TELLING, "weekend"} - {"first", "past", "following", "next", "coming", "previous"})
_TELLING |= {"first", "weekends"}
_ROMAN_LETTERS = frozenset("IVX.")
_MODIFIERS = frozenset({"ctrl", "control", "cmd", "command", "alt", "option", "shift", "win", "strg"})
_CODE_MARKS = frozenset("@{}<>[]/")
_SIGN_MARKS = frozenset("<>=*^:;(")


class Value(NamedTuple):
    """Something that a text states exactly.

    Attributes
    ----------
    kind
        `NUMBER`, `QUANTITY`, `DATE`, `CODE` or `SIGN`.
    places
        Places of its tokens, in order, at least one.
    content
        An `Amount`, a `Moment`, a `Code` or a `Sign`.
    slot
        Stem of the word that it is about: the content word after it, or else before it; "" if there is none near.
    """

    kind: str
    places: tuple[int, ...]
    content: Amount | Moment | Code | Sign
    slot: str = ""


@cached_by_word(1 << 16)
def _telling(token: str) -> int:
    # What a token may be part of: a number or a date, a code that is known by its form, a sign.
    low = token.lower()
    if low.isascii() and low.isalpha():
        if low in _TELLING or low.removesuffix("s") in _TELLING:
            return _PIECES
        if token.isupper() and set(token) <= _ROMAN_LETTERS:
            return _PIECES | (_FORMS if len(token) == 1 and token != "I" else 0)
        if token == "A":
            return _LETTER_A
        return _FORMS if len(token) == 1 and token.isupper() and token != "I" else 0
    found = 0
    if any(letter.isnumeric() for letter in low):
        found |= _PIECES | _FORMS
        found |= _SIGNS if not low.isascii() else 0
    parts = low.rstrip(".").split("-")
    if any(part in _TELLING or part.removesuffix("s") in _TELLING for part in parts):
        found |= _PIECES
    if not low.isascii() and any(not one.isalnum() and not one.isascii() and sign_of(one) for one in low):
        found |= _SIGNS
    if low in ("%", *SYMBOLS) or any(symbol in low for symbol in SYMBOLS):
        found |= _PIECES | _FORMS
    if "." in low[1:-1] or not _CODE_MARKS.isdisjoint(low) or ("+" in low and len(low) > 1):
        found |= _FORMS
    last = token.rpartition("-")[2]
    if len(parts) > 1 and (parts[0] in _MODIFIERS or (len(last) <= 2 and last[:1].isupper())):
        found |= _FORMS
    if len(low) < 4 and low[-1] in "+-" and low[0].isalpha():
        found |= _FORMS
    if not _SIGN_MARKS.isdisjoint(low) or low in ("->", "d:", "xd"):
        found |= _SIGNS
    return found


def read_values(sentence: Sentence) -> tuple[Value, ...]:
    """Return the values of a sentence of the level ``tokens`` or a deeper one, in order."""
    told = 0
    for token in sentence.tokens:
        told |= _telling(token)
    return _read(sentence, told) if told else ()


def values_of(pairs: PairBatch) -> list[tuple[Value, ...]]:
    """Return the values of each distinct sentence of a batch, read once a batch."""

    def compute() -> list[tuple[Value, ...]]:
        tokens = vocabulary(pairs, "tokens")
        told = np.fromiter(map(_telling, tokens.items), dtype=np.uint8, count=len(tokens.items))[tokens.ids.values]
        found: list[tuple[Value, ...]] = [()] * len(pairs.sentences)
        rows = np.flatnonzero(tokens.ids.where(told > 0).lengths)
        for row in rows.tolist():
            start, end = tokens.ids.offsets[row : row + 2]
            found[row] = _read(pairs.sentences[row], int(np.bitwise_or.reduce(told[start:end])))
        return found

    return pairs.memo("values", compute)


def _read(sentence: Sentence, told: int) -> tuple[Value, ...]:
    if told & _LETTER_A and "A" in sentence.tokens[1:]:
        told |= _FORMS
    taken: set[int] = set()
    found: list[Value] = []
    if told & _FORMS:
        found += _codes(sentence, taken)
    if told & _PIECES:
        found += _pieces(sentence, taken)
    if told & _SIGNS:
        spans = token_spans(sentence.text, sentence.tokens)
        for start, end, sign in signs_in(sentence.text) if spans else ():
            places = _covered(spans, start, end)
            if taken.isdisjoint(places) or sign.group == "emoji":
                found.append(Value(SIGN, places, sign))
    if not found:
        return ()
    busy = {place for value in found if value.kind != DATE for place in value.places}
    return tuple(value._replace(slot=_slot(sentence, value.places, busy)) for value in sorted(found, key=_order))


def _order(value: Value) -> tuple[tuple[int, ...], str]:
    return value.places, value.kind


def _codes(sentence: Sentence, taken: set[int]) -> Iterable[Value]:
    spans = token_spans(sentence.text, sentence.tokens)
    for start, end, code in codes_in(sentence.text) if spans else ():
        places = _covered(spans, start, end)
        if places and taken.isdisjoint(places):
            taken.update(places)
            yield Value(CODE, places, code)
    for place, token in enumerate(sentence.tokens):
        if place not in taken and (known := code_of(token)) is not None:
            taken.add(place)
            yield Value(CODE, (place,), known)


def _covered(spans: list[tuple[int, int]], start: int, end: int) -> tuple[int, ...]:
    return tuple(place for place, (first, stop) in enumerate(spans) if first < end and stop > start)


def _pieces(sentence: Sentence, taken: set[int]) -> Iterable[Value]:
    pieces = Pieces(sentence.tokens, taken)
    tags = sentence.tags if len(sentence.tags) == len(sentence.tokens) else ()
    dated: set[int] = set()
    for places, moment, start, stop in moments(pieces, tags):
        dated.update(range(start, stop))
        yield Value(DATE, places, moment)
    k = 0
    amounts: list[tuple[Amount, int, int]] = []
    while k < len(pieces):
        text = pieces[k].text
        if k in dated or not (text in _STARTS or text[:1].isdigit() or text[:1] == "." or pieces[k].capital):
            k += 1
            continue
        read = amount_at(pieces, k, sentence.tokens)
        if read is None or (tags and _is_other(pieces, k, read[0], tags)):
            k += 1
            continue
        if read[0].form != "rate" and not dated.isdisjoint(range(k, read[1])):
            k += 1
            continue
        amounts.append((read[0], k, read[1]))
        k = read[1]
    for amount in _joined(amounts):
        places = tuple(sorted({*amount.number_places, *amount.unit_places}))
        yield Value(NUMBER if amount.unit is None else QUANTITY, places, amount)


def _joined(amounts: list[tuple[Amount, int, int]]) -> Iterable[Amount]:
    # Amounts that stand side by side: "10 to 12 kg" has one unit, and "1 h 20 min" is one amount.
    kept: tuple[Amount, int, int] | None = None
    for amount, start, stop in amounts:
        if kept is not None:
            before, _, end = kept
            one, two = before.unit, amount.unit
            counts = before.form == amount.form == "count" and two is not None
            if counts and one is None and start == end + 1 and amount.bound == UNDER and before.bound in (OVER, ""):
                before = before._replace(unit=two)
            within = one is not None and two is not None and one.quantity == two.quantity and one.size > two.size
            if counts and within and start <= end + 1 and amount.number and before.number and _is_rest(before, amount):
                assert one is not None and two is not None
                amount = amount._replace(
                    number=before.number * one.size / two.size + amount.number,
                    number_places=before.number_places + amount.number_places,
                    unit_places=before.unit_places + amount.unit_places,
                )
            else:
                yield before
        kept = amount, start, stop
    if kept is not None:
        yield kept[0]


def _is_rest(x: Amount, y: Amount) -> bool:
    # Whether the second amount is less than one unit of the first.
    return x.unit is not None and y.unit is not None and (y.number or 0.0) * y.unit.size < x.unit.size


def _is_other(pieces: Pieces, k: int, amount: Amount, tags: tuple[str, ...]) -> bool:
    # "one" is a number before a noun, "third" an ordinal if the tagger says so, "once" a count if it is no conjunction.
    text, place = pieces[k].text, pieces[k].place
    if text == "one" and len(amount.number_places) == 1 and not amount.unit_places:
        after = pieces[k + 1]
        tag = tags[after.place] if after.place >= 0 else ""
        return not (after.place == place or tag.startswith(("NN", "JJ")) or tag == "CD" or after.text in ("or", "of"))
    if amount.form == "ordinal" and text in ORDINALS:
        return k > 0 and tags[place] not in ("JJ", "CD", "NN", "NNP")
    return text == "once" and tags[place] not in ("RB", "IN", "CD", "NN", "JJ")


_REACH = 4


def _slot(sentence: Sentence, places: tuple[int, ...], busy: set[int]) -> str:
    # The stem of the next content word, before a mark; or of the word before.
    stops = stop_words("ecnu")
    for near in (range(places[-1] + 1, places[-1] + 1 + _REACH), range(places[0] - 1, places[0] - 1 - _REACH, -1)):
        for place in near:
            if not 0 <= place < len(sentence.words):
                break
            word = sentence.words[place]
            if not word[0].isalnum():
                break
            if place not in busy and word[0].isalpha() and word not in stops and unit_of(word, False) is None:
                return sentence.stems[place]
    return ""
