"""View by the meaning of sentences: the vector of the sentence encoder."""

from collections.abc import Sequence

import numpy as np

from ....features.encoders.sentence_encoder import shipped_encoder
from ..text_codes import text_codes
from ..text_view import TextView


def _codes(texts: Sequence[str]) -> np.ndarray:
    return text_codes(shipped_encoder().vectors(texts))


SENTENCES = TextView("sentences", "sentence encoder", _codes, lambda: shipped_encoder().digest, slow=True)
