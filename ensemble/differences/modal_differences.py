"""Differences of modality: duty, permission, ability, intention, certainty."""

from .comparison import ENOUGH_COVERED, Comparison
from .fact import Fact


def compare_modals(pair: Comparison) -> None:
    """Report modal words that differ by more than a negation, and those that only one text has."""
    # Words of the future alone come last: in "it is possible that it will rain", "possible" is what matches "might".
    for telling in (True, False):
        a, b = ([one for one in _open_modals(pair, side) if not (telling and one.value.plain)] for side in (0, 1))
        for x, y, same in pair.paired(a, b, lambda x, y: x.value.agrees(y.value)):
            _compare_modal(pair, x, y, same)
    for side in (0, 1):
        _report_lone_modals(pair, side)


def _open_modals(pair: Comparison, side: int) -> list[Fact]:
    return pair.open_facts(side, pair.facts[side].modals)


def _compare_modal(pair: Comparison, x: Fact, y: Fact, same: bool) -> None:
    # "must not reveal" can say what "have to hide" says.
    unlike_verbs = x.value.denied != y.value.denied and not pair.linked(x.anchor, y.anchor)
    if same and (x.value.negated or y.value.negated):
        _settle_denials(pair, x, y)
    elif x.value.is_denial_of(y.value):
        if x.value.denies_itself != y.value.denies_itself:
            pair.report("antonym", x.places, y.places)
    elif not same and not unlike_verbs and pair.coverage >= ENOUGH_COVERED:
        places = [_with_adverb(pair, side, fact) for side, fact in ((0, x), (1, y))]
        if x.value.denied != y.value.denied:
            places = [(*_with_denial(pair, side, fact), *places[side]) for side, fact in ((0, x), (1, y))]
        pair.report("modality", *places)
    pair.settle(x.places, y.places)


def _with_adverb(pair: Comparison, side: int, fact: Fact) -> tuple[int, ...]:
    after = fact.places[-1] + 1
    return fact.places + next((one.places for one in _open_modals(pair, side) if one.places[0] == after), ())


def _denials_near(pair: Comparison, side: int, fact: Fact) -> list[Fact]:
    first, last = fact.places[0], fact.places[-1]
    return [one for one in pair.facts[side].denials if first - 2 <= one.places[0] <= last + 1]


def _with_denial(pair: Comparison, side: int, fact: Fact) -> tuple[int, ...]:
    if not fact.value.denied:
        return fact.places
    extra = [place for one in _denials_near(pair, side, fact) for place in one.places]
    return tuple(sorted({*fact.places, *extra}))


def _settle_denials(pair: Comparison, x: Fact, y: Fact) -> None:
    for side, fact in ((0, x), (1, y)):
        for one in _denials_near(pair, side, fact):
            pair.settle_on(side, one.places)


def _report_lone_modals(pair: Comparison, side: int) -> None:
    # Words without a counterpart, where the other text has the verb and no other modal word.
    if any(not one.value.plain for one in pair.facts[1 - side].modals):
        return
    for fact in _open_modals(pair, side):
        if not fact.value.weak and not fact.value.denied and pair.says_the_rest(side, fact):
            pair.report_on(side, "modality", fact.places)
