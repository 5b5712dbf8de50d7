"""Pairs of words that the Paraphrase Database lists as synonyms (PPDB 1.0, Ganitkevitch et al., 2013).

The table is the XXXL lexical list that Sultan et al. (2014) packaged with their aligner; ``data/paraphrases`` describes
its making.
"""

import hashlib
import io
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..base.caches import cached_by_word
from .dictionaries import WordList

__all__ = ["Paraphrases", "paraphrases"]

FILE = Path(__file__).parents[1] / "data" / "paraphrases" / "ppdb-1.0-xxxl-lexical.npz"

SHA256 = "ccc76d58c4c39ec304ff7c86524400fa33117aa795d27398319de2a564398913"
"""Checksum of `FILE`."""

_CACHED_WORDS = 8_192
_LOW = np.uint64((1 << 32) - 1)
_HALF = np.uint64(32)


class Entry(NamedTuple):
    """Place of a word in the list, -1 if it is unknown, and places of the words listed with it."""

    place: int
    partners: frozenset[int]


UNKNOWN = Entry(-1, frozenset())


class Paraphrases:
    """A symmetric relation between packed words: the number of later partners of each word, and these in order."""

    def __init__(self, words: np.ndarray, counts: np.ndarray, partners: np.ndarray, digest: str = "") -> None:
        self.digest = digest
        self._words = WordList(words)
        low = np.repeat(np.arange(len(counts), dtype=np.uint64), counts)
        high = partners.astype(np.uint64)
        self._keys = np.concatenate([low << _HALF | high, high << _HALF | low])
        self._keys.sort()
        # The last few thousand words alone, so that the memory of a long-running process stays flat.
        self.entry = cached_by_word(_CACHED_WORDS)(self._look_up)

    def __len__(self) -> int:
        """Return the number of listed pairs."""
        return len(self._keys) // 2

    def _look_up(self, word: str) -> Entry:
        index = self._words.find(word)
        if index < 0:
            return UNKNOWN
        row = np.array([index, index + 1], dtype=np.uint64) << _HALF
        start, stop = np.searchsorted(self._keys, row)
        return Entry(index, frozenset((self._keys[start:stop] & _LOW).tolist()))

    def partners(self, word: str) -> frozenset[str]:
        """Return the words listed with a lower-case word, in either order; none if it is unknown."""
        return frozenset(map(self._words.__getitem__, self.entry(word).partners))

    def pair(self, a: str, b: str) -> bool:
        """Return whether two lower-case words are listed together, in either order; a word and itself are not."""
        return self.entry(b).place in self.entry(a).partners

    def ids(self, words: Sequence[str]) -> np.ndarray:
        """Return the index of each lower-case word, int64, for `related`; -1 if it is unknown."""
        return self._words.find_all(words)

    def pairs_among(self, ids: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the pairs of distinct `ids` that are listed: places in `ids`, each pair in both orders."""
        low = ids.astype(np.uint64) << _HALF
        starts, stops = np.searchsorted(self._keys, low), np.searchsorted(self._keys, low + (np.uint64(1) << _HALF))
        counts = stops - starts
        keys = self._keys[np.arange(counts.sum()) + np.repeat(starts - (np.cumsum(counts) - counts), counts)]
        place = np.full(len(self._words), -1)
        place[ids] = np.arange(len(ids))
        x, y = np.repeat(np.arange(len(ids)), counts), place[(keys & _LOW).astype(np.int64)]
        return x[y >= 0], y[y >= 0]

    def related(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return element by element whether two `ids` are listed together, bool, in the shape of both broadcast.

        False if either is unknown, and for a word and itself; the order of the arguments does not matter.
        """
        x, y = np.broadcast_arrays(x, y)
        both_known = (x >= 0) & (y >= 0)
        keys = x[both_known].astype(np.uint64) << _HALF | y[both_known].astype(np.uint64)
        listed = np.zeros(x.shape, dtype=bool)
        if len(self._keys):
            place = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
            listed[both_known] = self._keys[place] == keys
        return listed


@cache
def paraphrases() -> Paraphrases:
    """Return the table that ships with the package, read once a process.

    Raises
    ------
    ValueError
        If the file differs from the one of this version.
    """
    data = FILE.read_bytes()
    digest = hashlib.sha256(data).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{FILE} must have the SHA-256 {SHA256}, got {digest}; install the package again")
    with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
        return Paraphrases(arrays["words"], arrays["counts"], arrays["partners"], SHA256[:16])
