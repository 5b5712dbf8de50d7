"""Word vectors: storage, look-up and back-off for unknown words.

Every vector is a row of whole numbers from -127 to 127 times a scale of its own. Inner products of
whole numbers are exact in any order of the sum, so that the cosine of two words is the same bits in every batch, and a
table has a quarter of the size. Rows of 16-bit floating point numbers are converted when they are looked up.
"""

from bisect import bisect_left
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..arrays.joins import places_among
from ..base.caches import cached_by_word
from ..base.mapped_arrays import map_arrays
from ..base.token_sequences import text_hash

SETS = ("distilled", "relational")
"""The sets that ship with the package."""

DIMENSIONS = {"distilled": 256, "relational": 128}
"""Their numbers of coordinates."""

HERE = Path(__file__).parents[1] / "data" / "vectors"

_LEVELS = 127

MOST_COORDINATES = (2**24 - 1) // _LEVELS**2
"""Greatest number of coordinates whose inner products of codes are exact in float32."""

_LONGEST_PIECE = 24
_CACHED_WORDS = 4_096  # unknown words


class Embedded(NamedTuple):
    """The vectors of m items.

    Attributes
    ----------
    codes
        Shape (m, d), float32, whole numbers; all zero for an item without a vector.
    scales
        Shape (m,), float32: ``codes * scales[:, None]`` are the vectors.
    norms
        Shape (m,), float64: Euclidean norms of the codes.
    """

    codes: np.ndarray
    scales: np.ndarray
    norms: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """The vectors, shape (m, d), float32."""
        return self.codes * self.scales[:, None]

    @property
    def known(self) -> np.ndarray:
        """Mask of the items that have a vector, shape (m,), bool."""
        return self.norms > 0


class WordVectors:
    """Vectors of lower-case words, and of pieces of words where the set has any.

    Parameters
    ----------
    hashes
        `text_hash` of each word, ascending.
    codes
        Shape (n, d), int8, or the vectors themselves in float16; d up to `MOST_COORDINATES`.
    scales
        Shape (n,), floating point; None for float16.
    digest
        Hex digest of the content.
    pieces
        Whether unknown words are put together from pieces: the longest known beginning, then the longest known
        continuations, which are listed with ``##`` before them (Wu et al., 2016).
    """

    def __init__(
        self,
        hashes: np.ndarray,
        codes: np.ndarray,
        scales: np.ndarray | None,
        digest: str = "",
        pieces: bool = False,
    ) -> None:
        sizes = {len(hashes), len(codes), len(codes if scales is None else scales)}
        if codes.ndim != 2 or len(sizes) > 1 or (scales is None and codes.dtype != np.float16):
            raise ValueError(
                f"a table of vectors must have a row of codes and a scale for each hash, got {len(hashes)} hashes, "
                f"{'no' if scales is None else len(scales)} scales and {codes.dtype} codes of shape {codes.shape}; "
                "make it again"
            )
        if codes.shape[1] > MOST_COORDINATES:
            raise ValueError(
                f"vectors must have at most {MOST_COORDINATES} coordinates, got {codes.shape[1]}; reduce them"
            )
        self._hashes, self._codes, self._scales = hashes, codes, scales
        self._ordered = np.ascontiguousarray(hashes, dtype=np.uint64).data
        self.digest, self._pieces = digest, pieces
        self._back_off = cached_by_word(_CACHED_WORDS)(self._put_together)

    def __len__(self) -> int:
        """Return the number of words and pieces."""
        return len(self._hashes)

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return int(self._codes.shape[1])

    def find(self, hashes: np.ndarray) -> np.ndarray:
        """Return the row of each text hash, int64, -1 if it is not listed."""
        return places_among(hashes, self._hashes)

    def embed(self, items: Sequence[str], hashes: np.ndarray | None = None) -> Embedded:
        """Return the vectors of items.

        An item is looked up as it is and then in lower case; else it gets the mean of the vectors of its parts between
        hyphens and slashes, or in a set with pieces their sum, each part looked up in the same way or cut into pieces.

        Parameters
        ----------
        items
            m strings.
        hashes
            Their `text_hash`, if known.
        """
        if hashes is None:
            hashes = np.fromiter(map(text_hash, items), dtype=np.uint64, count=len(items))
        rows = self.find(hashes)
        codes, scales = self._take(rows)
        for k in np.flatnonzero(rows < 0).tolist():
            codes[k], scales[k] = self._back_off(items[k])
        # Sums of squares of whole numbers: exact in float32 up to a thousand coordinates, in float64 beyond.
        squared = codes if codes.shape[1] * 127**2 < 2**24 else codes.astype(np.float64)
        norms = np.sqrt(np.einsum("ij,ij->i", squared, squared).astype(np.float64))
        return Embedded(codes, scales, norms)

    def _take(self, rows: np.ndarray | list[int]) -> tuple[np.ndarray, np.ndarray]:
        if self._scales is None:
            codes, scales = quantised(self._codes[rows])
            return codes, scales.astype(np.float32)
        return self._codes[rows].astype(np.float32), self._scales[rows].astype(np.float32)

    def _put_together(self, item: str) -> tuple[np.ndarray, float]:
        lower = item.lower()
        rows = [] if lower == item else self._row(lower)
        if not rows:
            parts = [part for part in lower.replace("/", "-").split("-") if part]
            rows = [row for part in parts for row in (self._row(part) or self._cut(part))]
        if not rows:
            return np.zeros(self.dimension, dtype=np.float32), 0.0
        codes, scales = self._take(rows)
        vectors = codes.astype(np.float64) * scales[:, None]
        # The lengths of pieces are weights in a sum; the lengths of words are not weights in a compound.
        whole, scale = quantised(vectors.sum(axis=0) if self._pieces else vectors.mean(axis=0))
        return whole, float(scale)

    def _row(self, item: str) -> list[int]:
        # For one hash, numpy's search takes eight times as long.
        wanted = text_hash(item)
        row = bisect_left(self._ordered, wanted)
        return [row] if row < len(self) and self._ordered[row] == wanted else []

    def _cut(self, part: str) -> list[int]:
        if not self._pieces:
            return []
        rows: list[int] = []
        start = 0
        while start < len(part):
            for stop in range(min(len(part), start + _LONGEST_PIECE), start, -1):
                row = self._row(("##" if start else "") + part[start:stop])
                if row:
                    rows += row
                    start = stop
                    break
            else:
                return []
        return rows


def quantised(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return whole numbers from -127 to 127 and scales whose products are nearest to vectors.

    Parameters
    ----------
    vectors
        Shape (..., d), finite.

    Returns
    -------
    codes
        Shape (..., d), float32.
    scales
        Shape (...), float64; 0 for a vector of zeros.
    """
    values = vectors.astype(np.float64)
    scales = np.abs(values).max(axis=-1, initial=0.0) / _LEVELS
    codes = np.rint(values / np.where(scales > 0, scales, 1.0)[..., None])
    return codes.astype(np.float32), scales


@cache
def shipped_vectors(name: str) -> WordVectors:
    """Return one of `SETS`, mapped into memory and checked against its manifest, once a process.

    ``distilled`` are words and pieces by a sentence encoder; ``relational`` words by WordNet and the paraphrase table.
    ``data/vectors/README.md`` describes their making.
    """
    if name not in SETS:
        raise ValueError(f"vectors must be one of {', '.join(SETS)}, got {name!r}")
    mapped = map_arrays(HERE / name, "install samewise again")
    arrays = mapped.arrays
    return WordVectors(arrays["hashes"], arrays["codes"], arrays["scales"], mapped.digest, name == "distilled")
