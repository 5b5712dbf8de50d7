"""Kinds of words that English text has: its own, those of other languages in Latin letters, and shared ones.

``scripts/make_english_words.py`` makes it from WordNet 3.0 (Miller, 1995) and the word frequencies of wordfreq (Speer,
2022). It is mapped into memory: a process that looks up few words reads little of it.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..arrays.joins import places_among
from ..base.mapped_arrays import map_arrays

FOLDER = Path(__file__).parents[1] / "data" / "english"

UNLISTED, OWN, SHARED, FOREIGN = -1, 0, 1, 2
"""Kinds of words. A word is English's own if no other language in Latin letters uses it over twice as often, foreign if
one uses it over fifty times as often, and shared in between. English text seldom has an unlisted word."""

HASH_BITS = 32
"""Upper bits of the `text_hash` of a word that are stored: one unlisted word in 44,000 is taken for a listed one."""


class EnglishWords(NamedTuple):
    """Kinds of lower-case words.

    Attributes
    ----------
    hashes
        The upper half of the `text_hash` of each listed word, ascending, uint32.
    codes
        `OWN`, `SHARED` or `FOREIGN` for each, uint8.
    """

    hashes: np.ndarray
    codes: np.ndarray

    def kinds(self, hashes: np.ndarray) -> np.ndarray:
        """Return the kind of each word by its `text_hash`, shape (n,), int64; `UNLISTED` for an unlisted one."""
        places = places_among(short_hashes(hashes), self.hashes)
        return np.where(places < 0, UNLISTED, self.codes[places].astype(np.int64))


def short_hashes(hashes: np.ndarray) -> np.ndarray:
    """Return the upper `HASH_BITS` bits of hashes of 64 bits, uint32."""
    return (hashes >> np.uint64(64 - HASH_BITS)).astype(np.uint32)


@cache
def english_words() -> EnglishWords:
    """Return the table that ships with the package."""
    arrays, _ = map_arrays(FOLDER, "install the package again, or run scripts/make_english_words.py")
    return EnglishWords(arrays["hashes"], arrays["codes"])
