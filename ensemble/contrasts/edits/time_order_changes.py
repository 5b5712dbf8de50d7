"""Order in time: the other order of two events, and the same order described from the other event."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ....features.analysis.simple_clauses import clauses
from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(lines_of("time_orders"))


def _time_order(sentence: EditableSentence, chance: random.Random) -> str | None:
    swapped = _events_swapped(sentence)
    if swapped is not None and chance.random() < 0.7:
        return swapped
    return _TABLE.edit(sentence, chance) or swapped


def _events_swapped(sentence: EditableSentence) -> str | None:
    # "A and then B": the parts of the sentence around the words that order them.
    words, tags, end = sentence.words, sentence.tags, sentence.end
    place = next((i for i in range(2, end - 2) if words[i] == "then" and words[i - 1] == "and"), None)
    if place is None:
        return None
    left_end = place - 1 - (words[place - 2] == ",")
    first = next(clauses(sentence), None)
    if first is None or first.group[1] > left_end:
        return None
    if tags[place + 1].startswith("VB"):
        if tags[first.verb] != tags[place + 1] or sentence.lemmas[first.verb] == "be":
            return None
        start = first.verb
    elif any(clause.subject[0] == place + 1 for clause in clauses(sentence)):
        start = 0
    else:
        return None
    return sentence.composed(
        [(0, start), (place + 1, end), (left_end, place + 1), (start, left_end), (end, len(sentence))]
    )


def _clause_order(sentence: EditableSentence, chance: random.Random) -> str | None:
    # "A before B" is "B after A".
    words, end = sentence.words, sentence.end
    place = next((i for i in range(2, end - 1) if words[i] in ("before", "after") and sentence.tags[i] == "IN"), None)
    if place is None or sentence.is_question:
        return None
    found = list(clauses(sentence))
    if not found or found[0].subject[0] != 0 or sentence.tags[found[0].verb] not in ("VBD", "VBZ", "VBP"):
        return None
    if sentence.lemmas[found[0].verb] == "be":
        return None
    second = [clause for clause in found if clause.subject[0] == place + 1]
    if not second or second[0].group[1] - second[0].group[0] > 1 or len(found) != 2 or "," in words[:end]:
        return None
    if words[place - 1] in (
        "just",
        "shortly",
        "soon",
        "right",
        "long",
        "even",
        "the",
        "minutes",
        "days",
        "only",
        "immediately",
    ):
        return None
    if sentence.tags[place - 1] in ("NNS", "CD", "NN") and sentence.lemmas[place - 1] in _TIMES:
        return None
    negative = {"not", "n't", "never", "no", "said", "that"} & set(words[:end])
    if negative or found[0].group[1] - found[0].group[0] > 1:
        return None
    # A pronoun needs its name before it.
    if sentence.tags[0] != "PRP" and sentence.tags[place + 1] == "PRP":
        return None
    other = "after" if words[place] == "before" else "before"
    return sentence.composed([(place + 1, end), other, (0, place), (end, len(sentence))])


_TIMES = frozenset("second minute hour day week month year decade moment while time".split())

CHANGES = (Change("time_order", False, _time_order), Change("clause_order", True, _clause_order))
