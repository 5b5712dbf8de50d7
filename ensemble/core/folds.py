"""Cross-validation folds in which pairs that share a sentence stay together."""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...features.analysis.analysis import analyse
from ...features.base.sentences import PairBatch
from .pair_inputs import as_pairs

MOST_IN_A_GROUP = 0.5
"""A group of a larger share of the pairs is not kept together."""


@dataclass(frozen=True)
class SentenceKFold:
    """Folds for ``cv=`` in scikit-learn's tools: pairs linked, directly or not, by a sentence are in the same one.

    The same pairs give the same folds, of about equal size.

    Attributes
    ----------
    n_splits
        Number of folds, at least 2.
    """

    n_splits: int = 5

    def __post_init__(self) -> None:
        if self.n_splits < 2:
            raise ValueError(f"n_splits={self.n_splits} leaves nothing to fit on; give 2 or more")

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (train rows, held-out rows) of each fold.

        Parameters
        ----------
        X
            n pairs, as for `SimilarityEnsemble`.
        y, groups
            Not read; scikit-learn hands them to every splitter.

        Raises
        ------
        ValueError
            If X holds no pairs of texts, or fewer groups of linked pairs than there are to be folds.
        """
        folds = grouped_folds(sentence_groups(analyse(as_pairs(X), "text")), self.n_splits)
        if len(folds) < self.n_splits:
            count = len(folds) or 1
            raise ValueError(
                f"n_splits must be at most the number of groups of pairs that share no sentence, {count}, got "
                f"{self.n_splits}; give more pairs, or fewer folds"
            )
        yield from folds

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits


def sentence_groups(pairs: PairBatch, groups: Sequence[Any] | np.ndarray | None = None) -> np.ndarray:
    """Return a group number for each pair, shape (n,): pairs linked, directly or not, by a sentence share one.

    A sentence that stands in every pair, such as the reference of many answers, links none. With `groups`, n labels,
    pairs of one label are linked too.

    Raises
    ------
    ValueError
        If there is not one label a pair.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    size, left, right = len(pairs.sentences), pairs.left, pairs.right
    for everywhere in {int(pairs.left[0]), int(pairs.right[0])} if len(pairs) > 1 else ():
        if ((pairs.left == everywhere) | (pairs.right == everywhere)).all():
            left, right = np.where(left == everywhere, right, left), np.where(right == everywhere, left, right)
    if groups is not None:
        if len(groups) != len(pairs):
            raise ValueError(f"there are {len(groups)} groups for {len(pairs)} pairs; give one label a pair")
        labels = np.unique(np.asarray(groups), return_inverse=True)[1]
        left, right = np.append(left, left), np.append(right, size + labels)
        size += int(labels.max(initial=-1)) + 1
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(size, size))
    _, component = connected_components(graph, directed=False)
    of_pairs: np.ndarray = component[left[: len(pairs)]]
    return of_pairs


def grouped_folds(groups: np.ndarray, n_splits: int = 5) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (train rows, held-out rows) of at most `n_splits` folds of whole groups; none for a single group.

    Where one group is most of the rows, a fold without it would be fitted on almost no rows. Rows are then dealt out
    one by one, with a warning, because what is held out may share sentences with what is fitted on.
    """
    from sklearn.model_selection import GroupKFold, KFold

    n_splits = min(n_splits, len(np.unique(groups)))
    if n_splits < 2:
        return []
    rows = np.zeros(len(groups))
    largest = np.unique(groups, return_counts=True)[1].max()
    if largest <= len(groups) * MOST_IN_A_GROUP:
        return list(GroupKFold(n_splits).split(rows, groups=groups))
    warnings.warn(
        f"{largest} of {len(groups)} pairs are linked by sentences that they share, so that folds share sentences too; "
        "intervals may be too narrow",
        stacklevel=2,
    )
    return list(KFold(n_splits, shuffle=True, random_state=0).split(rows))
