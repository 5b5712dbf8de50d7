"""Differences in small words that decide: what a question asks for, on what condition, and with what exception."""

from ...features.base.sentences import Sentence
from .comparison import Comparison
from .facts import Fact
from .phrases import PhraseTable

_QUESTION_WORDS = PhraseTable(
    """
who: who|whom|which person|what person
whose: whose
what: what|which
when: when|what time|at what time|what day|which day|on what day|on which day|what date
where: where|what place|in what place|at what place
why: why|how come|what for|for what reason
how: how|in what way
how much: how much|what amount of|what quantity of|which amount of
how many: how many|what number of|which number of
how long: how long|what length of time
how often: how often|how frequently|how many times
how far: how far
how soon: how soon
how old: how old
how big: how big|how large
"""
)
_CONDITIONS = PhraseTable(
    """
if: if|as long as|so long as|provided|provided that|providing|on condition that|in case|whenever|when|once
only if: only if|only when|if and only if|only as long as
unless: unless|except if|except when|except where
even if: even if|even though|even when|whether or not
because: because|because of|due to|owing to|thanks to
despite: despite|in spite of|notwithstanding|regardless of|although|though
"""
)
_JOINS = PhraseTable("and: and|&|as well as\nor: or")
_EXCEPT = frozenset({"but", "except", "unless", "other", "besides", "save"})
_NOTHING = frozenset(
    "no not n't none nobody no-one nothing nowhere never without neither anyone anybody anything".split()
)
_ONLY = frozenset({"only", "just", "alone", "solely", "exclusively", "sole"})
_BEFORE_STATEMENT = ("DT", "PRP", "PRP$", "NN", "NNS", "NNP", "NNPS", "EX")


def _found(sentence: Sentence, table: PhraseTable) -> list[Fact]:
    return [Fact(places, name) for places, name in table.phrases(sentence.words)]


def compare_questions(pair: Comparison) -> None:
    """Report question words that ask for different things, and a question beside a statement."""
    a, b = ([one for one in _found(sentence, _QUESTION_WORDS) if _asks(sentence, one)] for sentence in pair.sentences)
    for x, y, same in pair.paired(pair.open_facts(0, a), pair.open_facts(1, b), lambda x, y: bool(x.value == y.value)):
        if not same and _beside_the_same(pair, x, y):
            pair.report("question", x.places, y.places)
        pair.settle(x.places, y.places)
    ends = [len(sentence.words) - 1 for sentence in pair.sentences]
    for side in (0, 1):
        here, there = pair.sentences[side], pair.sentences[1 - side]
        if here.words[-1:] == ("?",) and "?" not in there.words and _is_statement(there):
            pair.report("question", *(ends[k : k + 1] if k == side or there.words[-1] in ".!" else () for k in (0, 1)))


def _beside_the_same(pair: Comparison, x: Fact, y: Fact) -> bool:
    # "How can I see it?" may ask what "Where do I find it?" asks.
    (a, b), (i, j), (p, q) = ((one.words for one in pair.sentences), *((k.places[0], k.places[-1]) for k in (x, y)))
    return (i and p and a[i - 1] == b[p - 1]) or a[j + 1 : j + 2] == b[q + 1 : q + 2] or pair.rest_coverage == 1.0


def _asks(sentence: Sentence, fact: Fact) -> bool:
    # "the man who left", "when it rains": such words ask at the beginning of a clause that ends with a question mark,
    # and after verbs of asking and knowing.
    first = fact.places[0]
    if fact.value.startswith("how ") or first == 0 or sentence.words[-1:] == ("?",):
        return True
    asking = (*sentence.lemmas[max(first - 2, 0) : first],)
    return not _ASKING.isdisjoint(asking) or sentence.words[first - 1] == ":"


_ASKING = frozenset(
    """ask know tell explain say show wonder find out check see understand remember decide describe state name
    idea sure learn discover""".split()
)


def _is_statement(sentence: Sentence) -> bool:
    # A full stop at the end and a subject at the beginning; questions are often written without their mark.
    if sentence.words[-1:] not in ((".",), ("!",)) or not sentence.tags[0].startswith(_BEFORE_STATEMENT):
        return False
    return any(tag in ("VBZ", "VBP", "VBD", "MD") for tag in sentence.tags)


def compare_conditions(pair: Comparison) -> None:
    """Report conditions that differ, such as "if" and "unless"; "unless" is "if not"."""
    a, b = (_found(sentence, _CONDITIONS) for sentence in pair.sentences)
    for x, y, same in pair.paired(pair.open_facts(0, a), pair.open_facts(1, b), lambda x, y: bool(x.value == y.value)):
        if same:
            pair.settle(x.places, y.places)
            continue
        names = {x.value, y.value}
        denials = [_first_denial(pair, side) for side in (0, 1)]
        if "unless" in names and len(denials[0]) != len(denials[1]):
            for side, extra in enumerate(denials):
                pair.settle_on(side, extra)
            pair.settle(x.places, y.places)
        elif names & {"unless", "even if", "only if"} or names == {"because", "despite"}:
            pair.report("condition", x.places, y.places)


def compare_joins(pair: Comparison) -> None:
    """Report "and" where the other text has "or" between the same words."""
    a, b = (_found(sentence, _JOINS) for sentence in pair.sentences)
    for x, y, same in pair.paired(a, b, lambda x, y: bool(x.value == y.value), alone=False):
        if not same and pair.evidence(x.places, y.places) == 2.0:
            pair.report("condition", x.places, y.places)


def _first_denial(pair: Comparison, side: int) -> tuple[int, ...]:
    # "if ... not", and "do not ... only if", say what "unless" says: any denial of the text counts.
    return next((one.places for one in pair.facts[side].denials if pair.open(side, one.places)), ())


def compare_exceptions(pair: Comparison) -> None:
    """Settle "only the driver" beside "nobody but the driver", which say the same."""
    for side in (0, 1):
        here, there = pair.sentences[side].words, pair.sentences[1 - side].words
        only = [place for place, word in enumerate(here) if word in _ONLY]
        nothing = [place for place, word in enumerate(there) if word in _NOTHING]
        excepted = [place for place, word in enumerate(there) if word in _EXCEPT]
        if only and nothing and excepted and not _ONLY.intersection(there) and not _NOTHING.intersection(here):
            pair.settle_on(side, only)
            pair.settle_on(1 - side, [*nothing, *excepted])
