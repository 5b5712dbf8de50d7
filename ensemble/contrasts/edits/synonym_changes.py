"""Synonyms: one to three words replaced by words that mean the same in their frequent sense."""

import random

from ....features.analysis.editable_sentence import EditableSentence, Part
from ....features.analysis.inflection import inflected
from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions
from ..related_words import is_in_compound, synonyms, word_class

_NEVER = frozenset(
    """be have do go get make take one time thing people person here there not no now well very so too just more most
    man woman day year other same new old much many first last such own let can will know say see look think want use
    way back still even yet also only never ever always far long up down in out on off over then second two three
    four five six seven eight nine ten minute hour week month be like seem mean right left dead saturday sunday
    monday child kid boy girl state water earth world house home red chinese tv internet gas""".split()
)
_LISTED = Substitutions(lines_of("synonyms"))


def _synonym(sentence: EditableSentence, chance: random.Random) -> str | None:
    found: list[tuple[int, str]] = []
    for i, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True)):
        kind = word_class(tag)
        if kind > 3 or lemma in _NEVER or sentence.is_name(i) or (i == 0 and kind == 0):
            continue
        after = sentence.tags[i + 1] if i + 1 < len(sentence) else ""
        if is_in_compound(sentence.tags, i) or (kind == 1 and after in ("RP", "IN", "TO", "RB")):
            continue
        options = [other for other in synonyms(lemma, kind) if other not in sentence.lemmas]
        if options:
            found.append((i, inflected(options[chance.randrange(len(options))], tag)))
    listed = list(_LISTED.matches(sentence))
    if not found and not listed:
        return None
    if listed and chance.random() * (len(found) + 2 * len(listed)) < 2 * len(listed):
        return _LISTED.edit(sentence, chance)
    if not found:
        return None
    chosen = sorted(chance.sample(found, min(len(found), chance.randint(1, 3))))
    parts: list[Part] = []
    start = 0
    for place, new in chosen:
        parts += [(start, place), new[:1].upper() + new[1:] if sentence.tokens[place][0].isupper() else new]
        start = place + 1
    return sentence.composed([*parts, (start, len(sentence))])


CHANGES = (Change("synonym", True, _synonym),)
