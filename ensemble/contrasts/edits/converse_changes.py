"""Converses: the same event described from the other side, as with buy and sell, older and younger, above and below."""

import random

from ....features.analysis.editable_sentence import EditableSentence, Part
from ....features.analysis.inflection import verb_form
from ....features.analysis.simple_clauses import Clause, Span, as_object, as_subject, clauses, is_plural, present
from ..edit import Change

_WITH_TWO_OBJECTS = {
    "sell": ("to", "buy", "from"),
    "buy": ("from", "sell", "to"),
    "purchase": ("from", "sell", "to"),
    "lend": ("to", "borrow", "from"),
    "borrow": ("from", "lend", "to"),
    "teach": ("to", "learn", "from"),
    "learn": ("from", "teach", "to"),
    "give": ("to", "receive", "from"),
    "send": ("to", "receive", "from"),
    "receive": ("from", "send", "to"),
    "inherit": ("from", "leave", "to"),
    "lease": ("to", "rent", "from"),
    "rent": ("from", "lease", "to"),
}
_WITH_ONE_OBJECT = {
    "own": "belong to",
    "employ": "work for",
    "follow": "come after",
    "precede": "come before",
    "cause": "result from",
    "defeat": "lose to",
    "beat": "lose to",
    "contain": "be in",
    "exceed": "be less than",
    "please": "like",
}
_WITH_PREPOSITION = {
    ("belong", "to"): "own",
    ("work", "for"): "employ",
    ("lose", "to"): "beat",
    ("result", "from"): "cause",
}
_PLACES = {
    "above": "below",
    "below": "above",
    "behind": "in front of",
    "under": "on top of",
    "underneath": "on top of",
}
_COMPARED = dict(
    pair
    for a, b in (
        entry.split()
        for entry in """taller shorter, older younger, bigger smaller, larger smaller, faster slower, heavier lighter,
        longer shorter, higher lower, stronger weaker, richer poorer, better worse, hotter colder, warmer cooler,
        earlier later, wider narrower, deeper shallower, thicker thinner, cheaper pricier, easier harder,
        greater smaller, darker lighter, louder quieter, happier sadder, cleaner dirtier""".split(",")
    )
    for pair in ((a, b), (b, a))
)
_COMPARED.update({"shorter": "taller", "smaller": "bigger", "lighter": "heavier"})


def _converse(sentence: EditableSentence, chance: random.Random) -> str | None:
    if sentence.is_question:
        return None
    for clause in clauses(sentence):
        text = _told_back(sentence, clause) or _placed(sentence, clause)
        if text is not None:
            return text
    return None


def _phrase_at(sentence: EditableSentence, place: int) -> Span | None:
    found = next((phrase for phrase in sentence.noun_phrases if phrase[0] == place), None)
    return (
        found
        if found
        and not sentence.words[found[0]].endswith(("self", "selves"))
        and sentence.tags[found[1] - 1].startswith(("NN", "PRP"))
        else None
    )


def _group(sentence: EditableSentence, clause: Clause, subject: Span, lemma: str) -> list[Part] | None:
    # The same tense and auxiliaries with another verb and subject.
    first, verb = clause.group[0], clause.verb
    number = "plural" if is_plural(sentence, subject) or sentence.words[subject[0]] == "you" else "singular"
    if sentence.words[subject[0]] == "me":
        number = "I"
    tag = sentence.tags[first]
    if "be" in sentence.lemmas[first:verb] and sentence.tags[verb] == "VBN":
        return None
    if first == verb:
        if tag in ("VBZ", "VBP"):
            return [present(lemma, number)]
        if lemma.startswith("be ") and tag == "VBD":
            return [("was" if number != "plural" else "were") + lemma[2:]]
        return [verb_form(lemma, tag)] if tag == "VBD" else None
    new: list[Part] = [(first, first + 1)]
    if tag in ("VBZ", "VBP"):
        new = [present(sentence.lemmas[first], number)]
    elif sentence.words[first] in ("was", "were"):
        new = ["were" if number == "plural" else "was"]
    return [*new, (first + 1, verb), verb_form(lemma, sentence.tags[verb])]


def _told_back(sentence: EditableSentence, clause: Clause) -> str | None:
    words, size, lemma = sentence.words, len(sentence), sentence.lemmas[clause.verb]
    thing = clause.object
    if words[clause.subject[0]] in ("no", "nobody", "it", "there", "this", "that"):
        return None
    if thing is None:
        place = clause.verb + 1
        verb = _WITH_PREPOSITION.get((lemma, words[place])) if place < size else None
        other = _phrase_at(sentence, place + 1) if verb else None
        if verb is None or other is None or other[1] < sentence.end:
            return None
        return _turned(sentence, clause, other, verb, [], other[1])
    if lemma in _WITH_TWO_OBJECTS:
        preposition, verb, back = _WITH_TWO_OBJECTS[lemma]
        if thing[1] < size and words[thing[1]] == preposition:
            other = _phrase_at(sentence, thing[1] + 1)
            if other is not None and not words[thing[0]].startswith("home"):
                if sentence.tags[thing[0]] == "PRP$":
                    return None
                return _turned(sentence, clause, other, verb, [thing, back], other[1])
        second = _phrase_at(sentence, thing[1]) if thing[1] < size else None
        if second is not None and lemma in ("sell", "lend", "give", "send") and second[1] <= sentence.end:
            if second[1] < len(sentence) and words[second[1]] in ("of", "that", "to"):
                return None
            if sentence.tags[second[0]] in ("PRP$", "PRP") or words[second[1] - 1] in _NOT_GIVEN:
                return None
            return _turned(sentence, clause, thing, verb, [second, back], second[1])
        return None
    if lemma in _WITH_ONE_OBJECT and thing[1] == sentence.end and sentence.tags[thing[0]] != "PRP$":
        if lemma in ("beat", "follow", "please", "own") and sentence.tags[thing[1] - 1] not in (
            "NNP",
            "PRP",
            "NN",
            "NNS",
        ):
            return None
        return _turned(sentence, clause, thing, _WITH_ONE_OBJECT[lemma], [], thing[1])
    return None


_NOT_GIVEN = frozenset(
    "time chance look hand break call smile kiss headache shock choice try pleasure idea trouble lift ride date".split()
)


def _turned(
    sentence: EditableSentence, clause: Clause, other: Span, verb: str, between: list[Part], stop: int
) -> str | None:
    # The other takes the place of the subject, and the subject that of the last phrase, which ends before `stop`.
    group = _group(sentence, clause, other, verb)
    if group is None:
        return None
    return sentence.composed(
        [
            (0, clause.subject[0]),
            as_subject(sentence, other),
            *group,
            *between,
            as_object(sentence, clause.subject),
            (stop, len(sentence)),
        ]
    )


def _placed(sentence: EditableSentence, clause: Clause) -> str | None:
    # "A is above B" and "A is taller than B".
    words, place = sentence.words, clause.verb + 1
    if sentence.lemmas[clause.verb] != "be" or place + 1 >= len(sentence):
        return None
    degree: list[Part] = []
    if sentence.tags[place].startswith("RB") and words[place] in ("much", "far", "slightly", "directly"):
        degree = [(place, place + 1)]
        place += 1
    if words[place] in _PLACES:
        other, new = _phrase_at(sentence, place + 1), _PLACES[words[place]]
    elif words[place] in _COMPARED and words[place + 1 : place + 2] == ("than",):
        other, new = _phrase_at(sentence, place + 2), f"{_COMPARED[words[place]]} than"
    else:
        return None
    if other is None or other[1] != sentence.end or words[clause.subject[0]] in ("it", "this", "that"):
        return None
    if any(words[i] in ("not", "n't", "never") for i in range(*clause.group)) or sentence.tags[other[0]] == "PRP$":
        return None
    return _turned(sentence, clause, other, "be", [*degree, new], other[1])


CHANGES = (Change("converse", True, _converse),)
