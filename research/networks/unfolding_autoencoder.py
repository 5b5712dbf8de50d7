"""Unfolding recursive auto-encoder over binary dependency trees (Socher et al., 2011)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from ...features.base.sentences import PairBatch
from .network_fitting import ReadWords, minimise
from .pair_network_training import one_core
from .tree_lstm import Forest, single_root

_SENTENCES_AT_A_TIME = 256


def binarised(heads: Sequence[int]) -> list[tuple[int, int]]:
    """Return the left and right child of each inner node of a binary tree over n tokens, children first."""
    dependents: list[list[int]] = [[] for _ in heads]
    for token, head in enumerate(heads):
        if head >= 0:
            dependents[head].append(token)
    joins: list[tuple[int, int]] = []

    def join(left: int, right: int) -> int:
        joins.append((left, right))
        return len(heads) + len(joins) - 1

    def phrase(head: int) -> int:
        node = head
        for token in dependents[head]:
            if token > head:
                node = join(node, phrase(token))
        for token in reversed(dependents[head]):
            if token < head:
                node = join(phrase(token), node)
        return node

    for root in (token for token, head in enumerate(heads) if head < 0):
        phrase(root)
    return joins


class BinaryTrees(NamedTuple):
    """Binary trees level by level; see `tree_lstm.Levels`.

    Attributes
    ----------
    vectors
        Vectors of all nodes of each depth, shape (k, d); zeros at inner nodes.
    inner
        Places of the inner nodes of each depth.
    children
        Places of the left and right children of the inner nodes in the next depth, shape (2, i), for each depth.
    """

    vectors: list[Tensor]
    inner: list[Tensor]
    children: list[Tensor]


class Unfolding(nn.Module):
    """Auto-encoder that decodes every phrase down to its words (Socher et al., 2011)."""

    def __init__(self, dimension: int) -> None:
        super().__init__()
        self.encode, self.decode = nn.Linear(2 * dimension, dimension), nn.Linear(dimension, 2 * dimension)

    def codes(self, trees: BinaryTrees) -> list[Tensor]:
        """Return the vectors of all nodes of each depth; those of words stay unchanged."""
        vectors: list[Tensor] = []
        for depth in reversed(range(len(trees.vectors))):
            values = trees.vectors[depth]
            if len(trees.inner[depth]):
                pair = vectors[-1][trees.children[depth]]
                joined = torch.tanh(self.encode(torch.cat([pair[0], pair[1]], 1)))
                values = values.index_copy(0, trees.inner[depth], joined)
            vectors.append(values)
        return vectors[::-1]

    def forward(self, trees: BinaryTrees) -> Tensor:
        """Return the sum over all phrases of the squared distances between their words and the decoded vectors."""
        codes = self.codes(trees)
        total = codes[0].new_zeros(())
        # Each depth decodes copies of its nodes, one for each phrase that contains them.
        copies = torch.empty(0, dtype=torch.int64)
        decoded = codes[0][copies]
        for depth in range(len(codes) - 1):
            inner, children = trees.inner[depth], trees.children[depth]
            place = torch.full((len(codes[depth]),), -1)
            place[inner] = torch.arange(len(inner))
            kept = place[copies] >= 0
            which = torch.cat([place[copies[kept]], torch.arange(len(inner))])
            left, right = torch.tanh(self.decode(torch.cat([decoded[kept], codes[depth][inner]]))).chunk(2, 1)
            copies, decoded = torch.cat([children[0][which], children[1][which]]), torch.cat([left, right])
            word = torch.ones(len(codes[depth + 1]), dtype=torch.bool)
            word[trees.inner[depth + 1]] = False
            ends = word[copies]
            total = total + ((decoded[ends] - trees.vectors[depth + 1][copies[ends]]) ** 2).sum()
        return total


@dataclass(frozen=True)
class Nodes:
    """Binary trees of m sentences, each with its tokens before its inner nodes; the `Inputs` of `Unfolding`.

    Attributes
    ----------
    forest
        The trees.
    tokens
        Number of tokens of each tree, shape (m,).
    children
        Left and right child of each node among all nodes, -1 for a token, shape (2, k).
    rows, vectors
        Row of the vector of each node, 0 for inner nodes; and the vectors, zeros in row 0.
    """

    forest: Forest
    tokens: np.ndarray
    children: np.ndarray
    rows: np.ndarray
    vectors: Tensor

    @classmethod
    def of(cls, pairs: PairBatch, read: ReadWords) -> "Nodes":
        """Return the trees of the sentences of a batch; an empty sentence is one token, a vector of zeros."""
        words = read.words(pairs)
        heads = [single_root(sentence.heads, read.most_words) or [-1] for sentence in pairs.sentences]
        joins = [binarised(one) for one in heads]
        forest = Forest([_parents(len(one), inner) for one, inner in zip(heads, joins, strict=True)])
        starts, tokens = forest.offsets[:-1], np.fromiter(map(len, heads), np.int64, len(heads))
        sizes = np.diff(forest.offsets)
        place = np.arange(forest.offsets[-1]) - np.repeat(starts, sizes)
        is_token = place < np.repeat(tokens, sizes)
        children = np.full((2, len(place)), -1)
        local = np.array([pair for inner in joins for pair in inner], dtype=np.int64).reshape(-1, 2).T
        children[:, ~is_token] = local + np.repeat(starts, tokens - 1)
        rows = np.zeros(len(place), dtype=np.int64)
        rows[place < np.repeat(words.words.ids.lengths, sizes)] = words.words.ids.values
        return cls(forest, tokens, children, rows, words.vectors)

    @property
    def sizes(self) -> np.ndarray:
        """Number of nodes of each tree, shape (m,)."""
        return np.diff(self.forest.offsets)

    def __call__(self, rows: np.ndarray) -> tuple[BinaryTrees]:
        """Return some distinct trees."""
        return (self.read(rows)[0],)

    def read(self, trees: np.ndarray) -> tuple[BinaryTrees, np.ndarray]:
        """Return some distinct trees and their nodes in the order of the levels."""
        levels = self.forest.levels(trees).nodes
        place = np.full(self.children.shape[1], -1)
        for nodes in levels:
            place[nodes] = np.arange(len(nodes))
        inner = [np.flatnonzero(self.children[0, nodes] >= 0) for nodes in levels]
        children = [place[self.children[:, nodes[here]]] for nodes, here in zip(levels, inner, strict=True)]
        batch = BinaryTrees(
            [self.vectors[torch.from_numpy(self.rows[nodes])] for nodes in levels],
            [torch.from_numpy(here) for here in inner],
            [torch.from_numpy(pair) for pair in children],
        )
        return batch, np.concatenate(levels)


def _parents(tokens: int, joins: Sequence[tuple[int, int]]) -> list[int]:
    parents = [-1] * (tokens + len(joins))
    for k, children in enumerate(joins):
        for child in children:
            parents[child] = tokens + k
    return parents


def codes(network: Unfolding, nodes: Nodes) -> np.ndarray:
    """Return the vectors of all nodes, shape (k, d), each divided by its length."""
    vectors = np.empty((nodes.children.shape[1], nodes.vectors.shape[1]), dtype=np.float32)
    with one_core(0), torch.no_grad():
        for start in range(0, len(nodes.sizes), _SENTENCES_AT_A_TIME):
            trees, which = nodes.read(np.arange(start, min(start + _SENTENCES_AT_A_TIME, len(nodes.sizes))))
            vectors[which] = torch.cat(network.codes(trees)).numpy()
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1.0)


def fit_unfolding(pairs: PairBatch, read: ReadWords, settings: Mapping[str, Any], seed: int) -> Unfolding:
    """Return the auto-encoder fitted to the distinct sentences of pairs, without scores."""
    network = minimise(
        lambda: Unfolding(read.dimension),
        Nodes.of(pairs, read),
        lambda total, rows: total / len(rows),
        settings,
        seed,
    )
    assert isinstance(network, Unfolding)
    return network
