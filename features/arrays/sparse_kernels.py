"""The block of 11 kernels of sparse, non-negative vectors.

A pair of vectors is stored on the union of the two supports only. Pearson, Spearman and Kendall are nevertheless exact
over all d coordinates: those outside the supports are one group of ties, whose share has a closed form.
"""

import numpy as np

from .dense_kernels import kernel_block, quotient

_COMPARED_AT_A_TIME = 1 << 20


def k11_sparse(row: np.ndarray, u: np.ndarray, v: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return `k11` of pairs of sparse, non-negative vectors."""
    n = len(d)
    d = d.astype(np.float64)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(row, weights=values, minlength=n)

    stored = np.bincount(row, minlength=n)
    rest = d - stored
    apart = np.abs(u - v)
    chebyshev = np.zeros(n)
    if len(row):
        chebyshev[stored > 0] = np.maximum.reduceat(apart, np.flatnonzero(np.diff(row, prepend=-1)))
    rank_u, zero_u, untied_u = _ranks(row, u, stored, rest)
    rank_v, zero_v, untied_v = _ranks(row, v, stored, rest)
    agree = _agreement(row, u > 0, v > 0, rank_u, rank_v, stored, rest)
    constant = (untied_u == 0) | (untied_v == 0)
    mean_u, mean_v = total(u) / np.maximum(d, 1.0), total(v) / np.maximum(d, 1.0)
    middle = (d + 1) / 2
    statistics = [
        _pearson(row, u - mean_u[row], v - mean_v[row], rest, -mean_u, -mean_v),
        _pearson(row, rank_u - middle[row], rank_v - middle[row], rest, zero_u - middle, zero_v - middle),
        quotient(agree, untied_u, untied_v),
    ]
    return kernel_block(
        d,
        total(u * v),
        np.sqrt(total(apart * apart)),
        total(apart),
        chebyshev,
        [np.where(constant, 0.0, value) for value in statistics],
        (total(u) == 0) | (total(v) == 0),
    )


def _pearson(
    row: np.ndarray, x: np.ndarray, y: np.ndarray, rest: np.ndarray, rest_x: np.ndarray, rest_y: np.ndarray
) -> np.ndarray:
    # Of deviations from the mean: x and y at the stored coordinates, rest_x and rest_y at the `rest` others of a pair.
    sums = [np.bincount(row, weights=values, minlength=len(rest)) for values in (x * y, x * x, y * y)]
    return quotient(
        sums[0] + rest * (rest_x * rest_y), sums[1] + rest * (rest_x * rest_x), sums[2] + rest * (rest_y * rest_y)
    )


def _ranks(
    row: np.ndarray, values: np.ndarray, stored: np.ndarray, rest: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Average ranks over all d coordinates, the rank of the zeros, and the number of pairs of coordinates not tied.
    zeros = rest + np.bincount(row[values == 0], minlength=len(rest))
    # By value and then, stably, by row: faster than lexsort, the more so as numpy sorts 16-bit integers by radix.
    order = np.argsort(values)
    order = order[np.argsort(row[order].astype(np.uint16 if len(rest) <= 1 << 16 else np.int64), kind="stable")]
    ordered, ordered_row = values[order], row[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (ordered[1:] != ordered[:-1]) | (ordered_row[1:] != ordered_row[:-1])
    first = np.flatnonzero(new)
    size = np.diff(first, append=len(order))
    of = ordered_row[first]
    starts = np.cumsum(stored) - stored
    rank = np.where(ordered[first] == 0, (zeros[of] + 1) / 2, rest[of] + (first - starts[of]) + (size + 1) / 2)
    ranks = np.empty(len(order))
    ranks[order] = np.repeat(rank, size)
    tied = np.where(ordered[first] == 0, 0, size * (size - 1) / 2)
    d = rest + stored
    untied = d * (d - 1) / 2 - zeros * (zeros - 1) / 2 - np.bincount(of, weights=tied, minlength=len(rest))
    return ranks, (zeros + 1) / 2, untied


def _agreement(
    row: np.ndarray,
    in_u: np.ndarray,
    in_v: np.ndarray,
    rank_u: np.ndarray,
    rank_v: np.ndarray,
    stored: np.ndarray,
    rest: np.ndarray,
) -> np.ndarray:
    # Concordant less discordant pairs of coordinates. A coordinate of both supports agrees with every one of neither;
    # one of u alone disagrees with every one of v alone; two of the same support alone are tied. The remaining pairs
    # have a coordinate of both supports: they are compared one by one, and twice if the other one is of both too.
    n = len(rest)
    both = in_u & in_v
    common = np.flatnonzero(both)
    per_row = [np.bincount(row[mask], minlength=n) for mask in (both, in_u & ~in_v, in_v & ~in_u)]
    agree: np.ndarray = per_row[0] * rest - (per_row[1] * per_row[2]).astype(np.float64)
    ends = np.cumsum(stored)
    lengths = stored[row[common]]
    reach = np.cumsum(lengths)
    twice = np.where(both, 1.0, 2.0)
    start = 0
    while start < len(common):
        limit = (reach[start - 1] if start else 0) + _COMPARED_AT_A_TIME
        stop = max(int(np.searchsorted(reach, limit)), start + 1)
        one, count = common[start:stop], lengths[start:stop]
        i = np.repeat(one, count)
        j = np.arange(len(i)) + np.repeat(ends[row[one]] - np.cumsum(count), count)
        signs = np.sign((rank_u[i] - rank_u[j]) * (rank_v[i] - rank_v[j])) * twice[j]
        agree += np.bincount(row[i], weights=signs, minlength=n) / 2
        start = stop
    return agree
