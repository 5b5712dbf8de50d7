"""Averages over several sets of pairs, as the organisers of the STS tasks printed them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .metrics import pearson

TRACKS = ("1", "2", "3", "4a", "4b", "5", "6")
"""The tracks of SemEval-2017 Task 1 (Cer et al., 2017); the last, Turkish and English, was a surprise language."""

_TRACK = re.compile(r"(?:.*track[\s_.-]*|\s*)([1-6][ab]?)(?![0-9a-z]|\.0*[1-9]).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Aggregates:
    """Pearson correlation over several sets, -1..1 each.

    Attributes
    ----------
    all
        ALL of 2012: the correlation of all pairs together.
    all_normalised
        ALLnrm of 2012: the same, after the scores of each set were fitted to its gold scores by least squares.
    mean
        Mean of 2012, and the official score of 2013 to 2016: the sets' correlations, weighted by their sizes. None
        where no set has two pairs.
    plain_mean
        The sets' correlations, each counted the same; None where `mean` is None.
    """

    all: float
    all_normalised: float
    mean: float | None
    plain_mean: float | None

    def as_dict(self) -> dict[str, float | None]:
        """Return plain JSON values."""
        return dict(vars(self))


def aggregates(
    gold: Sequence[float] | np.ndarray,
    score: Sequence[float] | np.ndarray,
    sets: Sequence[str] | np.ndarray,
    correlations: Mapping[str, tuple[int, float]] | None = None,
) -> Aggregates:
    """Return the averages of SemEval-2012 Task 6 (Agirre et al., 2012) over sets of pairs.

    ALLnrm fits each set to its own gold scores, so it rates the score of a system that knows the sets. A set of one
    pair is fitted exactly, and has no part in the means.

    Parameters
    ----------
    gold, score, sets
        Shape (n,): gold scores, scores, and the set of each pair.
    correlations
        For each set of two pairs or more its size and correlation, where known; computed if None.

    Raises
    ------
    ValueError
        If the lengths differ or there is no pair.
    """
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(score, dtype=np.float64)
    labels = np.asarray([str(label) for label in sets])
    if not (x.ndim == y.ndim == 1 and len(x) == len(y) == len(labels) > 0):
        raise ValueError(
            f"gold, score and sets must be of one length from 1, got {len(x)}, {len(y)} and {len(labels)}; "
            "give one of each a pair"
        )
    fitted = np.empty_like(y)
    masks = {label: labels == label for label in dict.fromkeys(labels.tolist())}
    for mask in masks.values():
        fitted[mask] = fitted_line(x[mask], y[mask])
    if correlations is None:
        correlations = {
            name: (int(mask.sum()), pearson(x[mask], y[mask])) for name, mask in masks.items() if mask.sum() > 1
        }
    sizes = sum(n for n, _ in correlations.values())
    mean = sum(n * r for n, r in correlations.values()) / sizes if sizes else None
    plain = sum(r for _, r in correlations.values()) / len(correlations) if correlations else None
    return Aggregates(pearson(x, y), pearson(x, fitted), mean, plain)


def fitted_line(gold: np.ndarray, score: np.ndarray) -> np.ndarray:
    """Return scores on the least-squares line to gold, shape (n,); the mean of gold where scores are constant."""
    x, y = gold - gold.mean(), score - score.mean()
    spread = y @ y
    slope = (x @ y) / spread if spread > 1e-12 * len(y) else 0.0
    return gold.mean() + slope * y


def track_of(name: str) -> str:
    """Return the track of SemEval-2017 Task 1 that a text names, such as ``4a`` for ``STS.input.track4a.es-en.txt``.

    Raises
    ------
    ValueError
        If it names none.
    """
    match = _TRACK.fullmatch(name)
    if match is None or match[1].lower() not in TRACKS:
        raise ValueError(
            f"a track of SemEval-2017 must be one of {', '.join(TRACKS)}, got {name!r}; name one, as in track4a"
        )
    return match[1].lower()


def primary(tracks: Mapping[str, float]) -> dict[str, Any]:
    """Return the averages over the tracks of SemEval-2017 Task 1, each track counted the same.

    Parameters
    ----------
    tracks
        The Pearson correlation by track; tracks of `TRACKS` may be missing.

    Returns
    -------
    averages
        Plain JSON. ``primary6``: the mean of tracks 1 to 5, without the surprise language, as Cer et al. (2017) define
        the primary score. ``primary7``: the mean of all tracks, as in the Primary column of their table. ``missing``:
        the tracks without a correlation; an average that needs one of them is None.

    Raises
    ------
    ValueError
        If a track is unknown.
    """
    for name in tracks:
        if name not in TRACKS:
            raise ValueError(f"a track must be one of {', '.join(TRACKS)}, got {name!r}")
    averages: dict[str, Any] = {}
    for key, needed in (("primary6", TRACKS[:-1]), ("primary7", TRACKS)):
        complete = all(name in tracks for name in needed)
        averages[key] = sum(tracks[name] for name in needed) / len(needed) if complete else None
    return {**averages, "missing": [name for name in TRACKS if name not in tracks]}
