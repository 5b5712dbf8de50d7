"""Cross-validation folds in which pairs that share a sentence stay together."""

import numpy as np

from ..features.pairs import PairBatch


def sentence_groups(pairs: PairBatch) -> np.ndarray:
    """Return a group number for each pair, shape (n,): pairs linked, directly or not, by a sentence share one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size = len(pairs.sentences)
    graph = coo_array((np.ones(len(pairs)), (pairs.left, pairs.right)), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    groups: np.ndarray = component[pairs.left]
    return groups


def grouped_folds(groups: np.ndarray, n_splits: int = 5) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (train rows, held-out rows) of at most `n_splits` folds of whole groups; none for a single group."""
    from sklearn.model_selection import GroupKFold

    n_splits = min(n_splits, len(np.unique(groups)))
    if n_splits < 2:
        return []
    return list(GroupKFold(n_splits).split(np.zeros(len(groups)), groups=groups))
