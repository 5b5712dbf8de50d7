"""Matches in which each row of either table stands once."""

from collections.abc import Iterator

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, min_weight_full_bipartite_matching

from ..core.scale import Scale
from .matches import Matches, best_matches
from .options import MatchOptions
from .pair_scores import ScoredPairs


def one_to_one(scores: ScoredPairs, at_least: float | None, scale: Scale) -> Matches:
    """Return the matches with the largest sum of scores in which each row stands at most once.

    It is the linear assignment problem, solved on the pairs that were scored alone (Jonker and Volgenant, 1987). Where
    thousands of rows hang together by pairs with low scores, it takes minutes: a bound cuts these.

    Parameters
    ----------
    scores
        Pairs of texts of both tables, and their scores.
    at_least
        Score that a pair must have at least; None for any.
    scale
        Scale of the scores: a row without a match adds its lowest score.
    """
    parts = list(best_matches(scores, None, at_least))
    a, b, pairs = (np.concatenate(column) for column in zip(*parts, strict=True))
    if not len(a):
        return Matches(a, b, pairs)
    hanging = _components(a, b)
    best = [part[_best(a[part], b[part], scores.score[pairs[part]], scale)] for part in hanging]
    taken = np.sort(np.concatenate(best))
    return Matches(a[taken], b[taken], pairs[taken])


def _components(a: np.ndarray, b: np.ndarray) -> list[np.ndarray]:
    """Return the places of the pairs that hang together; no row of one part stands in another."""
    (rows, row), (others, other) = (np.unique(side, return_inverse=True) for side in (a, b))
    count = len(rows) + len(others)
    links = csr_array((np.ones(len(a), bool), (row, len(rows) + other)), (count, count))
    part = connected_components(links, directed=False)[1][row]
    order = np.argsort(part, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(part[order])) + 1)


def _best(a: np.ndarray, b: np.ndarray, scores: np.ndarray, scale: Scale) -> np.ndarray:
    """Return the places of the best of the pairs that hang together."""
    if len(a) == 1:
        return np.zeros(1, np.int64)
    (rows, row), (others, other) = (np.unique(side, return_inverse=True) for side in (a, b))
    # A column of its own for each row stands for no match, so that a full matching exists. No weight may be 0.
    alone, shape = np.arange(len(rows)), (len(rows), len(others) + len(rows))
    weights = np.r_[scale.high - scores, np.full(len(rows), scale.high - scale.low)] + 1.0
    graph = csr_array((weights, (np.r_[row, alone], np.r_[other, len(others) + alone])), shape)
    of_row, of_column = min_weight_full_bipartite_matching(graph)
    keys, wanted = row * shape[1] + other, of_row * shape[1] + of_column
    return np.flatnonzero(np.isin(keys, wanted))


def chosen_matches(
    scores: ScoredPairs, options: MatchOptions, at_least: float | None, scale: Scale
) -> Iterator[Matches]:
    """Yield the matches that are asked for, as `best_matches`; or `one_to_one`, all at once."""
    if options.one_to_one:
        return iter([one_to_one(scores, at_least, scale)])
    return best_matches(scores, options.top, at_least)
