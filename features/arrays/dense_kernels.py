"""The block of 11 kernels of dense vectors."""

from typing import NamedTuple

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
    """Return the block of n pairs, shape (n, 11)."""
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


_COORDINATES_AT_A_TIME = 1 << 16


def k11(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the 11 kernel values of each pair of dense vectors.

    Parameters
    ----------
    u, v
        Arrays of shape (n, d), d from 1 to some 100,000. Normalise them first if their lengths should not count.

    Returns
    -------
    np.ndarray
        Shape (n, 11), in the order of `K11`. A correlation with a constant vector is 0. Where a vector is all zero, the
        similarities are 0 and the distances those of orthogonal unit vectors.
    """
    n, d = u.shape
    step = max(_COORDINATES_AT_A_TIME // d, 1)
    parts = [_k11(u[start : start + step], v[start : start + step]) for start in range(0, n, step)]
    return np.concatenate(parts) if parts else np.empty((0, len(K11)))


def _k11(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    # With contiguous rows numpy adds each row in the same way, whatever their number.
    u, v = np.ascontiguousarray(u, dtype=np.float64), np.ascontiguousarray(v, dtype=np.float64)
    n, d = u.shape
    apart = np.abs(u - v)
    of_u, of_v = _ranked(u), _ranked(v)
    constant = (of_u.untied == 0) | (of_v.untied == 0)
    middle = (d + 1) / 2
    statistics = [
        _correlation(u - u.mean(axis=1, keepdims=True), v - v.mean(axis=1, keepdims=True)),
        _correlation(of_u.mean - middle, of_v.mean - middle),
        quotient(_concordance(of_u, of_v), of_u.untied, of_v.untied),
    ]
    return kernel_block(
        np.full(n, float(d)),
        (u * v).sum(axis=1),
        np.sqrt((apart * apart).sum(axis=1)),
        apart.sum(axis=1),
        apart.max(axis=1),
        [np.where(constant, 0.0, value) for value in statistics],
        np.logical_not(u.any(axis=1) & v.any(axis=1)),
    )


def _correlation(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # The mean of each row must be 0.
    return quotient((x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1))


class _Ranked(NamedTuple):
    # By coordinate, the number of smaller ones and the average rank; by row, the number of pairs that are not tied.
    below: np.ndarray
    mean: np.ndarray
    untied: np.ndarray


def _ranked(x: np.ndarray) -> _Ranked:
    n, d = x.shape
    order = np.argsort(x, axis=1)
    order += np.arange(0, n * d, d)[:, None]
    first, size, row = _runs(x.ravel()[order])
    below, mean = np.empty(n * d, dtype=np.int64), np.empty(n * d)
    least = first - row * d
    below[order.ravel()] = np.repeat(least, size)
    mean[order.ravel()] = np.repeat(least + (size + 1) / 2, size)
    return _Ranked(below.reshape(n, d), mean.reshape(n, d), d * (d - 1) / 2 - _tied(row, size, n))


def _runs(ordered: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Runs of equal values in sorted rows: where each begins in the flat array, its length and its row.
    n, d = ordered.shape
    new = np.ones((n, d), dtype=bool)
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=new[:, 1:])
    first = np.flatnonzero(new)
    row = np.repeat(np.arange(n), np.count_nonzero(new, axis=1))
    return first, np.diff(first, append=n * d), row


def _tied(row: np.ndarray, size: np.ndarray, n: int) -> np.ndarray:
    return np.bincount(row, weights=size * (size - 1) / 2, minlength=n)


def _concordance(u: _Ranked, v: _Ranked) -> np.ndarray:
    """Return the concordant less the discordant pairs of coordinates of each row (Knight, 1966)."""
    n, d = u.below.shape
    bits = (d - 1).bit_length()
    key = np.int32 if 2 * bits < 32 else np.int64
    both = (u.below << bits | v.below).astype(key)
    both.sort(axis=1)
    _, size, row = _runs(both)
    ranks = both & key((1 << bits) - 1)
    pairs = d * (d - 1) / 2
    untied = u.untied + v.untied - pairs + _tied(row, size, n)
    return untied - 2 * _inversions(ranks, bits)


def _inversions(ranks: np.ndarray, bits: int) -> np.ndarray:
    """Return the number of pairs of each row that are in the wrong order, shape (n,), float64."""
    n, d = ranks.shape
    # At most 2**8 in a block, so that `_inside` can count in 8 bits.
    shift = min((bits + 1) // 2, 8)
    blocks = (d - 1 >> shift) + 1
    padded = blocks << shift
    small = np.min_scalar_type(padded - 1)
    places = np.arange(d, dtype=ranks.dtype)
    ordered = ranks << bits | places
    ordered.sort(axis=1)
    # The padding of the last block comes last both by place and by value, so it is in no such pair.
    place_of = np.broadcast_to(np.arange(padded), (n, padded)).astype(small)
    value_at = place_of.copy()
    place = ordered & ranks.dtype.type((1 << bits) - 1)
    place_of[:, :d] = place
    np.put_along_axis(value_at, place.astype(np.int64), places.astype(small)[None], axis=1)
    block = np.arange(n)[:, None] * blocks + (np.arange(padded) >> shift)
    cells = block * blocks + (value_at >> small.type(shift))
    table = np.bincount(cells.ravel(), minlength=n * blocks * blocks).reshape(n, blocks, blocks)
    before = np.cumsum(table, axis=1)[:, :-1, 1:]
    greater = np.cumsum(before[:, :, ::-1], axis=2)[:, :, ::-1]
    apart = (table[:, 1:, :-1] * greater).sum(axis=(1, 2))
    inside = _inside(value_at.reshape(-1, 1 << shift)) + _inside(
        (place_of >> small.type(shift)).reshape(-1, 1 << shift)
    )
    return (apart + inside.reshape(n, blocks).sum(axis=1)).astype(np.float64)


def _inside(blocks: np.ndarray) -> np.ndarray:
    # Inversions within each row of at most 256 values. All rows are compared at one distance at a time: long arrays.
    size = blocks.shape[1]
    values = np.ascontiguousarray(blocks.T)
    counts = np.zeros(len(blocks), dtype=np.int64)
    wrong = np.empty(values.shape, dtype=bool)
    for step in range(1, size):
        now = np.greater(values[:-step], values[step:], out=wrong[step:])
        counts += np.add.reduce(now.view(np.uint8), axis=0, dtype=np.uint8)
    return counts
