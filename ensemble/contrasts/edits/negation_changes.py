"""Negation: inserted, removed, and doubled so that the meaning stays."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ....features.analysis.inflection import verb_form
from ....features.analysis.simple_clauses import Clause, clauses, present, subject_number
from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_NEGATIVE = frozenset("not n't never no none nobody nothing neither nor hardly without nowhere".split())
_TABLE = Substitutions(lines_of("negations"))
_AFTER_NOT = {"some": "any", "something": "anything", "someone": "anyone", "somebody": "anybody", "already": "yet"}
_WITHOUT_NOT = {"any": "some", "anything": "something", "anyone": "someone", "anybody": "somebody", "yet": "already"}
_UNFIT = frozenset({"either", "all", "only", "until", "but", "whether"})


def _negation(sentence: EditableSentence, chance: random.Random) -> str | None:
    edits = [_TABLE.edit, _taken_away, _put_in]
    if chance.random() < 0.6:
        edits.reverse()
    for edit in edits:
        text = edit(sentence, chance)
        if text is not None:
            return text
    return None


def _taken_away(sentence: EditableSentence, chance: random.Random) -> str | None:
    words, tags = sentence.words, sentence.tags
    place = next((i for i, word in enumerate(words) if word in ("not", "n't") and i), None)
    if place is None or place + 1 >= len(words) or words[place + 1] in _UNFIT or sentence.is_question:
        return None
    before, after = words[place - 1], place + 1
    rest = _other_words(sentence, after, _WITHOUT_NOT)
    if sentence.lemmas[place - 1] == "do" and before in ("do", "does", "did"):
        verb = next((i for i in range(after, min(after + 3, len(words))) if tags[i].startswith("VB")), None)
        if verb is None:
            return None
        if place == 1:
            form = verb_form(sentence.lemmas[verb], "VB")
        elif before == "did":
            form = verb_form(sentence.lemmas[verb], "VBD")
        else:
            form = verb_form(sentence.lemmas[verb], "VBZ" if before == "does" else "VBP")
        if sentence.lemmas[verb] == "be":
            return None
        return sentence.composed([(0, place - 1), (after, verb), form, *_other_words(sentence, verb + 1, _WITHOUT_NOT)])
    if tags[place - 1] != "MD" and sentence.lemmas[place - 1] not in ("be", "have"):
        return None
    whole = {"wo": "will", "ca": "can", "sha": "shall", "ai": "is"}.get(before)
    return sentence.composed([(0, place - 1), whole or (place - 1, place), *rest])


def _other_words(sentence: EditableSentence, start: int, table: dict[str, str]) -> list[str | tuple[int, int]]:
    # "some" becomes "any" after "not", and back.
    parts: list[str | tuple[int, int]] = []
    for i in range(start, len(sentence)):
        if sentence.words[i] in table and sentence.tags[i] != "JJ":
            parts += [(start, i), table[sentence.words[i]]]
            start = i + 1
    return [*parts, (start, len(sentence))]


def _put_in(sentence: EditableSentence, chance: random.Random) -> str | None:
    words, tags = sentence.words, sentence.tags
    if _NEGATIVE & set(words) or sentence.is_question:
        return None
    if tags and tags[0] == "VB" and words[0].isalpha() and sentence.lemmas[0] not in ("let", "be") and len(words) > 2:
        return sentence.composed(["Do not", (0, len(sentence))])
    found = [clause for clause in clauses(sentence) if clause.subject[0] == 0] or list(clauses(sentence))
    return _negated(sentence, found[0], chance) if found else None


def _negated(sentence: EditableSentence, clause: Clause, chance: random.Random) -> str | None:
    words, tags, lemmas = sentence.words, sentence.tags, sentence.lemmas
    start, verb = clause.group[0], clause.verb
    while tags[start].startswith("RB") and start < verb:
        start += 1
    first = words[start]
    rest = _other_words(sentence, start + 1, _AFTER_NOT)
    if tags[start] == "MD" or lemmas[start] == "be" or (lemmas[start] in ("have", "do") and start < verb):
        if first == "can":
            return sentence.composed([(0, start), "cannot", *rest])
        if first in ("'d", "better") or tags[start] == "VB":
            return None
        if chance.random() < 0.3 and first in _CONTRACTED:
            return sentence.composed([(0, start), sentence.tokens[start] + "n't", *rest])
        return sentence.composed([(0, start + 1), "not", *rest])
    if start != verb or tags[verb] not in ("VBZ", "VBP", "VBD"):
        return None
    number = subject_number(sentence, clause.group[0])
    auxiliary = "did" if tags[verb] == "VBD" else present("do", number if tags[verb] == "VBP" else "singular")
    if tags[verb] == "VBP" and auxiliary == "does":
        auxiliary = "do"
    not_ = chance.choice((" not", " not", "n't"))
    return sentence.composed([(0, verb), auxiliary + not_, lemmas[verb], *rest])


_CONTRACTED = frozenset("is are was were has have had would could should does did do".split())

_COMPLEMENTARY = """
alive dead, awake asleep, open closed, possible impossible, legal illegal, true false, correct incorrect, valid invalid,
available unavailable, necessary unnecessary, complete incomplete, aware unaware, certain uncertain, clear unclear,
married unmarried, present absent, known unknown, safe unsafe, visible invisible, able unable, sufficient insufficient,
accurate inaccurate, honest dishonest, willing unwilling, active inactive, reliable unreliable, accessible inaccessible,
stable unstable, lawful unlawful, equal unequal, conscious unconscious, fair unfair, healthy unhealthy, even odd,
authorized unauthorized, relevant irrelevant, important unimportant, usual unusual, ready unready, common uncommon,
likely unlikely, employed unemployed, familiar unfamiliar, satisfied dissatisfied, prepared unprepared, sure unsure
"""
_PAIRS = [tuple(entry.split()) for entry in _COMPLEMENTARY.replace("\n", " ").split(",")]
_OPPOSITE = {a: b for a, b in _PAIRS} | {b: a for a, b in _PAIRS}
_NOT_TURNED = frozenset({"ready", "even", "odd"})

_DOUBLE = Substitutions(lines_of("double_negations"))


def _double_negation(sentence: EditableSentence, chance: random.Random) -> str | None:
    options = []
    for i in range(1, len(sentence)):
        opposite = _OPPOSITE.get(sentence.words[i])
        if opposite is None or sentence.tags[i] not in ("JJ", "VBN") or sentence.words[i] in _NOT_TURNED:
            continue
        after = sentence.tags[i + 1] if i + 1 < len(sentence) else "."
        if after.startswith(("NN", "JJ", "VB")) or opposite in _NOT_TURNED:
            continue
        if sentence.lemmas[i - 1] == "be" and not _NEGATIVE & set(sentence.words) and not sentence.is_question:
            options.append(sentence.replaced(i, i + 1, f"not {opposite}"))
        elif sentence.words[i - 1] in ("not", "n't") and i > 1 and sentence.lemmas[i - 2] == "be":
            if sentence.words[i - 2] != "ai":
                options.append(sentence.replaced(i - 1, i + 1, opposite))
    table = _DOUBLE.edit(sentence, chance) if not sentence.is_question else None
    if table is not None:
        options.append(table)
    return chance.choice(options) if options else None


CHANGES = (Change("negation", False, _negation), Change("double_negation", True, _double_negation))
