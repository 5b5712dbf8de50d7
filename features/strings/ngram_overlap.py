"""Overlap of the n-grams and tokens of pairs: their places, bags, unions and F1 scores."""

from itertools import chain, compress
from typing import NamedTuple

import numpy as np

from ..arrays.joins import ITEM_BITS, ItemCounts, meet
from ..arrays.ragged import Ragged, Shared, f1, mix, ngrams, offsets_of, ratio, share, stack, windows
from ..arrays.sparse_kernels import k11_sparse
from ..base.sentences import PairBatch
from ..base.token_sequences import Field, Sides, emptied, item_hashes, item_ids, stop_mask, vocabulary
from ..statistics.counts import Idf, idf_weights
from .character_ngrams import Strings, matched_counts

WORD_ORDERS = (1, 2, 3)
CHARACTER_ORDERS = (2, 3, 4, 5)


def shared_ngrams(pairs: PairBatch, field: Field, stops: str | None, n: int) -> Shared:
    """Return the shared n-grams of both sides of a field, the stop words removed first."""

    def compute() -> Shared:
        a, b = item_hashes(pairs, field, stops)
        return share(ngrams(a, n), ngrams(b, n))

    return pairs.memo(("n-grams shared", field, stops, n), compute)


def ngram_f1s(pairs: PairBatch, field: Field, stops: str) -> list[np.ndarray]:
    """Return the F1 of the n-grams of a field, each of shape (n,), for every order in `WORD_ORDERS`."""
    return [f1(shared_ngrams(pairs, field, stops, n)) for n in WORD_ORDERS]


def _without_stops(items: Ragged, stops: np.ndarray, n: int) -> Ragged:
    # Hashes of the n-grams with their stop words struck out; those of stop words alone are left out.
    size = max(len(items.values) - n + 1, 0)
    hashes, kept = np.zeros(size, dtype=np.uint64), np.zeros(size, dtype=bool)
    for k in range(n):
        stop = stops[k : k + size]
        hashes = np.where(stop, hashes, mix(hashes + items.values[k : k + size] + np.uint64(1)))
        kept |= ~stop
    lengths = np.maximum(items.lengths - (n - 1), 0)
    offsets = offsets_of(lengths)
    places = np.arange(offsets[-1]) + np.repeat(items.offsets[:-1] - offsets[:-1], lengths)
    return Ragged(hashes[places], offsets).where(kept[places])


def filtered_f1(pairs: PairBatch, field: Field, n: int) -> np.ndarray:
    """Return the F1, shape (n,), of n-grams that are built first and lose the stop words of ECNU after."""
    listed = vocabulary(pairs, field)
    items = Ragged(listed.hashes[listed.ids.values], listed.ids.offsets)
    grams = _without_stops(items, stop_mask(pairs, "ecnu"), n)
    return f1(share(grams.take(pairs.left), grams.take(pairs.right)))


def _weighted(pairs: PairBatch, field: Field, n: int, weights: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    # F1 with every n-gram counting the sum of its items' weights, for several weightings of one count.
    listed = vocabulary(pairs, field)
    grams = ngrams(Ragged(listed.hashes[listed.ids.values], listed.ids.offsets), n)
    sums = np.stack([windows(Ragged(weight[listed.ids.values], listed.ids.offsets), n).values for weight in weights])
    places = Ragged(np.arange(len(grams.values)), grams.offsets)
    left, right = places.take(pairs.left), places.take(pairs.right)
    items = grams.values >> np.uint64(64 - ITEM_BITS)
    met = meet(Ragged(items[left.values], left.offsets), Ragged(items[right.values], right.offsets), locate=True)
    sums = sums[:, np.concatenate([left.values, right.values])[met.place]]
    matched, total = np.minimum(met.count_a, met.count_b), met.count_a + met.count_b
    empty = (left.lengths == 0) | (right.lengths == 0)
    return [
        np.where(empty, 1.0, ratio(2 * met.total(matched * w, len(pairs)), met.total(total * w, len(pairs))))
        for w in sums
    ]


def idf_f1s(pairs: PairBatch, field: Field, idf: Idf) -> list[np.ndarray]:
    """Return the F1 of n-grams with stop words, weighted by the sum of the idf of their items, each of shape (n,).

    For each order in `WORD_ORDERS` with the idf of ECNU and then with the smooth idf.
    """
    weights = (idf_weights(pairs, field, idf, "ecnu"), idf_weights(pairs, field, idf))
    # Sums that are equal in exact arithmetic may differ in the last bit.
    return [np.minimum(values, 1.0) for n in WORD_ORDERS for values in _weighted(pairs, field, n, weights)]


def fallen_back(pairs: PairBatch, whole: list[str], filtered: list[str], empty: np.ndarray) -> Strings:
    """Return the filtered texts of both sides, and the whole ones of the pairs where `empty` is true."""
    shift = np.where(empty, 0, len(whole))
    return Strings(whole + filtered, pairs.left + shift, pairs.right + shift)


def character_f1s(pairs: PairBatch, field: Field) -> list[np.ndarray]:
    """Return the F1 of the character n-grams of ``^item#item#item$``, each of shape (n,).

    For each order in `CHARACTER_ORDERS`, first with the stop words of ECNU and then without them.
    """
    rows = [getattr(sentence, field) for sentence in pairs.sentences]
    whole = [f"^{'#'.join(row)}$" for row in rows]
    ends = vocabulary(pairs, field).ids.where(~stop_mask(pairs, "ecnu")).offsets.tolist()
    items = list(compress(chain.from_iterable(rows), ~stop_mask(pairs, "ecnu")))
    kept = [f"^{'#'.join(items[start:end])}$" for start, end in zip(ends[:-1], ends[1:], strict=True)]
    columns = []
    for strings in (
        Strings(whole, pairs.left, pairs.right),
        fallen_back(pairs, whole, kept, emptied(pairs, "ecnu")),
    ):
        a, b = strings.lengths
        for n, numbers, _ in strings.numbered(CHARACTER_ORDERS, 1 << ITEM_BITS):
            matched = matched_counts(strings.keys(numbers, strings.remaining[: len(numbers)] >= n), len(pairs))
            sizes = np.maximum(a - n + 1, 0), np.maximum(b - n + 1, 0)
            empty = (sizes[0] == 0) | (sizes[1] == 0)
            columns.append(np.where(empty, 1.0, ratio(2 * matched, sizes[0] + sizes[1])))
    return columns


class Union(NamedTuple):
    """Distinct items of either side of n pairs, pair by pair, in an order that depends on the items alone."""

    row: np.ndarray  # pair of each entry
    item: np.ndarray  # index in ``vocabulary(pairs, field).items``
    in_a: np.ndarray  # whether the side has the item, as `in_b`
    in_b: np.ndarray
    n: int

    def total(self, mask: np.ndarray, weight: np.ndarray) -> np.ndarray:
        """Return the sum of `weight` over the entries of each pair where `mask` is true, shape (n,)."""
        return np.bincount(self.row[mask], weights=weight[mask], minlength=self.n)


def union(pairs: PairBatch, field: Field, stops: str | None = None) -> Union:
    """Return the union of both sides of every pair; `stops` as in `item_ids`."""

    def compute() -> Union:
        order = np.argsort(vocabulary(pairs, field).hashes, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        a, b = item_ids(pairs, field, stops)
        met = meet(Ragged(rank[a.values], a.offsets), Ragged(rank[b.values], b.offsets))
        return Union(met.row, order[met.item], met.count_a > 0, met.count_b > 0, len(pairs))

    return pairs.memo(("union", field, stops), compute)


def places(pairs: PairBatch, stops: str | None = None) -> Sides:
    """Return both sides of every pair as indices into the tokens of all distinct sentences of the batch.

    Parameters
    ----------
    pairs
        The batch.
    stops
        Omit the words of this stop list unless that empties a side, as `item_ids` does.
    """

    def compute() -> Sides:
        offsets = vocabulary(pairs, "words").ids.offsets
        tokens = Ragged(np.arange(offsets[-1]), offsets)
        if stops is None:
            return Sides(tokens.take(pairs.left), tokens.take(pairs.right))
        both = stack(tokens, tokens.where(~stop_mask(pairs, stops)))
        shift = np.where(emptied(pairs, stops), 0, len(pairs.sentences))
        return Sides(both.take(pairs.left + shift), both.take(pairs.right + shift))

    return pairs.memo(("places", stops), compute)


def ranking(hashes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the order of the hashes and the rank of each.

    Ranks depend on the batch, but the order of any two hashes does not: sums in that order are equal in every batch.
    """
    order = np.argsort(hashes, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return order, rank


def _met(pairs: PairBatch, field: Field, stops: str | None) -> tuple[ItemCounts, np.ndarray]:
    # The items of both sides by the rank of their hash, and the vocabulary in that order.
    def compute() -> tuple[ItemCounts, np.ndarray]:
        order, rank = ranking(vocabulary(pairs, field).hashes)
        a, b = item_ids(pairs, field, stops)
        return meet(Ragged(rank[a.values], a.offsets), Ragged(rank[b.values], b.offsets)), order

    return pairs.memo(("items met", field, stops), compute)


def unit_kernels(row: np.ndarray, u: np.ndarray, v: np.ndarray, d: np.ndarray) -> np.ndarray:
    """Return `k11_sparse` of the vectors divided by their lengths, shape (n, 11)."""
    lengths = [np.sqrt(np.bincount(row, weights=x * x, minlength=len(d))) for x in (u, v)]
    return k11_sparse(row, ratio(u, lengths[0][row]), ratio(v, lengths[1][row]), d)


def idf_kernels(pairs: PairBatch, field: Field, idf: Idf, stops: str | None) -> np.ndarray:
    """Return the block `K11` of the unit vectors of a field, each occurrence with its idf by ECNU, shape (n, 11).

    The dimension is the size of the idf table plus the number of distinct items of the pair outside it, so that it does
    not depend on the other pairs.
    """
    met, order = _met(pairs, field, stops)
    weight = idf_weights(pairs, field, idf, "ecnu")[order][met.item]
    # Half way between the weight of an item seen in no sentence and in one.
    unseen = idf_weights(pairs, field, idf)[order] > np.log((idf.sentences + 1) / 1.5) + 1
    dimension = idf.size(field) + np.bincount(met.row[unseen[met.item]], minlength=len(pairs))
    used = weight > 0
    row, weight = met.row[used], weight[used]
    return unit_kernels(row, met.count_a[used] * weight, met.count_b[used] * weight, dimension)


def smooth_cosine(pairs: PairBatch, field: Field, idf: Idf, stops: str | None) -> np.ndarray:
    """Return the cosine of the vectors of a field weighted by the smooth idf, shape (n,)."""
    met, order = _met(pairs, field, stops)
    weight = idf_weights(pairs, field, idf)[order][met.item]
    u, v = met.count_a * weight, met.count_b * weight
    dot, left, right = (met.total(x, len(pairs)) for x in (u * v, u * u, v * v))
    return np.minimum(ratio(dot, np.sqrt(left * right)), 1.0)
