"""F1 overlap of the n-grams of any field of two sentences: plain, without stop words, weighted, and of characters.

Shared by the families on words and stems and on lemmas (Tian et al., 2017).
"""

from itertools import chain, compress

import numpy as np

from ..arrays.item_counts import ITEM_BITS, meet
from ..arrays.ragged import Ragged, Shared, f1, mix, ngrams, offsets_of, ratio, share, windows
from ..sentences import PairBatch
from ..resources.idf_weights import idf_weights
from ..resources.term_frequencies import Idf
from ..strings.character_ngrams import Strings, matched_counts
from ..token_sequences import Field, emptied, item_hashes, stop_mask, vocabulary

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
    """Return the filtered texts of both sides, and the whole ones of the pairs where `empty` is true.

    Parameters
    ----------
    whole, filtered
        Texts of every distinct sentence.
    empty
        Shape (n,): the pairs of which filtering would empty a side.
    """
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
