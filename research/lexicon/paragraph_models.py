"""Paragraph vectors (Le and Mikolov, 2014): the two models, and vectors of new sentences.

A paragraph vector is found for a sentence with the words fixed: it is the one by which the model predicts the words of
the sentence best. With a hierarchical softmax (Morin and Bengio, 2005) that likelihood is a product of logistic
functions of the vector, so with a normal prior its logarithm is strictly concave and has one maximum.

gensim, which trains the models, looks for it by stochastic gradient steps from a random start. Measured for distributed
memory: 100 epochs take 576 microseconds a sentence and the vectors of two runs have a cosine of 0.993; the 1,000 of
ECNU take 5.7 milliseconds, 0.999. Here conjugate gradients, the best of the common methods for logistic regression
(Minka, 2003), reduce the gradient to a thousandth: 45 microseconds, the same bits in every run and batch.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...features.arrays.joins import places_among
from ...features.arrays.ragged import Ragged
from ...features.base.mapped_arrays import map_arrays

FOLDER = Path(__file__).parent / "data" / "paragraphs"

WINDOW = 3
"""Number of words on either side that are the context in distributed memory."""

PRECISION = {"memory": 1.0, "bag": 150.0}
"""One over the variance of the prior of each coordinate.

By the correlation with the scores of STS Benchmark train, which is nearly flat here. That of two memory vectors is 0.54
with 0.5, which takes half as long again, and 0.53 with 1; that of the cosine of two bags 0.61 with any from 50 to 300.
"""

TOLERANCE = 1e-3
"""A maximum is reached where the gradient is this much smaller than at the start."""

_STEPS = 100
_FULL = 255  # weight of a word that sampling always keeps
_NODE_BITS = 15
_SHORT = 256  # terms
_TERMS_AT_A_TIME = 1 << 14
_FLAT = np.float32(1e-3)
_LEAST = np.float32(1e-30)  # divisor of zeros, if the maximum of a text is reached


class ParagraphModels(NamedTuple):
    """Distributed memory and distributed bag of words over the same V words, with one hierarchical softmax each.

    Attributes
    ----------
    hashes
        `text_hash` of each lower-case word, ascending.
    weights
        Share of the occurrences of each word that sampling keeps, uint8: 255 is all.
    paths
        A row a word: the nodes of the tree from its root to the word, ``node << 1 | turn``.
    memory_words, memory_nodes
        Codes of the words and nodes of distributed memory, shape (V, d), int8; the last node is none, its codes 0.
    bag_nodes
        Codes of the nodes of the bag of words.
    scales
        Factors of the codes of bag nodes, memory nodes and memory words.
    digest
        Hex digest of the content.
    """

    hashes: np.ndarray
    weights: np.ndarray
    paths: Ragged
    memory_words: np.ndarray
    memory_nodes: np.ndarray
    bag_nodes: np.ndarray
    scales: np.ndarray
    digest: str = ""

    def find(self, hashes: np.ndarray) -> np.ndarray:
        """Return the place of each text hash, int64, -1 if it is not listed."""
        return places_among(hashes, self.hashes)


@cache
def paragraph_models() -> ParagraphModels:
    """Return the models that ship with the package."""
    arrays, digest = map_arrays(FOLDER, "install the package again, or run scripts/make_paragraphs.py")
    paths = Ragged(arrays["paths"], arrays["path_offsets"].astype(np.int64))
    arrays = {name: array for name, array in arrays.items() if name not in ("paths", "path_offsets")}
    return ParagraphModels(paths=paths, digest=digest, **arrays)


class Turns(NamedTuple):
    """The logistic terms of the likelihood of sentences.

    Each is ``left * log s(z) + right * log s(-z)`` with ``z = node . vector * share + offset`` and s the logistic
    function.

    Attributes
    ----------
    nodes
        A row a sentence: the node of each term.
    left, right
        Weight of the words whose path turns left or right at the node.
    share, offset
        The factors of ``z``.
    """

    nodes: Ragged
    left: np.ndarray
    right: np.ndarray
    share: np.ndarray
    offset: np.ndarray


def memory_turns(models: ParagraphModels, words: Ragged) -> Turns:
    """Return the terms of distributed memory: for each word those of the nodes above it."""
    vectors, row = models.memory_words[words.values].astype(np.int16), words.rows
    context, size = np.zeros_like(vectors), np.ones(len(vectors))
    for step in range(1, WINDOW + 1):
        near = row[step:] == row[:-step]
        context[:-step] += vectors[step:] * near[:, None]
        context[step:] += vectors[:-step] * near[:, None]
        size[:-step] += near
        size[step:] += near
    paths = models.paths.take(words.values)
    token, nodes = paths.rows, (paths.values >> 1).astype(np.int64)
    dot = np.empty(len(nodes), dtype=np.float32)
    for start in range(0, len(nodes), _TERMS_AT_A_TIME):
        part = slice(start, start + _TERMS_AT_A_TIME)
        sides = models.memory_nodes[nodes[part]].astype(np.float32), context[token[part]].astype(np.float32)
        # Whole numbers below 2**24: exact.
        dot[part] = np.einsum("md,md->m", *sides)
    share = (1 / size)[token]
    weight = (models.weights[words.values] / _FULL)[token]
    right = (paths.values & 1).astype(bool)
    offset = dot * (models.scales[1] * models.scales[2]) * share
    node_rows = Ragged(nodes, paths.offsets[words.offsets])
    return Turns(node_rows, np.where(right, 0.0, weight), np.where(right, weight, 0.0), share, offset)


def bag_turns(models: ParagraphModels, words: Ragged) -> Turns:
    """Return the terms of the bag of words: one for each distinct node above the words of a sentence."""
    paths = models.paths.take(words.values)
    # Sorted as values, each with its weight: numpy sorts values several times faster than places.
    key = np.repeat(words.rows << (_NODE_BITS + 1), paths.lengths) | paths.values
    key = np.sort(key << 8 | np.repeat(models.weights[words.values], paths.lengths))
    entry, weight, turn = key >> 9, (key & 255) / _FULL, key >> 8 & 1
    new = np.diff(entry, prepend=-1) != 0
    term, entry = np.cumsum(new) - 1, entry[new]
    left, right = (np.bincount(term, weights=weight * (turn == side), minlength=len(entry)) for side in (0, 1))
    offsets = np.searchsorted(entry >> _NODE_BITS, np.arange(len(words.offsets)))
    nodes = Ragged(entry & ((1 << _NODE_BITS) - 1), offsets)
    return Turns(nodes, left, right, np.ones(len(entry)), np.zeros(len(entry)))


def _dot(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return (x * y).sum(axis=1, keepdims=True)


def _groups(lengths: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    # Sentences of about the same number of terms, and that number, which follows from the sentence alone.
    step = np.where(lengths <= _SHORT, 16, _SHORT)
    padded = -(-lengths // step) * step
    for size in np.unique(padded[padded > 0]).tolist():
        rows = np.flatnonzero(padded == size)
        at_a_time = max(_TERMS_AT_A_TIME // size, 1)
        for start in range(0, len(rows), at_a_time):
            yield rows[start : start + at_a_time], size


def most_likely(turns: Turns, codes: np.ndarray, scale: float, precision: float) -> np.ndarray:
    """Return for each sentence the vector that maximises the sum of its terms less ``precision / 2 * |vector|**2``."""
    lengths, d = turns.nodes.lengths, codes.shape[1]
    vectors = np.zeros((len(lengths), d))
    # In units of the scale the nodes are whole numbers and the prior another.
    prior = np.float32(precision / scale**2)
    for rows, size in _groups(lengths):
        place = turns.nodes.offsets[rows, None] + np.arange(size)
        inside = np.arange(size) < lengths[rows, None]
        place[~inside] = 0
        node = codes[np.where(inside, turns.nodes.values[place], -1)].astype(np.float32)
        share = turns.share[place].astype(np.float32)
        left = np.where(inside, turns.left[place], 0.0).astype(np.float32)
        both = left + np.where(inside, turns.right[place], 0.0).astype(np.float32)
        z = turns.offset[place].astype(np.float32)
        vector = np.zeros((len(rows), d), dtype=np.float32)
        way, first, before = vector, None, vector
        for _ in range(_STEPS):
            tanh_half = np.tanh(z / 2)
            # Not by `matmul`, whose library chooses the order of the sums.
            gradient = np.einsum("gmd,gm->gd", node, (left - both * (1 + tanh_half) / 2) * share) - prior * vector
            square = _dot(gradient, gradient)
            if first is None:
                first, before = square, gradient
            # Finished sentences do not change, so that the steps of a sentence do not depend on the others.
            going = square > first * TOLERANCE**2
            if not going.any():
                break
            change = _dot(gradient, gradient - before) / np.maximum(_dot(before, before), _LEAST)
            way, before = gradient + way * np.maximum(change, 0), gradient
            slope = np.einsum("gmd,gd->gm", node, way) * share
            # A parabola that touches the sum from below (Jaakkola and Jordan, 2000), so that no step lowers the sum.
            quadratic = np.where(np.abs(z) < _FLAT, np.float32(0.25), tanh_half / (2 * np.where(z == 0, _FLAT, z)))
            curvature = _dot(both * quadratic, slope * slope) + prior * _dot(way, way)
            length = np.where(going, _dot(gradient, way) / np.maximum(curvature, _LEAST), np.float32(0))
            vector = vector + length * way
            z += length * slope
        vectors[rows] = vector / scale
    return vectors
