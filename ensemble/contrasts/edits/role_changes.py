"""Exchanged roles: who acts and who is acted on, from where and to where, more than whom."""

import random

from ....features.analysis.editable_sentence import EditableSentence, Part
from ....features.analysis.simple_clauses import Clause, Span, as_object, as_subject, clauses, is_plural, present
from ..edit import Change

_NO_ACTION = frozenset(
    """be have become remain seem cost weigh resemble equal meet marry mean contain need want lack let make get take
    join match fit date keep do last measure total say spend wear""".split()
)
_DIRECTED = frozenset({"at", "behind", "after", "to", "for", "above", "below", "under", "from"})
_NO_ROLE = frozenset(
    """it there that this what something time day week month year morning night way lot thing everything nothing
    today yesterday which who these those""".split()
)
_REFLEXIVE = ("self", "selves")


def _roles(sentence: EditableSentence, chance: random.Random) -> str | None:
    options = [_around_verb, _from_to, _compared, _by_agent]
    chance.shuffle(options)
    for option in options:
        text = option(sentence)
        if text is not None:
            return text
    return None


def _around_verb(sentence: EditableSentence) -> str | None:
    if sentence.is_question:
        return None
    for clause in clauses(sentence):
        lemma = sentence.lemmas[clause.verb]
        target = clause.object
        passive = sentence.tags[clause.verb] == "VBN" and "be" in sentence.lemmas[slice(*clause.group)]
        if lemma in _NO_ACTION or passive:
            continue
        if target is None:
            place = clause.verb + 1
            if (
                place + 1 < len(sentence)
                and sentence.words[place] in _DIRECTED
                and lemma not in ("go", "belong", "come")
            ):
                target = next((phrase for phrase in sentence.noun_phrases if phrase[0] == place + 1), None)
        if target is None or not _exchangeable(sentence, clause.subject, target):
            continue
        after = sentence.words[target[1]] if target[1] < len(sentence) else "."
        if after in ("'s", "to", "and", "or") or (
            target[1] < len(sentence) and sentence.tags[target[1]].startswith(("NN", "VB", "PRP", "DT"))
        ):
            continue
        return exchanged(sentence, clause, target)
    return None


def _exchangeable(sentence: EditableSentence, subject: Span, target: Span) -> bool:
    first, second = sentence.words[slice(*subject)], sentence.words[slice(*target)]
    if first == second or sentence.lemmas[subject[1] - 1] == sentence.lemmas[target[1] - 1]:
        return False
    if {first[-1], second[-1], first[0], second[0]} & _NO_ROLE or second[0].endswith(_REFLEXIVE):
        return False
    named = all(sentence.tags[b - 1].startswith(("NN", "PRP")) for _, b in (subject, target))
    # "his dog" would come before the man that "his" points to.
    return named and sentence.tags[target[0]] not in ("CD", "PRP$", "PDT") and sentence.tags[subject[0]] != "CD"


def exchanged(sentence: EditableSentence, clause: Clause, target: Span) -> str:
    """Return the sentence with the subject of a clause and another noun phrase exchanged, in case and number."""
    start, end = clause.subject
    a, b = target
    middle: list[Part] = [(end, a)]
    plural = is_plural(sentence, target)
    first = clause.group[0]
    person = sentence.words[a] == "me"
    if sentence.tags[first] in ("VBZ", "VBP") or sentence.words[first] in ("was", "were"):
        lemma = sentence.lemmas[first]
        if sentence.tags[first] in ("VBZ", "VBP"):
            form = present(lemma, "I" if person else "plural" if plural or sentence.words[a] == "you" else "singular")
        else:
            form = "were" if plural or sentence.words[a] == "you" else "was"
        middle = [form, (first + 1, a)]
    return sentence.composed(
        [(0, start), as_subject(sentence, target), *middle, as_object(sentence, (start, end)), (b, len(sentence))]
    )


def _from_to(sentence: EditableSentence) -> str | None:
    starts = {a: b for a, b in sentence.noun_phrases}
    for i, word in enumerate(sentence.words[:-1]):
        end = starts.get(i + 1)
        if word not in ("from", "to") or end is None or end + 1 >= len(sentence):
            continue
        second = starts.get(end + 1)
        if sentence.words[end] == {"from": "to", "to": "from"}[word] and second is not None:
            if sentence.words[i + 1 : end] != sentence.words[end + 1 : second]:
                return sentence.composed(
                    [(0, i + 1), (end + 1, second), (end, end + 1), (i + 1, end), (second, len(sentence))]
                )
    return None


def _compared(sentence: EditableSentence) -> str | None:
    if sentence.is_question:
        return None
    for clause in clauses(sentence):
        place = clause.verb + 1
        while place < len(sentence) and sentence.tags[place] in ("RB", "RBR", "JJR", "JJ", "CD", "NNS"):
            place += 1
        if place + 1 >= len(sentence) or sentence.words[place] != "than" or place == clause.verb + 1:
            continue
        target = next((phrase for phrase in sentence.noun_phrases if phrase[0] == place + 1), None)
        if target is not None and _exchangeable(sentence, clause.subject, target) and target[1] == sentence.end:
            return exchanged(sentence, clause, target)
    return None


def _by_agent(sentence: EditableSentence) -> str | None:
    for clause in clauses(sentence):
        group = sentence.lemmas[slice(*clause.group)]
        place = clause.verb + 1
        if sentence.tags[clause.verb] != "VBN" or "be" not in group or sentence.words[place : place + 1] != ("by",):
            continue
        target = next((phrase for phrase in sentence.noun_phrases if phrase[0] == place + 1), None)
        if target is not None and _exchangeable(sentence, clause.subject, target) and not sentence.is_question:
            return exchanged(sentence, clause, target)
    return None


CHANGES = (Change("roles", False, _roles),)
