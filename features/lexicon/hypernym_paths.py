"""Tree of all hypernym paths of WordNet.

Every path is a node, and nodes are numbered in pre-order. The last node that two paths share is therefore the minimum
of a range of parents: a few look-ups a pair instead of two walks up the hierarchy.
"""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, offsets_of

_NUMBER_BITS = 20
_NUMBERS = (1 << _NUMBER_BITS) - 1


class JoinedPaths(NamedTuple):
    """All pairs of paths of n pairs of synsets.

    Attributes
    ----------
    first, second
        The end nodes of each pair of paths.
    node
        The last node that both paths share; 0 if they share none.
    starts
        Where the paths of each pair of synsets begin, shape (n,).
    """

    first: np.ndarray
    second: np.ndarray
    node: np.ndarray
    starts: np.ndarray


class HypernymPaths:
    """The tree of hypernym paths; node 0 stands above all roots.

    Parameters
    ----------
    arrays
        The arrays of a `WordNet`.

    Attributes
    ----------
    parents, depths, synsets
        Parent, depth and synset of each node.
    of_synset
        The nodes of each synset.
    kinds
        Kind of each synset, int64; see `WordNet.kinds`.
    min_depth
        Shortest way of each synset up to a root.
    farthest
        Steps from each synset to its farthest hypernym.
    deepest
        Greatest `WordNet.max_depth` of each kind of synset.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.parents, self.depths = arrays["path_parents"], arrays["path_depths"].astype(np.int16)
        self.synsets = arrays["path_synsets"]
        self.of_synset = Ragged(arrays["paths"], arrays["path_offsets"])
        self.kinds = arrays["kinds"].astype(np.int64)
        self.min_depth = arrays["min_depth"]
        steps = np.maximum.reduceat(np.append(arrays["ancestor_distances"], 0), arrays["ancestor_offsets"][:-1])
        steps[np.diff(arrays["ancestor_offsets"]) == 0] = 0
        self.farthest = steps[arrays["ancestor_rows"]].astype(np.int64)
        deepest = np.zeros(5, dtype=np.int64)
        np.maximum.at(deepest, self.kinds, arrays["max_depth"])
        self.deepest: tuple[int, ...] = tuple(deepest.tolist())

    @cached_property
    def _minima(self) -> np.ndarray:
        # Row k: the least parent of 2**k nodes in sequence.
        size = len(self.parents)
        rows = np.empty((size.bit_length(), size + 1), dtype=np.int32)
        rows[0, :size], rows[0, size] = self.parents, 0
        for k in range(1, len(rows)):
            half = 1 << (k - 1)
            np.minimum(rows[k - 1, :-half], rows[k - 1, half:], out=rows[k, :-half])
            rows[k, -half:] = rows[k - 1, -half:]
        return rows

    @cached_property
    def _log2(self) -> np.ndarray:
        return (np.frexp(np.arange(len(self.parents)))[1] - 1).clip(0).astype(np.int8)

    def _shared_node(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        low, high = np.minimum(first, second), np.maximum(first, second)
        k = self._log2[high - low].astype(np.int64)
        table, width = self._minima.ravel(), self._minima.shape[1]
        k_row = k * width
        least = np.minimum(table[k_row + low + 1], table[k_row + high + 1 - (1 << k)])
        return np.where(low == high, first, least)

    def joined(self, x: np.ndarray, y: np.ndarray) -> JoinedPaths:
        """Return every path of synset ``x[i]`` with every path of synset ``y[i]``."""
        first, second, offsets = cross(self.of_synset.take(x), self.of_synset.take(y))
        return JoinedPaths(first, second, self._shared_node(first, second), offsets[:-1])

    @cached_property
    def _lowest(self) -> np.ndarray:
        # By node, the synset on the path of the greatest `min_depth`, the first by name: depth and inverted number.
        synset_keys = self.min_depth.astype(np.int64) << _NUMBER_BITS | _NUMBERS - np.arange(len(self.kinds))
        keys = np.append(synset_keys, -1)[self.synsets]
        for depth in range(2, int(self.depths.max()) + 1):
            nodes = np.flatnonzero(self.depths == depth)
            keys[nodes] = np.maximum(keys[nodes], keys[self.parents[nodes]])
        return keys

    def lowest_subsumer(self, joined: JoinedPaths) -> tuple[np.ndarray, np.ndarray]:
        """Return the common hypernym of each pair of synsets with the greatest `min_depth`, and that depth.

        The depth is -1, and the hypernym has no meaning, if the synsets share none.
        """
        best = np.maximum.reduceat(self._lowest[joined.node], joined.starts)
        return _NUMBERS - (best & _NUMBERS), best >> _NUMBER_BITS


def cross(a: Ragged, b: Ragged) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every value of row i of `a` with every one of row i of `b`, and the offsets of the rows."""
    lengths_b = b.lengths
    rows = a.rows
    return np.repeat(a.values, lengths_b[rows]), b.take(rows).values, offsets_of(a.lengths * lengths_b)
