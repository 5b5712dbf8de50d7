"""Measures of machine translation and summarisation between the stems of two sentences (Tian et al., 2017).

One sentence is the hypothesis and the other the reference; where the two directions differ, `min` and `max` are the
lesser and the greater value. Two empty sentences are a perfect translation (NIST, which has no greatest value, is 0).
Against one empty sentence the similarities are 0, and the error rates divide by 1 instead of by 0.
"""

import math

import numpy as np

from ..arrays.joins import ITEM_BITS
from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import item_ids
from ..statistics.counts import NgramCounts
from ..strings import translation_counts as metrics
from ..strings.character_ngrams import Strings, matched_counts
from ..strings.subsequences import GAP, shared_skip_bigrams, skip_bigrams, weighted_subsequence

CHARACTER_ORDER = 6

RUN_EXPONENT = 1.2
"""A run of k words weighs ``k ** RUN_EXPONENT`` in ROUGE-W, as in the release of ROUGE."""


@feature("min", "max", source="Papineni et al. 2002", section="MT1")
def bleu(pairs: PairBatch) -> np.ndarray:
    """BLEU of n-grams up to 4, one added to matches and totals where n > 1, with the brevity penalty; both ways."""
    return metrics.bleu(pairs, "stems")


@feature("min", "max", high=float("inf"), needs=["ngram_counts"], source="Doddington 2002", section="MT2")
def nist(pairs: PairBatch, ngram_counts: NgramCounts) -> np.ndarray:
    """NIST of n-grams up to 5: mean information of the matched n-grams by counts of the training text; both ways."""
    return metrics.nist(pairs, "stems", ngram_counts)


@feature("f", source="Melamed et al. 2003", section="MT3")
def gtm(pairs: PairBatch) -> np.ndarray:
    """GTM: F-measure of the cube root of the sum of cubed lengths of matched runs (greedy tiles)."""
    return ratio(2 * metrics.run_length(pairs, "stems"), metrics.sizes(pairs, "stems").sum(axis=0), 1.0)[:, None]


@feature("min", "max", source="Banerjee and Lavie 2005", section="MT8")
def meteor(pairs: PairBatch) -> np.ndarray:
    """METEOR with exact matches: 10PR / (R + 9P) times 1 - 0.5 (chunks / matches)^3, chunks by tiling; both ways."""
    return metrics.meteor(pairs, "stems")


@feature("unigram", "bigram", "lcs", source="Lin 2004", section="MT9")
def rouge(pairs: PairBatch) -> np.ndarray:
    """ROUGE-1, ROUGE-2 and ROUGE-L as F-measures; 1 for two empty sentences."""
    a, b = metrics.sizes(pairs, "stems")
    unigrams, bigrams = (matched.totals(len(pairs)) for matched in metrics.matches(pairs, "stems")[:2])
    of_two = np.maximum(a - 1, 0) + np.maximum(b - 1, 0)
    empty = (a == 0) & (b == 0)
    columns = [
        ratio(2 * unigrams, a + b, empty),
        ratio(2 * bigrams, of_two, empty),
        ratio(2 * metrics.subsequence(pairs, "stems"), a + b, empty),
    ]
    return np.stack(columns, axis=1)


@feature("window", "all", source="Lin 2004", section="MT9")
def rouge_skip(pairs: PairBatch) -> np.ndarray:
    """ROUGE-S as F-measure: pairs of words in the same order, with at most 4 others between them or any number.

    1 for two empty sentences; 0 where neither has two words.
    """
    a, b = metrics.sizes(pairs, "stems")
    within, anywhere = shared_skip_bigrams(*item_ids(pairs, "stems"))
    empty = (a == 0) & (b == 0)
    columns = [
        ratio(2 * matched, skip_bigrams(a, gap) + skip_bigrams(b, gap), empty)
        for matched, gap in ((within, GAP), (anywhere, None))
    ]
    return np.stack(columns, axis=1)


@feature("f", source="Lin 2004", section="MT9")
def rouge_weighted(pairs: PairBatch) -> np.ndarray:
    """ROUGE-W as F-measure: longest common subsequence, runs of k words weighted by k ** 1.2; 1 for two empty texts."""
    a, b = item_ids(pairs, "stems")
    longest = int(max(a.lengths.max(initial=0), b.lengths.max(initial=0)))
    weight = np.fromiter((math.pow(k, RUN_EXPONENT) for k in range(longest + 1)), dtype=np.float64)
    common = weighted_subsequence(a, b, weight)
    sides = [np.minimum(ratio(common, weight[side.lengths]), 1.0) ** (1 / RUN_EXPONENT) for side in (a, b)]
    empty = (a.lengths == 0) & (b.lengths == 0)
    return np.where(empty, 1.0, ratio(2 * (sides[0] * sides[1]), sides[0] + sides[1]))[:, None]


@feature("f", source="Popovic 2015", section="NG5")
def chrf(pairs: PairBatch) -> np.ndarray:
    """ChrF: F-measure of the means over n = 1..6 of precision and recall of lower-case characters without blanks.

    Orders that exceed the length of a side are left out; 1 for two empty sentences.
    """
    texts = ["".join(sentence.text.lower().split()) for sentence in pairs.sentences]
    strings = Strings(texts, pairs.left, pairs.right)
    a, b = strings.lengths
    means, orders = np.zeros((2, len(pairs))), np.zeros(len(pairs))
    for n, numbers, _ in strings.numbered(range(1, CHARACTER_ORDER + 1), 1 << ITEM_BITS):
        matched = matched_counts(strings.keys(numbers, strings.remaining[: len(numbers)] >= n), len(pairs))
        grams = np.stack([a, b]) - (n - 1.0)
        both = (grams > 0).all(axis=0)
        means += np.where(both, matched / np.maximum(grams, 1), 0.0)
        orders += both
    precision, recall = ratio(means, orders)
    empty = (a == 0) & (b == 0)
    return np.where(empty, 1.0, np.minimum(ratio(2 * (precision * recall), precision + recall), 1.0))[:, None]


@feature("jaccard", source="Gimenez and Marquez 2010", section="MT6")
def overlap(pairs: PairBatch) -> np.ndarray:
    """Lexical overlap: stems in the multiset intersection over those in the multiset union."""
    matched = metrics.matches(pairs, "stems")[0].totals(len(pairs))
    return ratio(matched, metrics.sizes(pairs, "stems").sum(axis=0) - matched, 1.0)[:, None]


@feature(
    *("wer_min", "wer_max", "per_min", "per_max"), low=-float("inf"), high=0.0, source="Tillmann et al. 1997",
    section="MT4 MT5",
)  # fmt: skip
def error_rate(pairs: PairBatch) -> np.ndarray:
    """Minus the word error rate (Levenshtein) and minus the position-independent one, over either length."""
    errors = metrics.edits(pairs, "stems"), metrics.misplaced(pairs, "stems")
    return np.concatenate([metrics.error_rate(pairs, "stems", part) for part in errors], axis=1)


@feature("min", "max", low=-float("inf"), high=0.0, source="Snover et al. 2006", section="MT7")
def ter(pairs: PairBatch) -> np.ndarray:
    """Minus the translation edit rate: insertions, deletions, substitutions and block shifts over the reference."""
    return metrics.ter(pairs, "stems")
