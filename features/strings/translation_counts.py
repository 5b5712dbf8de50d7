"""Measures of machine translation between one field of two sentences: n-grams, runs and edits.

Shared by the families on stems and on lemmas. One sentence is the hypothesis and the other the reference;
`both_ways` returns the lesser and the greater value of the two directions. Two empty sentences are a perfect
translation (NIST, which has no greatest value, is 0). Against one empty sentence the similarities are 0, and the error
rates divide by 1 instead of by 0.
"""

from itertools import chain
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from ..arrays.block_shifts import edits_with_shifts
from ..arrays.ragged import ngrams, ratio, stack
from ..base.sentences import PairBatch
from ..base.token_sequences import Field, encoded, item_hashes, item_ids
from ..statistics.counts import NgramCounts
from .string_tiling import tiles

_ROWS_AT_A_TIME = 1 << 16

BLEU_ORDER, NIST_ORDER = 4, 5

# NIST's penalty halves the score of a hypothesis of two thirds of the reference's length (Doddington, 2002).
NIST_BETA = np.log(0.5) / np.log(1.5) ** 2


class Matches(NamedTuple):
    """The n-grams of one order that the two sides of each pair share."""

    rows: np.ndarray  # pair of each distinct n-gram
    counts: np.ndarray  # the smaller of its two counts
    hashes: np.ndarray
    prefixes: np.ndarray  # hash of its first n - 1 items

    def totals(self, n: int) -> np.ndarray:
        """Multiset intersection of each pair, shape (n,)."""
        return np.bincount(self.rows, weights=self.counts, minlength=n)


def matches(pairs: PairBatch, field: Field) -> list[Matches]:
    """Return the shared n-grams of a field for n = 1..5; an order is searched only where the one before has matches."""

    def compute() -> list[Matches]:
        n = len(pairs)
        if n > _ROWS_AT_A_TIME:
            starts = range(0, n, _ROWS_AT_A_TIME)
            parts = [matches(pairs[start : start + _ROWS_AT_A_TIME], field) for start in starts]
            shifted = [
                [m._replace(rows=m.rows + start) for m in part] for start, part in zip(starts, parts, strict=True)
            ]
            return [Matches(*map(np.concatenate, zip(*order, strict=True))) for order in zip(*shifted, strict=True)]
        both = stack(*item_hashes(pairs, field))
        rows = both.rows
        alive = np.arange(len(both.values))
        matches_by_order = []
        before = np.zeros(len(rows), dtype=np.uint64)
        for order in range(1, NIST_ORDER + 1):
            grams = ngrams(both, order)
            hashes = grams.values[grams.offsets[rows[alive]] + alive - both.offsets[rows[alive]]]
            # As in `ragged.share`: 47 bits of hash under the row, and the side in the last bit.
            keys = (hashes >> np.uint64(17) << np.uint64(1)) | ((rows[alive] % n).astype(np.uint64) << np.uint64(48))
            keys |= (rows[alive] >= n).astype(np.uint64)
            by_key = np.argsort(keys)
            item = keys[by_key] >> np.uint64(1)
            first = np.flatnonzero(np.concatenate([[True], item[1:] != item[:-1]])[: len(item)])
            total = np.diff(first, append=len(item))
            from_b = np.add.reduceat(keys[by_key] & np.uint64(1), first).astype(np.int64) if len(first) else total
            counts = np.minimum(from_b, total - from_b)
            shown = alive[by_key[first]][counts > 0]
            matches_by_order.append(
                Matches(rows[shown] % n, counts[counts > 0], hashes[by_key[first]][counts > 0], before[shown])
            )
            # A longer n-gram is shared only if it begins and ends with shared ones.
            before[alive] = hashes
            shared = np.zeros(len(rows) + 1, dtype=bool)
            shared[alive[by_key]] = np.repeat(counts > 0, total)
            alive = np.flatnonzero(shared[:-1] & shared[1:])
            alive = alive[alive + order < both.offsets[rows[alive] + 1]]
        return matches_by_order

    return pairs.memo(("n-grams matched", field), compute)


def sizes(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return the number of items of the hypothesis and of the reference, both directions, shape (2, n)."""
    a, b = item_ids(pairs, field)
    return np.stack([a.lengths, b.lengths]).astype(np.float64)


def both_ways(ways: np.ndarray) -> np.ndarray:
    """Return the lesser and the greater of two directions, shape (2, n), as columns, shape (n, 2)."""
    return np.stack([ways.min(axis=0), ways.max(axis=0)], axis=1)


def bleu(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return BLEU both ways, shape (n, 2): n-grams up to 4, one added to matches and totals where n > 1."""
    hypothesis = sizes(pairs, field)
    reference = hypothesis[::-1].copy()
    precision = np.ones(hypothesis.shape)
    for order, matched in enumerate(matches(pairs, field)[:BLEU_ORDER], start=1):
        totals, grams = matched.totals(len(pairs)), np.maximum(hypothesis - order + 1, 0)
        precision *= ratio(totals, grams) if order == 1 else (totals + 1) / (grams + 1)
    brevity = np.exp(np.minimum(1 - ratio(reference, hypothesis), 0))
    empty = (hypothesis == 0) & (reference == 0)
    return both_ways(np.where(empty, 1.0, np.sqrt(np.sqrt(precision)) * brevity))


def nist(pairs: PairBatch, field: Field, counts: NgramCounts) -> np.ndarray:
    """Return NIST both ways, shape (n, 2), n-grams up to 5 weighted by their information in the counts of the field."""
    hypothesis = sizes(pairs, field)
    score = np.zeros(hypothesis.shape)
    for order, matched in enumerate(matches(pairs, field), start=1):
        prefixes = counts.counts(matched.prefixes) if order > 1 else float(max(counts.tokens, 1))
        # A prefix occurs at least as often as its n-gram, but a hash may stand for another n-gram.
        information = np.maximum(np.log2(prefixes / counts.counts(matched.hashes)), 0.0)
        total = np.bincount(matched.rows, weights=matched.counts * information, minlength=len(pairs))
        score += ratio(total, np.maximum(hypothesis - order + 1, 0))
    shortness = np.clip(ratio(hypothesis, hypothesis[::-1], 1.0), 1e-9, 1)
    return both_ways(score * np.exp(NIST_BETA * np.log(shortness) ** 2))


def runs(pairs: PairBatch, field: Field) -> tuple[np.ndarray, np.ndarray]:
    """Return the number of greedy tiles of a field and the sum of the cubes of their lengths, each of shape (n,)."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        # Tiles match items one to one until no item is left that both sides have. The tiles of one item are therefore
        # what the longer ones do not cover, and longer ones there are only where the sides share two items in a row.
        n, matched = len(pairs), matches(pairs, field)
        rows = np.flatnonzero(matched[1].totals(n))
        items, (a, b) = [getattr(sentence, field) for sentence in pairs.sentences], encoded(pairs, field)
        # The order of the sides decides between equally long runs: it must not depend on the order of the pair.
        sides = [
            (b[row], a[row]) if items[i] > items[j] else (a[row], b[row])
            for row, i, j in zip(rows.tolist(), pairs.left[rows].tolist(), pairs.right[rows].tolist(), strict=True)
        ]
        longer = tiles([first for first, _ in sides], [second for _, second in sides], 2)
        lengths = np.fromiter(chain.from_iterable(longer), dtype=np.float64)
        row_of = np.repeat(rows, np.fromiter(map(len, longer), dtype=np.int64))
        single = matched[0].totals(n) - np.bincount(row_of, weights=lengths, minlength=n)
        return np.bincount(row_of, minlength=n) + single, np.bincount(row_of, weights=lengths**3, minlength=n) + single

    return pairs.memo(("runs", field), compute)


def run_length(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return the maximum match size of GTM, the cube root of the sum of the cubed lengths of runs, shape (n,)."""
    # The cube root of a cube can round to above it, and no match is longer than the shorter side.
    longest: np.ndarray = np.minimum(np.cbrt(runs(pairs, field)[1]), sizes(pairs, field).min(axis=0))
    return longest


def meteor(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return METEOR with exact matches both ways, shape (n, 2), the chunks found by tiling."""
    hypothesis = sizes(pairs, field)
    matched = matches(pairs, field)[0].totals(len(pairs))
    broken = ratio(runs(pairs, field)[0], matched)
    # With P = m / h and R = m / r the mean is 10 m / (h + 9 r).
    mean = ratio(10 * matched, hypothesis + 9 * hypothesis[::-1], 1.0)
    return both_ways(mean * (1 - 0.5 * broken * broken * broken))


def subsequence(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return the length of the longest common subsequence, shape (n,)."""
    longest: np.ndarray = cpdist(*encoded(pairs, field), scorer=LCSseq.similarity, dtype=np.float64)
    return longest


def edits(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return the Levenshtein distance, shape (n,)."""

    def compute() -> np.ndarray:
        distance: np.ndarray = cpdist(*encoded(pairs, field), scorer=Levenshtein.distance, dtype=np.float64)
        return distance

    return pairs.memo(("edits", field), compute)


def misplaced(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return the edits that remain for any order of the words, shape (n,)."""
    saved_by_none: np.ndarray = sizes(pairs, field).max(axis=0) - matches(pairs, field)[0].totals(len(pairs))
    return saved_by_none


def error_rate(pairs: PairBatch, field: Field, errors: np.ndarray) -> np.ndarray:
    """Return minus the errors over the length of the reference both ways, shape (n, 2); `errors` of shape (n,)."""
    # Adding zero turns the -0.0 of equal sentences into 0.0.
    return both_ways(-errors / np.maximum(sizes(pairs, field)[::-1], 1)) + 0.0


def ter(pairs: PairBatch, field: Field) -> np.ndarray:
    """Return minus the translation edit rate both ways, shape (n, 2), blocks shifted as in tercom."""
    a, b = encoded(pairs, field)
    plain, least = edits(pairs, field), misplaced(pairs, field)
    shifted = np.stack([plain, plain])
    for row in np.flatnonzero(plain - least > 1).tolist():
        distances = int(plain[row]), int(least[row])
        shifted[:, row] = edits_with_shifts(a[row], b[row], *distances), edits_with_shifts(b[row], a[row], *distances)
    return error_rate(pairs, field, shifted)
