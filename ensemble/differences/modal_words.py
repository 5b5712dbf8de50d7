"""Words of duty, permission, ability, intention and certainty in a sentence, with the verb that each is about."""

from typing import NamedTuple

from ...features.sentences import Sentence
from .fact import Fact, next_verb

_MODALS = """
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


def _table() -> dict[tuple[str, ...], frozenset[str]]:
    table: dict[tuple[str, ...], frozenset[str]] = {}
    for line in _MODALS.strip().splitlines():
        name, _, phrases = line.partition(": ")
        for phrase in phrases.split("|"):
            key = tuple(phrase.split())
            table[key] = table.get(key, frozenset()) | {name}
    return table


_TABLE = _table()
_LONGEST = max(map(len, _TABLE))
_DENYING = frozenset({"forbidden", "prohibited", "banned", "unable", "impossible"})
_DENYING_LEMMAS = _DENYING | {"forbid", "prohibit", "ban"}
_LINKED = frozenset(
    """required obliged obligated forced recommended advised allowed permitted authorised authorized forbidden
    prohibited banned likely certain sure possible impossible mandatory compulsory obligatory optional
    voluntary""".split()
)
_BETWEEN = frozenset({"not", "n't", "never", "always", "also"})


class Mode(NamedTuple):
    """Meaning of a modal word.

    Attributes
    ----------
    senses
        Names of the meanings that the word may have.
    denied
        Whether it denies, by a negation or by itself: "must not", "forbidden", but not "not forbidden".
    negated
        Whether "not" stands beside it.
    word
        Lemma of its first word; "must" and "must not" have one.
    """

    senses: frozenset[str]
    denied: bool
    negated: bool
    word: str

    @property
    def weak(self) -> bool:
        """True if a text without the word can say the same."""
        able = "ability" in self.senses and "possibility" not in self.senses
        return able or not self.senses.isdisjoint({"future", "certainty"})

    @property
    def plain(self) -> bool:
        """True if the word tells the future alone."""
        return self.senses == frozenset({"future"})

    def agrees(self, other: "Mode") -> bool:
        """Return whether two modal words can say the same, negations included."""
        if self.denied and other.denied and self._forbids and other._forbids:
            return True
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
        phrases = (words[place : place + n] for n in range(_LONGEST, 0, -1))
        size = next((len(phrase) for phrase in phrases if phrase in _TABLE), 0)
        if size and _is_modal(sentence, place, size):
            found.append(_fact(sentence, place, size))
            place += size
        else:
            place += 1
    return found


def _fact(sentence: Sentence, place: int, size: int) -> Fact:
    words = sentence.words
    senses = _TABLE[words[place : place + size]]
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
