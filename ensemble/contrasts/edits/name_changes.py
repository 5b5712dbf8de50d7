"""Names: another person, place, nationality or company of a written list."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ..edit import Change, word_lists

_LISTS = word_lists("names")
_LIST = {name: names for names in reversed(_LISTS.values()) for name in names}


def _name(sentence: EditableSentence, chance: random.Random) -> str | None:
    names = [i for i, token in enumerate(sentence.tokens) if token in _LIST and sentence.tags[i] in _NAMED]
    names = [i for i in names if _is_whole(sentence, i)]
    if not names:
        return None
    old = sentence.tokens[names[chance.randrange(len(names))]]
    others = [other for other in _LIST[old] if other not in sentence.tokens]
    if not others:
        return None
    new = others[chance.randrange(len(others))]
    # Everywhere in the sentence, so that it is about one other person.
    parts: list[str | tuple[int, int]] = []
    start = 0
    for i, token in enumerate(sentence.tokens):
        if token == old and i in names:
            parts += [(start, i), new]
            start = i + 1
    return sentence.composed([*parts, (start, len(sentence))])


_NAMED = frozenset({"NNP", "NNPS", "JJ", "NN"})


def _is_whole(sentence: EditableSentence, i: int) -> bool:
    # A surname stands after a name or a title; a word that is another word too has to be a proper noun.
    token, tag = sentence.tokens[i], sentence.tags[i]
    after = sentence.tags[i + 1] if i + 1 < len(sentence) else ""
    if _LIST[token] == _LISTS["nationalities"] and after in ("NNP", "NNPS"):
        return False
    if tag in ("NNP", "NNPS"):
        return token not in _LISTS["surnames"] or (i > 0 and sentence.tags[i - 1] == "NNP")
    return tag == "JJ" and _LIST[token] == _LISTS["nationalities"]


CHANGES = (Change("name", False, _name),)
