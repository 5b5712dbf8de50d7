"""The trees of a batch as arrays over nodes, with the hashes by which tree kernels compare them."""

from functools import cached_property

import numpy as np

from ...features.arrays.joins import ITEM_BITS
from ...features.arrays.ragged import Ragged, mix, offsets_of
from ...features.base.token_sequences import text_hash
from .phrase_trees import Trees

MOST_NODES = 256
"""Number of nodes of a tree that count, the nearest to the root first.

The longest sentence of STS Benchmark train, of 61 tokens, has fewer than 200 nodes, and the square bounds the work on a
pair.
"""

_STEP = np.uint64(0x9E3779B97F4A7C15)
_ROOT = np.uint64(0x6A09E667F3BCC909)


class Forest:
    """The trees of a batch as arrays over nodes; the children of a node are neighbours, in order.

    Every attribute has one entry a node, nodes nearer to the root first, but for `offsets`.

    Parameters
    ----------
    trees
        The trees. Further roots are children of the first; nodes that no root reaches (heads in a circle) are omitted,
        and so are those of a large tree after the first `MOST_NODES`.

    Attributes
    ----------
    label, subtree, production, route
        64-bit hashes: of the label; of the whole subtree; of the labels of the node and its children, 0 for a leaf; of
        the places among siblings on the way from the root.
    parent
        The parent's index, -1 for a root.
    tree, local
        Which tree, and which of its nodes.
    depth, height, size
        Edges to the root; edges to the farthest leaf below; nodes of the subtree.
    first, degree
        Index of the first child, and the number of children.
    nodes
        Shape (n,): the number of nodes of each tree.
    whole
        Shape (n,): the hash of each whole tree, 0 for one without nodes.
    """

    def __init__(self, trees: Trees) -> None:
        n = len(trees.offsets) - 1
        tree, parent, depth = _rooted(trees)
        order = _by_depth(tree, parent, depth, n)
        rank = np.full(len(parent) + 1, -1)
        rank[order] = np.arange(len(order))
        self.parent, self.tree, self.depth = rank[parent[order]], tree[order], depth[order]
        hash_of: dict[str, int] = {}
        labels = trees.labels
        node_labels = (labels[i] for i in order.tolist())
        self.label = np.fromiter(
            (hash_of.get(x) or hash_of.setdefault(x, text_hash(x)) for x in node_labels), np.uint64
        )
        self._children()
        self._upwards()
        self.nodes = np.bincount(self.tree, minlength=n)
        by_tree = np.argsort(self.tree, kind="stable")
        self.local = np.empty(len(order), dtype=np.int64)
        self.local[by_tree] = np.arange(len(order)) - np.repeat(np.cumsum(self.nodes) - self.nodes, self.nodes)
        self.whole = np.zeros(n, dtype=np.uint64)
        roots = self.parent < 0
        self.whole[self.tree[roots]] = self.subtree[roots]

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self.nodes)

    def _children(self) -> None:
        size = len(self.parent)
        self._starts = np.flatnonzero((np.diff(self.parent, prepend=-1) != 0) & (self.parent >= 0))
        parents = self.parent[self._starts]
        self.first = np.zeros(size, dtype=np.int64)
        self.first[parents] = self._starts
        self.degree = np.bincount(self.parent[self.parent >= 0], minlength=size)
        place = np.where(self.parent < 0, 0, np.arange(size) - self.first[self.parent]).astype(np.uint64)
        self._place = (place + np.uint64(1)) * _STEP
        self.production = np.zeros(size, dtype=np.uint64)
        if len(parents):
            sums = np.add.reduceat(mix(self.label + self._place), self._starts)
            self.production[parents] = mix(self.label[parents] * _STEP + sums)

    def _upwards(self) -> None:
        # From the deepest level to the root, and routes back down.
        size = len(self.parent)
        bounds = np.searchsorted(self.depth, np.arange(int(self.depth[-1]) + 2 if size else 1))
        below = np.zeros(size, dtype=np.uint64)
        self.subtree = np.zeros(size, dtype=np.uint64)
        self.size, self.height = np.ones(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        levels = list(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True))
        for start, stop in reversed(levels):
            level = slice(start, stop)
            self.subtree[level] = mix(self.label[level] * _STEP + below[level])
            if start:
                runs = self._starts[np.searchsorted(self._starts, start) : np.searchsorted(self._starts, stop)]
                above, at = self.parent[runs], runs - start
                below[above] = mix(np.add.reduceat(mix(self.subtree[level] + self._place[level]), at))
                self.size[above] += np.add.reduceat(self.size[level], at)
                self.height[above] = np.maximum.reduceat(self.height[level], at) + 1
        self.route = np.full(size, _ROOT)
        for start, stop in levels[1:]:
            level = slice(start, stop)
            self.route[level] = mix(self.route[self.parent[level]] + self._place[level])

    @cached_property
    def by_label(self) -> tuple[np.ndarray, Ragged, np.ndarray]:
        """Nodes sorted by tree and label; for each tree the groups of equal labels, as places there; their sizes."""
        key = self.tree.astype(np.uint64) << np.uint64(ITEM_BITS) | self.label >> np.uint64(64 - ITEM_BITS)
        order = np.argsort(key, kind="stable")
        key = key[order]
        new = np.ones(len(key), dtype=bool)
        np.not_equal(key[1:], key[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        groups = np.bincount(self.tree[order[starts]], minlength=len(self))
        return order, Ragged(starts, offsets_of(groups)), np.diff(starts, append=len(key))


def _rooted(trees: Trees) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Tree, parent among all nodes and depth of each node; -1 is the depth of a node that no root reaches.
    lengths = np.diff(trees.offsets)
    tree = np.repeat(np.arange(len(lengths)), lengths)
    parent = np.where(trees.parents < 0, -1, trees.parents + trees.offsets[tree])
    roots = np.flatnonzero(parent < 0)
    new = np.diff(tree[roots], prepend=-1) != 0
    parent[roots[~new]] = roots[new][np.cumsum(new) - 1][~new]
    depth = np.zeros(len(parent), dtype=np.int64)
    active = np.flatnonzero(parent >= 0)
    above = parent[active]
    for _ in range(int(lengths.max(initial=0))):
        if not len(active):
            break
        depth[active] += 1
        above = parent[above]
        going = above >= 0
        active, above = active[going], above[going]
    depth[active] = -1
    return tree, parent, depth


def _by_depth(tree: np.ndarray, parent: np.ndarray, depth: np.ndarray, n: int) -> np.ndarray:
    # Indices of the nodes that count, by depth and then by parent.
    order = np.argsort(depth * (len(parent) + 1) + parent, kind="stable")
    order = order[np.searchsorted(depth[order], 0) :]
    if np.bincount(tree, minlength=n).max(initial=0) > MOST_NODES:
        by_tree = order[np.argsort(tree[order], kind="stable")]
        counts = np.bincount(tree[by_tree], minlength=n)
        kept = np.zeros(len(parent), dtype=bool)
        kept[by_tree[np.arange(len(by_tree)) - np.repeat(np.cumsum(counts) - counts, counts) < MOST_NODES]] = True
        order = order[kept[order]]
    return order
