"""Moved phrases: a clause, time or place at the other end of a sentence, the two sides of "and" exchanged."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ....features.analysis.simple_clauses import clauses
from ..edit import Change

_SUBORDINATORS = frozenset("because if when while although though unless after before since once whenever".split())
_TIME_WORDS = frozenset("yesterday today tomorrow tonight nowadays sometimes currently recently".split())
_DETERMINED_TIMES = frozenset(
    """night week month year morning afternoon evening day monday tuesday wednesday thursday friday saturday sunday
    summer winter spring""".split()
)
_BEFORE_TIME = frozenset("last next this every".split())
_TIME_HEADS = _DETERMINED_TIMES | frozenset(
    "january february march april may june july august september october november december noon midnight".split()
)
_PREPOSITIONS = frozenset("in on at during near under behind after before".split())


def _moved_phrase(sentence: EditableSentence, chance: random.Random) -> str | None:
    if sentence.is_question or sentence.end < 3 or ";" in sentence.words or '"' in sentence.text:
        return None
    options = [_clause_to_front, _clause_to_end, _time_to_front, _time_to_end, _place_to_front, _sides_of_and]
    chance.shuffle(options)
    for option in options:
        text = option(sentence)
        if text is not None:
            return text
    return None


def _clause_to_front(sentence: EditableSentence) -> str | None:
    words, end = sentence.words, sentence.end
    starts = {clause.subject[0]: clause for clause in clauses(sentence)}
    first = starts.get(0)
    place = next(
        (i for i in range(3, end - 1) if words[i] in _SUBORDINATORS and sentence.tags[i] in ("IN", "WRB")), None
    )
    if place is None or first is None or place + 1 not in starts or words[place - 1] in _BEFORE_CLAUSE:
        return None
    if sum(word in _SUBORDINATORS for word in words) > 1 or {"and", "but", "that", "who", "if"} & set(words[:place]):
        return None
    if sentence.tags[0] != "PRP" and sentence.tags[place + 1] == "PRP":
        return None  # a pronoun would come before its name
    if sentence.tags[place - 1] in ("CD",) or sentence.lemmas[place - 1] in _ASKING or "," in words:
        return None
    return sentence.composed([(place, end), ",", (0, place), (end, len(sentence))])


_BEFORE_CLAUSE = frozenset("even only just as or and long ever soon right immediately not shortly except of".split())
_ASKING = frozenset("know wonder ask see doubt tell say remember care minute hour day week month year".split())


def _clause_to_end(sentence: EditableSentence) -> str | None:
    words, end = sentence.words, sentence.end
    if words[0] not in _SUBORDINATORS or words.count(",") != 1:
        return None
    comma = words.index(",")
    found = {clause.subject[0] for clause in clauses(sentence)}
    if 1 not in found or comma + 1 not in found or comma + 2 >= end:
        return None
    if sentence.tags[comma + 1] == "PRP" and sentence.tags[1] not in ("PRP", "DT", "PRP$", "NN", "NNS"):
        return None
    if sentence.tags[comma + 1] == "PRP" and sentence.tags[1] != "PRP" and words[comma + 1] not in ("i", "we", "you"):
        return None
    return sentence.composed([(comma + 1, end), (0, comma), (end, len(sentence))])


def _is_time(sentence: EditableSentence, start: int, end: int) -> bool:
    words = sentence.words[start:end]
    if len(words) == 1:
        return words[0] in _TIME_WORDS
    if len(words) == 2 and words[0] in _BEFORE_TIME:
        return words[1] in _DETERMINED_TIMES
    head = words[-1]
    dated = head in _TIME_HEADS or (head.isdecimal() and len(head) == 4 and words[0] == "in")
    return words[0] in ("in", "on", "at") and len(words) <= 4 and dated and "the" not in words[1:-2]


def _time_to_front(sentence: EditableSentence) -> str | None:
    first, end = next(clauses(sentence), None), sentence.end
    if first is None or first.subject[0] != 0 or "," in sentence.words:
        return None
    for size in (4, 3, 2, 1):
        start = end - size
        if start >= first.group[1] and _is_time(sentence, start, end) and sentence.words[start - 1] not in _BOUND:
            if len(list(clauses(sentence))) > 1 or {"and", "or", "to", "that"} & set(sentence.words[: start - 1]):
                return None
            return sentence.composed([(start, end), ",", (0, start), (end, len(sentence))])
    return None


_BOUND = frozenset("of and or until since from by for in on at before after than is was late early one".split())


def _time_to_end(sentence: EditableSentence) -> str | None:
    for size in (1, 2, 3, 4):
        if _is_time(sentence, 0, size):
            start = size + (sentence.words[size : size + 1] == (",",))
            found = list(clauses(sentence))
            if len(found) == 1 and found[0].subject[0] == start and "," not in sentence.words[start:]:
                if "and" not in sentence.words[start:]:
                    return sentence.composed([(start, sentence.end), (0, size), (sentence.end, len(sentence))])
    return None


def _place_to_front(sentence: EditableSentence) -> str | None:
    # Right after the verb, a phrase of place belongs to it.
    first, end = next(clauses(sentence), None), sentence.end
    if first is None or first.subject[0] != 0 or sentence.tags[first.verb] != "VBG" or first.object is not None:
        return None
    place = first.verb + 1
    if place + 1 >= end or sentence.words[place] not in _PREPOSITIONS or "," in sentence.words:
        return None
    if sentence.lemmas[first.verb] in ("look", "work", "laugh", "go", "wait", "focus", "be", "live", "stare", "point"):
        return None
    phrase = next((phrase for phrase in sentence.noun_phrases if phrase[0] == place + 1), None)
    if phrase is None or phrase[1] != end or sentence.tags[phrase[0]] == "PRP$":
        return None
    return sentence.composed([(place, end), ",", (0, place), (end, len(sentence))])


def _sides_of_and(sentence: EditableSentence) -> str | None:
    phrases = sentence.noun_phrases
    for (a, b), (c, d) in zip(phrases, phrases[1:], strict=False):
        if c != b + 1 or sentence.words[b] not in ("and", "or") or {"PRP", "PRP$", "CD"} & set(sentence.tags[a:d]):
            continue
        before = sentence.words[a - 1] if a else ""
        after = sentence.words[d] if d < len(sentence) else "."
        if before in ("and", ",", "or", "'s", "between", ")") or after in ("and", ",", "or", "'s", "of", "who", "that"):
            continue
        if (sentence.tags[a] == "DT") != (sentence.tags[c] == "DT"):
            continue
        # "old men and women": the adjective is of both.
        if b - a > 1 and d - c == 1 or sentence.tags[a].startswith("JJ") or after in ("in", "with", "to", "for"):
            continue
        if d < len(sentence) and sentence.tags[d].startswith(("VB", "MD")) and a:
            continue
        if d - c > 1 and b - a == 1 and sentence.tags[c] != "DT" and sentence.tags[a] != "NNP":
            continue
        if sentence.tags[b - 1][:3] == "NNP" or sentence.tags[d - 1][:3] == "NNP":
            if not all(sentence.tags[i][:3] == "NNP" for i in (*range(a, b), *range(c, d))) or d - a > 3:
                continue
        if d < len(sentence) and sentence.tags[d].startswith(
            ("NN", "IN", "POS", "WP", "WDT", "VBG", "VBN", "PRP", "DT")
        ):
            continue
        return sentence.composed([(0, a), (c, d), (b, c), (a, b), (d, len(sentence))])
    return None


CHANGES = (Change("moved_phrase", True, _moved_phrase),)
