"""Words that change what a clause claims: modals, quantifiers and denials."""

from typing import NamedTuple

from ...features.base.sentences import Sentence
from ...features.linguistics.language import ENGLISH
from .facts import Fact, next_noun, next_verb
from .phrases import PhraseTable

_MODALS = PhraseTable(
    """
duty: must|shall|have to|has to|had to|having to|need to|needs to|needed to|need not|need n't|required|obliged|\
obligated|forced|mandatory|compulsory|obligatory|got to|is to be|are to be|bound to
advice: should|ought to|recommended|advised|supposed to|advisable
permission: may|can|allowed|permitted|free to|authorised|authorized|entitled to|forbidden|\
prohibited|banned|ca
choice: optional|voluntary|free to
ability: can|ca|could|able to|unable to|capable of|impossible
possibility: may|might|could|possible|impossible|possibly|perhaps|maybe|potentially|conceivably
future: will|'ll|wo|would|'d|shall|going to|is to be|are to be
probability: probably|likely|presumably
certainty: certainly|definitely|surely|certain|sure|undoubtedly|inevitably
"""
)
_DENYING = frozenset({"forbidden", "prohibited", "banned", "unable", "impossible"})
_DENYING_LEMMAS = _DENYING | {"forbid", "prohibit", "ban"}
_LINKED = frozenset(
    """required obliged obligated forced recommended advised allowed permitted authorised authorized forbidden
    prohibited banned likely certain sure possible impossible mandatory compulsory obligatory optional
    voluntary""".split()
)
_BETWEEN = frozenset({"not", "n't", "never", "always", "also"})


class Mode(NamedTuple):
    """Meaning of a modal word."""

    senses: frozenset[str]  # names of the meanings that the word may have
    denied: bool  # by a negation or by itself: "must not", "forbidden", but not "not forbidden"
    negated: bool  # whether "not" stands beside it
    word: str  # lemma of its first word; "must" and "must not" have one

    @property
    def weak(self) -> bool:
        """True if a text without the word can say the same."""
        return self.senses.isdisjoint({"possibility", "probability"}) or self.word in ("can", "impossible")

    @property
    def plain(self) -> bool:
        """True if the word tells the future alone."""
        return self.senses == frozenset({"future"})

    def agrees(self, other: "Mode") -> bool:
        """Return whether two modal words can say the same, negations included."""
        if self.denied and other.denied and (self._forbids and other._forbids or self._spares != other._spares):
            return self._spares == other._spares
        if self._spares and "choice" in other.senses or other._spares and "choice" in self.senses:
            return self.denied != other.denied
        return self.denied == other.denied and not self.senses.isdisjoint(other.senses)

    def is_denial_of(self, other: "Mode") -> bool:
        """Return whether the two differ by a negation alone, as in "must" and "must not"."""
        if self.denied == other.denied or self.senses.isdisjoint(other.senses):
            return False
        if "duty" in self.senses | other.senses and "future" not in self.senses & other.senses:
            return self.word == other.word
        return True

    @property
    def denies_itself(self) -> bool:
        """True if its own word denies: "forbidden", "unable"."""
        return self.word in _DENYING_LEMMAS

    @property
    def _spares(self) -> bool:
        # "need not" leaves a choice.
        return self.denied and "duty" in self.senses and self.word not in ("must", "shall")

    @property
    def _forbids(self) -> bool:
        return "permission" in self.senses or self.word in ("must", "shall")


def modals(sentence: Sentence) -> list[Fact]:
    """Return the modal words of a sentence of the level ``lexical``, in order; a value is a `Mode`."""
    words, place, found = sentence.words, 0, []
    while place < len(words):
        size = next(_MODALS.sizes(words, place), 0)
        if size and _is_modal(sentence, place, size):
            found.append(_fact(sentence, place, size))
            place += size
        else:
            place += 1
    return found


def _fact(sentence: Sentence, place: int, size: int) -> Fact:
    words = sentence.words
    senses = frozenset(_MODALS.names[words[place : place + size]])
    stop = place + size
    nearby = (*words[max(place - 2, 0) : place], *words[stop : stop + 1])
    negated = "not" in nearby or "n't" in nearby or words[stop - 1] in ("not", "n't")
    denied = (words[place] in _DENYING) != negated
    kept = size - 1 if words[stop - 1] in ("to", "not", "n't", "of", "be") and size > 1 else size
    places = tuple(range(place, place + max(kept, 1)))
    return Fact(places, Mode(senses, denied, negated, sentence.lemmas[place]), next_verb(sentence, stop))


def _is_modal(sentence: Sentence, place: int, size: int) -> bool:
    word, tag = sentence.words[place], sentence.tags[place]
    before = sentence.lemmas[place - 1] if place else ""
    if word in _LINKED:
        skipped = place - 1
        while skipped >= 0 and sentence.words[skipped] in _BETWEEN:
            skipped -= 1
        is_predicate = skipped >= 0 and sentence.lemmas[skipped] in ("be", "make", "'s", "'re", "become")
        return is_predicate or (word == "likely" and tag == "RB")
    if word in ("may", "can", "will", "must", "might"):
        return tag == "MD"
    if word == "'d":
        return tag == "MD"
    if word in ("have", "has", "had", "having"):
        return not (place and sentence.words[place - 1] in ("will", "may", "might", "must"))
    if word in ("could", "can", "would", "will") and sentence.words[place + 1 : place + 2] == ("you",):
        return False  # a polite request
    if word == "should" and place + 1 < len(sentence.tags):
        return not sentence.tags[place + 1].startswith(("DT", "PRP", "NN"))  # "should the buyer fail"
    return not (word == "need" and before == "the")


_QUANTIFIERS = PhraseTable(
    """
all: all|every|each|everyone|everybody|everything|entire|whole|the whole|everywhere|any|anyone|anybody
alternate: every other|every second
always: always|constantly|invariably|every time|all the time
almost all: almost all|nearly all|virtually all|almost every|nearly every|almost everyone|almost everybody|\
nearly everyone|practically all|practically every|practically everyone|as good as all|all but all
most: most|most of|the majority of|a majority of|majority of|the bulk of|more than half of|more than half
usual: usually|normally|generally|mostly|typically
many: many|lots|lots of|a lot of|numerous|plenty of|a large number of|hundreds of|thousands of|dozens of
often: often|frequently|regularly|repeatedly
some: some|several|certain|someone|somebody|something|somewhere|a number of|various|a few|\
a handful of|a couple of|quite a few
sometimes: sometimes|occasionally|at times|now and then|from time to time
few: few|few of|very few|only a few|not many|not many of|not much|only a handful of|little|\
hardly any|scarcely any|barely any|almost no|almost none|hardly anyone|\
hardly anybody|next to none|next to nobody
seldom: seldom|rarely|hardly ever|almost never
none: none|nobody|no one|nothing|nowhere|neither|none of|not one|not one of|not a single|zero
both: both
half: half|half of|half the
least: at least|no fewer than|no less than|not less than|a minimum of|minimum|or more
most by bound: at most|no more than|not more than|a maximum of|maximum|up to|or fewer|or less
more: more than|over|above|exceeding|in excess of|upwards of
less: less than|fewer than|under|below
about: about|around|approximately|roughly|almost|nearly
exactly: exactly|precisely
also: also|even|too|as well
only: only|only one|just|alone|solely|exclusively|nothing but|nobody but|no one but|none but|one and only
"""
)
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
_UNFIT_BEFORE = {
    "few": ("a", "the", "these", "those", "last", "next"),
    "only": ("the", "not", "an"),
    "just": ("has", "have", "had", "is", "are", "'s", "'ve", "was", "were", "'m"),
}
_NUMBER_WORDS = frozenset("a an half two three four five six seven eight nine ten hundred thousand million".split())


def same_quantity(x: str, y: str) -> bool:
    """Return whether two values of quantifiers say the same."""
    return x == y or any(x in group and y in group for group in NEAR)


def comparable(x: str, y: str) -> bool:
    """Return whether both values are bounds of a number, or neither is."""
    if "also" in (x, y):
        return "only" in (x, y)
    return (x in _BOUNDS) == (y in _BOUNDS) or "only" in (x, y)


def quantifiers(sentence: Sentence, taken: frozenset[int]) -> list[Fact]:
    """Return the quantifiers of a sentence, in order, the longest phrase first; a value is a key of the word list."""
    words, place, found = sentence.words, 0, []
    while place < len(words):
        size = next((n for n in _QUANTIFIERS.sizes(words, place) if _quantifies(sentence, place, n, taken)), 0)
        if size:
            stop, name = place + size, _QUANTIFIERS.names[words[place : place + size]][0]
            by_verb = name in FREQUENCY
            anchor = next_verb(sentence, stop) if by_verb else next_noun(sentence.tags, words, stop)
            found.append(Fact(tuple(range(place, stop)), name, anchor))
        place += max(size, 1)
    return found


def _quantifies(sentence: Sentence, place: int, size: int, taken: frozenset[int]) -> bool:
    # Not every such word does: "over the hill", "the only one", "not any".
    if not taken.isdisjoint(range(place, place + size)):
        return False
    words, tags = sentence.words, sentence.tags
    name = _QUANTIFIERS.names[words[place : place + size]][0]
    word, before = words[place], words[place - 1] if place else ""
    if name in _BOUNDS and word not in ("or", "at", "no", "not", "exactly", "precisely"):
        return _is_number(sentence, place + size)
    if name in _BOUNDS:
        return True
    if size == 1 and word in ("whole", "entire", "half", "most", "various"):
        return tags[place] not in ("NN", "RBS")
    if word in ("little", "certain"):
        return tags[place] not in ("NN", "RBS", "JJ")
    if word == "too":
        return place + 1 == len(words) or tags[place + 1] in (".", ",")
    if word == "even":
        return not before or words[place + 1 : place + 2] not in (("if",), ("though",), ("when",))
    if word in ("any", "anyone", "anybody"):
        return _NOT_WITH_ANY.isdisjoint(words[max(place - 8, 0) : place])
    if word == "some":
        return not _is_number(sentence, place + size)
    return before not in _UNFIT_BEFORE.get(word, ()) or size > 1


def _is_number(sentence: Sentence, place: int) -> bool:
    if place >= len(sentence.tags):
        return False
    word = sentence.words[place]
    return sentence.tags[place] in ("CD", "$") or word in _NUMBER_WORDS or word[0].isdigit()


_NOT = frozenset({"not", "n't", "never", "without", "no", "hardly", "scarcely", "barely", "nor", "neither"})
_BEFORE_NOUNS = frozenset({"no", "without", "neither", "nor"})
_FAILING = frozenset({"fail", "neglect", "unable", "refuse"})
_AVOIDING = frozenset({"avoid", "forgo"})
_DENIES_NOTHING = frozenset({"only", "just", "merely", "matter", "doubt"})


CONTENT_TAGS = ("NN", "JJ", "VB", "RB")
"""Beginnings of the Penn Treebank tags of content words."""


def denials(sentence: Sentence, taken: frozenset[int]) -> list[Fact]:
    """Return the words that deny, in order; an anchor is the denied word."""
    until = max((place for place, word in enumerate(sentence.words) if word == "until"), default=-1)
    found = []
    for place, word in enumerate(sentence.words):
        after = sentence.words[place + 1] if place + 1 < len(sentence.words) else ""
        if place in taken or place < until:
            continue
        if word in _NOT:
            # "No." answers in English; in other languages a sentence may end with "not".
            answers = after == "." and sentence.language == ENGLISH
            answers |= word == "no" and (sentence.tags[place] == "UH" or after == ",")
            if not (answers or after in _DENIES_NOTHING):
                found.append(_denial(sentence, place, after))
        elif sentence.lemmas[place] in _FAILING and after == "to":
            found.append(Fact((place,), "lexical", next_verb(sentence, place + 2)))
        elif sentence.lemmas[place] in _AVOIDING and sentence.tags[place + 1 : place + 2] == ("VBG",):
            found.append(Fact((place,), "lexical", place + 1))
        elif sentence.lemmas[place] == "lack" and sentence.tags[place].startswith("VB"):
            found.append(Fact((place,), "lexical", next_noun(sentence.tags, sentence.words, place + 1)))
    return found


def _denial(sentence: Sentence, place: int, after: str) -> Fact:
    word = sentence.words[place]
    places = (place, place + 1) if word == "no" and after == "longer" else (place,)
    by_noun = word in _BEFORE_NOUNS and len(places) == 1
    anchor = next_noun(sentence.tags, sentence.words, place + 1) if by_noun else None
    if anchor is None:
        anchor = next_verb(sentence, places[-1] + 1)
    if anchor is None:  # "the lamp is not on"
        anchor = next((at for at in reversed(range(place)) if sentence.tags[at].startswith("VB")), None)
    if anchor is None and sentence.language != ENGLISH:  # its verbs have no tag: "der Zug fährt nicht"
        near = [*reversed(range(place)), *range(place + 1, len(sentence.tags))]
        anchor = next((at for at in near if sentence.tags[at].startswith(CONTENT_TAGS)), None)
    return Fact(places, word if by_noun or word == "never" else "not", anchor)
