"""Scores that members are fitted on: those of people, less what their sources add to them."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import Member, scores_of_member
from .source_scales import relative_points, source_levels


class Target(NamedTuple):
    """Scores that members are fitted on.

    Attributes
    ----------
    gold
        Shape (n,), 0..5.
    sources, weights, relative
        Shape (n,): numbers of the sources whose levels are removed, how much each pair counts, and whether its score
        only compares it with pairs of its source that look as much alike; None for no sources, no weights, and none.
    base
        The unfitted regressor that tells how much alike pairs with relative scores look; None without a regressor.
    """

    gold: np.ndarray
    sources: np.ndarray | None = None
    weights: np.ndarray | None = None
    relative: np.ndarray | None = None
    base: Member | None = None

    @classmethod
    def of(
        cls,
        gold: np.ndarray,
        sources: Sequence[Any] | np.ndarray | None,
        sample_weight: Sequence[float] | np.ndarray | None,
        relative: np.ndarray,
        base: Member | None,
    ) -> "Target":
        """Return the target of n pairs; ValueError for sources or weights that are not one a pair."""
        count, number, weights = len(gold), None, None
        if sources is not None:
            if len(sources) != count:
                raise ValueError(f"sources must be {count} names, one a pair, got {len(sources)}; give one a pair")
            number = np.unique(np.asarray(sources), return_inverse=True)[1]
        elif relative.any():
            raise ValueError("relative must be None without sources; name the source of each pair, too")
        if sample_weight is not None:
            weights = np.asarray(sample_weight, dtype=np.float64)
            if weights.shape != (count,) or not (np.isfinite(weights) & (weights > 0)).all():
                raise ValueError(
                    f"sample_weight must be {count} positive numbers, one a pair, got {weights!r:.60}; leave out pairs "
                    "that are not to count"
                )
        return cls(gold, number, weights, relative, base)

    def and_made(self, scores: Sequence[float], origins: np.ndarray) -> "Target":
        """Return the target with pairs made from those at `origins`: a source of its own, of the same weights."""
        return Target(
            np.append(self.gold, scores),
            None if self.sources is None else np.append(self.sources, np.full(len(origins), self.sources.max() + 1)),
            None if self.weights is None else np.append(self.weights, self.weights[origins]),
            None if self.relative is None else np.append(self.relative, np.zeros(len(origins), bool)),
            self.base,
        )

    def removed(self, matrix: FeatureMatrix, rows: np.ndarray) -> np.ndarray:
        """Return the points to remove from the score of each of n pairs before members are fitted on some rows."""
        points = np.zeros(len(self.gold))
        if self.sources is None:
            return points
        weights = np.ones(len(self.gold)) if self.weights is None else self.weights
        relative = np.zeros(len(self.gold), bool) if self.relative is None else self.relative
        scored = rows[~relative[rows]]
        found = source_levels(matrix.values[scored], self.gold[scored], self.sources[scored], weights[scored])
        points = np.asarray([found.get(source, 0.0) for source in self.sources.tolist()])
        if self.base is not None and relative.any():
            like = self.fit(self.base, matrix, scored, points)
            looks = scores_of_member(like, matrix.take(np.flatnonzero(relative)))
            known = np.isin(np.flatnonzero(relative), rows)
            points[relative] = relative_points(looks, self.gold[relative], self.sources[relative], known)
        return points

    def fit(self, member: Member, matrix: FeatureMatrix, rows: np.ndarray, removed: np.ndarray) -> Member:
        """Return a member fitted on some rows, from whose scores these points are removed."""
        weights = None if self.weights is None else self.weights[rows]
        return member.fit(matrix.take(rows), (self.gold - removed)[rows], weights)


def marks(name: str, given: Sequence[bool] | np.ndarray | None, count: int) -> np.ndarray:
    """Return marks of pairs, shape (count,), none if not given; ValueError unless there is one a pair."""
    found = np.zeros(count, bool) if given is None else np.asarray(given, dtype=bool)
    if found.shape != (count,):
        raise ValueError(f"{name} must be {count} marks, one a pair, got the shape {found.shape}; give one a pair")
    return found


def rows_to_judge(unseen: Sequence[bool] | np.ndarray | None, count: int) -> np.ndarray:
    """Return marks of the pairs that combination and intervals are fitted on; ValueError if there is none."""
    rows = np.ones(count, bool) if unseen is None else marks("unseen", unseen, count)
    if not rows.any():
        raise ValueError(f"unseen must mark at least one of {count} pairs, got no mark; give one mark a pair")
    return rows
