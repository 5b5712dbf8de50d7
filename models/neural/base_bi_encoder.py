"""The bi-encoder on a larger encoder: its own layers read the states after the first layers of all-mpnet-base-v2.

These layers come with the distribution ``samewise-best``.
"""

from typing import Any, ClassVar

from ...features.encoders.base_encoder import BaseEncoder, base_encoder
from .bi_encoder import BiEncoder
from .transformer_member import FITTED

SETTINGS: dict[str, Any] = {
    "start": "sentence-transformers/all-mpnet-base-v2",
    "epochs": 1,
    "batch_size": 32,
    "learning_rate": 5e-5,
    "checkpoints": None,
    FITTED: None,
}
"""The settings and their defaults.

``start`` is the folder or hub name of all-mpnet-base-v2, whose last layers are fitted; the others are as for
`models.neural.cross_encoder`.
"""


class BaseBiEncoder(BiEncoder):
    """A fine-tuned larger sentence encoder, with a network once it is fitted; see `TransformerMember`."""

    fitting: ClassVar[tuple[str, ...]] = ("torch", "transformers", "onnx")
    tables: ClassVar[tuple[str, ...]] = ("base_encoder",)

    @classmethod
    def dimension(cls) -> int:
        """Return the number of coordinates of the states and vectors."""
        return base_encoder().dimension

    @classmethod
    def encoder(cls) -> BaseEncoder:
        """Return the encoder whose first layers the member reads."""
        return base_encoder()


NETWORKS = {"base_bi_encoder": BaseBiEncoder("base_bi_encoder", SETTINGS)}
"""The bi-encoder on the larger encoder, unfitted, by name."""
