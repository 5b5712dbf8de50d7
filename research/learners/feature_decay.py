"""Weights of training pairs by their relevance to the pairs to be scored (Biçici and Yuret, 2011 and 2015).

Referential translation machines choose their training pairs in this way (Bicici, 2017).
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heapreplace
from typing import NamedTuple

import numpy as np

from ...features.arrays import ragged
from ...features.arrays.ragged import offsets_of
from ...features.base.sentences import PairBatch
from ...features.base.token_sequences import item_hashes


def feature_decay_weights(
    train: PairBatch, target: PairBatch, *, ngrams: Sequence[int] = (1, 2), decay: float = 0.5, share: float = 0.5
) -> np.ndarray:
    """Return the weight of each training pair by feature-decay selection towards unlabelled pairs."""
    orders = sorted(set(ngrams))
    if not orders or orders[0] < 1:
        raise ValueError(f"ngrams must be lengths of 1 or more, got {tuple(ngrams)}; the default is (1, 2)")
    for name, value in (("decay", decay), ("share", share)):
        if not 0 < value <= 1:
            raise ValueError(f"{name} must be above 0 and at most 1, got {value}; the default is 0.5")
    counts = _counts(train, target, orders)
    worth = _select(counts, decay, max(1, round(share * len(train))))
    if not worth.any():
        raise ValueError("no n-gram of the target pairs occurs in the training pairs; train on pairs of their kind")
    return worth / worth[worth > 0].mean()


class _Counts(NamedTuple):
    """Counts of k features in n texts: sparse rows, the lengths of the texts, and the weights of the features."""

    features: np.ndarray
    counts: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    worth: np.ndarray


def _hashes(pairs: PairBatch, order: int) -> tuple[np.ndarray, np.ndarray]:
    sides = [ragged.ngrams(side, order) for side in item_hashes(pairs, "words")]
    return np.concatenate([side.values for side in sides]), np.concatenate([side.rows for side in sides])


def _counts(train: PairBatch, target: PairBatch, orders: list[int]) -> _Counts:
    a, b = item_hashes(train, "words")
    lengths = a.lengths + b.lengths
    entries, worth = [], [np.empty(0)]
    for order in orders:
        target_hashes = np.unique(_hashes(target, order)[0])
        hashes, rows = _hashes(train, order)
        in_target = np.isin(hashes, target_hashes)
        features = np.searchsorted(target_hashes, hashes[in_target])
        often = np.bincount(features, minlength=len(target_hashes))
        entries.append(np.stack([rows[in_target], features + sum(map(len, worth))]))
        worth.append(order * np.log(max(lengths.sum(), 1) / np.maximum(often, 1)))
    # In the order of rows and features, so that neither the sides of a pair nor those of the target matter.
    (rows, features), counts = np.unique(np.concatenate(entries, axis=1), axis=1, return_counts=True)
    offsets = offsets_of(np.bincount(rows, minlength=len(train)))
    return _Counts(features, counts.astype(np.float64), offsets, lengths, np.concatenate(worth))


def _select(texts: _Counts, decay: float, most: int) -> np.ndarray:
    """Select `most` texts; return the value of each when it was selected, shape (n,), 0 for the others."""
    worth, ends = texts.worth.copy(), texts.offsets.tolist()
    features = np.split(texts.features, ends[1:-1])
    counts = np.split(texts.counts / np.repeat(texts.lengths, np.diff(texts.offsets)), ends[1:-1])
    kept = np.split(decay**texts.counts, ends[1:-1])

    def score(text: int) -> float:
        return float(counts[text] @ worth[features[text]])

    taken = np.zeros(len(features))
    queue = [(-score(text), text) for text in range(len(features)) if len(features[text])]
    heapify(queue)
    while queue and most > 0:
        # The queue holds earlier values. Values never grow, so a text that stays first with its current value is best.
        text = queue[0][1]
        now = (-score(text), text)
        heapreplace(queue, now)
        if queue[0] is now:
            heappop(queue)
            taken[text] = -now[0]
            worth[features[text]] *= kept[text]
            most -= 1
    return taken
