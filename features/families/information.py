"""Overlap of words weighted by rarity: information content (Saric et al., 2012) and sif weights.

A sentence is the set of its words here: with repeats the overlap of words correlates less with the scores of STS
Benchmark train (0.675 against 0.682). The frequencies of words in English come from `frequencies`. Overlap weighted by
the idf of the training text is in `ngram` for words and stems, and here for lemmas.
"""

import numpy as np

from ..arrays.ragged import ratio
from ..base.feature import PairBatch, feature
from ..base.token_sequences import Field, vocabulary
from ..lexicon.word_frequencies import Frequencies, information, probabilities, sif
from ..statistics.counts import LemmaIdf
from ..strings.ngram_overlap import Union, union

_COLUMNS = ("overlap", "cover_min", "cover_max", "sif", "difference")


def _probability(pairs: PairBatch, field: Field, frequencies: Frequencies) -> np.ndarray:
    # Probability of the item of each entry of `union`.
    def compute() -> np.ndarray:
        return probabilities(pairs, field, frequencies)[union(pairs, field).item]

    return pairs.memo(("probability", field, frequencies.digest), compute)


def _overlap(both: Union, weight: np.ndarray) -> list[np.ndarray]:
    # Harmonic mean of the two coverages, the smaller and the larger; 0 where nothing has weight.
    shared = both.total(both.in_a & both.in_b, weight)
    a, b = both.total(both.in_a, weight), both.total(both.in_b, weight)
    sides = ratio(shared, a), ratio(shared, b)
    return [ratio(2 * shared, a + b), np.minimum(*sides), np.maximum(*sides)]


def _columns(pairs: PairBatch, field: Field, frequencies: Frequencies) -> np.ndarray:
    both = union(pairs, field)
    probability = _probability(pairs, field, frequencies)
    content = information(probability)
    columns = _overlap(both, content)
    columns.append(_overlap(both, sif(probability))[0])
    above = np.maximum(content - frequencies.least_information, 0.0)
    a, b = both.total(both.in_a, above), both.total(both.in_b, above)
    columns.append(ratio(np.abs(a - b), np.maximum(a, b)))
    return np.stack(columns, axis=1)


@feature(*_COLUMNS, needs=("frequencies",), source="Saric et al. 2012; Arora et al. 2017", section="KB3 KB4")
def words(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Overlap of the lower-case words weighted by information content, its two coverages, by sif, and difference.

    A coverage is the share of a sentence's information content that the other sentence has too; the overlap is the
    harmonic mean of both. The difference is that of the sums of information content over the larger sum, with that of
    the commonest word subtracted from each word.
    """
    return _columns(pairs, "words", frequencies)


@feature(
    *_COLUMNS, level="lexical", needs=("frequencies",), source="Saric et al. 2012; Arora et al. 2017", section="KB3 KB4"
)
def lemmas(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Overlap, coverages and difference as in `words` of the lemmas."""
    return _columns(pairs, "lemmas", frequencies)


@feature(
    *("overlap", "cover_min", "cover_max"), level="lexical", needs=("lemma_idf",), source="Saric et al. 2012; ours",
    section="KB3",
)  # fmt: skip
def lemmas_idf(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Overlap and coverages of the lemmas weighted by the smooth idf of the training text."""
    both = union(pairs, "lemmas")
    weight = lemma_idf.smooth("lemmas", vocabulary(pairs, "lemmas").items)[both.item]
    return np.stack(_overlap(both, weight), axis=1)


@feature(
    *("peak_min", "peak_max", "mass_min", "mass_max"), high=np.inf, level="lexical", needs=("frequencies",),
    source="Maharjan et al. 2017; ours", section="KB3 ALN7",
)  # fmt: skip
def unmatched(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Largest and summed information content, in nats, of the lemmas of a sentence that the other lacks.

    Unlike in the family `unmatched`, function words count, and rare words are those that are rare in English, not in
    the training text.
    """
    both = union(pairs, "lemmas")
    content = information(_probability(pairs, "lemmas", frequencies))
    peaks, masses = [], []
    for alone in (both.in_a & ~both.in_b, both.in_b & ~both.in_a):
        peak = np.zeros(len(pairs))
        np.maximum.at(peak, both.row[alone], content[alone])
        peaks.append(peak)
        masses.append(both.total(alone, content))
    return np.stack([np.minimum(*peaks), np.maximum(*peaks), np.minimum(*masses), np.maximum(*masses)], axis=1)
