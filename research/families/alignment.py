"""Word alignment and the share of two sentences that it covers (Sultan et al., 2014; Tian et al., 2017)."""

import numpy as np

from ...features.alignment.coverage import by_class, content, coverage, covered, lemma_weights, links, ones
from ...features.arrays.ragged import ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import WORD_CLASSES, token_ids, vocabulary
from ...features.lexicon.word_frequencies import Frequencies, information, probabilities, sif
from ...features.statistics.counts import LemmaIdf, Weighting


@feature("all", "content", level="parsed", needs=("paraphrases",), source="Sultan et al. 2014", section="ALN1 ALN2")
def share(pairs: PairBatch) -> np.ndarray:
    """Linked share of all tokens and of the content words of both sentences."""
    return np.stack([coverage(pairs, weights(pairs)).both for weights in (ones, content)], axis=1)


@feature(
    "ecnu", "smooth", level="parsed", needs=("lemma_idf", "paraphrases"), source="Brychcin and Svoboda 2016",
    section="ALN3",
)  # fmt: skip
def idf_coverage(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Linked share of all tokens, weighted by the idf of their lemmas."""
    kinds: tuple[Weighting, ...] = ("ecnu", "smooth")
    return np.stack([coverage(pairs, lemma_weights(pairs, lemma_idf, kind)).both for kind in kinds], axis=1)


@feature(
    *("information", "sif", "sif_min", "sif_max"), level="parsed", needs=("frequencies", "paraphrases"),
    source="Saric et al. 2012", section="ALN3 ALN5",
)  # fmt: skip
def frequency_coverage(pairs: PairBatch, frequencies: Frequencies) -> np.ndarray:
    """Linked share of all tokens, weighted by information content or smooth inverse frequency of their lemmas."""
    probability = probabilities(pairs, "lemmas", frequencies)[vocabulary(pairs, "lemmas").ids.values]
    by_sif = coverage(pairs, sif(probability))
    return np.stack(
        [
            coverage(pairs, information(probability)).both,
            by_sif.both,
            np.minimum(*by_sif.sides),
            np.maximum(*by_sif.sides),
        ],
        axis=1,
    )


@feature(*WORD_CLASSES, level="parsed", needs=("lemma_idf", "paraphrases"), source="Tian et al. 2017", section="ALN4")
def class_coverage(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Linked share of the idf of the tokens of each word class; 0 if neither sentence has one."""
    return np.stack([part.both for part in by_class(pairs, lemma_weights(pairs, lemma_idf, "ecnu"))], axis=1)


@feature(
    "min", "max", "harmonic", level="parsed", needs=("lemma_idf", "paraphrases"), source="Sultan et al. 2015",
    section="ALN5",
)  # fmt: skip
def side_coverage(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Linked share of the idf of either sentence, and the harmonic mean of the two."""
    a, b = coverage(pairs, lemma_weights(pairs, lemma_idf, "ecnu")).sides
    return np.stack([np.minimum(a, b), np.maximum(a, b), ratio(2 * (a * b), a + b)], axis=1)


@feature("all", *WORD_CLASSES, level="parsed", needs=("paraphrases",), source="Maharjan et al. 2017", section="ALN7")
def unaligned(pairs: PairBatch) -> np.ndarray:
    """Share of the tokens without a link: of all tokens and of each word class; 0 if there are no tokens."""
    parts = [coverage(pairs, ones(pairs)), *by_class(pairs, ones(pairs))]
    return np.stack([ratio((p.all_a - p.linked_a) + (p.all_b - p.linked_b), p.all_a + p.all_b) for p in parts], axis=1)


@feature(
    *("share", "content", "ecnu", "harmonic"), level="parsed", needs=("lemma_idf", "paraphrases"),
    source="Maharjan et al. 2017", section="ALN8",
)  # fmt: skip
def penalised(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Linked shares, each times the linked share of all tokens."""
    everything = share(pairs)
    values = np.column_stack(
        [everything, idf_coverage(pairs, lemma_idf=lemma_idf)[:, 0], side_coverage(pairs, lemma_idf=lemma_idf)[:, 2]]
    )
    return values * everything[:, :1]


@feature(
    "min", "max", "peak_min", "peak_max", "nouns", "verbs", "others", high=np.inf, level="parsed",
    needs=("lemma_idf", "paraphrases"), source="Maharjan et al. 2017", section="ALN7",
)  # fmt: skip
def unaligned_mass(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Idf of the content words without a link: sum and maximum of either sentence, and sums by word class."""
    weight = lemma_weights(pairs, lemma_idf, "smooth") * content(pairs)
    whole = coverage(pairs, weight)
    sums = (whole.all_a - whole.linked_a, whole.all_b - whole.linked_b)
    peaks = []
    for cover, side in zip(covered(pairs), token_ids(pairs), strict=True):
        peak = np.zeros(len(pairs))
        np.maximum.at(peak, side.rows, weight[side.values] * (1 - cover))
        peaks.append(peak)
    parts = [(p.all_a - p.linked_a) + (p.all_b - p.linked_b) for p in by_class(pairs, weight)]
    columns = [np.minimum(*sums), np.maximum(*sums), np.minimum(*peaks), np.maximum(*peaks)]
    return np.stack([*columns, parts[0], parts[1], parts[2] + parts[3]], axis=1)


@feature(
    "crossing", "identical", "paraphrased", level="parsed", needs=("paraphrases",), source="Henderson et al. 2017",
    section="ALN10",
)  # fmt: skip
def order(pairs: PairBatch) -> np.ndarray:
    """Share of the pairs of neighbouring links that cross, and of the links made by identical runs and by relatedness.

    The share that crosses is the mean of two: with links sorted by place in one sentence, and in the other.
    """
    word_links = links(pairs)
    n = len(pairs)
    total = np.bincount(word_links.row, minlength=n).astype(np.float64)
    crossing = np.zeros(n)
    for first, second in ((word_links.i, word_links.j), (word_links.j, word_links.i)):
        walk = np.lexsort((second, first, word_links.row))
        back = np.diff(second[walk]) < 0
        inside = np.diff(word_links.row[walk]) == 0
        crossing += np.bincount(word_links.row[walk][1:][back & inside], minlength=n)
    kinds = [
        np.bincount(word_links.row, weights=np.isin(word_links.stage, stages), minlength=n)
        for stages in ([2, 3, 4], [5, 6])
    ]
    steps = np.maximum(total - 1, 0)
    return np.stack([ratio(crossing / 2, steps), *(ratio(kind, total) for kind in kinds)], axis=1)
