"""Another thing of its kind: a coordinate term of WordNet for a noun, or another colour, weekday or month."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ....features.analysis.inflection import inflected
from ..edit import Change, word_lists
from ..related_words import coordinate_terms, is_in_compound

_LISTS = word_lists("things_of_a_kind")
_ROWS = {word: row for row in reversed(_LISTS.values()) for word in row}
_AMBIGUOUS = frozenset({"may", "march", "spring", "orange"})
_TOO_VAGUE = frozenset(
    """thing way time kind lot part number people person man woman one something case hundred thousand million dozen
    hair help letter""".split()
)


def _co_hyponym(sentence: EditableSentence, chance: random.Random) -> str | None:
    found: list[tuple[int, str]] = []
    used = frozenset(sentence.lemmas)
    for i, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True)):
        token = sentence.tokens[i]
        if tag in ("NNP", "JJ", "NN") and (token in _ROWS and (token[0].isupper() or tag == "NN")):
            if lemma not in _AMBIGUOUS or tag == "NNP":
                found.append((i, token))
        elif tag == "JJ" and token in _LISTS["colours"]:
            found.append((i, token))
        elif tag in ("NN", "NNS") and lemma not in _TOO_VAGUE and not sentence.is_name(i):
            if not is_in_compound(sentence.tags, i) and (lemma in _ROWS or coordinate_terms(lemma)):
                found.append((i, lemma))
    if not found:
        return None
    place, word = found[chance.randrange(len(found))]
    others = [other for other in _ROWS.get(word) or coordinate_terms(word) if other not in used and other != word]
    if word in _ROWS:
        others = [other for other in others if other.lower() not in used]
    if not others:
        return None
    new = inflected(others[chance.randrange(len(others))], sentence.tags[place])
    return sentence.replaced(
        place, place + 1, new[:1].upper() + new[1:] if sentence.tokens[place][0].isupper() else new
    )


CHANGES = (Change("co_hyponym", False, _co_hyponym),)
