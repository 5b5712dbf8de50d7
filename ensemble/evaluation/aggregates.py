"""Averages over several sets of pairs, as the organisers of the STS tasks printed them."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..tables.sources import find_column
from ..tables.table_reader import TableError
from .metrics import pearson

if TYPE_CHECKING:
    import pyarrow as pa


TRACKS = ("1", "2", "3", "4a", "4b", "5", "6")
"""The tracks of SemEval-2017 Task 1 (Cer et al., 2017); the last, Turkish and English, was a surprise language."""

_TRACK = re.compile(r"(?:.*track[\s_.-]*|\s*)([1-6][ab]?)(?![0-9a-z]|\.0*[1-9]).*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Aggregates:
    """Pearson correlation over several sets, -1..1 each; the means are None where no set has two pairs."""

    all: float  # ALL of 2012: the correlation of all pairs together
    # ALLnrm of 2012: the same, after the scores of each set were fitted to its gold scores by least squares.
    all_normalised: float
    # Mean of 2012, and the official score of 2013 to 2016: the sets' correlations, weighted by their sizes.
    mean: float | None
    plain_mean: float | None  # the sets' correlations, each counted the same

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
    """Return the track of SemEval-2017 Task 1 that a text names, such as ``4a`` for ``STS.input.track4a.es-en.txt``."""
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


NO_VALUE = "(none)"
"""The group of pairs whose cell is empty or missing."""


def groupings_of(table: "pa.Table", by: str, name: str) -> dict[str, list[str]]:
    """Return the group of each row, for each grouping that a text names."""
    names = table.column_names
    named = [by] if by in names else [part.strip() for part in by.split(",")]
    groupings: dict[str, list[str]] = {}
    for part in named:
        pieces = [part] if part in names or "+" not in part else [piece.strip() for piece in part.split("+")]
        columns = [find_column(piece, names, name) for piece in pieces]
        cells = [labels_of(table, column, name) for column in columns]
        groupings["+".join(columns)] = [" + ".join(row) for row in zip(*cells, strict=True)]
    return groupings


def labels_of(table: "pa.Table", column: str, name: str) -> list[str]:
    """Return the group of each row by one column; the parameters and the error are those of `groupings_of`."""
    cells = table.column(find_column(column, table.column_names, name)).to_pylist()
    return [NO_VALUE if cell is None or cell == "" else str(cell) for cell in cells]


def weights_of(table: "pa.Table", column: str, name: str) -> np.ndarray:
    """Return the numbers of a column as weights of the pairs, shape (n,)."""
    chosen = find_column(column, table.column_names, name)
    weights = np.empty(table.num_rows)
    for row, cell in enumerate(table.column(chosen).to_pylist()):
        try:
            weights[row] = float(cell)
        except (TypeError, ValueError):
            weights[row] = math.nan
        if not (math.isfinite(weights[row]) and weights[row] >= 0):
            raise TableError(f"the {chosen} of pair {row + 1} of {name} must be a number from 0 on, got {cell!r}")
    if not weights.any():
        raise TableError(f"a weight in {chosen} of {name} must be above 0, got 0 for all pairs; correct one or more")
    return weights


def sizes_of(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of pairs in each group, in order of appearance."""
    sizes: dict[str, int] = {}
    for label in labels:
        sizes[label] = sizes.get(label, 0) + 1
    return sizes
