"""A transformer that reads both texts at once and gives their score (Devlin et al., 2019).

Its word pieces and their vectors are those of the sentence encoder that ships. A pair is read in one order, the text of
fewer word pieces first, so that the score does not depend on which text is named first.
"""

from typing import Any

import numpy as np

from ...features.encoders.network_checks import Declared, Value
from ...features.encoders.onnx_transformer import check_shape, run
from ...features.matrix import FeatureMatrix
from ..member import pairs_of
from .transformer_member import FITTED, WEIGHTS, TransformerMember, dimension
from .word_piece_inputs import joined, piece_ids, word_pieces

SETTINGS: dict[str, Any] = {
    "start": WEIGHTS,
    "epochs": 3,
    "batch_size": 32,
    "learning_rate": 3e-5,
    "orders": 1,
    "checkpoints": None,
    FITTED: None,
}
"""The settings and their defaults.

``start`` is where the weights come from before they are fitted: the package of that name, or a folder or hub name of a
model of the same build. With 2 ``orders`` the score is the mean of those of both orders, at twice the cost.
``checkpoints`` is a folder in which a fit that was stopped leaves how far it came. ``fitted`` is the folder of a bundle
whose network is taken as it is.
"""

_ORDERS_BEFORE = 2  # of networks that 0.1.0 fitted, whose settings do not name any


def canonical_order(lengths: np.ndarray, texts: list[str], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the texts of each pair in the order in which they are read, shape (n, 2): shorter first, ties by text.

    Parameters
    ----------
    lengths
        Number of word pieces of each distinct text, shape (m,).
    texts
        The distinct texts.
    left, right
        Indices of the texts of n pairs.
    """
    rank = np.empty(len(texts), dtype=np.int64)
    rank[sorted(range(len(texts)), key=lambda row: (lengths[row], texts[row]))] = np.arange(len(texts))
    turned = rank[left] > rank[right]
    return np.stack([np.where(turned, right, left), np.where(turned, left, right)], axis=1)


class CrossEncoder(TransformerMember):
    """A cross-encoder, with a network once it is fitted; see `TransformerMember`."""

    @classmethod
    def declared(cls) -> Declared:
        """Return its inputs: the vectors of word pieces, and for each piece the number of its text, 0 or 1."""
        pieces = Value("float32", 3, dimension())
        return Declared({"word_embeddings": pieces, "token_type_ids": Value("int64", 2)}, "output")

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it.

        Raises
        ------
        ValueError
            If it is not fitted, or the network is not that of a cross-encoder.
        """
        self.fitted()
        batch = pairs_of(matrix)
        texts = [sentence.text for sentence in batch.sentences]
        pieces = piece_ids(texts)
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        order = canonical_order(lengths, texts, batch.left, batch.right)
        # Each pair of texts once.
        pairs, inverse = np.unique(order, axis=0, return_inverse=True)
        scores = self._scores(pieces, pairs)
        if self.params.get("orders", _ORDERS_BEFORE) == _ORDERS_BEFORE:
            scores = 0.5 * (scores + self._scores(pieces, pairs[:, ::-1]))
        return scores[inverse.ravel()]

    def _scores(self, pieces: list[list[int]], pairs: np.ndarray) -> np.ndarray:
        network, words = self.fitted(), word_pieces()
        read = [joined(pieces[first], pieces[second]) for first, second in pairs.tolist()]

        def inputs(rows: np.ndarray) -> dict[str, np.ndarray]:
            ids, segments = (np.asarray([read[row][part] for row in rows], dtype=np.int64) for part in (0, 1))
            return {"word_embeddings": words.rows(ids), "token_type_ids": segments}

        scores = np.empty(len(read))
        for rows, output in run(network, np.asarray([len(ids) for ids, _ in read], dtype=np.int64), inputs):
            scores[rows] = check_shape(network, output, len(rows))
        return scores


NETWORKS = {"cross_encoder": CrossEncoder("cross_encoder", SETTINGS)}
"""The cross-encoder, unfitted, by name."""
