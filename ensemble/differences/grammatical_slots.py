"""Roles of nouns beside the verbs of a sentence, found by tags; the same for a clause in the active and the passive."""

from collections.abc import Iterator
from typing import NamedTuple

from ...features.sentences import Sentence
from ..rule_made_pairs.editable_sentence import EditableSentence
from ..rule_made_pairs.simple_clauses import Clause, clauses

SUBJECT, OBJECT, RECEIVER = "subject", "object", "to"
"""Roles; the other roles are prepositions."""

_MARKED = frozenset({"IN", "TO", "RP"})
_ROUTE = frozenset({"from", "to"})
_WITHIN = frozenset({"of", "'s"})


class Slot(NamedTuple):
    """Role of a noun beside a verb.

    Attributes
    ----------
    verb
        Place of the verb; -1 for the ends of a route, "from Lyon to Turin".
    role
        `SUBJECT`, `OBJECT`, `RECEIVER` or a preposition.
    """

    verb: int
    role: str


def grammatical_slots(sentence: Sentence) -> dict[int, list[Slot]]:
    """Return the slots of each noun or pronoun that has any, by its place.

    A noun phrase counts by its last word. The subject of a passive clause has the slot of an object, and its agent that
    of a subject.
    """
    editable = EditableSentence(sentence)
    found: dict[int, list[Slot]] = {}
    spoken = list(clauses(editable))
    for k, clause in enumerate(spoken):
        stop = min((other.group[0] for other in spoken[k + 1 :]), default=editable.end)
        for place, slot in _of_clause(editable, clause, stop):
            found.setdefault(place, []).append(slot)
    for start, end in editable.noun_phrases:
        if start and sentence.words[start - 1] in _ROUTE and _has_route(sentence):
            found.setdefault(end - 1, []).append(Slot(-1, sentence.words[start - 1]))
    return found


def _has_route(sentence: Sentence) -> bool:
    return "from" in sentence.words and "to" in sentence.words


def _of_clause(sentence: EditableSentence, clause: Clause, stop: int) -> Iterator[tuple[int, Slot]]:
    verb = clause.verb
    group = sentence.lemmas[clause.group[0] : verb]
    passive = sentence.tags[verb] in ("VBN", "VBD") and bool({"be", "get"} & set(group))
    head = next(end for start, end in sentence.noun_phrases if start == clause.subject[0]) - 1
    complements = list(_complements(sentence, verb, stop))
    bare = [place for place, role in complements if role == OBJECT]
    if passive:
        yield head, Slot(verb, RECEIVER if bare else OBJECT)
    else:
        yield head, Slot(verb, SUBJECT)
    for place, role in complements:
        if role == OBJECT and len(bare) > 1 and place == bare[0]:
            role = RECEIVER
        yield place, Slot(verb, SUBJECT if passive and role == "by" else role)
    for start, end in sentence.noun_phrases:
        # "asked me to rate the driver": the object of another verb.
        if verb + 1 < start < stop and sentence.tags[start - 1] in ("VB", "VBG"):
            yield end - 1, Slot(start - 1, OBJECT)


def _complements(sentence: EditableSentence, verb: int, stop: int) -> Iterator[tuple[int, str]]:
    # Noun phrases after a verb: the last word of each, and its role.
    last = verb + 1
    for start, end in sentence.noun_phrases:
        if start <= verb:
            continue
        if start >= stop:
            break
        before = sentence.words[start - 1]
        if before in _WITHIN:
            last = end
        elif start == last or (start == last + 1 and sentence.tags[last] in ("RP", "RB")):
            yield end - 1, OBJECT
            last = end
        elif sentence.tags[start - 1] in _MARKED or before == "than":
            yield end - 1, before
            last = -1
        else:
            last = -1
