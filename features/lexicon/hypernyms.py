"""Hypernyms of synsets: all those above each, and the paths that meet.

Paths: every path is a node, and nodes are numbered in pre-order. The last node that two paths share is therefore the
minimum of a range of parents: a few look-ups a pair instead of two walks up the hierarchy.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, offsets_of

DEEPEST = 30
"""Greatest depth of a synset that `synset_similarity.LI` has a value for; WordNet 3.0 reaches 19."""

Parents = Sequence[Sequence[int]]
"""The hypernyms of each synset, instance hypernyms included."""


def flat(rows: Sequence[Sequence[int]], dtype: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return rows as one array and their offsets."""
    offsets = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    return np.asarray([value for row in rows for value in row], dtype=dtype), offsets


def downwards(parents: Parents, names: Sequence[str]) -> list[int]:
    """Return the synsets in an order with each after its hypernyms."""
    try:
        return list(TopologicalSorter(dict(enumerate(parents))).static_order())
    except CycleError as error:
        cycle = " > ".join(names[synset] for synset in error.args[1])
        raise ValueError(
            f"a synset must not be its own hypernym, got {cycle}; correct the database or use another version"
        ) from None


def closure(parents: Parents, order: Sequence[int]) -> dict[str, np.ndarray]:
    """Return the proper ancestors with their shortest distances, and the depths of every synset."""
    above, max_depth, min_depth = _above(parents, order)
    if max(max_depth, default=0) > DEEPEST:
        raise ValueError(
            f"synsets must be at most {DEEPEST} steps below a root, got {max(max_depth)}; use another version"
        )
    rows = [tuple(sorted(row.items())) for row in above]
    distinct = {row: i for i, row in enumerate(dict.fromkeys(rows))}
    ancestors, offsets = flat([[ancestor for ancestor, _ in row] for row in distinct], np.int32)
    distances, _ = flat([[distance for _, distance in row] for row in distinct], np.uint8)
    crossings, _ = flat([_crossing(row, above) for row in distinct], np.uint8)
    return {
        "ancestors": ancestors,
        "ancestor_offsets": offsets,
        "ancestor_distances": distances,
        "ancestor_crossings": crossings,
        "ancestor_rows": np.asarray([distinct[row] for row in rows], dtype=np.int32),
        "max_depth": np.asarray(max_depth, dtype=np.uint8),
        "min_depth": np.asarray(min_depth, dtype=np.uint8),
    }


def _above(parents: Parents, order: Sequence[int]) -> tuple[list[dict[int, int]], list[int], list[int]]:
    # Proper ancestors with distances, longest and shortest way up to a root.
    above: list[dict[int, int]] = [{} for _ in parents]
    max_depth, min_depth = [0] * len(parents), [0] * len(parents)
    for synset in order:
        row = above[synset]
        for parent in parents[synset]:
            for ancestor, distance in [(parent, 0), *above[parent].items()]:
                row[ancestor] = min(row.get(ancestor, distance + 1), distance + 1)
        if parents[synset]:
            max_depth[synset] = 1 + max(max_depth[parent] for parent in parents[synset])
            min_depth[synset] = 1 + min(min_depth[parent] for parent in parents[synset])
    return above, max_depth, min_depth


def _crossing(row: tuple[tuple[int, int], ...], above: Sequence[dict[int, int]]) -> list[int]:
    # The way to a hypernym may be shorter over another hypernym of both.
    steps = dict(row)
    return [min([up, *(steps[other] + down for other, down in above[ancestor].items())]) for ancestor, up in row]


def paths(parents: Parents) -> dict[str, np.ndarray]:
    """Return the hypernym paths as a tree in pre-order: one node a path, 0 above all roots; and the nodes by synset."""
    children: list[list[int]] = [[] for _ in parents]
    for synset, hypernyms in enumerate(parents):
        for parent in hypernyms:
            children[parent].append(synset)
    synsets, tree, depths = [-1], [0], [0]
    todo = [(synset, 0) for synset in range(len(parents) - 1, -1, -1) if not parents[synset]]
    while todo:
        synset, parent = todo.pop()
        todo += [(child, len(tree)) for child in reversed(children[synset])]
        synsets.append(synset)
        tree.append(parent)
        depths.append(depths[parent] + 1)
    nodes: list[list[int]] = [[] for _ in parents]
    for node, synset in enumerate(synsets[1:], 1):
        nodes[synset].append(node)
    node_values, node_offsets = flat(nodes, np.int32)
    return {
        "path_synsets": np.asarray(synsets, dtype=np.int32),
        "path_parents": np.asarray(tree, dtype=np.int32),
        "path_depths": np.asarray(depths, dtype=np.uint8),
        "paths": node_values,
        "path_offsets": node_offsets,
    }


_NUMBER_BITS = 20
_NUMBERS = (1 << _NUMBER_BITS) - 1


class JoinedPaths(NamedTuple):
    """All pairs of paths of n pairs of synsets."""

    first: np.ndarray  # end node of one path of each pair of paths
    second: np.ndarray
    node: np.ndarray  # the last node that both paths share; 0 if they share none
    starts: np.ndarray  # where the paths of each pair of synsets begin


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
        """Return the common hypernym of each pair of synsets with the greatest `min_depth`, and that depth, or -1."""
        best = np.maximum.reduceat(self._lowest[joined.node], joined.starts)
        return _NUMBERS - (best & _NUMBERS), best >> _NUMBER_BITS


def cross(a: Ragged, b: Ragged) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return every value of row i of `a` with every one of row i of `b`, and the offsets of the rows."""
    lengths_b = b.lengths
    rows = a.rows
    return np.repeat(a.values, lengths_b[rows]), b.take(rows).values, offsets_of(a.lengths * lengths_b)
