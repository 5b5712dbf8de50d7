"""Dependency trees as levels of nodes, and the child-sum Tree-LSTM over them (Tai et al., 2015)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ...features.arrays.ragged import Ragged, offsets_of
from ...features.base.sentences import PairBatch
from .architectures import Siamese
from .network_fitting import BothSides, Fitted, ReadWords, fit_grades


def single_root(heads: Sequence[int], most: int) -> list[int]:
    """Return the head of each of the first `most` tokens, -1 for the single root."""
    size = min(len(heads), most)
    root = next((k for k in range(size) if heads[k] == k), 0)
    parents = [-1 if k == root else head if head < size and head != k else root for k, head in enumerate(heads[:size])]
    reached = {-1, root}
    for k in range(size):
        way, at = [], k
        while at not in reached and at not in way:
            way.append(at)
            at = parents[at]
        if at not in reached:
            parents[at] = root
        reached.update(way)
    return parents


def depths(parents: Sequence[int]) -> list[int]:
    """Return the distance of each node from the root."""
    distances = [-1] * len(parents)
    for k in range(len(parents)):
        way, at = [], k
        while at >= 0 and distances[at] < 0:
            way.append(at)
            at = parents[at]
        depth = distances[at] if at >= 0 else -1
        for node in reversed(way):
            depth += 1
            distances[node] = depth
    return distances


class Levels(NamedTuple):
    """Nodes of several trees by depth, from the roots down; nodes of one depth keep the order of the trees.

    Attributes
    ----------
    nodes
        Nodes of the forest at each depth.
    parents
        For each depth after the roots the places of the parents in the depth before.
    """

    nodes: list[np.ndarray]
    parents: list[np.ndarray]


class Forest:
    """m trees as flat arrays, one tree after the other.

    Parameters
    ----------
    trees
        For each tree the parent of each node as its place in the tree, -1 for the one root; no tree is empty.

    Attributes
    ----------
    offsets
        First node of each tree, and the number of all nodes, shape (m + 1,).
    parents, depths
        For each node its parent among all nodes, -1 for a root, and its distance from its root.
    """

    def __init__(self, trees: Sequence[Sequence[int]]) -> None:
        self.offsets = offsets_of(np.fromiter(map(len, trees), np.int64, len(trees)))
        local = np.fromiter((parent for tree in trees for parent in tree), np.int64, int(self.offsets[-1]))
        starts = np.repeat(self.offsets[:-1], np.diff(self.offsets))
        self.parents = np.where(local < 0, -1, local + starts)
        self.depths = np.fromiter((depth for tree in trees for depth in depths(tree)), np.int64, len(local))

    def levels(self, trees: np.ndarray) -> Levels:
        """Return the levels of some trees, of which each may occur more than once."""
        chosen = Ragged(np.arange(len(self.parents)), self.offsets).take(trees)
        nodes = chosen.values
        shift = np.repeat(chosen.offsets[:-1] - self.offsets[trees], chosen.lengths)
        order = np.argsort(self.depths[nodes], kind="stable")
        bounds = np.searchsorted(self.depths[nodes[order]], np.arange(int(self.depths[nodes].max()) + 2))
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order)) - np.repeat(bounds[:-1], np.diff(bounds))
        above = place[np.maximum(self.parents[nodes] + shift, 0)]
        parts = [order[start:stop] for start, stop in zip(bounds[:-1], bounds[1:], strict=True)]
        return Levels([nodes[part] for part in parts], [above[part] for part in parts[1:]])


class TreeBatch(NamedTuple):
    """Vectors of the nodes of each depth, shape (k, d), and places of their parents for all depths but the first."""

    vectors: list[Tensor]
    parents: list[Tensor]


class ChildSum(nn.Module):
    """Encoder by the state of the root of a child-sum Tree-LSTM (Tai et al., 2015)."""

    def __init__(self, dimension: int, units: int) -> None:
        super().__init__()
        self.inputs = nn.Linear(dimension, 4 * units)  # of the gates i, o, u and f
        self.states = nn.Linear(units, 3 * units, bias=False)
        self.forget = nn.Linear(units, units, bias=False)
        self.outputs = units

    def forward(self, trees: TreeBatch) -> Tensor:
        """Return the encodings, shape (n, outputs)."""
        units = self.outputs
        below: tuple[Tensor, Tensor, Tensor] | None = None  # states and cells of the level below, places of parents
        for depth in reversed(range(len(trees.vectors))):
            inputs = self.inputs(trees.vectors[depth])
            gates, forget = inputs.split([3 * units, units], 1)
            kept = torch.zeros_like(forget)
            if below is not None:
                states, cells, parents = below
                gates = gates + self.states(torch.zeros_like(forget).index_add(0, parents, states))
                open_ = torch.sigmoid(forget[parents] + self.forget(states))
                kept = kept.index_add(0, parents, open_ * cells)
            i, o, u = gates.chunk(3, 1)
            cells = torch.sigmoid(i) * torch.tanh(u) + kept
            states = torch.sigmoid(o) * torch.tanh(cells)
            below = states, cells, trees.parents[depth - 1] if depth else states
        return states


@dataclass(frozen=True)
class TreeReader:
    """Reader of the sentences of a batch as dependency trees with the vectors of words at the nodes."""

    forest: Forest
    rows: np.ndarray
    vectors: Tensor

    @property
    def lengths(self) -> np.ndarray:
        """Number of nodes of each tree, shape (m,)."""
        return np.diff(self.forest.offsets)

    def __call__(self, sentences: np.ndarray) -> TreeBatch:
        """Return the sentences of some rows."""
        levels = self.forest.levels(sentences)
        vectors = [self.vectors[torch.from_numpy(self.rows[nodes])] for nodes in levels.nodes]
        return TreeBatch(vectors, [torch.from_numpy(parents) for parents in levels.parents])


@dataclass(frozen=True)
class ReadTrees:
    """Reader of the trees of sentences."""

    words: ReadWords

    def __call__(self, pairs: PairBatch) -> BothSides:
        """Return both sides of the pairs."""
        words = self.words.words(pairs)
        most = self.words.most_words
        forest = Forest([single_root(sentence.heads, most) or [-1] for sentence in pairs.sentences])
        # An empty sentence is one node, a vector of zeros.
        rows = np.zeros(int(forest.offsets[-1]), dtype=np.int64)
        rows[np.repeat(words.words.ids.lengths > 0, words.lengths)] = words.words.ids.values
        return BothSides(TreeReader(forest, rows, words.vectors), pairs.left, pairs.right)


def fit(name: str, pairs: PairBatch, y: np.ndarray, settings: Mapping[str, Any], seed: int) -> Fitted:
    """Fit the network ``tree_lstm``; see `research_network.HYPERPARAMETERS`."""
    words = ReadWords.fit(pairs, settings)

    def make() -> Siamese:
        encoder = ChildSum(words.dimension, settings["units"])
        return Siamese(encoder, settings["hidden"], "sigmoid", settings["dropout"])

    return fit_grades(make, ReadTrees(words), pairs, y, settings, seed)
