"""Conditions: one added, removed or reversed."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ....features.analysis.simple_clauses import clauses
from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(lines_of("conditions"))

_PRESENT = (
    "if there is enough time", "unless something goes wrong", "only if someone asks", "provided that nobody objects",
    "only on weekends", "except in an emergency", "only with written permission", "as long as it does not rain",
    "unless it is too late", "only when nobody is watching", "if the others agree", "but only in the first year",
    "except on public holidays", "only after the next meeting", "unless the price goes up",
)  # fmt: skip
_PAST = (
    "but only because someone asked", "but only for a moment", "but only after a long delay",
    "but only on paper", "at least according to a neighbour", "except on the last day",
    "but only when nobody was watching", "but only in the first year",
)  # fmt: skip
_FRONTS = frozenset({"if", "unless", "when", "provided"})


def _condition(sentence: EditableSentence, chance: random.Random) -> str | None:
    edits = [_TABLE.edit, _taken_away]
    chance.shuffle(edits)
    for edit in edits:
        text = edit(sentence, chance)
        if text is not None:
            return text
    return _added(sentence, chance)


def _taken_away(sentence: EditableSentence, chance: random.Random) -> str | None:
    words, end = sentence.words, sentence.end
    if sentence.is_question or end < 6:
        return None
    if words[0] in ("if", "unless"):
        comma = next((i for i in range(3, end - 2) if words[i] == ","), None)
        if comma is None or "," in words[comma + 1 : end]:
            return None
        start = comma + 1 + (words[comma + 1] == "then")
        return sentence.composed([(start, len(sentence))])
    place = next((i for i in range(3, end - 2) if words[i] in ("if", "unless") and sentence.tags[i] == "IN"), None)
    if place is None or words[place - 1] in _ASKING or sentence.lemmas[place - 1] in _ASKING or "," in words[place:]:
        return None
    if sentence.tags[place + 1] not in ("PRP", "DT", "NN", "NNS", "NNP", "EX", "PRP$"):
        return None
    return sentence.composed([(0, place), (end, len(sentence))])


_ASKING = frozenset("as even only know wonder ask see sure tell matter check doubt care what or and find mind".split())


def _added(sentence: EditableSentence, chance: random.Random) -> str | None:
    end = sentence.end
    found = list(clauses(sentence))
    if sentence.is_question or len(found) != 1 or found[0].subject[0] != 0 or end < 4 or ":" in sentence.tags:
        return None
    group = sentence.tags[slice(*found[0].group)]
    if _FRONTS & set(sentence.words) or "not" in sentence.lemmas or "," in sentence.words:
        return None
    past = "VBD" in group
    if not past and not {"VBZ", "VBP", "MD"} & set(group):
        return None
    clause = chance.choice(_PAST if past else _PRESENT)
    comma = "," if clause.startswith(("but", "at", "unless", "except")) else ""
    return sentence.composed([(0, end), *([comma] if comma else []), clause, (end, len(sentence))])


CHANGES = (Change("condition", False, _condition),)
