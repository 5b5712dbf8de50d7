"""Tree kernels for a whole batch: sums over the nodes of two trees, in array steps instead of recursion.

All kernels sum over pairs of nodes with equal labels. One sort a batch finds these, and their values are computed from
the leaves up, all pairs of nodes of one height at a time.
"""

import math
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from ...features.arrays.joins import ITEM_BITS, chunks, key_heads
from ...features.arrays.ragged import Ragged, offsets_of, ratio
from .node_arrays import MOST_NODES, Forest

SUBTREE_DECAY = 0.95
SUBSET_DECAY = 0.8
ROUTE_DECAY, ROUTE_GAMMA, ROUTE_BETA = 0.8, 0.8, 0.7
"""Parameters of the kernels, those of Tian et al. (2017)."""

_CELLS_AT_A_TIME = 1 << 19
_MOST_KEPT = 1 << 21  # pairs of nodes, of 40 bytes
_STEPS = np.arange(MOST_NODES + 1)
_SIZES, _ROUTE_SIZES = SUBTREE_DECAY**_STEPS, ROUTE_DECAY**_STEPS  # by size of a subtree
_APART = np.exp(-ROUTE_BETA * np.arange(2 * MOST_NODES + 1))  # by steps that are not shared
_LAST_STEP = (1 - ROUTE_GAMMA ** (_STEPS + 1)) / (1 - ROUTE_GAMMA)  # by steps that are shared
# sum(gamma ** k * exp(-2 * beta * (p - k)) for k in 0..p): nothing is large before the distance is taken off
_EVERY_STEP = np.asarray(
    list(accumulate(ROUTE_GAMMA**_STEPS, lambda last, step: last * math.exp(-2 * ROUTE_BETA) + step))
)


class NodePairs(NamedTuple):
    """Pairs of nodes with equal labels, of some pairs of trees.

    Attributes
    ----------
    row
        Pair of trees of each pair of nodes, counted from the first.
    i, j
        The nodes of either tree.
    rows
        The pairs of trees.
    cell
        Place of each pair of nodes in a table with a cell for every pair of nodes of every pair of trees.
    width
        For each pair of nodes the number of nodes of the second tree.
    cells
        Size of the table.
    """

    row: np.ndarray
    i: np.ndarray
    j: np.ndarray
    rows: slice
    cell: np.ndarray
    width: np.ndarray
    cells: int

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of values over each pair of trees."""
        return np.bincount(self.row, weights=values, minlength=self.rows.stop - self.rows.start)


class Comparison:
    """Normalised tree kernels of n pairs of trees, ``K(a, b) / sqrt(K(a, a) K(b, b))``, each of shape (n,).

    Parameters
    ----------
    forest
        The distinct trees.
    left, right
        Shape (n,): the trees of each pair.
    """

    def __init__(self, forest: Forest, left: np.ndarray, right: np.ndarray) -> None:
        self._forest = forest
        # The tree whose hash is smaller comes first, so that no sum depends on the order of a pair.
        turned = forest.whole[left] > forest.whole[right]
        used, where = np.unique(np.concatenate([left, right]), return_inverse=True)
        self._own = where.reshape(2, -1) + len(left)
        self._same = (forest.whole[left] == forest.whole[right]) & (forest.nodes[left] > 0)
        self._a = np.concatenate([np.where(turned, right, left), used])
        self._b = np.concatenate([np.where(turned, left, right), used])

    def _normalised(self, kernel: np.ndarray) -> np.ndarray:
        norms = kernel[self._own[0]] * kernel[self._own[1]]
        values = ratio(kernel[: len(self._same)], np.sqrt(norms))
        return np.where(self._same, 1.0, np.minimum(values, 1.0))

    def __iter__(self) -> Iterator[NodePairs]:
        """Yield the pairs of nodes with equal labels, of some pairs of trees at a time."""
        yield from self._kept if self._kept is not None else self._parts()

    @cached_property
    def _kept(self) -> list[NodePairs] | None:
        kept, size = [], 0
        for part in self._parts():
            kept.append(part)
            size += len(part.row)
            if size > _MOST_KEPT:
                return None
        return kept

    def _parts(self) -> Iterator[NodePairs]:
        nodes = self._forest.nodes
        sizes = nodes[self._a] * nodes[self._b]
        for rows in chunks(sizes, _CELLS_AT_A_TIME):
            yield self._part(rows, offsets_of(sizes[rows]))

    def _part(self, rows: slice, bases: np.ndarray) -> NodePairs:
        forest = self._forest
        order, groups, sizes = forest.by_label
        places = Ragged(np.arange(len(sizes)), groups.offsets)
        a, b = places.take(self._a[rows]), places.take(self._b[rows])
        group = np.concatenate([a.values, b.values])
        item = forest.label[order[groups.values]] >> np.uint64(64 - ITEM_BITS) << np.uint64(1)
        key = item[group] | key_heads(a.lengths, b.lengths)
        sort = np.argsort(key)
        key = key[sort]
        hit = np.flatnonzero((key[1:] ^ key[:-1]) == 1)
        group_a, group_b = group[sort[hit]], group[sort[hit + 1]]
        row = (key[hit] >> np.uint64(ITEM_BITS + 1)).astype(np.int64)
        members = Ragged(order, np.append(groups.values, len(order)))
        first = members.take(group_a)
        second = members.take(np.repeat(group_b, first.lengths))
        i, j = np.repeat(first.values, second.lengths), second.values
        row = np.repeat(row[first.rows], second.lengths)
        width = forest.nodes[self._b[rows]][row]
        cell = bases[row] + forest.local[i] * width + forest.local[j]
        return NodePairs(row, i, j, rows, cell, width, int(bases[-1]))

    # ---- complete subtrees

    @cached_property
    def subtree(self) -> np.ndarray:
        """Subtree kernel: each complete subtree of both adds ``0.95 ** size`` (Vishwanathan and Smola, 2003)."""
        forest = self._forest
        sums = []
        for pairs in self:
            equal = forest.subtree[pairs.i] == forest.subtree[pairs.j]
            sums.append(pairs.sums(np.where(equal, _SIZES[forest.size[pairs.i]], 0.0)))
        return self._normalised(_joined(sums))

    @cached_property
    def routes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Three kernels that discount nodes by how far apart they stand (Aiolli et al., 2009; Tian et al., 2017).

        With d the depths of two nodes and p the steps from the root that their routes share, by place among siblings:

        - identical subtrees, ``0.8 ** size * sum(0.8 ** k * exp(-0.7 * (d_a + d_b - 2 * k)) for k in 0..p)``;
        - equal labels, ``(0.8 + [identical subtrees] * 0.8 ** size) * w``;
        - identical subtrees, ``0.8 ** size * w``,

        where ``w = (1 - 0.8 ** (p + 1)) / (1 - 0.8) * exp(-0.7 * (d_a + d_b - 2 * p))``.
        """
        forest = self._forest
        sums: list[list[np.ndarray]] = [[], [], []]
        for pairs in self:
            shared = self._shared(pairs.i, pairs.j)
            away = _APART[forest.depth[pairs.i] + forest.depth[pairs.j] - 2 * shared]
            equal = forest.subtree[pairs.i] == forest.subtree[pairs.j]
            identical = np.where(equal, _ROUTE_SIZES[forest.size[pairs.i]], 0.0) * away
            close = _LAST_STEP[shared]
            sums[0].append(pairs.sums(identical * _EVERY_STEP[shared]))
            sums[1].append(pairs.sums((ROUTE_DECAY * away + identical) * close))
            sums[2].append(pairs.sums(identical * close))
        first, second, third = (self._normalised(_joined(part)) for part in sums)
        return first, second, third

    def _shared(self, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        # Depth of the last node that the routes from either root have in common.
        forest = self._forest
        i, j = i.copy(), j.copy()
        apart = np.flatnonzero(forest.route[i] != forest.route[j])
        while len(apart):
            x, y = i[apart], j[apart]
            ahead = forest.depth[x] - forest.depth[y]
            x = np.where(ahead >= 0, forest.parent[x], x)
            y = np.where(ahead <= 0, forest.parent[y], y)
            i[apart], j[apart] = x, y
            apart = apart[forest.route[x] != forest.route[y]]
        return forest.depth[i]

    # ---- parts of trees

    @cached_property
    def subset_tree(self) -> np.ndarray:
        """Subset tree kernel with a decay of 0.8 (Collins and Duffy, 2002)."""
        return self._normalised(_joined([pairs.sums(self._subset(pairs)) for pairs in self]))

    def _subset(self, pairs: NodePairs) -> np.ndarray:
        forest = self._forest
        table = np.zeros(pairs.cells)
        equal = forest.production[pairs.i] == forest.production[pairs.j]
        equal_pairs = np.flatnonzero(equal & (forest.degree[pairs.i] > 0))
        for level in _levels(forest.height[pairs.i[equal_pairs]]):
            these = equal_pairs[level]
            i, j, width = pairs.i[these], pairs.j[these], pairs.width[these]
            corner = pairs.cell[these] + _below(forest, i, j, width)
            degree = forest.degree[i]
            starts = np.cumsum(degree) - degree
            k = np.arange(int(degree.sum())) - np.repeat(starts, degree)
            factors = 1 + table[np.repeat(corner, degree) + k * np.repeat(width + 1, degree)]
            table[pairs.cell[these]] = SUBSET_DECAY * np.multiply.reduceat(factors, starts)
        return table[pairs.cell]


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts) if parts else np.empty(0)


def _below(forest: Forest, i: np.ndarray, j: np.ndarray, width: np.ndarray) -> np.ndarray:
    # Distance of the cell of the first children from that of their parents.
    down, right = (forest.local[forest.first[x]] - forest.local[x] for x in (i, j))
    return down * width + right


def _levels(height: np.ndarray) -> Iterator[np.ndarray]:
    # Places by height, the least first.
    order = np.argsort(height.astype(np.uint16), kind="stable")
    bounds = np.flatnonzero(np.diff(height[order], prepend=-1, append=-1)).tolist()
    for start, stop in zip(bounds[:-1], bounds[1:], strict=True):
        yield order[start:stop]
