"""Share of a text that another says, and share that the other adds: for answers longer than their reference."""

from collections.abc import Iterator

import numpy as np

from ...features.base.sentences import PairBatch
from ...features.base.word_tables import stop_words
from .comparison import Comparison
from .facts import MIRRORED
from .text_differences import comparisons


def covers(batch: PairBatch) -> np.ndarray:
    """Return how much of the first text of each pair the second says, and how much the second adds.

    The words are those without function words, and all words of a text that has no others. A word is said if the
    other text has it, or a word that it is aligned to, such as a synonym, and no difference contradicts it: it is in no
    difference but added and missing words, and does not follow one of function words alone, as "approved" in "not
    approved".

    Parameters
    ----------
    batch
        n pairs of English texts, analysed to the level ``lexical`` or ``parsed``.

    Returns
    -------
    numpy.ndarray
        Shape (n, 2), 0..1: the share of the words of the first text that the second says, and the share of the words
        of the second that the first does not say. A text without words is said by every text, and adds nothing. Texts
        of the same words have (1, 0). With the texts swapped, the shares are (1 - added, 1 - covered).

    Raises
    ------
    ValueError
        If a sentence was not analysed to that level.
    """
    shares = np.tile([1.0, 0.0], (len(batch), 1))
    for row, pair, turned in comparisons(batch):
        for side, adds in enumerate((turned, not turned)):
            said, words = said_words(pair, side)
            if words:
                shares[row, int(adds)] = (words - said if adds else said) / words
    return shares


def said_words(pair: Comparison, side: int) -> tuple[int, int]:
    """Return how many of the words of a side that count the other side says, and how many there are; see `covers`."""
    words, others = pair.sentences[side].words, set(pair.sentences[1 - side].words)
    counted = _counted(pair, side)
    said = {place for place in counted if place in pair.links[side] or words[place] in others}
    return len(said.difference(_contradicted(pair, side))), len(counted)


def _counted(pair: Comparison, side: int) -> list[int]:
    words, stops = pair.sentences[side].words, stop_words("ecnu")
    content = [place for place in pair.content[side] if words[place] not in stops]
    spelt = [place for place, word in enumerate(words) if any(map(str.isalnum, word))]
    return content or spelt or list(range(len(words)))


def _contradicted(pair: Comparison, side: int) -> Iterator[int]:
    for one in pair.found:
        if one.kind in MIRRORED:
            continue
        for here, places in enumerate((one.places_a, one.places_b)):
            denied = _denied(pair, here, places)
            if here == side:
                yield from denied
            else:
                for place in denied - set(places):
                    yield from pair.links[here].get(place, ())


def _denied(pair: Comparison, side: int, places: tuple[int, ...]) -> set[int]:
    # The words of a difference, and if none of them counts, the next one that does.
    counted = _counted(pair, side)
    if not places or not set(places).isdisjoint(counted):
        return set(places)
    return {*places, *[place for place in counted if place > places[-1]][:1]}
