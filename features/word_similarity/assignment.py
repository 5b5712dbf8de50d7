"""One-to-one assignment of the words of two sentences: greedy, or with the greatest sum."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ..arrays.ragged import Ragged, offsets_of, ratio
from ..base.sentences import PairBatch
from ..base.token_sequences import token_ids, vocabulary
from .lexical_similarity import Links, Measure, best, one_to_one, similarities
from .word_grids import Grid

MOST_TOKENS = 64
"""Greatest number of tokens of the shorter side for which the best assignment is computed; others stay greedy."""


def greedy_matching(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the edges that are taken in order if both ends are free, shape (n,), bool."""
    taken = np.zeros(len(left), dtype=bool)
    if not len(left):
        return taken
    used = [np.zeros(int(side.max()) + 1, dtype=bool) for side in (left, right)]
    first = [np.empty(len(side), dtype=np.int64) for side in used]
    open_edges = np.arange(len(left))
    # An edge that is the first remaining one at both of its ends is always taken.
    while len(open_edges):
        ends = left[open_edges], right[open_edges]
        place = np.arange(len(open_edges))
        ahead = np.ones(len(open_edges), dtype=bool)
        for node, earliest in zip(ends, first, strict=True):
            earliest[node[::-1]] = place[::-1]
            ahead &= earliest[node] == place
        taken[open_edges[ahead]] = True
        for node, gone in zip(ends, used, strict=True):
            gone[node[ahead]] = True
        open_edges = open_edges[~(used[0][ends[0]] | used[1][ends[1]])]
    return taken


def greatest_assignment(values: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row in the assignment with the greatest sum of values (Kuhn, 1955)."""
    rows, columns = len(values), len(values[0]) if values else 0
    row_price, price = [0.0] * (rows + 1), [0.0] * (columns + 1)
    row_of = [0] * (columns + 1)
    for row in range(1, rows + 1):
        row_of[0] = row
        column = 0
        least, before, seen = [np.inf] * (columns + 1), [0] * (columns + 1), [False] * (columns + 1)
        while row_of[column]:
            seen[column] = True
            current, step, nearest = row_of[column], np.inf, 0
            row_values, paid = values[current - 1], row_price[current]
            for k in range(1, columns + 1):
                if not seen[k]:
                    cost = -row_values[k - 1] - paid - price[k]
                    if cost < least[k]:
                        least[k], before[k] = cost, column
                    if least[k] < step:
                        step, nearest = least[k], k
            for k in range(columns + 1):
                if seen[k]:
                    row_price[row_of[k]] += step
                    price[k] -= step
                else:
                    least[k] -= step
            column = nearest
        while column:
            row_of[column] = row_of[before[column]]
            column = before[column]
    assigned = [-1] * rows
    for column in range(1, columns + 1):
        if row_of[column]:
            assigned[row_of[column] - 1] = column - 1
    return assigned


class Matched(NamedTuple):
    """One-to-one links of the words of every pair, flat."""

    row: np.ndarray  # row of the pair
    a: np.ndarray  # place in the values of ``grid.a``
    b: np.ndarray  # place in the values of ``grid.b``
    value: np.ndarray  # similarity of the two words


def greedy_links(pairs: PairBatch, grid: Grid, measure: Measure, threshold: float) -> Matched:
    """Return the links of `lexical_similarity.one_to_one` by the places of their words in the grid."""
    links = one_to_one(pairs, grid, measure, threshold)
    a, b = (
        place[ids.offsets[links.row] + places]
        for place, ids, places in zip((grid.place_a, grid.place_b), token_ids(pairs), (links.i, links.j), strict=True)
    )
    return Matched(links.row, a, b, links.value)


def optimal_links(pairs: PairBatch, grid: Grid, measure: Measure, threshold: float) -> Matched:
    """Link the words of a grid of one group one to one so that the sum of their similarities is greatest."""

    def compute() -> Matched:
        greedy = greedy_links(pairs, grid, measure, threshold)
        fit = candidates(pairs, grid, measure, threshold)
        options_a = np.bincount(fit.a, minlength=len(grid.a.values))
        options_b = np.bincount(fit.b, minlength=len(grid.b.values))
        doubtful = np.zeros(len(grid), dtype=bool)
        doubtful[greedy.row[(options_a[greedy.a] > 1) & (options_b[greedy.b] > 1)]] = True
        doubtful &= np.minimum(*grid.sizes) <= MOST_TOKENS
        kept = Matched(*(column[~doubtful[greedy.row]] for column in greedy))
        ends = np.searchsorted(fit.row, np.arange(len(grid) + 1)).tolist()
        solved = [
            _solve(grid, Matched(*(column[ends[row] : ends[row + 1]] for column in fit)))
            for row in np.flatnonzero(doubtful).tolist()
        ]
        return Matched(*(np.concatenate(column) for column in zip(kept, *solved, strict=True)))

    return pairs.memo(("greatest one to one", grid.name, measure, threshold), compute)


def candidates(pairs: PairBatch, grid: Grid, measure: Measure, threshold: float) -> Matched:
    """Return all cells of a grid whose words have at least a similarity of `threshold`, row by row."""
    parts = []
    for cells, values in similarities(pairs, grid, measure):
        fit = np.flatnonzero(values >= threshold)
        parts.append((cells.row[fit], cells.i[fit], cells.j[fit], values[fit]))
    return Matched(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _solve(grid: Grid, fit: Matched) -> Matched:
    # Solve the candidates of one pair. A repeated word has a row or a column for each occurrence.
    nodes, terms, copies = [], [], []
    for ends, side, count in ((fit.a, grid.a, grid.count_a), (fit.b, grid.b, grid.count_b)):
        used = np.unique(ends)
        nodes.append(np.repeat(used, count[used].astype(np.int64)))
        terms.append(side.values[nodes[-1]].tolist())
        copies.append({node: np.flatnonzero(nodes[-1] == node).tolist() for node in used.tolist()})
    # The shorter side comes first, then the one with the earlier words: the order decides between several best sets of
    # links.
    turned = (len(terms[1]), terms[1]) < (len(terms[0]), terms[0])
    values = np.zeros((len(nodes[0]), len(nodes[1])))
    for a, b, value in zip(fit.a.tolist(), fit.b.tolist(), fit.value.tolist(), strict=True):
        values[np.ix_(copies[0][a], copies[1][b])] = value
    values = values.T if turned else values
    assigned = np.asarray(greatest_assignment(values.tolist()))
    rows = np.arange(len(assigned))
    kept = values[rows, assigned] > 0
    rows, assigned = rows[kept], assigned[kept]
    i, j = (assigned, rows) if turned else (rows, assigned)
    return Matched(np.full(len(rows), fit.row[0]), nodes[0][i], nodes[1][j], values[rows, assigned])


LEAST = 0.01
"""Least similarity of words that `claimed` aligns."""


def claimed(pairs: PairBatch, grid: Grid, measure: Measure) -> np.ndarray:
    """Return a score of the alignment of the words of each row of a grid, in [0, 1] (Al-Natsheh et al., 2017)."""
    best_a, best_b = best(pairs, grid, measure)
    partner_a, partner_b = (np.full(len(top), -1) for top in (best_a, best_b))
    for cells, values in similarities(pairs, grid, measure):
        # Cells are in order of their places: written backwards, the first of equal partners is written last.
        for top, first, second, partner in (
            (best_a, cells.i, cells.j, partner_a),
            (best_b, cells.j, cells.i, partner_b),
        ):
            chosen = np.flatnonzero((values == top[first]) & (values >= LEAST))[::-1]
            partner[first[chosen]] = second[chosen]
    there, back = _mean_claim(best_a, partner_a, grid.b), _mean_claim(best_b, partner_b, grid.a)
    size_a, size_b = grid.sizes
    return np.select([size_a < size_b, size_a > size_b], [there, back], (there + back) / 2)


def _mean_claim(top: np.ndarray, partner: np.ndarray, other: Ragged) -> np.ndarray:
    claim = np.zeros(len(other.values))
    claims = partner >= 0
    np.maximum.at(claim, partner[claims], top[claims])
    stays = Ragged((claim > 0) * 1.0, other.offsets)
    return ratio(Ragged(claim, other.offsets).sums(), stays.sums())


BY_PRODUCTS = (
    "links", "share", "near", "mean", "least", "deviation", "unaligned_min", "unaligned_max", "best_min", "best_max",
    "lowest", "quartile", "median", "best_deviation", "crossing", "drift",
)  # fmt: skip
"""The columns of `by_products`."""


def by_products(pairs: PairBatch, grid: Grid, measure: Measure, threshold: float) -> np.ndarray:
    """Return sixteen facts about the greedy links of a grid of one group, shape (n, 16), at least 0.

    Number of links; share of the words linked; sum of the similarity of the links over the mean number of words, near
    ones counting more; its mean, least and standard deviation; words without a link in either sentence; mean best
    similarity of either sentence; least, lower quartile, median and deviation of the best similarity of all words;
    share of the neighbouring links that cross; mean distance between linked words, their places as shares of the
    sentences.

    Parameters
    ----------
    pairs, grid, measure, threshold
        As in `lexical_similarity.one_to_one`.
    """
    links, n = one_to_one(pairs, grid, measure, threshold), len(pairs)
    size_a, size_b = grid.sizes
    lengths = vocabulary(pairs, "words").ids.lengths.astype(np.float64)
    apart = np.abs((links.i + 0.5) / lengths[pairs.left][links.row] - (links.j + 0.5) / lengths[pairs.right][links.row])
    count = np.bincount(links.row, minlength=n).astype(np.float64)

    def total(values: np.ndarray) -> np.ndarray:
        return np.bincount(links.row, weights=values, minlength=n)

    mean = ratio(total(links.value), count)
    least = np.ones(n)
    np.minimum.at(least, links.row, links.value)
    return np.column_stack(
        [
            count,
            ratio(2 * count, size_a + size_b),
            ratio(2 * total(links.value * (1 - apart)), size_a + size_b),
            mean,
            np.where(count > 0, least, 0.0),
            np.sqrt(ratio(total((links.value - mean[links.row]) ** 2), count)),
            np.minimum(size_a, size_b) - count,
            np.maximum(size_a, size_b) - count,
            _best_of_words(pairs, grid, measure),
            _crossing(links, count),
            ratio(total(apart), count),
        ]
    )


def _best_of_words(pairs: PairBatch, grid: Grid, measure: Measure) -> np.ndarray:
    # Smaller and greater mean of either sentence; least, lower quartile, median and deviation of both together.
    bests = best(pairs, grid, measure)
    sums = grid.sums(*(top * count for top, (_, count) in zip(bests, grid.counted, strict=True)))
    means = [ratio(top, size) for top, size in zip(sums, grid.sizes, strict=True)]
    times = [count.astype(np.int64) for _, count in grid.counted]
    rows = np.concatenate([np.repeat(side.rows, count) for (side, _), count in zip(grid.counted, times, strict=True)])
    values = np.concatenate([np.repeat(top, count) for top, count in zip(bests, times, strict=True)])
    values = values[np.lexsort((values, rows))]
    size = np.bincount(rows, minlength=len(pairs))
    ordered = Ragged(values, offsets_of(size))
    padded = np.append(values, 0.0)
    columns = [padded[ordered.offsets[:-1] + (np.maximum(size - 1, 0) * part) // 4] for part in (0, 1, 2)]
    middle = ratio(ordered.sums(), size)
    spread = np.sqrt(ratio(Ragged((values - middle[ordered.rows]) ** 2, ordered.offsets).sums(), size))
    columns = [np.where(size > 0, column, 0.0) for column in columns]
    return np.column_stack([np.minimum(*means), np.maximum(*means), *columns, spread])


def _crossing(links: Links, count: np.ndarray) -> np.ndarray:
    # Mean of the walks by the places in one sentence and in the other.
    crossing = np.zeros(len(count))
    for first, second in ((links.i, links.j), (links.j, links.i)):
        walk = np.lexsort((first, links.row))
        back = (np.diff(second[walk]) < 0) & (np.diff(links.row[walk]) == 0)
        crossing += np.bincount(links.row[walk][1:][back], minlength=len(count))
    return ratio(crossing / 2, np.maximum(count - 1, 0))
