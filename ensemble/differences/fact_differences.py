"""Differences in what is claimed, in how much of it, and of whom."""

from itertools import groupby

from .comparison import ENOUGH_COVERED, Comparison
from .facts import Fact, next_verb
from .operators import STRONG, comparable, same_quantity
from .word_relations import are_opposites
from .written_names import is_variant, same_written_name


def compare_modals(pair: Comparison) -> None:
    """Report modal words that differ by more than a negation, and those that only one text has."""
    # Words of the future alone come last: in "it is possible that it will rain", "possible" is what matches "might".
    for telling in (True, False):
        a, b = ([one for one in _open_modals(pair, side) if not (telling and one.value.plain)] for side in (0, 1))
        for x, y, same in pair.paired(a, b, lambda x, y: x.value.agrees(y.value)):
            _compare_modal(pair, x, y, same)
    for side in (0, 1):
        # Words without a counterpart, where the other text has the verb and no other modal word.
        if all(one.value.plain for one in pair.facts[1 - side].modals):
            for fact in _open_modals(pair, side):
                if not fact.value.weak and not fact.value.denied and pair.says_the_rest(side, fact):
                    pair.report_on(side, "modality", fact.places)


def _open_modals(pair: Comparison, side: int) -> list[Fact]:
    return pair.open_facts(side, pair.facts[side].modals)


def _compare_modal(pair: Comparison, x: Fact, y: Fact, same: bool) -> None:
    # "must not reveal" can say what "have to hide" says.
    unlike_verbs = x.value.denied != y.value.denied and not pair.linked(x.anchor, y.anchor)
    if same and (x.value.negated or y.value.negated):
        for side, fact in ((0, x), (1, y)):
            for one in _denials_near(pair, side, fact):
                pair.settle_on(side, one.places)
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


_NEARBY = 4
_NEARLY_ALL = 0.85
_VERBS = ("VB", "JJ")


def compare_denials(pair: Comparison) -> None:
    """Report negations that one text has of a word that the other text affirms."""
    a, b = (pair.open_facts(side, _denials(pair, side)) for side in (0, 1))
    for x, y, _ in pair.paired(a, b, lambda x, y: True):
        pair.settle(x.places, y.places)
    for side, facts in ((0, a), (1, b)):
        left = [one for one in pair.open_facts(side, facts) if one.anchor is not None]
        cancelled = [one for one in left if _cancelled(pair, side, one)]
        left = [one for one in left if one not in cancelled]
        even = (len(left) + ("unless" in pair.sentences[side].words)) % 2 == 0
        if even and pair.coverage < _NEARLY_ALL:
            cancelled, left = [*cancelled, *left], []  # in other words, two negations of one side cancel each other
        for fact in cancelled:
            pair.settle_on(side, fact.places)
        for fact in left:
            if pair.says_the_rest(side, fact):
                pair.report_on(side, "negation", fact.places)


def _denials(pair: Comparison, side: int) -> list[Fact]:
    # "nobody" and "nothing" deny the verb after them.
    none = [one for one in pair.facts[side].quantifiers if one.value == "none"]
    sentence = pair.sentences[side]
    denied = [(one.places, next_verb(sentence, one.places[-1] + 1)) for one in none]
    pronouns = [
        Fact(places, "not", verb) for places, verb in denied if verb is not None and sentence.tags[verb][:2] in _VERBS
    ]
    return sorted([*pair.facts[side].denials, *pronouns], key=lambda one: one.places)


def _cancelled(pair: Comparison, side: int, fact: Fact) -> bool:
    # An opposite of a word right after the negation stands in the other text.
    here, there = pair.sentences[side], pair.sentences[1 - side]
    if "fail" in there.lemmas and "fail" not in here.lemmas:
        return True
    near = range(fact.places[-1] + 1, min(fact.places[-1] + 1 + _NEARBY, len(here.tokens)))
    for i in near:
        if i not in pair.content[side] or here.lemmas[i] in there.lemmas:
            continue
        for j in pair.content[1 - side]:
            if are_opposites(here.lemmas[i], there.lemmas[j]) and there.lemmas[j] not in here.lemmas:
                pair.settle_on(side, (i,))
                pair.settle_on(1 - side, (j,))
                return True
    return False


def compare_names(pair: Comparison) -> None:
    """Report a name that stands where the other text has another name."""
    a, b = (_unlinked_names(pair, side) for side in (0, 1))
    for x, y, same in pair.paired(a, b, _one_name):
        if same:
            pair.settle(x.places, y.places)
        else:
            pair.report("name", x.places, y.places)
    for side in (0, 1):
        words, there = pair.sentences[side].words, pair.sentences[1 - side].words
        if pair.coverage < _NEARLY_ALL:
            continue
        for place in range(1, len(words)):
            named = place - 1 in pair.facts[side].names or any(map(str.isdigit, words[place - 1]))
            if named and is_variant(words[place]) and words[place] not in there and pair.open(side, [place]):
                pair.report_on(side, "name", (place,))


def _unlinked_names(pair: Comparison, side: int) -> list[Fact]:
    # Runs of neighbouring tokens of names without a link; the value is their words.
    sentence, links = pair.sentences[side], pair.links[side]
    free = [k for k in sorted(pair.facts[side].names) if k not in links and pair.open(side, [k])]
    runs = groupby(enumerate(free), key=lambda item: item[1] - item[0])
    places = [tuple(place for _, place in run) for _, run in runs]
    return [Fact(run, tuple(sentence.tokens[k] for k in run)) for run in places]


def _one_name(x: Fact, y: Fact) -> bool:
    if len(x.value) == len(y.value) and all(
        same_written_name(p.lower(), q.lower()) for p, q in zip(x.value, y.value, strict=True)
    ):
        return True
    return _initials(x.value) == _letters(y.value) or _letters(x.value) == _initials(y.value)


def _letters(tokens: tuple[str, ...]) -> str:
    return "".join(tokens).replace(".", "")


def _initials(tokens: tuple[str, ...]) -> str:
    return "".join(token[0] for token in tokens) if len(tokens) > 1 else "".join(tokens)
