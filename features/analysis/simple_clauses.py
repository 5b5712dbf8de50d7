"""Simple clauses found by tags: a subject, a group of verbs, and the object after it."""

from collections.abc import Iterator
from typing import NamedTuple

from .editable_sentence import EditableSentence
from .inflection import verb_form

Span = tuple[int, int]

AUXILIARIES = frozenset({"be", "have", "do"})

_OBJECTS = {"i": "me", "he": "him", "she": "her", "we": "us", "they": "them", "who": "whom"}
_SUBJECTS = {value: key for key, value in _OBJECTS.items()}
_PLURAL_PRONOUNS = frozenset("they we you these those them us".split())
_BEFORE_SUBJECT = frozenset(
    ", : `` that because when if while although though so since whereas and but or after before until".split()
)
_WITHIN = frozenset("of in with on from at near for under".split())


class Clause(NamedTuple):
    """A clause with a verb in the active voice or a linking verb.

    Attributes
    ----------
    subject
        Tokens ``[start, end)`` of the subject.
    group
        Tokens of the verb with its auxiliaries, negation and adverbs.
    verb
        The main verb, the last token of the group.
    object
        Tokens of the noun phrase right after the verb, or None.
    """

    subject: Span
    group: Span
    verb: int
    object: Span | None


def extended(sentence: EditableSentence, index: int, prepositions: frozenset[str] = _WITHIN) -> int:
    """Return the end of a noun phrase with the phrases that prepositions attach to it: "the man in a hat"."""
    phrases = sentence.noun_phrases
    end = phrases[index][1]
    while index + 1 < len(phrases) and phrases[index + 1][0] == end + 1 and sentence.words[end] in prepositions:
        index += 1
        end = phrases[index][1]
    return end


def clauses(sentence: EditableSentence) -> Iterator[Clause]:
    """Return the clauses of a sentence whose subject stands right before the verb; found once a sentence."""
    return iter(sentence.memo("clauses", lambda: tuple(_clauses(sentence))))


def _clauses(sentence: EditableSentence) -> Iterator[Clause]:
    tags, words, size = sentence.tags, sentence.words, len(sentence)
    starts = {phrase[0]: index for index, phrase in enumerate(sentence.noun_phrases)}
    ends = {phrase[1] for phrase in sentence.noun_phrases}
    for index, (start, _) in enumerate(sentence.noun_phrases):
        if start and words[start - 1] not in _BEFORE_SUBJECT:
            continue
        if start and words[start - 1] in ("and", "or", ",") and start - 1 in ends:
            continue  # the second part of a list
        end = extended(sentence, index)
        stop, verb = end, -1
        while stop < size and (tags[stop] == "MD" or tags[stop].startswith("VB") or tags[stop] in ("RB", "RBR")):
            if tags[stop].startswith("VB"):
                if verb >= 0 and sentence.lemmas[verb] not in AUXILIARIES:
                    break
                verb = stop
            stop += 1
        if verb < 0 or tags[end] in ("VBG", "VBN", "VB"):
            continue
        target = starts.get(verb + 1)
        thing = None
        if target is not None:
            thing = (verb + 1, extended(sentence, target, frozenset({"of"})))
        yield Clause((start, end), (end, verb + 1), verb, thing)


def is_plural(sentence: EditableSentence, span: Span) -> bool:
    """Return whether a noun phrase takes a plural verb."""
    start, end = span
    if sentence.words[start] in _PLURAL_PRONOUNS:
        return True
    heads = [b for a, b in sentence.noun_phrases if a == start]
    head = (heads[0] if heads else end) - 1
    return sentence.tags[head] in ("NNS", "NNPS") or (
        sentence.tags[head] == "CD" and sentence.words[head] not in ("1", "one")
    )


def subject_number(sentence: EditableSentence, place: int) -> str:
    """Return ``I``, ``singular`` or ``plural`` for the subject of the verb at a place, by the phrases before it."""
    before = [phrase for phrase in sentence.noun_phrases if phrase[1] <= place]
    if not before:
        return "singular"
    index = len(before) - 1
    while (
        index
        and before[index][0]
        and sentence.tags[before[index][0] - 1] == "IN"
        and (before[index - 1][1] == before[index][0] - 1)
    ):
        index -= 1
    start, end = before[index]
    if sentence.words[start] == "i":
        return "I"
    joined = index and start and sentence.words[start - 1] == "and" and before[index - 1][1] == start - 1
    return "plural" if joined or is_plural(sentence, (start, end)) else "singular"


def present(lemma: str, number: str) -> str:
    """Return the present form of a verb for a `subject_number`."""
    if lemma.split(" ")[0] == "be" and number == "I":
        return "am" + lemma[2:]
    return verb_form(lemma, "VBZ" if number == "singular" else "VBP")


def as_object(sentence: EditableSentence, span: Span) -> str | Span:
    """Return a subject as it stands in the place of an object: "I" becomes "me"."""
    word = _OBJECTS.get(sentence.words[span[0]]) if span[1] - span[0] == 1 else None
    return word or span


def as_subject(sentence: EditableSentence, span: Span) -> str | Span:
    """Return an object as it stands in the place of a subject: "me" becomes "I"."""
    word = _SUBJECTS.get(sentence.words[span[0]]) if span[1] - span[0] == 1 else None
    return ("I" if word == "i" else word) or span
