"""States of word pieces after the first layers of an encoder: the input of every network of later layers.

They are computed once for all such networks; the sentence encoder can go on from them too.
"""

from typing import NamedTuple

import numpy as np


class LowerStates(NamedTuple):
    """States of all word pieces of n texts, special ones too.

    Attributes
    ----------
    values
        Shape (m, d), float32, text by text.
    offsets
        Shape (n + 1,), int64: the pieces of text i are ``offsets[i]`` to before ``offsets[i + 1]``.
    """

    values: np.ndarray
    offsets: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """Number of pieces of each text, shape (n,)."""
        return np.diff(self.offsets)

    def of(self, rows: np.ndarray) -> np.ndarray:
        """Return the states of texts of one length, shape (rows, length, d)."""
        return self.values[self.offsets[rows][:, None] + np.arange(self.lengths[rows[0]])]
