"""Similarity of the trees of two sentences by a recursive auto-encoder (Socher et al., 2011).

The auto-encoder is trained without scores. Pooling reduces the cosines of all nodes of one tree with all nodes of the
other to a grid of fixed size, the input of a support vector machine. With ``award`` WordNet corrects the cosines of
words (Rychalska et al., 2016).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import token_ids
from ...features.families.award_penalty import Corrected
from ...features.word_similarity.word_cosines import CosineMeasure
from ...features.word_similarity.word_grids import terms, terms_of
from .network_fitting import ReadWords
from .unfolding_autoencoder import Nodes, Unfolding, codes, fit_unfolding

_PAIRS_AT_A_TIME = 256


def dynamic_pool(values: np.ndarray, size: int) -> np.ndarray:
    """Return the minimum of each of size x size regions of about equal size, shape (size, size)."""
    for axis in (0, 1):
        have = values.shape[axis]
        values = np.repeat(values, -(-size // have), axis=axis)
        values = np.minimum.reduceat(values, np.arange(size) * values.shape[axis] // size, axis=axis)
    return values


def symmetric(grid: np.ndarray) -> np.ndarray:
    """Return k * k numbers of a square grid, shape (k, k), that are equal for its transpose."""
    upper, above = np.triu_indices(len(grid)), np.triu_indices(len(grid), 1)
    return np.concatenate([(grid + grid.T)[upper] / 2, np.abs(grid - grid.T)[above] / 2])


def corrected(pairs: PairBatch, vectors: str, most: int) -> list[np.ndarray]:
    """Return the cosines of the words of both sentences of each pair, corrected by WordNet, shape (i, j)."""
    of_token, sides = terms(pairs).of_token, token_ids(pairs)
    cells = [
        np.minimum(x[:, None], y) << 32 | np.maximum(x[:, None], y)
        for x, y in (
            [of_token[side.values[side.offsets[k] :][: min(most, side.lengths[k])]] for side in sides]
            for k in range(len(pairs))
        )
    ]
    flat, where = np.unique(np.concatenate([cell.ravel() for cell in cells]), return_inverse=True)
    cosines = Corrected(CosineMeasure(vectors))(pairs, *terms_of(flat))[where]
    ends = np.cumsum([cell.size for cell in cells])[:-1]
    return [part.reshape(cell.shape) for part, cell in zip(np.split(cosines, ends), cells, strict=True)]


@dataclass(frozen=True)
class Pooled:
    """Reader of pooled distances: one minus the cosine of each node of one tree and each of the other.

    Attributes
    ----------
    network
        The auto-encoder.
    read
        Reader of the words.
    size
        Size of the grid in each direction.
    award
        Whether the cosines of words are corrected by WordNet.
    """

    network: Unfolding
    read: ReadWords
    size: int
    award: bool

    def __call__(self, pairs: PairBatch) -> np.ndarray:
        """Return the pooled distances, shape (n, size * size), float64; the same for either order of the sentences."""
        nodes = Nodes.of(pairs, self.read)
        vectors, bounds = codes(self.network, nodes), nodes.forest.offsets
        grids = np.empty((len(pairs), self.size**2))
        for start in range(0, len(pairs), _PAIRS_AT_A_TIME):
            part = pairs[start : start + _PAIRS_AT_A_TIME]
            awarded = corrected(part, self.read.table.start, self.read.most_words) if self.award else []
            for k in range(len(part)):
                left, right = pairs.left[start + k], pairs.right[start + k]
                a, b = (vectors[bounds[one] : bounds[one + 1]] for one in (left, right))
                distance = 1.0 - (a @ b.T).astype(np.float64)
                if self.award:
                    distance[: awarded[k].shape[0], : awarded[k].shape[1]] = 1.0 - awarded[k]
                grids[start + k] = symmetric(dynamic_pool(distance, self.size))
        return grids


@dataclass(frozen=True, eq=False)
class Regressed:
    """A support vector machine on pooled distances."""

    pooled: Pooled
    machine: Any

    def __call__(self, pairs: PairBatch) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64."""
        return np.asarray(self.machine.predict(self.pooled(pairs)), dtype=np.float64)


def fit(name: str, pairs: PairBatch, y: np.ndarray, settings: Mapping[str, Any], seed: int) -> Regressed:
    """Fit the network ``recursive_autoencoder``; see `research_network.HYPERPARAMETERS`."""
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVR

    read = ReadWords.fit(pairs, settings)
    pooled = Pooled(fit_unfolding(pairs, read, settings, seed), read, settings["pool"], settings["award"])
    machine = make_pipeline(StandardScaler(), SVR(C=settings["C"]))
    return Regressed(pooled, machine.fit(pooled(pairs), y))
