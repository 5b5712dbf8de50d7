"""Phrases and frames of sentences that say the same in other words."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions

_TABLE = Substitutions(lines_of("equal_phrases"))


def _equal_phrase(sentence: EditableSentence, chance: random.Random) -> str | None:
    text = _request(sentence) if chance.random() < 0.5 else None
    return text or _TABLE.edit(sentence, chance)


def _request(sentence: EditableSentence) -> str | None:
    # "Can you V?" asks for what "Please V." asks for.
    words, tags, end = sentence.words, sentence.tags, sentence.end
    if len(words) < 4:
        return None
    if words[0] in ("can", "could", "will", "would") and words[1] == "you" and words[-1] == "?":
        start = 2 + (words[2] == "please")
        if tags[start] == "VB" and sentence.lemmas[start] in _ASKED:
            last = end - (words[end - 1] == "please") - (words[end - 2] == "," and words[end - 1] == "please")
            return sentence.composed(["Please", (start, last), "."])
    if words[0] == "please" and tags[1] == "VB" and words[-1] == "." and sentence.lemmas[1] != "be":
        return sentence.composed(["Could you", "please", (1, len(words) - 1), "?"])
    return None


_ASKED = frozenset(
    """tell give show help send pass bring open close explain call make take put turn wait stop come check fix
    change cancel sign write read speak repeat move carry hold get lend pick add remove update confirm""".split()
)

CHANGES = (Change("equal_phrase", True, _equal_phrase),)
