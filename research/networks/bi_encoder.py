"""The sentence encoder fine-tuned on scored pairs: the score is the cosine of two vectors (Reimers and Gurevych, 2019).

Its first layers are those of the encoder that ships; the later ones are its own.
"""

from typing import Any

import numpy as np

from ...features.encoders.contextual_words import lower_states
from ...features.encoders.network_checks import Declared, Value
from ...features.encoders.onnx_transformer import check_shape, run
from ...features.encoders.sentence_encoder import shipped_encoder
from ...features.pipeline.matrix import FeatureMatrix
from ...models.member import pairs_of
from ...models.transformers.transformer_member import FITTED, TransformerMember, dimension

SETTINGS: dict[str, Any] = {"epochs": 2, "batch_size": 32, "learning_rate": 5e-5, "checkpoints": None, FITTED: None}
"""The settings and their defaults; ``checkpoints`` and ``fitted`` are as for `models.transformers.cross_encoder`."""


class BiEncoder(TransformerMember):
    """A fine-tuned sentence encoder, with a network once it is fitted; see `TransformerMember`."""

    @classmethod
    def declared(cls) -> Declared:
        """Return its input, the states after the first layers."""
        return Declared({"lower_states": Value("float32", 3, dimension())}, "output")

    def predict(self, matrix: FeatureMatrix) -> np.ndarray:
        """Return five times the cosine of the vectors of each pair, shape (n,), float64; it may be below 0."""
        network, batch = self.fitted(), pairs_of(matrix)
        states = lower_states(batch, shipped_encoder())
        vectors = np.zeros((len(states.lengths), dimension()))
        for rows, output in run(network, states.lengths, lambda rows: {"lower_states": states.of(rows)}):
            vectors[rows] = check_shape(network, output, len(rows), vectors.shape[1])
        return 5.0 * np.einsum("ij,ij->i", vectors[batch.left], vectors[batch.right])


SCORERS = {"bi_encoder": BiEncoder("bi_encoder", SETTINGS)}
"""The bi-encoder, unfitted, by name."""
