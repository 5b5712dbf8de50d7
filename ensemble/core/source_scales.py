"""Scales of sources: how much higher people scored the pairs of one source than like pairs of others.

A source is a set of pairs that one group of people scored, such as the headlines of one year. Its level is estimated as
in a model of random effects (Laird and Ware, 1982; Searle, Casella and McCulloch, 1992): a line through columns within
sources, and for each source the mean of what remains, shrunk by how far means differ by chance. Members fitted on
scores without it cannot learn to recognise a source, and answer on the mean scale.

Relative scores go further. Of contrast squares only the order counts: with scores as they stand, near copies teach that
shared words mean little. So each score becomes the one that a model of other sources gives, plus what is left of it
after the mean of pairs to which this model gives about the same. Only what tells such pairs apart is learned.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

PENALTY = 0.03
"""Strength of the ridge on standardised columns, as a share of their variance.

Chosen on sources left out: 0.00003, 0.003 and 0.03 give XGBoost on the columns of `fast` a mean correlation of .7643,
.7645 and .7671 on 15 sources of unknown text; .7649 without levels, .7423 if a level is the plain mean of a source.
"""

FEWEST, MOST_PARTS = 50, 30
"""Fewest relative scores of which a mean is taken, and most means for a source."""

_FARTHEST = 5.0  # standard deviations to which columns are clipped


def source_levels(
    values: np.ndarray, gold: np.ndarray, sources: Sequence[Any] | np.ndarray, weights: np.ndarray
) -> dict[Any, float]:
    """Return the level of each source: points by which its scores are above those of like pairs of all sources.

    Parameters
    ----------
    values
        Shape (n, k): columns of n pairs.
    gold, sources, weights
        Shape (n,): scores, names of sources, and weights of pairs, 0 or more.
    """
    names, number = np.unique(np.asarray(sources), return_inverse=True)
    shares = weights / weights.sum()
    mass = np.bincount(number, weights=weights)

    def centred(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        # Rows less the mean of their source, and these means.
        means = np.stack([np.bincount(number, weights=weights * column) for column in table.T], axis=1) / mass[:, None]
        return table - means[number], means

    columns = values.astype(np.float64)
    columns -= shares @ columns
    columns /= np.maximum(np.sqrt(shares @ columns**2), 1e-6)
    within, means = centred(np.clip(columns, -_FARTHEST, _FARTHEST))
    scores, levels = (part[:, 0] for part in centred(gold[:, None].astype(np.float64)))
    weighted = within * shares[:, None]
    slopes = np.linalg.solve(
        within.T @ weighted + PENALTY * within.shape[1] * np.eye(within.shape[1]), weighted.T @ scores
    )
    apart = levels - means @ slopes
    apart -= mass @ apart / mass.sum()
    chance = float(shares @ (scores - within @ slopes) ** 2) / mass
    # The variance of levels, by moments: that of the means less what chance gives them.
    between = max(float(np.mean(apart**2 - chance)), 0.0)
    shrunk = apart * between / (between + chance)
    return dict(zip(names.tolist(), shrunk.tolist(), strict=True))


def relative_points(
    looks: np.ndarray, gold: np.ndarray, sources: np.ndarray, known: np.ndarray | None = None
) -> np.ndarray:
    """Return the points to remove from relative scores: the mean of pairs that look as much alike, less this look.

    Parameters
    ----------
    looks, gold, sources
        Shape (n,): scores by a model of other sources, relative scores, and numbers of their sources.
    known
        Shape (n,): whether a score may count for the means; all do if None.
    """
    points = np.zeros(len(gold))
    known = np.ones(len(gold), bool) if known is None else known
    for source in np.unique(sources[known]):
        own = sources == source
        rows = np.flatnonzero(own & known)
        count = np.clip(len(rows) // FEWEST, 1, MOST_PARTS)
        parts = np.array_split(rows[np.argsort(looks[rows], kind="stable")], count)
        centres, means = (np.asarray([values[part].mean() for part in parts]) for values in (looks, gold))
        points[own] = _line_through(looks[own], centres, means) - looks[own]
    return points


def _line_through(at: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # A broken line through points of increasing x, whose first and last parts go on beyond them.
    if len(x) < 2:
        return np.full(len(at), y[0])
    part = np.clip(np.searchsorted(x, at) - 1, 0, len(x) - 2)
    slopes = np.diff(y) / np.maximum(np.diff(x), 1e-9)
    return y[part] + slopes[part] * (at - x[part])
