"""Fact of a sentence: words with a value that can be compared with that of the other text."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...features.sentences import Sentence


class Fact(NamedTuple):
    """Words that say something which another text may say otherwise.

    Attributes
    ----------
    places
        Places of its tokens, in order, at least one.
    value
        Value to compare; its type belongs to the kind of fact.
    anchor
        Place of the word that the fact is about, such as the noun that is counted; None if there is none.
    """

    places: tuple[int, ...]
    value: Any
    anchor: int | None = None


NOUNS = ("NN", "NNS", "NNP", "NNPS")
_NOT_ABOUT = frozenset({"of", "the", "a", "an", "my", "your", "his", "her", "its", "our", "their", "these", "those"})
_REACH = 6


def next_noun(tags: Sequence[str], words: Sequence[str], start: int) -> int | None:
    """Return the last noun of the noun phrase that starts within six tokens of a place, or None.

    The search stops at a verb, at punctuation and at a preposition other than "of".
    """
    place = start
    while place < len(tags) and tags[place] not in NOUNS:
        stops = tags[place].startswith("V") or tags[place] in ("IN", "MD", ",", ".", ":", "CC", "TO")
        if place >= start + _REACH or (stops and words[place] not in _NOT_ABOUT):
            return None
        place += 1
    while place + 1 < len(tags) and tags[place + 1] in NOUNS:
        place += 1
    return place if place < len(tags) else None


_LIGHT = frozenset({"be", "have", "do", "get"})
_PREDICATES = ("JJ", "JJR", "NN", "NNS", "NNP", "CD")


def next_verb(sentence: Sentence, start: int) -> int | None:
    """Return the main verb, or the predicate after a form of "be", within six tokens from a place; else None."""
    last = None
    for place in range(start, min(start + _REACH + 1, len(sentence.tags))):
        tag = sentence.tags[place]
        if tag.startswith("VB"):
            last = place
            if sentence.lemmas[place] not in _LIGHT:
                return place
        elif tag in _PREDICATES and (last is not None or (tag in ("JJ", "NN", "NNS") and place <= start + 3)):
            return place
        elif tag in (".", ",", ":") or (tag == "IN" and last is not None):
            break
    return last
