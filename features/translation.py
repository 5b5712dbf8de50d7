"""Measures of machine translation and summarisation between the stems of two sentences (Tian et al., 2017).

One sentence is taken for the hypothesis and the other for the reference; where the two directions differ, `min` and
`max` are the lesser and the greater value. Two empty sentences are a perfect translation (NIST, which has no greatest
value, is 0). Against one empty sentence the similarities are 0, and the error rates divide by 1 instead of by 0.
"""

from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from .arrays.ragged import ngrams, ratio, stack
from .arrays.shifts import edits_with_shifts
from .base import PairBatch, feature
from .comparison.tiling import tiles
from .resources import NgramCounts
from .views import encoded, item_hashes, item_ids

_ROWS_AT_A_TIME = 1 << 16

BLEU_ORDER, NIST_ORDER = 4, 5

# NIST's penalty halves the score of a hypothesis of two thirds of the reference's length (Doddington, 2002).
NIST_BETA = np.log(0.5) / np.log(1.5) ** 2


class Matches(NamedTuple):
    """The n-grams of one order that the two sides of each pair share.

    Attributes
    ----------
    rows, counts
        For each distinct shared n-gram its pair and the smaller of its two counts.
    hashes, prefixes
        The hash of each shared n-gram, and that of its first n - 1 items.
    """

    rows: np.ndarray
    counts: np.ndarray
    hashes: np.ndarray
    prefixes: np.ndarray

    def totals(self, n: int) -> np.ndarray:
        """Multiset intersection of each pair, shape (n,)."""
        return np.bincount(self.rows, weights=self.counts, minlength=n)


def _matches(pairs: PairBatch) -> list[Matches]:
    """Return the shared n-grams of stems for n = 1..5; an order looks only where the one before found something."""

    def compute() -> list[Matches]:
        n = len(pairs)
        if n > _ROWS_AT_A_TIME:
            starts = range(0, n, _ROWS_AT_A_TIME)
            parts = [_matches(pairs[start : start + _ROWS_AT_A_TIME]) for start in starts]
            shifted = [
                [m._replace(rows=m.rows + start) for m in part] for start, part in zip(starts, parts, strict=True)
            ]
            return [Matches(*map(np.concatenate, zip(*order, strict=True))) for order in zip(*shifted, strict=True)]
        both = stack(*item_hashes(pairs, "stems"))
        rows = both.rows
        alive = np.arange(len(both.values))
        found = []
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
            found.append(Matches(rows[shown] % n, counts[counts > 0], hashes[by_key[first]][counts > 0], before[shown]))
            # A longer n-gram is shared only if it begins and ends with shared ones.
            before[alive] = hashes
            shared = np.zeros(len(rows) + 1, dtype=bool)
            shared[alive[by_key]] = np.repeat(counts > 0, total)
            alive = np.flatnonzero(shared[:-1] & shared[1:])
            alive = alive[alive + order < both.offsets[rows[alive] + 1]]
        return found

    return pairs.memo("shared n-grams of stems", compute)


def _sizes(pairs: PairBatch) -> np.ndarray:
    """Return the number of stems of the hypothesis and of the reference, both directions, shape (2, n)."""
    a, b = item_ids(pairs, "stems")
    return np.stack([a.lengths, b.lengths]).astype(np.float64)


def _both_ways(ways: np.ndarray) -> np.ndarray:
    return np.stack([ways.min(axis=0), ways.max(axis=0)], axis=1)


@feature("min", "max", source="Papineni et al. 2002")
def bleu(pairs: PairBatch) -> np.ndarray:
    """BLEU of n-grams up to 4, one added to matches and totals where n > 1, with the brevity penalty; both ways."""
    hypothesis = _sizes(pairs)
    reference = hypothesis[::-1].copy()
    precision = np.ones(hypothesis.shape)
    for order, matches in enumerate(_matches(pairs)[:BLEU_ORDER], start=1):
        matched, sizes = matches.totals(len(pairs)), np.maximum(hypothesis - order + 1, 0)
        precision *= ratio(matched, sizes) if order == 1 else (matched + 1) / (sizes + 1)
    brevity = np.exp(np.minimum(1 - ratio(reference, hypothesis), 0))
    empty = (hypothesis == 0) & (reference == 0)
    return _both_ways(np.where(empty, 1.0, np.sqrt(np.sqrt(precision)) * brevity))


@feature("min", "max", high=float("inf"), needs=["ngram_counts"], source="Doddington 2002")
def nist(pairs: PairBatch, ngram_counts: NgramCounts) -> np.ndarray:
    """NIST of n-grams up to 5: mean information of the matched, by counts of the training text; both ways."""
    hypothesis = _sizes(pairs)
    score = np.zeros(hypothesis.shape)
    for order, matches in enumerate(_matches(pairs), start=1):
        prefixes = ngram_counts.counts(matches.prefixes) if order > 1 else float(max(ngram_counts.tokens, 1))
        # A prefix counts at least as often as what it begins, but a hash may stand for another n-gram.
        information = np.maximum(np.log2(prefixes / ngram_counts.counts(matches.hashes)), 0.0)
        matched = np.bincount(matches.rows, weights=matches.counts * information, minlength=len(pairs))
        score += ratio(matched, np.maximum(hypothesis - order + 1, 0))
    shortness = np.clip(ratio(hypothesis, hypothesis[::-1], 1.0), 1e-9, 1)
    return _both_ways(score * np.exp(NIST_BETA * np.log(shortness) ** 2))


def _runs(pairs: PairBatch) -> tuple[np.ndarray, np.ndarray]:
    """Return how many greedy tiles the stems have and the sum of the cubes of their lengths, each of shape (n,)."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        # Equally long runs are chosen by the order of the sides: one that swapping them does not change.
        swap = [a.stems > b.stems for a, b in pairs]
        sides = list(zip(*encoded(pairs, "stems"), swap, strict=True))
        found = tiles([b if turn else a for a, b, turn in sides], [a if turn else b for a, b, turn in sides])
        lengths = np.asarray([length for row in found for length in row], dtype=np.float64)
        sizes = np.asarray([len(row) for row in found], dtype=np.int64)
        rows = np.repeat(np.arange(len(found)), sizes)
        return sizes.astype(np.float64), np.bincount(rows, weights=lengths**3, minlength=len(found))

    return pairs.memo("runs of stems", compute)


@feature("f", source="Melamed et al. 2003")
def gtm(pairs: PairBatch) -> np.ndarray:
    """GTM: F-measure of the cube root of the sum of cubed lengths of matched runs (greedy tiles)."""
    sizes = _sizes(pairs).sum(axis=0)
    # The cube root of a cube can round to above it.
    values: np.ndarray = np.minimum(ratio(2 * np.cbrt(_runs(pairs)[1]), sizes, 1.0), 1)
    return values[:, None]


@feature("min", "max", source="Banerjee and Lavie 2005")
def meteor(pairs: PairBatch) -> np.ndarray:
    """METEOR with exact matches: 10PR / (R + 9P) times 1 - 0.5 (chunks / matches)^3, chunks by tiling; both ways."""
    hypothesis = _sizes(pairs)
    matched = _matches(pairs)[0].totals(len(pairs))
    broken = ratio(_runs(pairs)[0], matched)
    # With P = m / h and R = m / r the mean is 10 m / (h + 9 r).
    mean = ratio(10 * matched, hypothesis + 9 * hypothesis[::-1], 1.0)
    return _both_ways(mean * (1 - 0.5 * broken * broken * broken))


@feature("unigram", "bigram", "lcs", source="Lin 2004")
def rouge(pairs: PairBatch) -> np.ndarray:
    """ROUGE-1, ROUGE-2 and ROUGE-L as F-measures; of two empty sentences 1."""
    a, b = _sizes(pairs)
    unigrams, bigrams = (matches.totals(len(pairs)) for matches in _matches(pairs)[:2])
    subsequence = cpdist(*encoded(pairs, "stems"), scorer=LCSseq.similarity, dtype=np.float64)
    of_two = np.maximum(a - 1, 0) + np.maximum(b - 1, 0)
    empty = (a == 0) & (b == 0)
    columns = [
        ratio(2 * unigrams, a + b, empty),
        ratio(2 * bigrams, of_two, empty),
        ratio(2 * subsequence, a + b, empty),
    ]
    return np.stack(columns, axis=1)


@feature("jaccard", source="Gimenez and Marquez 2010")
def overlap(pairs: PairBatch) -> np.ndarray:
    """Lexical overlap: stems in the multiset intersection over those in the multiset union."""
    matched = _matches(pairs)[0].totals(len(pairs))
    return ratio(matched, _sizes(pairs).sum(axis=0) - matched, 1.0)[:, None]


def _edits(pairs: PairBatch) -> np.ndarray:
    def compute() -> np.ndarray:
        edits: np.ndarray = cpdist(*encoded(pairs, "stems"), scorer=Levenshtein.distance, dtype=np.float64)
        return edits

    return pairs.memo("edits of stems", compute)


def _misplaced(pairs: PairBatch) -> np.ndarray:
    """Return the edits that no order of the words would save, shape (n,)."""
    misplaced: np.ndarray = _sizes(pairs).max(axis=0) - _matches(pairs)[0].totals(len(pairs))
    return misplaced


@feature("wer_min", "wer_max", "per_min", "per_max", low=-float("inf"), high=0.0, source="Tillmann et al. 1997")
def error_rate(pairs: PairBatch) -> np.ndarray:
    """Minus the word error rate (Levenshtein) and minus the position-independent one, over either length."""
    lengths = np.maximum(_sizes(pairs), 1)
    # Adding zero turns the -0.0 of equal sentences into 0.0.
    return np.concatenate([_both_ways(-edits / lengths) + 0.0 for edits in (_edits(pairs), _misplaced(pairs))], axis=1)


@feature("min", "max", low=-float("inf"), high=0.0, source="Snover et al. 2006")
def ter(pairs: PairBatch) -> np.ndarray:
    """Minus the translation edit rate: insertions, deletions, substitutions and block shifts over the reference."""
    a, b = encoded(pairs, "stems")
    plain, misplaced = _edits(pairs), _misplaced(pairs)
    edits = np.stack([plain, plain])
    for row in np.flatnonzero(plain - misplaced > 1).tolist():
        known = int(plain[row]), int(misplaced[row])
        edits[:, row] = edits_with_shifts(a[row], b[row], *known), edits_with_shifts(b[row], a[row], *known)
    return _both_ways(-edits / np.maximum(_sizes(pairs)[::-1], 1)) + 0.0
