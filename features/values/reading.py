"""All values of a sentence, read from its tokens alone; tags refine them where the sentence has any."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np

from ..base.caches import cached_by_word
from ..base.sentences import PairBatch, Sentence
from ..base.token_sequences import vocabulary
from ..base.word_tables import stop_words
from ..linguistics.tokenizer import token_spans
from .amount_values import OVER, UNDER, Amount
from .amounts import AFTER_ARTICLE, BOUNDS, STARTS, amount_at
from .codes import LETTERED, Code, code_of, codes_in
from .moments import TELLING, Moment, moments
from .numbers import ORDINALS, PARTS, SCALES, WORDS, is_roman
from .pieces import Piece, Pieces, pieces_of
from .signs import EMOJI, Sign, signs_in
from .telling import DATES, FAMILIES, FORMS, LETTER_A, NUMBERS, PERIOD, PLAIN, SIGNS, told_by
from .units import unit_of

NUMBER, QUANTITY, DATE, CODE, SIGN = "number", "quantity", "date", "code", "sign"
"""Kinds of values: a number without a unit, one with a unit, a date or time, a code or address, an emoji or sign."""

_BESIDE_PERIODS = frozenset(
    """every each per by last next previous this past coming following for in within after take takes took last lasts
    lasted under than about nearly almost half quarter early late mid new""".split()
)
_CLOCK = frozenset({"at", "to", "past", "o'clock", "until", "till", "by", "on", "from", "early", "late"})


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


class Cutter(dict[str, tuple[Piece, ...]]):
    """Pieces of tokens, each token cut once."""

    def __missing__(self, token: str) -> tuple[Piece, ...]:
        self[token] = found = _cut(token)
        return found


@cached_by_word(1 << 15)
def _cut(token: str) -> tuple[Piece, ...]:
    # Pieces of a token, each with whether an amount, and whether a date may begin with it.
    return tuple(
        piece._replace(
            begins=piece.number is not None or piece.text in STARTS or piece.text[0].isdigit() or is_roman(piece.text),
            dates=piece.text in TELLING or piece.text[0].isdigit(),
        )
        for piece in pieces_of(token)
    )


def read_values(sentence: Sentence) -> tuple[Value, ...]:
    """Return the values of a sentence of the level ``tokens`` or a deeper one, in order."""
    told = 0
    for place, token in enumerate(sentence.tokens):
        told |= told_by(token) & (~LETTER_A if place == 0 else -1)
    return _read(sentence, told, Cutter()) if told else ()


def values_of(pairs: PairBatch) -> list[tuple[Value, ...]]:
    """Return the values of each distinct sentence of a batch, read once a batch."""

    def compute() -> list[tuple[Value, ...]]:
        tokens = vocabulary(pairs, "tokens")
        told = np.fromiter(map(told_by, tokens.items), dtype=np.int64, count=len(tokens.items))[tokens.ids.values]
        starts = tokens.ids.offsets[:-1][tokens.ids.lengths > 0]
        told[starts] &= ~LETTER_A
        found: list[tuple[Value, ...]] = [()] * len(pairs.sentences)
        if len(starts):
            of_sentence = np.zeros(len(pairs.sentences), dtype=np.int64)
            of_sentence[tokens.ids.lengths > 0] = np.bitwise_or.reduceat(told, starts)
            rows = np.flatnonzero(of_sentence)
            cutter = Cutter()
            for row, one in zip(rows.tolist(), of_sentence[rows].tolist(), strict=True):
                found[row] = _read(pairs.sentences[row], one, cutter)
        return found

    return pairs.memo("values", compute)


def _read(sentence: Sentence, told: int, cutter: Cutter) -> tuple[Value, ...]:
    if told == PLAIN and (plain := plain_numbers(sentence)) is not None:
        return plain
    if told == PERIOD and _BESIDE_PERIODS.isdisjoint(sentence.words):
        return ()
    if told & (PLAIN | PERIOD):
        told |= NUMBERS | DATES
    if told & LETTER_A:
        told |= FAMILIES[LETTERED]
    taken: set[int] = set()
    found: list[Value] = []
    if told & FORMS:
        found += _codes(sentence, told, taken)
    if told & (NUMBERS | DATES):
        found += _pieces(sentence, told, cutter, taken)
    if told & SIGNS:
        for places, sign in _placed(sentence, signs_in(sentence.text)):
            if taken.isdisjoint(places) or sign.group == EMOJI:
                found.append(Value(SIGN, places, sign))
    if not found:
        return ()
    busy = {place for value in found if value.kind != DATE for place in value.places}
    if len(found) > 1:
        found.sort(key=_order)
    return tuple([Value(kind, places, content, _slot(sentence, places, busy)) for kind, places, content, _ in found])


def plain_numbers(sentence: Sentence) -> tuple[Value, ...] | None:
    """Return the numbers of a sentence that has no other value and no word beside them that changes them.

    None if they must be read with their neighbours. It spares half of the sentences that have a value most of the work.
    """
    words, found, last = sentence.words, [], len(sentence.words) - 1
    for place in [place for place, word in enumerate(words) if word in WORDS or word.isdigit()]:
        word = words[place]
        if (place and words[place - 1] in _ACTIVE) or (place < last and not _is_quiet(words[place + 1])):
            return None
        value = WORDS[word] if word in WORDS else float(word)
        found.append(((place,), Amount(value, None, "count", (place,), ())))
    busy = {places[0] for places, _ in found}
    return tuple([Value(NUMBER, places, amount, _slot(sentence, places, busy)) for places, amount in found])


_ACTIVE = frozenset(
    {"at", "between", "from", "-", "+", "minus", "plus", "\u00b1", "us", "half", "by", "and", "to", *BOUNDS}
)


@cached_by_word(1 << 15)
def _is_quiet(word: str) -> bool:
    # Whether a lower-case word after a number leaves it as it is.
    if word in (".", ",", "!", "?", "''", "``", "of"):
        return True
    known = word in WORDS or word in PARTS or word in ORDINALS or word in SCALES or word in _CHANGING
    return word.isascii() and word.isalpha() and not known and unit_of(word) is None


_CHANGING = frozenset(
    """am pm k bn mn dozen times time in out to and or point past after per degrees degree square cubic sq full whole
    more o""".split()
)


def _order(value: Value) -> tuple[tuple[int, ...], str]:
    return value.places, value.kind


def _codes(sentence: Sentence, told: int, taken: set[int]) -> Iterable[Value]:
    families = [family for family, bit in FAMILIES.items() if told & bit]
    for places, code in _placed(sentence, codes_in(sentence.text, families)):
        if taken.isdisjoint(places):
            taken.update(places)
            yield Value(CODE, places, code)
    if told & FAMILIES["code"]:
        for place, token in enumerate(sentence.tokens):
            if place not in taken and (known := code_of(token)) is not None:
                taken.add(place)
                yield Value(CODE, (place,), known)


T = TypeVar("T", Code, Sign)


def _placed(sentence: Sentence, found: Sequence[tuple[int, int, T]]) -> Iterable[tuple[tuple[int, ...], T]]:
    # What stands in a text, with the places of its tokens.
    spans = token_spans(sentence.text, sentence.tokens) if found else []
    for start, end, content in found:
        places = tuple(place for place, (first, stop) in enumerate(spans) if first < end and stop > start)
        if places:
            yield places, content


def _pieces(sentence: Sentence, told: int, cutter: Cutter, taken: set[int]) -> Iterable[Value]:
    pieces = Pieces(sentence.tokens, cutter, taken)
    tags = sentence.tags if len(sentence.tags) == len(sentence.tokens) else ()
    dated: set[int] = set()
    dates = told & DATES or not _CLOCK.isdisjoint(sentence.words)
    for places, moment, start, stop in moments(pieces, tags) if dates else ():
        dated.update(range(start, stop))
        yield Value(DATE, places, moment)
    amounts: list[tuple[Amount, int, int]] = []
    end = 0
    for k in pieces.amounts if told & NUMBERS or "every" in sentence.words else ():
        if k < end or k in dated:
            continue
        if pieces[k].text in ("a", "an") and pieces[k + 1].text not in AFTER_ARTICLE:
            continue
        read = amount_at(pieces, k, sentence.tokens)
        if read is None or (tags and _is_other(pieces, k, read[0], tags)):
            continue
        if read[0].form != "rate" and not dated.isdisjoint(range(k, read[1])):
            continue
        amounts.append((read[0], k, read[1]))
        end = read[1]
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
    text, place = pieces[k].text, pieces.place[k]
    if text == "one" and len(amount.number_places) == 1 and not amount.unit_places:
        after = pieces[k + 1]
        tag = tags[pieces.place[k + 1]] if pieces.place[k + 1] >= 0 else ""
        return not (
            pieces.place[k + 1] == place or tag.startswith(("NN", "JJ")) or tag == "CD" or after.text in ("or", "of")
        )
    if amount.form == "ordinal" and text in ORDINALS:
        return place > 0 and tags[place] not in ("JJ", "CD", "NN", "NNP")
    return text == "once" and tags[place] not in ("RB", "IN", "CD", "NN", "JJ")


_REACH = 4


@cached_by_word(1 << 15)
def _names(word: str) -> bool:
    # Whether a lower-case word can say what a value is about.
    return word[0].isalpha() and word not in stop_words("ecnu") and unit_of(word, False) is None


def _slot(sentence: Sentence, places: tuple[int, ...], busy: set[int]) -> str:
    # The stem of the next content word, before a mark; or of the word before.
    words = sentence.words
    for near in (range(places[-1] + 1, places[-1] + 1 + _REACH), range(places[0] - 1, places[0] - 1 - _REACH, -1)):
        for place in near:
            if not 0 <= place < len(words) or not words[place][0].isalnum():
                break
            if place not in busy and _names(words[place]):
                return sentence.stems[place]
    return ""
