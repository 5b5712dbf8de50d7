"""Quantifiers of a sentence: how much, how many, how often, and the bounds of numbers."""

from ...features.sentences import Sentence
from .fact import Fact, next_noun, next_verb

_QUANTIFIERS = """
all: all|every|each|everyone|everybody|everything|entire|whole|the whole|everywhere|any
always: always|constantly|invariably|every time|all the time
almost all: almost all|nearly all|virtually all|almost every|nearly every|almost everyone|almost everybody|\
nearly everyone
most: most|most of|the majority of|a majority of|more than half of|more than half
usual: usually|normally|generally|mostly|typically
many: many|lots|lots of|a lot of|numerous|plenty of|a large number of|hundreds of|thousands of|dozens of
often: often|frequently|regularly|repeatedly
some: some|several|certain|someone|somebody|something|somewhere|a number of|various|a few|few of
sometimes: sometimes|occasionally|at times|now and then|from time to time
few: few|very few|only a few|little|hardly any|scarcely any|barely any|almost no|almost none|hardly anyone|\
hardly anybody|a handful of
seldom: seldom|rarely|hardly ever|almost never
none: none|nobody|no one|nothing|nowhere|neither|none of
both: both
half: half|half of|half the
least: at least|no fewer than|no less than|not less than|a minimum of|minimum|or more
most by bound: at most|no more than|not more than|a maximum of|maximum|up to|or fewer|or less
more: more than|over|above|exceeding|in excess of|upwards of
less: less than|fewer than|under|below
about: about|around|approximately|roughly|almost|nearly
exactly: exactly|precisely
only: only|only one
"""
_QUANTIFIER_TABLE = {
    tuple(phrase.split()): name
    for name, _, phrases in (line.partition(": ") for line in _QUANTIFIERS.strip().splitlines())
    for phrase in phrases.split("|")
}
_LONGEST_QUANTIFIER = max(map(len, _QUANTIFIER_TABLE))
_BOUNDS = frozenset({"least", "most by bound", "more", "less", "about", "exactly"})
FREQUENCY = frozenset({"always", "usual", "often", "sometimes", "seldom"})
"""Values of adverbs of frequency."""

STRONG = frozenset({"few", "seldom", "half", "most", "least", "most by bound", "more", "less", "almost all", "only"})
"""Values that change what is said where the other text has no quantifier at all."""

NEAR = (
    frozenset({"some", "sometimes"}),
    frozenset({"many", "often"}),
    frozenset({"few", "seldom"}),
    frozenset({"usual", "most", "often"}),
    frozenset({"all", "always", "both"}),
)
"""Values that say the same."""

_NOT_WITH_ANY = frozenset("not n't without no never if whether".split())
_UNFIT_BEFORE = {"few": ("a", "the", "these", "those", "last", "next"), "only": ("the", "not", "an")}
_NUMBER_WORDS = frozenset("a an half two three four five six seven eight nine ten hundred thousand million".split())


def same_quantity(x: str, y: str) -> bool:
    """Return whether two values of quantifiers say the same."""
    return x == y or any(x in group and y in group for group in NEAR)


def comparable(x: str, y: str) -> bool:
    """Return whether both values are bounds of a number, or neither is."""
    return (x in _BOUNDS) == (y in _BOUNDS) or "only" in (x, y)


def quantifiers(sentence: Sentence, taken: frozenset[int]) -> list[Fact]:
    """Return the quantifiers of a sentence, in order, the longest phrase first; a value is a key of the word list."""
    words, place, found = sentence.words, 0, []
    while place < len(words):
        size = next((n for n in range(_LONGEST_QUANTIFIER, 0, -1) if _is_phrase(sentence, place, n, taken)), 0)
        if size:
            name = _QUANTIFIER_TABLE[words[place : place + size]]
            found.append(Fact(tuple(range(place, place + size)), name, _anchor(sentence, place + size, name)))
        place += max(size, 1)
    return found


def _is_phrase(sentence: Sentence, place: int, size: int, taken: frozenset[int]) -> bool:
    phrase = sentence.words[place : place + size]
    if len(phrase) < size or phrase not in _QUANTIFIER_TABLE or not taken.isdisjoint(range(place, place + size)):
        return False
    return _quantifies(sentence, place, size, _QUANTIFIER_TABLE[phrase])


def _anchor(sentence: Sentence, start: int, name: str) -> int | None:
    if name in FREQUENCY:
        return next_verb(sentence, start)
    return next_noun(sentence.tags, sentence.words, start)


def _quantifies(sentence: Sentence, place: int, size: int, name: str) -> bool:
    # Not every such word does: "over the hill", "the only one", "not any".
    words, tags = sentence.words, sentence.tags
    word, before = words[place], words[place - 1] if place else ""
    if name in _BOUNDS and word not in ("or", "at", "no", "not", "exactly", "precisely"):
        return _is_number(sentence, place + size)
    if name in _BOUNDS:
        return True
    if size == 1 and word in ("whole", "entire", "half", "most", "various"):
        return tags[place] not in ("NN", "RBS")
    if word in ("little", "certain"):
        return tags[place] not in ("NN", "RBS", "JJ")
    if word == "any":
        return _NOT_WITH_ANY.isdisjoint(words[max(place - 8, 0) : place])
    if word == "some":
        return not _is_number(sentence, place + size)
    return before not in _UNFIT_BEFORE.get(word, ()) or size > 1


def _is_number(sentence: Sentence, place: int) -> bool:
    if place >= len(sentence.tags):
        return False
    word = sentence.words[place]
    return sentence.tags[place] in ("CD", "$") or word in _NUMBER_WORDS or word[0].isdigit()
