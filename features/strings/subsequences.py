"""Subsequences and edits of strings and of words."""

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein, Postfix, Prefix
from rapidfuzz.process import cpdist

from ..arrays.joins import ITEM_BITS, meet
from ..arrays.ragged import Ragged, offsets_of, ratio
from .string_tiling import longest_runs

RUNS = ("prefix", "suffix", "substring", "subsequence")
"""Column names of `run_shares`."""


def sizes(strings: list[str]) -> np.ndarray:
    """Return the length of each string, shape (n,), float64."""
    return np.fromiter(map(len, strings), dtype=np.float64, count=len(strings))


def run_shares(a: list[str], b: list[str]) -> np.ndarray:
    """Return longest common prefix, suffix, substring and subsequence over the shorter length, shape (n, 4).

    All are 0 where a side is empty.
    """
    shorter = np.minimum(sizes(a), sizes(b))
    prefix, suffix, subsequence = (
        cpdist(a, b, scorer=kind.similarity, dtype=np.float64) for kind in (Prefix, Postfix, LCSseq)
    )
    runs = (prefix, suffix, longest_runs(a, b), subsequence)
    return np.stack([ratio(value, shorter) for value in runs], axis=1)


def edit_shares(a: list[str], b: list[str]) -> np.ndarray:
    """Return two views of the Levenshtein distance, shape (n, 2).

    The distance over the shorter length, which counts as 1 if it is 0; and one minus the distance over the longer
    length, 1 where both sides are empty.
    """
    size_a, size_b = sizes(a), sizes(b)
    edits = cpdist(a, b, scorer=Levenshtein.distance, dtype=np.float64)
    distance = edits / np.maximum(np.minimum(size_a, size_b), 1)
    return np.stack([distance, 1 - ratio(edits, np.maximum(size_a, size_b))], axis=1)


GAP = 4
"""Greatest number of words between the words of a skip-bigram of a window."""

_RANK_BITS = ITEM_BITS // 2
_CELLS_AT_A_TIME = 1 << 20
_ROWS_AT_A_TIME = 1 << 10


def skip_bigrams(lengths: np.ndarray, gap: int | None = None) -> np.ndarray:
    """Return the number of ordered pairs of words in rows of given lengths, at most `gap` words apart, float64."""
    if gap is None:
        return lengths * (lengths - 1) / 2
    return sum((np.maximum(lengths - step, 0.0) for step in range(1, gap + 2)), np.zeros(len(lengths)))


def shared_skip_bigrams(a: Ragged, b: Ragged) -> tuple[np.ndarray, np.ndarray]:
    """Return the size of the multiset intersection of the skip-bigrams of rows of `a` and `b`, each of shape (n,)."""
    # Only words of both sides can be in a shared skip-bigram, so each has its rank among those of its pair.
    met, n = meet(a, b), len(a.offsets) - 1
    common = (met.count_a > 0) & (met.count_b > 0)
    entry = (met.row[common] << ITEM_BITS) | met.item[common]
    ranks_a, ranks_b = _ranks(a, entry), _ranks(b, entry)
    within, anywhere = np.zeros(n), np.zeros(n)
    cells = sum(side.lengths * (side.lengths - 1) // 2 for side, _ in (ranks_a, ranks_b))
    for rows in np.split(np.arange(n), np.flatnonzero(np.diff(np.cumsum(cells) // _CELLS_AT_A_TIME)) + 1):
        near_a, all_a = _bigrams(*ranks_a, rows)
        near_b, all_b = _bigrams(*ranks_b, rows)
        for totals, shared in ((within, meet(near_a, near_b)), (anywhere, meet(all_a, all_b))):
            totals[rows] = shared.total(np.minimum(shared.count_a, shared.count_b), len(rows))
    return within, anywhere


def _ranks(side: Ragged, entry: np.ndarray) -> tuple[Ragged, np.ndarray]:
    # Rank of each word that is in `entry`, sorted words under their rows, and its place in the whole row.
    rows = side.rows
    key = (rows << ITEM_BITS) | side.values.astype(np.int64)
    rank = np.searchsorted(entry, key)
    listed = np.append(entry, -1)[rank] == key
    rank -= np.searchsorted(entry, np.arange(len(side.offsets) - 1) << ITEM_BITS)[rows]
    return Ragged(rank, side.offsets).where(listed), (np.arange(len(key)) - side.offsets[rows])[listed]


def _bigrams(ranks: Ragged, place: np.ndarray, rows: np.ndarray) -> tuple[Ragged, Ragged]:
    # The skip-bigrams of neighbouring rows as numbers: those over at most `GAP` words, and all.
    offsets = ranks.offsets[rows[0] : rows[-1] + 2] if len(rows) else ranks.offsets[:1]
    values, place = ranks.values[offsets[0] : offsets[-1]], place[offsets[0] : offsets[-1]]
    offsets = offsets - offsets[0]
    following = np.repeat(offsets[1:], np.diff(offsets)) - np.arange(len(values)) - 1
    bounds = offsets_of(following)
    first = np.repeat(np.arange(len(values)), following)
    second = first + 1 + np.arange(len(first)) - np.repeat(bounds[:-1], following)
    bigrams = Ragged((values[first] << _RANK_BITS) | values[second], bounds[offsets])
    return bigrams.where(place[second] - place[first] <= GAP + 1), bigrams


def weighted_subsequence(a: Ragged, b: Ragged, weight: np.ndarray) -> np.ndarray:
    """Return the weight of the weighted longest common subsequence of rows of `a` and `b`, shape (n,)."""
    total = a.lengths + b.lengths
    order = np.argsort(total, kind="stable")
    weights = np.zeros(len(total))
    step = np.diff(weight, prepend=0.0)
    for start in range(0, len(order), _ROWS_AT_A_TIME):
        rows = order[start : start + _ROWS_AT_A_TIME]
        x, y = _columns(a.take(rows), -1), _columns(b.take(rows), -2)
        size_a, sums = a.lengths[rows], total[rows]
        ends = np.searchsorted(sums, np.arange(len(x) + len(y) + 2))
        # Cell (i, j) is in row i of the diagonal i + j; a diagonal needs the two before it.
        values = [np.zeros((len(x) + 1, len(rows))) for _ in range(3)]
        runs = [np.zeros((len(x) + 1, len(rows)), dtype=np.int64) for _ in range(3)]
        for diagonal in range(2, len(x) + len(y) + 1):
            low, high = max(1, diagonal - len(y)), min(len(x), diagonal - 1)
            (here, before, corner), run = (values[(diagonal - k) % 3] for k in range(3)), runs[diagonal % 3]
            same = x[low - 1 : high] == y[diagonal - high - 1 : diagonal - low][::-1]
            longer = (runs[(diagonal - 2) % 3][low - 1 : high] + 1) * same
            run[low : high + 1] = longer
            extended = corner[low - 1 : high] + step[longer]
            here[low : high + 1] = np.where(same, extended, np.maximum(before[low - 1 : high], before[low : high + 1]))
            done = np.arange(ends[diagonal], ends[diagonal + 1])
            weights[rows[done]] = here[size_a[done], done]
    return weights


def _columns(rows: Ragged, padding: int) -> np.ndarray:
    # One row a column, shape (length of the longest, n), filled up with `padding`.
    table = np.full((int(rows.lengths.max(initial=0)), len(rows.offsets) - 1), padding, dtype=np.int64)
    where = rows.rows
    table[np.arange(len(where)) - rows.offsets[where], where] = rows.values
    return table
