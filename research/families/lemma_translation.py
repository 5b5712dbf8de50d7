"""Nine measures of machine translation between the lemmas of two sentences, two columns each (Tian et al., 2017).

The conventions are those of the family `translation`: the lesser and the greater value of the two directions. A
symmetric measure is replaced by its two parts with a direction. The columns come in the order of the ECNU system.
"""

import numpy as np

from ...features.arrays.ragged import ratio
from ...features.base.feature import PairBatch, feature
from ...features.statistics.counts import NgramCounts
from ...features.strings import translation_counts as metrics


def _over_either(pairs: PairBatch, matched: np.ndarray) -> np.ndarray:
    # Precision and recall of the matches: their number over the length of either sentence.
    lengths = metrics.sizes(pairs, "lemmas")
    empty = (lengths == 0).all(axis=0)
    return metrics.both_ways(np.where(empty, 1.0, ratio(matched, lengths)))


class LemmaNgramCounts(NgramCounts):
    """Counts of n-grams of lemmas, as `NgramCounts`; fitted on sentences of the level ``lexical``."""

    name = "lemma_ngram_counts"
    level = "lexical"
    field = "lemmas"


@feature("min", "max", level="lexical", source="Papineni et al. 2002", section="MT1")
def bleu(pairs: PairBatch) -> np.ndarray:
    """BLEU of n-grams up to 4, one added to matches and totals where n > 1, with the brevity penalty; both ways."""
    return metrics.bleu(pairs, "lemmas")


@feature(
    *("min", "max"), high=float("inf"), level="lexical", needs=("lemma_ngram_counts",), source="Doddington 2002",
    section="MT2",
)  # fmt: skip
def nist(pairs: PairBatch, lemma_ngram_counts: LemmaNgramCounts) -> np.ndarray:
    """NIST of n-grams up to 5: mean information of the matched n-grams by counts of the training text; both ways."""
    return metrics.nist(pairs, "lemmas", lemma_ngram_counts)


@feature("min", "max", level="lexical", source="Melamed et al. 2003", section="MT3")
def gtm(pairs: PairBatch) -> np.ndarray:
    """GTM: precision and recall of the cube root of the sum of cubed lengths of matched runs (greedy tiles)."""
    return _over_either(pairs, metrics.run_length(pairs, "lemmas"))


@feature("min", "max", low=-float("inf"), high=0.0, level="lexical", source="Tillmann et al. 1997", section="MT4")
def wer(pairs: PairBatch) -> np.ndarray:
    """Minus the word error rate, the Levenshtein distance over either length."""
    return metrics.error_rate(pairs, "lemmas", metrics.edits(pairs, "lemmas"))


@feature("min", "max", low=-float("inf"), high=0.0, level="lexical", source="Tillmann et al. 1997", section="MT5")
def per(pairs: PairBatch) -> np.ndarray:
    """Minus the position-independent error rate over either length."""
    return metrics.error_rate(pairs, "lemmas", metrics.misplaced(pairs, "lemmas"))


@feature("union", "smaller", level="lexical", source="Gimenez and Marquez 2010", section="MT6")
def overlap(pairs: PairBatch) -> np.ndarray:
    """Lexical overlap: lemmas in the multiset intersection over those in the union, and over the shorter sentence."""
    lengths, matched = metrics.sizes(pairs, "lemmas"), metrics.matches(pairs, "lemmas")[0].totals(len(pairs))
    over_union = ratio(matched, lengths.sum(axis=0) - matched, 1.0)
    return np.stack([over_union, _over_either(pairs, matched)[:, 1]], axis=1)


@feature("min", "max", low=-float("inf"), high=0.0, level="lexical", source="Snover et al. 2006", section="MT7")
def ter(pairs: PairBatch) -> np.ndarray:
    """Minus the translation edit rate: insertions, deletions, substitutions and block shifts over the reference."""
    return metrics.ter(pairs, "lemmas")


@feature("min", "max", level="lexical", source="Banerjee and Lavie 2005", section="MT8")
def meteor(pairs: PairBatch) -> np.ndarray:
    """METEOR with exact matches: 10PR / (R + 9P) times 1 - 0.5 (chunks / matches)^3, chunks by tiling; both ways."""
    return metrics.meteor(pairs, "lemmas")


@feature("min", "max", level="lexical", source="Lin 2004", section="MT9")
def rouge_l(pairs: PairBatch) -> np.ndarray:
    """ROUGE-L: precision and recall of the longest common subsequence."""
    return _over_either(pairs, metrics.subsequence(pairs, "lemmas"))
