"""Words of a sentence that deny, and the word that each denies."""

from ...features.sentences import Sentence
from .fact import Fact, next_noun, next_verb

_NOT = frozenset({"not", "n't", "never", "without", "no", "hardly", "scarcely", "barely", "nor", "neither"})
_BEFORE_NOUNS = frozenset({"no", "without", "neither", "nor"})
_FAILING = frozenset({"fail", "neglect", "unable", "refuse"})
_DENIES_NOTHING = frozenset({"only", "just", "merely", "matter", "doubt", "."})


def denials(sentence: Sentence, taken: frozenset[int]) -> list[Fact]:
    """Return the words that deny, in order; an anchor is the denied word.

    A value is ``lexical`` for words that deny by their own meaning, such as "unable" and "fail to"; the word itself
    before a noun ("no", "without") and for "never"; and ``not`` for others. "Not until", which denies nothing, is left
    out.

    Parameters
    ----------
    sentence
        The sentence.
    taken
        Places of the tokens of quantifiers.
    """
    until = max((place for place, word in enumerate(sentence.words) if word == "until"), default=-1)
    found = []
    for place, word in enumerate(sentence.words):
        after = sentence.words[place + 1] if place + 1 < len(sentence.words) else ""
        if place in taken or place < until:
            continue
        if word in _NOT:
            if not (after in _DENIES_NOTHING or (word == "no" and (sentence.tags[place] == "UH" or after == ","))):
                found.append(_denial(sentence, place, after))
        elif sentence.lemmas[place] in _FAILING and after == "to":
            found.append(Fact((place,), "lexical", next_verb(sentence, place + 2)))
        elif sentence.lemmas[place] == "lack" and sentence.tags[place].startswith("VB"):
            found.append(Fact((place,), "lexical", next_noun(sentence.tags, sentence.words, place + 1)))
    return found


def _denial(sentence: Sentence, place: int, after: str) -> Fact:
    word = sentence.words[place]
    places = (place, place + 1) if word == "no" and after == "longer" else (place,)
    by_noun = word in _BEFORE_NOUNS and len(places) == 1
    anchor = next_noun(sentence.tags, sentence.words, place + 1) if by_noun else None
    if anchor is None:
        anchor = next_verb(sentence, places[-1] + 1)
    if anchor is None:  # "the lamp is not on"
        anchor = next((at for at in reversed(range(place)) if sentence.tags[at].startswith("VB")), None)
    return Fact(places, word if by_noun or word == "never" else "not", anchor)
