"""Comparisons of two vectors: the block of 11 kernels of the ECNU system (Tian et al., 2017), dense and sparse.

A sparse pair is stored on the union of the two supports only. Pearson, Spearman and Kendall are nevertheless exact over
all d coordinates: what lies outside the supports is one group of ties, whose share has a closed form.
"""

from typing import NamedTuple

import numpy as np

from .ragged import Ragged

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

ITEM_BITS = 40
"""Items of `meet` are smaller than ``2**ITEM_BITS``."""

_NO_VECTOR = np.array([1.0, np.sqrt(2.0), 2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
_COMPARED_AT_A_TIME = 1 << 20
_COORDINATES_AT_A_TIME = 1 << 16


class Met(NamedTuple):
    """The distinct items of either row of n pairs of rows, sorted by row and then by item.

    Attributes
    ----------
    row, item
        Row and item of each entry.
    count_a, count_b
        How often the item occurs on either side, float64.
    place
        Where one occurrence stands in the values of `a` followed by those of `b`; empty unless asked for.
    """

    row: np.ndarray
    item: np.ndarray
    count_a: np.ndarray
    count_b: np.ndarray
    place: np.ndarray

    def total(self, values: np.ndarray, n: int) -> np.ndarray:
        """Return the sum of `values` over each of the n rows, added in the order of the items."""
        return np.bincount(self.row, weights=values, minlength=n)


def meet(a: Ragged, b: Ragged, locate: bool = False) -> Met:
    """Return the union of the items of row i of `a` and of `b`, with their counts.

    Parameters
    ----------
    a, b
        n < 2**23 rows of non-negative integers below ``2**ITEM_BITS``. Sums over a row are added in the order of its
        items, so that order must depend on the row alone: hashes or ranks of the text, not places in a batch.
    locate
        Also return `place`, which takes a slower sort.
    """
    key = np.concatenate([a.values, b.values]).astype(np.uint64, copy=False) << np.uint64(1)
    key |= key_heads(a.lengths, b.lengths)
    order = np.argsort(key) if locate else None
    if order is None:
        key.sort()
    else:
        key = key[order]
    entry = key >> np.uint64(1)
    new = np.ones(len(key), dtype=bool)
    np.not_equal(entry[1:], entry[:-1], out=new[1:])
    first = np.flatnonzero(new)
    total = np.diff(first, append=len(key))
    from_b = np.zeros(len(key) + 1, dtype=np.int64)
    np.cumsum(key & np.uint64(1), out=from_b[1:], dtype=np.int64)
    count_b = np.diff(from_b[first], append=from_b[-1])
    entry = entry[first]
    place = np.empty(0, dtype=np.int64) if order is None else order[first]
    item = (entry & np.uint64((1 << ITEM_BITS) - 1)).astype(np.int64)
    row = (entry >> np.uint64(ITEM_BITS)).astype(np.int64)
    return Met(row, item, (total - count_b).astype(np.float64), count_b.astype(np.float64), place)


def key_heads(lengths_a: np.ndarray, lengths_b: np.ndarray) -> np.ndarray:
    """Return row and side of each value of rows of the given lengths, as the high bits and the lowest bit of a key.

    Joined with ``item << 1``, such keys sort by row, item and side, so where two neighbours differ in the lowest bit
    alone both sides have the item.
    """
    row = np.arange(len(lengths_a), dtype=np.uint64) << np.uint64(ITEM_BITS + 1)
    return np.concatenate([np.repeat(row, lengths_a), np.repeat(row | np.uint64(1), lengths_b)])


def k11(u: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the 11 kernel values of each pair of dense vectors.

    Parameters
    ----------
    u, v
        Arrays of shape (n, d), d from 1 to some 100,000. Normalise them before if their lengths should not count.

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
    # Contiguous rows: numpy then adds each row the same way, however many there are.
    u, v = np.ascontiguousarray(u, dtype=np.float64), np.ascontiguousarray(v, dtype=np.float64)
    n, d = u.shape
    apart = np.abs(u - v)
    of_u, of_v = _ranked(u), _ranked(v)
    constant = (of_u.untied == 0) | (of_v.untied == 0)
    middle = (d + 1) / 2
    statistics = [
        _correlation(u - u.mean(axis=1, keepdims=True), v - v.mean(axis=1, keepdims=True)),
        _correlation(of_u.mean - middle, of_v.mean - middle),
        _quotient(_concordance(of_u, of_v), of_u.untied, of_v.untied),
    ]
    return _block(
        np.full(n, float(d)),
        (u * v).sum(axis=1),
        np.sqrt((apart * apart).sum(axis=1)),
        apart.sum(axis=1),
        apart.max(axis=1),
        [np.where(constant, 0.0, value) for value in statistics],
        np.logical_not(u.any(axis=1) & v.any(axis=1)),
    )


def _correlation(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # Of rows whose mean is 0.
    return _quotient((x * y).sum(axis=1), (x * x).sum(axis=1), (y * y).sum(axis=1))


def _quotient(top: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    below = np.sqrt(left) * np.sqrt(right)
    return np.clip(np.where(below > 0, top / np.where(below > 0, below, 1.0), 0.0), -1.0, 1.0)


class _Ranked(NamedTuple):
    # The coordinates of each row: how many are less (whole numbers), the average rank, and per row the pairs not tied.
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
    """Return the concordant less the discordant pairs of coordinates of each row (Knight, 1966).

    Where the coordinates stand in the order of `u`, ties in that of `v`, the discordant pairs are the inversions of the
    ranks in `v`.
    """
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
    """Return how many pairs of a row stand in the wrong order, shape (n,), float64.

    Places and values are both cut into blocks of about the square root of their number. A pair in two blocks of either
    kind is counted from the table of how many values of each block stand in each block of places; one in the same block
    of places, or else of values, by comparing. All of it runs through many rows at once, which SciPy cannot: its
    ``kendalltau`` takes 3 times as long for a pair of 768 coordinates as all of `k11` here.

    Parameters
    ----------
    ranks
        Shape (n, d), whole numbers below ``2**bits``.
    bits
        At least those of d - 1.
    """
    n, d = ranks.shape
    # At most 2**8 in a block, so that `_inside` can count in 8 bits.
    shift = min((bits + 1) // 2, 8)
    blocks = (d - 1 >> shift) + 1
    padded = blocks << shift
    small = np.min_scalar_type(padded - 1)
    places = np.arange(d, dtype=ranks.dtype)
    ordered = ranks << bits | places
    ordered.sort(axis=1)
    # What fills the rows up to whole blocks stands behind the rest both by place and by value: it is in no such pair.
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
    found = np.zeros(len(blocks), dtype=np.int64)
    wrong = np.empty(values.shape, dtype=bool)
    for step in range(1, size):
        now = np.greater(values[:-step], values[step:], out=wrong[step:])
        found += np.add.reduce(now.view(np.uint8), axis=0, dtype=np.uint8)
    return found


def _block(
    d: np.ndarray,
    dot: np.ndarray,
    euclidean: np.ndarray,
    manhattan: np.ndarray,
    chebyshev: np.ndarray,
    statistics: list[np.ndarray],
    zero: np.ndarray,
) -> np.ndarray:
    gamma = 1.0 / np.maximum(d, 1.0)
    inner = gamma * dot + 1.0
    values = [
        1.0 - dot,
        euclidean,
        manhattan,
        chebyshev,
        *statistics,
        inner * inner * inner,
        # The reference code takes the plain distance, not its square.
        np.exp(-gamma * euclidean),
        np.exp(-gamma * manhattan),
        np.tanh(inner),
    ]
    return np.where(zero[:, None], _NO_VECTOR, np.stack(values, axis=1))


def k11_sparse(row: np.ndarray, u: np.ndarray, v: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return `k11` of pairs of sparse, non-negative vectors.

    Parameters
    ----------
    row
        Sorted; the pair of each stored coordinate.
    u, v
        The two vectors at the stored coordinates: all where either is positive, in an order that depends on the pair
        alone.
    d
        Dimension of each pair of vectors, shape (n,), at least the number of its stored coordinates.
    """
    n = len(d)
    d = d.astype(np.float64)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(row, weights=values, minlength=n)

    stored = np.bincount(row, minlength=n)
    rest = d - stored
    zero = (total(u) == 0) | (total(v) == 0)
    apart = np.abs(u - v)
    chebyshev = np.zeros(n)
    if len(row):
        chebyshev[stored > 0] = np.maximum.reduceat(apart, np.flatnonzero(np.diff(row, prepend=-1)))
    rank_u, zero_u, untied_u = _ranks(row, u, stored, rest)
    rank_v, zero_v, untied_v = _ranks(row, v, stored, rest)
    agree = _agreement(row, u > 0, v > 0, rank_u, rank_v, stored, rest)
    constant = (untied_u == 0) | (untied_v == 0)

    def pearson(x: np.ndarray, y: np.ndarray, away: tuple[np.ndarray, np.ndarray], mean: np.ndarray) -> np.ndarray:
        mean_x, mean_y = mean
        x, y = x - mean_x[row], y - mean_y[row]
        out_x, out_y = away[0] - mean_x, away[1] - mean_y
        return _quotient(
            total(x * y) + rest * (out_x * out_y),
            total(x * x) + rest * (out_x * out_x),
            total(y * y) + rest * (out_y * out_y),
        )

    size, nothing = np.maximum(d, 1.0), np.zeros(n)
    middle = (d + 1) / 2
    statistics = [
        pearson(u, v, (nothing, nothing), np.stack([total(u) / size, total(v) / size])),
        pearson(rank_u, rank_v, (zero_u, zero_v), np.stack([middle, middle])),
        _quotient(agree, untied_u, untied_v),
    ]
    return _block(
        d,
        total(u * v),
        np.sqrt(total(apart * apart)),
        total(apart),
        chebyshev,
        [np.where(constant, 0.0, value) for value in statistics],
        zero,
    )


def _ranks(
    row: np.ndarray, values: np.ndarray, stored: np.ndarray, rest: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    # Average ranks over all d coordinates, the rank of the zeros, and how many pairs of coordinates are not tied.
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
    # one of u alone disagrees with every one of v alone; two of the same support alone are tied. What is left are the
    # pairs with a coordinate of both supports: those are compared one by one, and met twice if the other is one too.
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
