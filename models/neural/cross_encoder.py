"""A transformer that reads both texts at once and gives their score (Devlin et al., 2019).

Its word pieces and their vectors are those of the sentence encoder that ships. A pair is read in one order, the text of
fewer word pieces first, so that the score does not depend on which text is named first.
"""

from typing import Any

import numpy as np

from ...features.encoders.network_checks import Declared, Value
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
    """A cross-encoder, with a network once it is fitted; see `TransformerMember`."""

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


NETWORKS = {"cross_encoder": CrossEncoder("cross_encoder", SETTINGS)}
"""The cross-encoder, unfitted, by name."""
