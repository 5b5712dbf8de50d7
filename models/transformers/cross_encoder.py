"""Transformers that read both texts at once and give their score (Devlin et al., 2019).

A pair is read in one order, the text of fewer word pieces first, so that the score does not depend on which text is
named first.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ...features.encoders.large_encoder import base_encoder
from ...features.encoders.network_checks import Declared, Value
from ...features.encoders.onnx_transformer import Network
from ...features.encoders.pair_reading import pair_outputs
from ...features.encoders.sentence_encoder import shipped_encoder
from ...features.pipeline.matrix import FeatureMatrix
from ..member import pairs_of
from .transformer_member import FITTED, WEIGHTS, TransformerMember, dimension

SETTINGS: dict[str, Any] = {
    "start": WEIGHTS,
    "epochs": 3,
    "batch_size": 32,
    "learning_rate": 3e-5,
    "orders": 1,
    "lessons": None,
    "teacher": None,
    "checkpoints": None,
    FITTED: None,
}
"""The settings and their defaults.

``start`` is where the weights come from before they are fitted: the package of that name, or a folder or hub name of a
model of the same build. With 2 ``orders`` the score is the mean of those of both orders, at twice the cost. With
``lessons`` and a ``teacher`` (`distillation.lessons_of`) it learns from a larger cross-encoder before it is fitted.
``checkpoints`` is a folder in which a fit that was stopped leaves how far it came. ``fitted`` is the folder of a bundle
whose network is taken as it is.
"""


class CrossEncoder(TransformerMember):
    """A cross-encoder, with a network once it is fitted; see `TransformerMember`.

    Its word pieces and their vectors are those of the sentence encoder that ships.
    """

    @classmethod
    def declared(cls) -> Declared:
        """Return its inputs: the vectors of word pieces, and for each piece the number of its text, 0 or 1."""
        pieces = Value("float32", 3, dimension())
        return Declared({"word_embeddings": pieces, "token_type_ids": Value("int64", 2)}, "output")

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        network, batch = self.fitted(), pairs_of(matrix)
        texts = [sentence.text for sentence in batch.sentences]
        both_orders = self.params.get("orders", SETTINGS["orders"]) == 2
        return pair_outputs(network, shipped_encoder(), texts, batch.left, batch.right, both_orders=both_orders)


BETWEEN = 2
"""Pieces between the two texts of a pair, as an MPNet reads them."""

LARGE_SETTINGS: dict[str, Any] = {
    "start": "sentence-transformers/all-mpnet-base-v2",
    "epochs": 2,
    "batch_size": 32,
    "learning_rate": 3e-5,
    "checkpoints": None,
    FITTED: None,
}
"""The settings and their defaults.

``start`` is the folder or hub name of all-mpnet-base-v2, or of what `scripts/make_larger_pair_start.py` made of it,
whose last layers are fitted; the others are as for `SETTINGS`.
"""


class LargeCrossEncoder(TransformerMember):
    """A larger cross-encoder: its own layers read both texts after the first layers of all-mpnet-base-v2.

    These layers, which no fit changes, come with the distribution ``samewise-best`` and read both texts at once too.
    """

    fitting: ClassVar[tuple[str, ...]] = ("torch", "transformers", "onnx")
    tables: ClassVar[tuple[str, ...]] = ("base_encoder",)

    @classmethod
    def declared(cls) -> Declared:
        """Return its inputs: the states after the first layers, and for each piece the number of its text, 0 or 1."""
        states = Value("float32", 3, base_encoder().dimension)
        return Declared({"lower_states": states, "token_type_ids": Value("int64", 2)}, "output")

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return the score of each pair, shape (n,), float64, on 0..5 but not clipped to it."""
        network, batch = self.fitted(), pairs_of(matrix)
        return outputs_of(network, [sentence.text for sentence in batch.sentences], batch.left, batch.right)


def outputs_of(network: Network, texts: Sequence[str], left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the score of n pairs, shape (n,), float64, by the network of a `LargeCrossEncoder`."""
    encoder = base_encoder()
    return pair_outputs(
        network,
        encoder,
        texts,
        left,
        right,
        reads=lambda ids: {"lower_states": encoder.first_states(ids)},
        between=BETWEEN,
    )


SCORERS: dict[str, TransformerMember] = {
    "cross_encoder": CrossEncoder("cross_encoder", SETTINGS),
    "base_cross_encoder": LargeCrossEncoder("base_cross_encoder", LARGE_SETTINGS),
}
"""The cross-encoders, unfitted, by name."""
