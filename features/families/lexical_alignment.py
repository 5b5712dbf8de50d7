"""Coverage of a word alignment without parse and names, for models without a parser."""

import numpy as np

from ..alignment.coverage import by_class, content, coverage, lemma_weights, ones
from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import WORD_CLASSES
from ..statistics.counts import LemmaIdf


@feature("all", "content", level="lexical", needs=("paraphrases",), source="Sultan et al. 2014", section="ALN1 ALN2")
def share(pairs: PairBatch) -> np.ndarray:
    """Linked share of all tokens and of the content words of both sentences."""
    return np.stack([coverage(pairs, weights(pairs), parsed=False).both for weights in (ones, content)], axis=1)


@feature(
    *("both", "min", "max", "harmonic"), level="lexical", needs=("lemma_idf", "paraphrases"),
    source="Brychcin and Svoboda 2016", section="ALN3 ALN5",
)  # fmt: skip
def idf_coverage(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Linked share of the idf of both sentences and of either, and the harmonic mean of the two."""
    covered = coverage(pairs, lemma_weights(pairs, lemma_idf, "ecnu"), parsed=False)
    a, b = covered.sides
    return np.stack([covered.both, np.minimum(a, b), np.maximum(a, b), ratio(2 * (a * b), a + b)], axis=1)


@feature(*WORD_CLASSES, level="lexical", needs=("lemma_idf", "paraphrases"), source="Tian et al. 2017", section="ALN4")
def class_coverage(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Linked share of the idf of the tokens of each word class; 0 if neither sentence has one."""
    parts = by_class(pairs, lemma_weights(pairs, lemma_idf, "ecnu"), parsed=False)
    return np.stack([part.both for part in parts], axis=1)


@feature(
    "min", "max", high=np.inf, level="lexical", needs=("lemma_idf", "paraphrases"), source="Maharjan et al. 2017",
    section="ALN7",
)  # fmt: skip
def unaligned_mass(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Idf of the content words of either sentence without a link."""
    whole = coverage(pairs, lemma_weights(pairs, lemma_idf, "smooth") * content(pairs), parsed=False)
    sums = (whole.all_a - whole.linked_a, whole.all_b - whole.linked_b)
    return np.stack([np.minimum(*sums), np.maximum(*sums)], axis=1)
