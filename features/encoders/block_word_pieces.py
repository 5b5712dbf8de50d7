"""Tables of word pieces in blocks of 32 whole numbers of 4 bits with a scale of 16 bits: 0.56 bytes a coordinate."""

import numpy as np

BLOCK = 32
"""Coordinates that share a scale."""


def packed_codes(codes: np.ndarray) -> np.ndarray:
    """Return whole numbers from -8 to 7, shape (n, d), two a byte: the even coordinate is the lower half."""
    halves = (codes + 8).astype(np.uint8)
    return halves[..., 0::2] | halves[..., 1::2] << 4


def unpacked_codes(packed: np.ndarray) -> np.ndarray:
    """Return the numbers that `packed_codes` packed, int8.

    Examples
    --------
    >>> unpacked_codes(packed_codes(np.array([-7, 0, 3, 7]))).tolist()
    [-7, 0, 3, 7]
    """
    return np.stack([packed & 15, packed >> 4], axis=-1).reshape(*packed.shape[:-1], -1).astype(np.int8) - 8


class BlockWordPieces:
    """The vectors of word pieces: whole numbers from -8 to 7 times a scale of each block of 32 of them.

    Parameters
    ----------
    codes
        Shape (m, d / 2), uint8: two coordinates a byte, see `packed_codes`.
    scales
        Shape (m, d / 32), float16.

    Raises
    ------
    ValueError
        If they do not fit together.
    """

    def __init__(self, codes: np.ndarray, scales: np.ndarray) -> None:
        fits = codes.ndim == 2 and scales.shape == (len(codes), 2 * codes.shape[-1] // BLOCK)
        if codes.dtype != np.uint8 or scales.dtype != np.float16 or not fits:
            raise ValueError(
                f"a table of word pieces must have a float16 scale for every {BLOCK} codes of a row, got {codes.dtype} "
                f"codes {codes.shape} and {scales.dtype} scales {scales.shape}; make it again"
            )
        self.codes, self.scales = codes, scales

    def __len__(self) -> int:
        """Return the number of pieces."""
        return len(self.codes)

    @property
    def dimension(self) -> int:
        """Number of coordinates."""
        return 2 * int(self.codes.shape[1])

    def rows(self, ids: np.ndarray) -> np.ndarray:
        """Return the vector of each piece, shape ``(*ids.shape, d)``, float32."""
        blocks = unpacked_codes(self.codes[ids]).reshape(*ids.shape, -1, BLOCK)
        return (blocks * self.scales[ids][..., None].astype(np.float32)).reshape(*ids.shape, -1)
