"""Cosines of words corrected by WordNet: raised for synonyms and hypernyms, lowered for unrelated words.

After the best system of 2016 (Rychalska et al., 2016), which corrected the distances of an auto-encoder; its constants
are not published.
"""

from dataclasses import dataclass

import numpy as np

from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..statistics.counts import LemmaIdf
from ..word_similarity.lexical_similarity import Measure, best, wordnet_of, wordnet_words
from ..word_similarity.word_cosines import CosineMeasure
from ..word_similarity.word_grids import content_grid, idf_of_terms, terms

STEP = 0.25
"""Amount added for synonyms and hypernyms, and subtracted for unrelated words."""


@dataclass(frozen=True)
class Corrected:
    """Measure of words, raised by `STEP` for synonyms and for a word and its hypernym in WordNet.

    It is lowered by `STEP` for other words that WordNet has as the same part of speech. Values are in [0, 1], and 1 for
    equal lemmas.

    Parameters
    ----------
    measure
        A `lexical_similarity.Measure`.
    """

    measure: Measure

    def __call__(self, pairs: PairBatch, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Return the similarity of terms."""
        batch_terms, words, wn = terms(pairs), wordnet_words(pairs), wordnet_of(pairs)
        values = self.measure(pairs, x, y)
        listed = np.flatnonzero((batch_terms.classes[x] == batch_terms.classes[y]) & (words[x] >= 0) & (words[y] >= 0))
        u, v = words[x[listed]], words[y[listed]]
        related = wn.share_synset(u, v) | wn.hypernym_of(u, v) | wn.hypernym_of(v, u)
        values[listed] += np.where(related, STEP, -STEP)
        values = np.clip(values, 0.0, 1.0)
        values[batch_terms.lemmas[x] == batch_terms.lemmas[y]] = 1.0
        return values


SIMILARITY = Corrected(CosineMeasure("distilled"))


@feature(
    "min", "max", "mean", "plain", level="lexical", needs=("lemma_idf", "wordnet", "distilled"),
    source="Rychalska et al. 2016", section="KB10",
)  # fmt: skip
def matched(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Average over the content words of a sentence, by idf, of the best corrected cosine to a word of the other.

    Smaller, greater and mean of both sentences; ``plain`` is the mean with all words weighted equally.
    """
    grid = content_grid(pairs)
    best_a, best_b = best(pairs, grid, SIMILARITY)

    def averages(weight: np.ndarray) -> list[np.ndarray]:
        weight_a, weight_b = grid.weigh(weight)
        reached, totals = grid.sums(weight_a * best_a, weight_b * best_b), grid.sums(weight_a, weight_b)
        return [np.minimum(ratio(*side), 1.0) for side in zip(reached, totals, strict=True)]

    weight = idf_of_terms(pairs, lemma_idf)
    a, b = averages(weight)
    plain = averages(np.ones(len(weight)))
    return np.stack([np.minimum(a, b), np.maximum(a, b), (a + b) / 2, (plain[0] + plain[1]) / 2], axis=1)
