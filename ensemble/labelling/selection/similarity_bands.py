"""Band sampling (Agirre et al., 2012): equally many pairs from each band of similarity in each stratum."""

from collections.abc import Hashable, Sequence, Sized
from typing import NamedTuple

import numpy as np

EDGES = (0.4, 0.48, 0.56, 0.64, 0.72, 0.8)
"""Five equal bands from 0.4 to 0.8, as for the paraphrase corpus of 2012."""


class Shortfall(NamedTuple):
    """Cell with fewer pairs than requested."""

    band: tuple[float, float]
    stratum: Hashable
    wanted: int
    found: int


class Banded(NamedTuple):
    """Sampled pairs.

    Attributes
    ----------
    rows
        Positions of the pairs: one from each cell in turn, so that any first part is even over the cells.
    bands
        Number of the band of each pair, from 0.
    shortfalls
        Cells with too few pairs. They are not filled from others.
    """

    rows: np.ndarray
    bands: np.ndarray
    shortfalls: tuple[Shortfall, ...]


def character_similarity(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return ``1 - lev / max`` of n pairs, shape (n,), 0..1: edits of characters over the longer length.

    The distance is Levenshtein's. Texts are in Unicode NFC with single spaces, case unchanged, cut at
    `features.analysis.HEAD_CHARACTERS`. The similarity of two empty texts is 1.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    from ....features.analysis import HEAD_CHARACTERS, cut, normalise

    if not pairs:
        return np.empty(0)
    a, b = ([cut(normalise(pair[side]), HEAD_CHARACTERS) for pair in pairs] for side in (0, 1))
    edits = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.int64)
    longest = np.maximum([len(text) for text in a], [len(text) for text in b])
    # Rounded once, so that a similarity of exactly 0.8 is the edge 0.8.
    return np.where(longest > 0, (longest - edits) / np.maximum(longest, 1), 1.0)


def check_edges(edges: Sequence[float]) -> tuple[float, ...]:
    """Return the edges of bands; raise ValueError unless they are two or more growing numbers."""
    limits = tuple(float(edge) for edge in edges)
    if len(limits) < 2 or not all(a < b for a, b in zip(limits, limits[1:], strict=False)):
        raise ValueError(
            f"edges must be two or more growing numbers, got {', '.join(f'{edge:g}' for edge in limits)}; sort them"
        )
    return limits


def bands(
    pairs: Sized,
    sim: Sequence[float] | np.ndarray,
    edges: Sequence[float],
    n_per_band: int,
    strata: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Banded:
    """Draw `n_per_band` pairs from each band of similarity in each stratum.

    Parameters
    ----------
    pairs
        n pairs; only their number is used.
    sim
        Shape (n,): similarity of each pair. A band includes its lower edge; only the last includes its upper edge.
    edges
        Growing numbers, b + 1 for b bands. Pairs outside are not drawn.
    n_per_band
        Number of pairs to draw from each band of each stratum.
    strata
        Stratum of each pair, such as paraphrase or not; None puts all into one.
    seed
        Seed of the draw.

    Raises
    ------
    ValueError
        If lengths differ, the edges do not grow, or the number is below 1.
    """
    values, limits = np.asarray(sim, dtype=np.float64), check_edges(edges)
    n = len(pairs)
    if values.shape != (n,) or (strata is not None and len(strata) != n):
        strata_count = n if strata is None else len(strata)
        raise ValueError(
            f"sim and strata must have one value for each of {n} pairs, got similarities of shape {values.shape} and "
            f"{strata_count} strata; give one of each"
        )
    if n_per_band < 1:
        raise ValueError(f"n_per_band must be at least 1, got {n_per_band}; give a larger number")
    band = np.searchsorted(limits, values, side="right") - 1
    band[values == limits[-1]] = len(limits) - 2
    band[~((values >= limits[0]) & (values <= limits[-1]))] = -1
    layers = [None] * n if strata is None else list(strata)
    numbers = {layer: k for k, layer in enumerate(dict.fromkeys(layers))}
    layer = np.fromiter((numbers[layer] for layer in layers), np.int64, n)
    rng = np.random.default_rng(seed)
    drawn, shortfalls = [], []
    for k, ends in enumerate(zip(limits, limits[1:], strict=False)):
        for stratum, number in (numbers or {None: 0}).items():
            cell = np.flatnonzero((band == k) & (layer == number))
            drawn.append(rng.permutation(cell)[:n_per_band])
            if len(cell) < n_per_band:
                shortfalls.append(Shortfall(ends, stratum, n_per_band, len(cell)))
    rows = [cell[turn] for turn in range(n_per_band) for cell in drawn if turn < len(cell)]
    positions = np.asarray(rows, dtype=np.int64)
    return Banded(positions, band[positions], tuple(shortfalls))
