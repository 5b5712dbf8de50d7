"""Word mover's distance: cost of moving the words of one sentence to those of the other (Kusner et al., 2015).

The weight of a content word is its idf, and the distance of two words is one minus their cosine.
"""

from typing import NamedTuple

import numpy as np

from ..arrays.ragged import mix, ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import vocabulary
from ..lexicon.word_vectors import shipped_vectors
from ..statistics.counts import Idf, idf_weights
from ..word_similarity.word_cosines import CosinePart, WordGrid, cosines, word_grid

SMOOTHING = 0.05
"""Weight of the entropy of the plan, in units of distance (Cuturi, 2013)."""

ROUNDS = 30
"""Number of times that the plan is scaled to the weights of either side."""

MOST_WAYS = 4_096
"""Greatest number of ways between content words, about 64 by 64; beyond it a pair gets the greater relaxed distance."""

_SETTLED = 1e-12  # share of the weight that may stay unmoved


class _Ways(NamedTuple):
    # Ways between words, by the word where they start. A node is a word of one side of one pair: those of the first
    # sides of the grid come first, then those of the second sides.
    start: np.ndarray
    end: np.ndarray
    cost: np.ndarray
    first: np.ndarray  # first way from each node
    nodes: np.ndarray  # nodes where ways start


def _by_start(start: np.ndarray, end: np.ndarray, cost: np.ndarray) -> _Ways:
    first = np.flatnonzero(np.diff(start, prepend=-1))
    return _Ways(start, end, cost, first, start[first])


def _shares(pairs: PairBatch, idf: Idf) -> np.ndarray:
    # Share of each node of the idf of the content words of its sentence.
    def compute() -> np.ndarray:
        weight = idf_weights(pairs, "words", idf)
        shares = []
        for side in word_grid(pairs).sides:
            weights = weight[side.words.values] * side.times * side.content
            shares.append(weights / np.repeat(side.sums(weights), side.words.lengths))
        return np.concatenate(shares)

    return pairs.memo(("shares of words", idf.digest), compute)


def _turned(pairs: PairBatch) -> np.ndarray:
    # Mask of the pairs whose second sentence comes first, by a hash of its words and their counts. It makes the
    # distances of a pair and of the swapped pair equal to the last bit.
    hashes = vocabulary(pairs, "words").hashes
    bags = []
    for side in word_grid(pairs).sides:
        values = mix(hashes[side.words.values] + mix(side.times.astype(np.uint64)))
        total = np.concatenate([np.zeros(1, dtype=np.uint64), np.cumsum(values, dtype=np.uint64)])
        bags.append(total[side.words.offsets[1:]] - total[side.words.offsets[:-1]])
    return bags[1] < bags[0]


def _out_and_back(pairs: PairBatch, grid: WordGrid, part: CosinePart) -> tuple[_Ways, _Ways]:
    cells = part.cells
    i, j = cells.i, cells.j + len(grid.a.words.values)
    cost = 1.0 - np.maximum(part.values.astype(np.float64), 0.0)
    content = grid.a.content[cells.i] & grid.b.content[cells.j]
    turned = np.repeat(_turned(pairs)[part.start : part.stop], grid.sizes[part.start : part.stop])
    sides = []
    for from_b in (turned, ~turned):
        order = np.where(from_b, cells.turned, np.arange(len(i)))
        kept = content[order]
        order, from_b = order[kept], from_b[kept]
        x, y = i[order], j[order]
        sides.append(_by_start(np.where(from_b, y, x), np.where(from_b, x, y), cost[order]))
    return sides[0], sides[1]


def _relaxed(ways: _Ways, share: np.ndarray, row: np.ndarray, n: int) -> np.ndarray:
    # Cost of a plan that moves every word to the nearest.
    if not len(ways.first):
        return np.zeros(n)
    nearest = np.minimum.reduceat(ways.cost, ways.first)
    return np.bincount(row[ways.nodes], weights=share[ways.nodes] * nearest, minlength=n)


def _moved(out: _Ways, back: _Ways, share: np.ndarray, row: np.ndarray, n: int) -> np.ndarray:
    # Cost of a plan that moves the weight of one side to the other: scaled to both in turn (Cuturi, 2013), then
    # adjusted to fit them exactly (Altschuler et al., 2017).
    if not len(out.first):
        return np.zeros(n)
    kernel_out, kernel_back = np.exp(out.cost / -SMOOTHING), np.exp(back.cost / -SMOOTHING)
    scale = np.ones(len(share))
    share_out, share_back = share[out.nodes], share[back.nodes]
    for _ in range(ROUNDS):
        scale[out.nodes] = share_out / np.add.reduceat(kernel_out * scale[out.end], out.first)
        scale[back.nodes] = share_back / np.add.reduceat(kernel_back * scale[back.end], back.first)
    kernel_out *= scale[out.start] * scale[out.end]
    kernel_back *= scale[back.start] * scale[back.end]
    cut = np.ones(len(share))
    cut[out.nodes] = np.minimum(share_out / np.add.reduceat(kernel_out, out.first), 1.0)
    cut[back.nodes] = np.minimum(share_back / np.add.reduceat(kernel_back * cut[back.end], back.first), 1.0)
    kernel_out *= cut[out.start] * cut[out.end]
    kernel_back *= cut[back.start] * cut[back.end]
    rest = np.zeros(len(share))
    rest[out.nodes] = np.maximum(share_out - np.add.reduceat(kernel_out, out.first), 0.0)
    rest[back.nodes] = np.maximum(share_back - np.add.reduceat(kernel_back, back.first), 0.0)
    left = np.bincount(row[out.nodes], weights=rest[out.nodes], minlength=n)
    of_way = row[out.start]
    moved = np.bincount(of_way, weights=kernel_out * out.cost, minlength=n)
    late = np.bincount(of_way, weights=rest[out.start] * rest[out.end] * out.cost, minlength=n)
    return moved + np.where(left > _SETTLED, ratio(late, left), 0.0)


@feature("mover", "relaxed_min", "relaxed_max", needs=("idf", "distilled"), source="Kusner et al. 2015", section="EMB6")
def distilled(pairs: PairBatch, idf: Idf) -> np.ndarray:
    """Word mover's distance and its relaxed bounds, in which every word moves to the nearest; distilled vectors.

    The distance is the least cost of a plan that moves the idf of all content words; 1 if a sentence has no word. The
    plan comes from `ROUNDS` rounds of Sinkhorn's algorithm, with the weight `SMOOTHING` of its entropy. On STS
    Benchmark train its cost exceeds the least one by 0.007 in the mean; a linear program takes some milliseconds for
    each pair.
    """
    grid, share, n = word_grid(pairs), _shares(pairs, idf), len(pairs)
    row = np.concatenate([side.words.rows for side in grid.sides])
    distances = np.ones((n, 3))
    for part in cosines(pairs, shipped_vectors("distilled")):
        out, back = _out_and_back(pairs, grid, part)
        size = np.bincount(row[out.start], minlength=n)
        there, again = (_relaxed(ways, share, row, n) for ways in (out, back))
        few = size <= MOST_WAYS
        if not few.all():
            out, back = (
                _by_start(*(column[few[row[ways.start]]] for column in (ways.start, ways.end, ways.cost)))
                for ways in (out, back)
            )
        moved = np.where(few, _moved(out, back, share, row, n), np.maximum(there, again))
        part_distances = np.stack([moved, np.minimum(there, again), np.maximum(there, again)], axis=1)
        distances[size > 0] = part_distances[size > 0]
    return np.clip(distances, 0.0, 1.0)
