"""Opposites: an antonym of WordNet, or of a written list, for a noun, verb, adjective or adverb."""

import random

from ....features.analysis.editable_sentence import EditableSentence
from ....features.analysis.inflection import inflected
from ..edit import Change, lines_of
from ..phrase_substitution import Substitutions
from ..related_words import antonyms, is_in_compound, word_class

_LISTED = Substitutions(lines_of("antonyms"))

_NOT_BY_WORDNET = frozenset(
    """be have do go come get make take give one other same right back well even ever just still there here not no
    own know let say said show work play time thing way home man woman much many more most less little first last
    very so as only then all some both either up down in out on off over under near just now again once far long
    like look see think live life end start begin stop old new single whole main free present light live plain
    actual general special common specific particular certain sure able next married natural double
    local fine record third day hour person people place plant animal job date name front side body
    keep bring find feel turn break happen leave stay try lead follow miss hit touch ask answer open close lock buy sell
    left inside outside above below good white black hand head""".split()
)
_EASY = {
    "good": "bad",
    "black": "white",
    "white": "black",
    "old": "new",
    "new": "old",
    "little": "big",
    "left": "right",
}


def _antonym(sentence: EditableSentence, chance: random.Random) -> str | None:
    listed = len(list(_LISTED.matches(sentence)))
    found: list[tuple[int, str]] = []
    for i, (lemma, tag) in enumerate(zip(sentence.lemmas, sentence.tags, strict=True)):
        kind = word_class(tag)
        # A particle or a second noun changes the word: "turn on", "dead end".
        fixed = is_in_compound(sentence.tags, i) or (kind == 1 and "RP" in sentence.tags[i + 1 : i + 2])
        if kind > 3 or sentence.is_name(i) or fixed:
            continue
        if lemma in _EASY and tag == "JJ":
            found.append((i, _EASY[lemma]))
        elif lemma not in _NOT_BY_WORDNET:
            near = sentence.lemmas[max(i - 3, 0) : i + 4]  # "old or young" has no opposite by one word
            for other in antonyms(lemma, kind)[:2]:
                if " " not in other and other not in near:
                    found.append((i, inflected(other, tag)))
    if not listed and not found:
        return None
    if chance.random() * (listed + len(found)) < listed:
        return _LISTED.edit(sentence, chance)
    place, new = found[chance.randrange(len(found))]
    if place and sentence.words[place - 1] in ("more", "most", "less", "least"):
        new = new.removeprefix("more ").removeprefix("most ")
    return sentence.replaced(place, place + 1, new[:1].upper() + new[1:] if place == 0 else new)


CHANGES = (Change("antonym", False, _antonym),)
