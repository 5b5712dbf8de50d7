"""Facts that a sentence states, and differences between two texts."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from ...features.base.sentences import Sentence


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


def next_verb(sentence: "Sentence", start: int) -> int | None:
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


KINDS = (
    "date",
    "unit",
    "number",
    "code",
    "sign",
    "name",
    "question",
    "condition",
    "modality",
    "quantifier",
    "negation",
    "role",
    "antonym",
    "word",
    "added",
    "missing",
)
"""Kinds of differences; where two kinds claim a token, the earlier one has it."""

MIRRORED = {"added": "missing", "missing": "added"}
"""Kind that a difference has once the texts are swapped, where that is another one."""

KEEP_APART = tuple(kind for kind in KINDS if kind not in MIRRORED)
"""Kinds of differences that keep two texts apart, if nothing is said: all but words that one text adds."""


class Difference(NamedTuple):
    """Words of two texts that differ in meaning.

    Attributes
    ----------
    kind
        One of `KINDS`.
    a, b
        The words of the first and the second text as they stand there, with a blank between tokens that do not touch;
        empty if that text has none.
    places_a, places_b
        Their places among the tokens of either text, in order.
    """

    kind: str
    a: str
    b: str
    places_a: tuple[int, ...]
    places_b: tuple[int, ...]

    def swapped(self) -> "Difference":
        """Return the difference between the second text and the first."""
        kind = MIRRORED.get(self.kind, self.kind)
        return Difference(kind, self.b, self.a, self.places_b, self.places_a)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**self._asdict(), "places_a": list(self.places_a), "places_b": list(self.places_b)}
