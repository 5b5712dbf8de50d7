"""Band sampling (Agirre et al., 2012): as many pairs from each range of similarity, in each stratum."""

from collections.abc import Hashable, Sequence, Sized
from typing import NamedTuple

import numpy as np

EDGES = (0.4, 0.48, 0.56, 0.64, 0.72, 0.8)
"""Five equal bands from 0.4 to 0.8, as for the paraphrase corpus of 2012."""


class Shortfall(NamedTuple):
    """A cell that has fewer pairs than were to be taken from it."""

    band: tuple[float, float]
    stratum: Hashable
    wanted: int
    found: int


class Banded(NamedTuple):
    """The pairs taken.

    Attributes
    ----------
    rows
        Their positions: one from each cell in turn, so that the first ones are as even over the cells as all.
    bands
        For each of them the number of its band, from 0.
    shortfalls
        The cells that had too few. They are not filled from others.
    """

    rows: np.ndarray
    bands: np.ndarray
    shortfalls: tuple[Shortfall, ...]


def character_similarity(pairs: Sequence[tuple[str, str]]) -> np.ndarray:
    """Return ``1 - lev / max`` of n pairs, shape (n,), 0..1: edits of characters over the longer length.

    The distance is Levenshtein's. Texts are in Unicode NFC with white space made single, case as it is. Two empty texts
    are as similar as can be.
    """
    from rapidfuzz.distance import Levenshtein
    from rapidfuzz.process import cpdist

    from ....features.analysis import normalise

    if not pairs:
        return np.empty(0)
    a, b = ([normalise(pair[side]) for pair in pairs] for side in (0, 1))
    edits = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.int64)
    longest = np.maximum([len(text) for text in a], [len(text) for text in b])
    # Rounded once, so that what is 0.8 on paper is the edge 0.8.
    return np.where(longest > 0, (longest - edits) / np.maximum(longest, 1), 1.0)


def check_edges(edges: Sequence[float]) -> tuple[float, ...]:
    """Return the edges of bands, or refuse them if they are not two or more growing numbers."""
    found = tuple(float(edge) for edge in edges)
    if len(found) < 2 or not all(a < b for a, b in zip(found, found[1:], strict=False)):
        raise ValueError(f"edges {', '.join(f'{edge:g}' for edge in found)} make no bands; give growing numbers")
    return found


def bands(
    pairs: Sized,
    sim: Sequence[float] | np.ndarray,
    edges: Sequence[float],
    n_per_band: int,
    strata: Sequence[Hashable] | None = None,
    seed: int = 0,
) -> Banded:
    """Draw so many pairs from each band of similarity, and from each stratum in it.

    Parameters
    ----------
    pairs
        n pairs; only their number counts.
    sim
        Shape (n,): their similarity. A band has its lower edge in it and its upper edge not, but for the last.
    edges
        Growing: b + 1 of them for b bands. Pairs outside are not taken.
    n_per_band
        How many to take from each band of each stratum.
    strata
        For each pair its stratum, such as paraphrase or not; one for all if None.
    seed
        Of the draw.

    Raises
    ------
    ValueError
        If lengths differ, the edges do not grow, or the number is below 1.
    """
    values, limits = np.asarray(sim, dtype=np.float64), check_edges(edges)
    n = len(pairs)
    if values.shape != (n,) or (strata is not None and len(strata) != n):
        told = n if strata is None else len(strata)
        raise ValueError(f"{n} pairs have similarities of shape {values.shape} and {told} strata; give one of each")
    if n_per_band < 1:
        raise ValueError(f"n_per_band={n_per_band} takes nothing; give 1 or more")
    band = np.searchsorted(limits, values, side="right") - 1
    band[values == limits[-1]] = len(limits) - 2
    band[~((values >= limits[0]) & (values <= limits[-1]))] = -1
    layers = [None] * n if strata is None else list(strata)
    numbers = {layer: k for k, layer in enumerate(dict.fromkeys(layers))}
    layer = np.fromiter((numbers[layer] for layer in layers), np.int64, n)
    rng = np.random.default_rng(seed)
    taken, shortfalls = [], []
    for k, ends in enumerate(zip(limits, limits[1:], strict=False)):
        for stratum, number in (numbers or {None: 0}).items():
            cell = np.flatnonzero((band == k) & (layer == number))
            taken.append(rng.permutation(cell)[:n_per_band])
            if len(cell) < n_per_band:
                shortfalls.append(Shortfall(ends, stratum, n_per_band, len(cell)))
    rows = [cell[turn] for turn in range(n_per_band) for cell in taken if turn < len(cell)]
    found = np.asarray(rows, dtype=np.int64)
    return Banded(found, band[found], tuple(shortfalls))
