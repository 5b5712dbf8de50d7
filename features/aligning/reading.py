"""What the aligner (Sultan et al., 2014) needs of a sentence, made once for all the pairs that it stands in."""

from collections.abc import Callable
from typing import NamedTuple

from ..pairs import Sentence
from .relatedness import Word, Words, read_words
from .relations import CLASS_OF_TAG, Neighbours, neighbours

WINDOW = 3
"""How many tokens to either side are a word's neighbourhood."""


class Reading(NamedTuple):
    """A sentence prepared for the aligner."""

    sentence: Sentence
    words: Words
    neighbours: Neighbours
    classes: tuple[int, ...]
    hyphenated: tuple[tuple[int, tuple[str, ...]], ...]


def read(sentence: Sentence, reader: Callable[[str, str, bool], Word], *, legacy: bool = False) -> Reading:
    """Prepare a sentence; one without tags or without a parse is aligned by what it has."""
    words = read_words(sentence, reader)
    hyphenated = tuple(
        (place, parts)
        for place, form in enumerate(sentence.words)
        if "-" in form and len(parts := tuple(filter(None, form.split("-")))) > 1
    )
    classes = tuple([CLASS_OF_TAG.get(tag[:2], -1) for tag in sentence.tags]) or (-1,) * len(words.words)
    return Reading(sentence, words, neighbours(sentence, collapsed=not legacy), classes, hyphenated)


def nearby(reading: Reading, place: int) -> list[int]:
    """Return the content words at most `WINDOW` tokens away."""
    words = reading.words.words
    around = range(max(place - WINDOW, 0), min(place + WINDOW + 1, len(words)))
    return [other for other in around if other != place and words[other].content]
