"""Differences in values: dates, amounts, codes and signs that stand for another value in the other text."""

from collections.abc import Sequence
from operator import itemgetter

from ...features.values.amount_values import Amount
from ...features.values.codes import Code
from ...features.values.signs import EMOJI
from ...features.values.units import SHARE, measure_alike
from .comparison import COVERED_FOR_LONE, Comparison
from .facts import Fact

_ALMOST_ALL = 0.75


def compare_dates(pair: Comparison) -> None:
    """Report dates that contradict each other: the words of the parts that differ."""
    a, b = (pair.open_facts(side, pair.facts[side].dates) for side in (0, 1))
    for x, y, same in _paired(pair, a, b):
        parts = x.value.conflicts(y.value) if not _moved(pair, x, y, a, b) else []
        for part in sorted(parts, key=lambda name: x.value.places[name]):
            pair.report("date", x.value.places[part], y.value.places[part])
        if same or parts:
            pair.settle(x.places, y.places)


def _paired(
    pair: Comparison, a: Sequence[Fact], b: Sequence[Fact], alone: bool = True
) -> list[tuple[Fact, Fact, bool]]:
    # Two values that are all that two texts say correspond too.
    if len(a) == len(b) == 1 and not _equal(a[0], b[0]):
        if all(set(pair.content[side]) <= set(facts[0].places) for side, facts in ((0, a), (1, b))):
            return [(a[0], b[0], False)]
    return pair.paired(a, b, _equal, alone)


def _equal(x: Fact, y: Fact) -> bool:
    return bool(x.value.equals(y.value))


def _moved(pair: Comparison, x: Fact, y: Fact, a: Sequence[Fact], b: Sequence[Fact]) -> bool:
    # Whether both values stand elsewhere in the other text: exchanged if what they are about is the same, else moved.
    exchanged = pair.linked(x.anchor, y.anchor) or pair.evidence(x.places, y.places) >= 2.0
    return not exchanged and any(_equal(x, one) for one in b) and any(_equal(one, y) for one in a)


def compare_amounts(pair: Comparison) -> None:
    """Report amounts that differ: in the number, in the unit, or in both."""
    _settle_halves(pair)
    a, b = (pair.open_facts(side, pair.facts[side].amounts) for side in (0, 1))
    for form in ("count", "ordinal", "frequency", "rate"):
        x_facts, y_facts = ([one for one in side if one.value.form == form] for side in (a, b))
        # Those that differ come first: both ends of a range stand in one token.
        for x, y, same in sorted(_paired(pair, x_facts, y_facts), key=itemgetter(2)):
            if same or (_is_sure(pair, x, y) and not _moved(pair, x, y, x_facts, y_facts)):
                _report_amounts(pair, x, y, same)
                pair.settle(x.places, y.places)


def _report_amounts(pair: Comparison, x: Fact, y: Fact, same: bool) -> None:
    p, q = x.value, y.value
    if not same and p.unit is not None and q.unit is not None and p.unit != q.unit:
        pair.report("unit", p.unit_places or x.places, q.unit_places or y.places)
    known = p.number is not None and q.number is not None
    if not same and known and (p.number != q.number or p.bound != q.bound):
        pair.report("number", p.number_places or x.places, q.number_places or y.places)


def _is_sure(pair: Comparison, x: Fact, y: Fact) -> bool:
    # Whether two amounts that differ are about one thing. In texts of other words, they may be parts of one whole.
    p, q = x.value, y.value
    if SHARE in (p.unit, q.unit) and not measure_alike(p.unit, q.unit):
        return False
    if pair.coverage >= _ALMOST_ALL or pair.evidence(x.places, y.places) == 2.0:
        return True
    if not measure_alike(p.unit, q.unit) and p.number != q.number and not pair.linked(x.anchor, y.anchor):
        return False
    return not _are_parts(pair, p, q)


def _are_parts(pair: Comparison, p: Amount, q: Amount) -> bool:
    # "8 % free" and "92 % full"; "three of five went" and "two of the five stayed".
    if p.number is None or q.number is None or p.unit != q.unit:
        return False
    if p.form == "rate":  # "twice a year" and "two visits annually"
        counts = [[one.value.number for one in facts.amounts if one.value.form == "count"] for facts in pair.facts]
        return p.number in counts[1] or q.number in counts[0]
    whole = p.number + q.number
    if p.unit is not None and p.unit.quantity == "ratio" and abs(whole * p.unit.size - 100) < 1e-6:
        return True
    others = {one.value.number for facts in pair.facts for one in facts.amounts} - {p.number, q.number}
    return whole in others or abs(p.number - q.number) in others


def _settle_halves(pair: Comparison) -> None:
    # "1/2 of the rooms" and "half of the rooms": the word is read as a quantifier too.
    for side in (0, 1):
        halves = [one for one in pair.facts[side].quantifiers if one.value == "half"]
        for half in halves:
            amount = Amount(0.5, SHARE, "count", half.places, ())
            equal = [one for one in pair.facts[1 - side].amounts if one.value.equals(amount)]
            for one in pair.open_facts(1 - side, equal)[:1]:
                pair.settle_on(side, half.places)
                pair.settle_on(1 - side, one.places)


def compare_codes(pair: Comparison) -> None:
    """Report codes, versions, addresses, shortcuts and placeholders that differ in a character."""
    a, b = (pair.open_facts(side, pair.facts[side].codes) for side in (0, 1))
    for x, y, same in _paired(pair, a, b):
        if same or (any(_equal(x, one) for one in b) and any(_equal(one, y) for one in a)):
            pair.settle(x.places, y.places)
        elif x.value.alike(y.value):
            pair.report("code", x.places, y.places)
    for side, facts in ((0, a), (1, b)):
        for fact in pair.open_facts(side, facts):
            places = _spelled_apart(pair, 1 - side, fact.value)
            if places:
                pair.settle_on(side, fact.places)
                pair.settle_on(1 - side, places)


def _spelled_apart(pair: Comparison, side: int, code: Code) -> tuple[int, ...]:
    # Places of the neighbouring tokens that say a code: "USB C" for "USB-C".
    words = pair.sentences[side].words
    for start, word in enumerate(words):
        joined, stop = word, start + 1
        while code.text.startswith(joined) and stop < len(words) and len(joined) < len(code.text):
            joined, stop = joined + words[stop], stop + 1
        if joined == code.text and pair.open(side, range(start, stop)):
            return tuple(range(start, stop))
    return ()


def compare_signs(pair: Comparison) -> None:
    """Report emoji, arrows and signs of comparisons and sums that differ."""
    a, b = (pair.open_facts(side, pair.facts[side].signs) for side in (0, 1))
    for group in dict.fromkeys(one.value.group for one in (*a, *b)):
        x_facts, y_facts = ([one for one in side if one.value.group == group] for side in (a, b))
        for x, y, same in _paired(pair, x_facts, y_facts, alone=group == EMOJI):
            if same:
                pair.settle(x.places, y.places)
            elif pair.coverage >= COVERED_FOR_LONE:
                pair.report("sign", x.places, y.places)
