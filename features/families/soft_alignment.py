"""Alignment of content words by relatedness (Maharjan et al., 2017; Henderson et al., 2017).

The relatedness is `lexical_similarity.RELATEDNESS`; the published systems use the cosine of word vectors.
"""

import numpy as np

from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import vocabulary
from ..statistics.counts import LemmaIdf
from ..word_similarity.assignment import BY_PRODUCTS, by_products
from ..word_similarity.lexical_similarity import RELATEDNESS, best, one_to_one
from ..word_similarity.word_grids import content_grid, idf_of_terms, terms

THRESHOLD = 0.5
"""Least relatedness of words that are linked one to one; a word and its direct hypernym reach it."""


@feature(
    "min", "max", "mean", level="lexical", needs=("lemma_idf", "wordnet", "paraphrases"),
    source="Mihalcea et al. 2006", section="KB7",
)  # fmt: skip
def relatedness(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Average over the content words of a sentence, by idf, of the best relatedness to a word of the other sentence."""
    grid, weight = content_grid(pairs), idf_of_terms(pairs, lemma_idf)
    best_a, best_b = best(pairs, grid, RELATEDNESS)
    weight_a, weight_b = grid.weigh(weight)
    reached, totals = grid.sums(weight_a * best_a, weight_b * best_b), grid.sums(weight_a, weight_b)
    a, b = (ratio(*side) for side in zip(reached, totals, strict=True))
    return np.stack([np.minimum(a, b), np.maximum(a, b), (a + b) / 2], axis=1)


@feature(
    "plain", "idf", level="lexical", needs=("lemma_idf", "wordnet", "paraphrases"), source="Maharjan et al. 2017",
    section="ALN6",
)  # fmt: skip
def aligned(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Sum of the relatedness of content words linked one to one over the mean number of words, plain and by idf.

    The links are greedy; `lexical_similarity.one_to_one` gives the reason.
    """
    grid, n = content_grid(pairs), len(pairs)
    links = one_to_one(pairs, grid, RELATEDNESS, THRESHOLD)
    size_a, size_b = grid.sizes
    plain = ratio(2 * np.bincount(links.row, weights=links.value, minlength=n), size_a + size_b)
    weight = idf_of_terms(pairs, lemma_idf)
    tokens = vocabulary(pairs, "lemmas").ids.offsets
    of_token = terms(pairs).of_token
    u, v = (
        weight[of_token[tokens[sentences[links.row]] + places]]
        for sentences, places in ((pairs.left, links.i), (pairs.right, links.j))
    )
    whole_a, whole_b = grid.sums(*grid.weigh(weight))
    by_idf = ratio(np.bincount(links.row, weights=links.value * (u + v), minlength=n), whole_a + whole_b)
    return np.minimum(np.stack([plain, by_idf], axis=1), 1.0)


@feature(
    *BY_PRODUCTS, high=np.inf, level="lexical", needs=("wordnet", "paraphrases"), source="Henderson et al. 2017",
    section="ALN10",
)  # fmt: skip
def shape(pairs: PairBatch) -> np.ndarray:
    """Sixteen statistics of the one-to-one links of content words; the sixteen of the authors are not published.

    `assignment.by_products` lists them.
    """
    return by_products(pairs, content_grid(pairs), RELATEDNESS, THRESHOLD)
