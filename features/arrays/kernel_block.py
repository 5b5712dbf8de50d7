"""The block of 11 kernels of two vectors of the ECNU system (Tian et al., 2017), from sums over the coordinates."""

import numpy as np

K11 = (
    "cosine_distance",
    "euclidean",
    "manhattan",
    "chebyshev",
    "pearson",
    "spearman",
    "kendall",
    "polynomial",
    "rbf",
    "laplacian",
    "sigmoid",
)
"""Column names of the block, in its order."""

_NO_VECTOR = np.array([1.0, np.sqrt(2.0), 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])


def quotient(top: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return a correlation: `top` over the root of both sums of squares, clipped to [-1, 1]; 0 where one is 0."""
    below = np.sqrt(left) * np.sqrt(right)
    return np.clip(np.where(below > 0, top / np.where(below > 0, below, 1.0), 0.0), -1.0, 1.0)


def kernel_block(
    d: np.ndarray,
    dot: np.ndarray,
    euclidean: np.ndarray,
    manhattan: np.ndarray,
    chebyshev: np.ndarray,
    statistics: list[np.ndarray],
    zero: np.ndarray,
) -> np.ndarray:
    """Return the block of n pairs, shape (n, 11).

    Parameters
    ----------
    d
        Dimension of each pair of vectors, float64.
    dot, euclidean, manhattan, chebyshev
        Inner product and distances.
    statistics
        Correlations of Pearson, Spearman and Kendall.
    zero
        Whether either vector is all zero.
    """
    gamma = 1.0 / np.maximum(d, 1.0)
    inner = gamma * dot + 1.0
    values = [
        1.0 - dot,
        euclidean,
        manhattan,
        chebyshev,
        *statistics,
        inner * inner * inner,
        # The reference code uses the plain distance, not its square.
        np.exp(-gamma * euclidean),
        np.exp(-gamma * manhattan),
        np.tanh(inner),
    ]
    return np.where(zero[:, None], _NO_VECTOR, np.stack(values, axis=1))
