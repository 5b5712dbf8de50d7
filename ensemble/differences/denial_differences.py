"""Differences of negation: one text denies what the other says."""

from .comparison import Comparison
from .fact import Fact, next_verb
from .word_relations import are_opposites

_NEARBY = 4
_NEARLY_ALL = 0.85
_VERBS = ("VB", "JJ")


def compare_denials(pair: Comparison) -> None:
    """Report negations that one text has of a word that the other text affirms.

    A negation and an opposite cancel each other: "not positive" and "negative" are no difference.
    """
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
