"""The cross-encoder on a larger encoder: its own layers read both texts after the first layers of all-mpnet-base-v2.

These layers, which no fit changes, come with the distribution ``samewise-best`` and read both texts at once too.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ...features.encoders.large_encoder import base_encoder
from ...features.encoders.network_checks import Declared, Value
from ...features.encoders.onnx_transformer import Network
from ...features.encoders.pair_reading import pair_outputs
from ...features.pipeline.matrix import FeatureMatrix
from ..member import pairs_of
from .transformer_member import FITTED, TransformerMember

BETWEEN = 2
"""Pieces between the two texts of a pair, as an MPNet reads them."""

SETTINGS: dict[str, Any] = {
    "start": "sentence-transformers/all-mpnet-base-v2",
    "epochs": 2,
    "batch_size": 32,
    "learning_rate": 3e-5,
    "checkpoints": None,
    FITTED: None,
}
"""The settings and their defaults.

``start`` is the folder or hub name of all-mpnet-base-v2, or of what `scripts/make_larger_pair_start.py` made of it,
whose last layers are fitted; the others are as for `models.neural.cross_encoder`.
"""


class BaseCrossEncoder(TransformerMember):
    """A larger cross-encoder, with a network once it is fitted; see `TransformerMember`."""

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
    """Return the score of n pairs, shape (n,), float64, by the network of a `BaseCrossEncoder`."""
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


NETWORKS = {"base_cross_encoder": BaseCrossEncoder("base_cross_encoder", SETTINGS)}
"""The cross-encoder on the larger encoder, unfitted, by name."""
