"""Vectors of texts as whole numbers, whose inner products do not depend on the rest of a batch.

A unit vector is multiplied by `UNIT` and rounded. Inner products of such codes are whole numbers below 2**24, so that
float32 holds them and all their partial sums exactly: no order of summation, batch or thread changes a similarity.
"""

import numpy as np
from scipy.sparse import csr_array

UNIT = 256
"""Length of the vector of a text, in whole numbers: a coordinate is rounded to 1/256, a cosine moves by about 0.001."""

_LARGEST = 127
_FIXED = float(1 << 20)


def text_codes(vectors: np.ndarray) -> np.ndarray:
    """Return vectors, scaled to the length `UNIT`, as whole numbers.

    Parameters
    ----------
    vectors
        Shape (n, d), finite.

    Returns
    -------
    np.ndarray
        Shape (n, d), int8; zeros for a vector of zeros. Coordinates of a unit vector beyond 127/256 are cut there.
    """
    values = np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(np.square(values).sum(axis=1))
    values = values * (UNIT / np.where(lengths > 0, lengths, 1.0))[:, None]
    return np.asarray(np.clip(np.rint(values), -_LARGEST, _LARGEST).astype(np.int8))


def sums_of_words(counts: csr_array, vectors: np.ndarray) -> np.ndarray:
    """Return the sum of the vectors of each text's words, shape (n, d), float64, exact in fixed point.

    Parameters
    ----------
    counts
        Shape (n, m): count of each word in each text.
    vectors
        Shape (m, d), rounded to multiples of 2**-20.
    """
    return np.asarray(counts.astype(np.float64) @ np.rint(np.asarray(vectors, dtype=np.float64) * _FIXED))


def similarity_of(products: np.ndarray) -> np.ndarray:
    """Return inner products of codes as cosines, exact in float32."""
    return np.asarray(products, dtype=np.float32) / np.float32(UNIT**2)


def row_similarities(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the cosine of each row of `first` with the same row of `second`, both codes of shape (n, d)."""
    products = np.einsum("ij,ij->i", first.astype(np.int32), second.astype(np.int32))
    return similarity_of(products)
