"""Differences of quantifiers: all and some, always and never, at least and at most."""

from .comparison import Comparison
from .fact import Fact
from .quantifier_words import STRONG, comparable, same_quantity

_UNLIKE_A_NUMBER = frozenset({"all", "none", "both", "few", "many", "most", "half", "almost all"})
_NONE = frozenset({"no", "neither", "never"})


def compare_quantifiers(pair: Comparison) -> None:
    """Report quantifiers that differ, also from "no" and "never", and those that change what only one text says."""
    a, b = (pair.open_facts(side, pair.facts[side].quantifiers) for side in (0, 1))
    for x, y, same in pair.paired(a, b, lambda x, y: same_quantity(x.value, y.value)):
        if same or comparable(x.value, y.value):
            _compare_one(pair, x, y, same)
    _compare_with_denials(pair, pair.open_facts(0, a), _none(pair, 1))
    _compare_with_denials(pair, _none(pair, 0), pair.open_facts(1, b))
    _compare_with_numbers(pair, a, b)
    for side, facts, other in ((0, a, b), (1, b, a)):
        for fact in pair.open_facts(side, facts):
            if fact.value in STRONG and not other and pair.says_the_rest(side, fact):
                pair.report_on(side, "quantifier", fact.places)


def _compare_one(pair: Comparison, x: Fact, y: Fact, same: bool) -> None:
    if same:
        pair.settle(x.places, y.places)
    else:
        pair.report("quantifier", x.places, y.places)


def _none(pair: Comparison, side: int) -> list[Fact]:
    denying = [one for one in pair.facts[side].denials if one.value in _NONE and one.anchor is not None]
    return [Fact(one.places, "none", one.anchor) for one in pair.open_facts(side, denying)]


def _compare_with_denials(pair: Comparison, a: list[Fact], b: list[Fact]) -> None:
    for x, y, same in pair.paired(a, b, lambda x, y: bool(x.value == y.value), alone=False):
        _compare_one(pair, x, y, same)


def _compare_with_numbers(pair: Comparison, a: list[Fact], b: list[Fact]) -> None:
    # "all partners" and "one partner".
    counts = [
        [one for one in facts.amounts if one.value.form == "count" and one.value.unit is None] for facts in pair.facts
    ]
    quantifiers = [[one for one in facts if one.value in _UNLIKE_A_NUMBER] for facts in (a, b)]
    for x_facts, y_facts in ((quantifiers[0], counts[1]), (counts[0], quantifiers[1])):
        x_open, y_open = pair.open_facts(0, x_facts), pair.open_facts(1, y_facts)
        for x, y, _ in pair.paired(x_open, y_open, lambda x, y: False, alone=False):
            if pair.linked(x.anchor, y.anchor):
                pair.report("quantifier", x.places, y.places)
