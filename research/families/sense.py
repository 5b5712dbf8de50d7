"""Sentences compared by the senses of their words (Hassan et al., 2017): an alignment and a subsequence kernel.

The authors tag words with the senses of BabelNet; here the similarity of two words is the likelihood that they mean the
same synset of WordNet (`shared_synsets.sense_similarity`).
"""

from collections.abc import Callable

import numpy as np

from ...features.arrays.joins import chunks
from ...features.arrays.ragged import Ragged, offsets_of, ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import content_mask, vocabulary
from ...features.statistics.counts import LemmaIdf
from ...features.word_similarity.assignment import greedy_links
from ...features.word_similarity.word_grids import content_grid, idf_of_terms, terms
from ..lexicon.shared_synsets import sense_similarity
from ..strings.string_views import sides_by_text

DECAY = 0.5
"""Cost of each word of a stretch in the kernel (Lodhi et al., 2002); that of the authors is not published."""

_ANY = float(np.finfo(np.float64).tiny)  # words with a synset in common have a greater similarity


@feature(
    "share", "weighted", level="lexical", needs=("lemma_idf", "wordnet"), source="Hassan et al. 2017", section="ALN11"
)
def aligned(pairs: PairBatch, lemma_idf: LemmaIdf) -> np.ndarray:
    """Share of the content words of both sentences that are linked, one to one, to a word with a synset in common.

    Equal lemmas are linked first, then the most similar words. ``weighted``: the weight of a word is its idf, and a
    link counts the similarity of its words.
    """
    grid = content_grid(pairs)
    word_links = greedy_links(pairs, grid, sense_similarity, _ANY)
    columns = []
    for weight, value in (
        (np.ones(len(terms(pairs).words)), np.ones(len(word_links.row))),
        (idf_of_terms(pairs, lemma_idf), word_links.value),
    ):
        both = weight[grid.a.values[word_links.a]] + weight[grid.b.values[word_links.b]]
        linked = np.bincount(word_links.row, weights=value * both, minlength=len(pairs))
        whole_a, whole_b = grid.sums(*grid.weigh(weight))
        columns.append(ratio(linked, whole_a + whole_b))
    return np.minimum(np.stack(columns, axis=1), 1.0)


@feature(
    "senses", "lemmas", level="lexical", needs=("wordnet",), source="Hassan et al. 2017; Lodhi et al. 2002",
    section="ALN11",
)  # fmt: skip
def subsequence(pairs: PairBatch) -> np.ndarray:
    """Gap-weighted kernel of the subsequences of two content words, matched by sense and by lemma alone.

    ``K(a, b) / sqrt(K(a, a) K(b, b))``; 0 where a sentence has fewer than two content words.
    """
    kept, batch_terms = content_mask(pairs), terms(pairs)
    rows = Ragged(batch_terms.of_token, vocabulary(pairs, "words").ids.offsets).where(kept)
    left, right = sides_by_text(pairs)
    used = np.unique(np.concatenate([left, right]))
    first, second = rows.take(np.concatenate([used, left])), rows.take(np.concatenate([used, right]))

    def by_sense(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return sense_similarity(pairs, x, y)

    def by_lemma(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return (batch_terms.lemmas[x] == batch_terms.lemmas[y]).astype(np.float64)

    columns = []
    for similarity in (by_sense, by_lemma):
        kernel = subsequence_kernel(first, second, similarity, DECAY)
        self_kernels = np.zeros(len(pairs.sentences))
        self_kernels[used] = kernel[: len(used)]
        columns.append(ratio(kernel[len(used) :], np.sqrt(self_kernels[left] * self_kernels[right])))
    return np.minimum(np.stack(columns, axis=1), 1.0)


_KERNEL_CELLS = 1 << 18


def subsequence_kernel(
    x: Ragged, y: Ragged, similarity: Callable[[np.ndarray, np.ndarray], np.ndarray], decay: float
) -> np.ndarray:
    """Return the kernel of rows of `x` and `y`, not normalised, shape (n,)."""
    size_x, size_y = x.lengths, y.lengths
    order = np.lexsort((np.minimum(size_x, size_y), np.maximum(size_x, size_y)))
    kernel = np.zeros(len(order))
    longest = np.maximum(size_x, size_y)[order]
    for part in chunks(longest * longest, _KERNEL_CELLS):
        rows = order[part]
        kernel[rows] = _summed(_matches(x.take(rows), y.take(rows), similarity), decay)
    return kernel


def _matches(x: Ragged, y: Ragged, similarity: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
    # Similarity of every symbol of one side with every symbol of the other, shape (longest x, longest y, n).
    row, facing = x.rows, y.take(x.rows)
    entry = np.repeat(np.arange(len(row)), facing.lengths)
    i = entry - x.offsets[row[entry]]
    j = np.arange(len(entry)) - np.repeat(offsets_of(facing.lengths)[:-1], facing.lengths)
    shape = (int(x.lengths.max(initial=0)), int(y.lengths.max(initial=0)), len(x.lengths))
    matches = np.zeros(shape)
    matches[i, j, row[entry]] = similarity(x.values[entry], facing.values)
    return matches


def _summed(matches: np.ndarray, decay: float) -> np.ndarray:
    # Sums run along one side, then along the other, a step of all rows at a time; padding adds nothing.
    before = np.zeros_like(matches)
    for i in range(1, len(matches)):
        before[i] = decay * (before[i - 1] + matches[i - 1])
    reached, total = np.zeros((2, matches.shape[0], matches.shape[2]))
    for j in range(1, matches.shape[1]):
        reached = decay * (reached + before[:, j - 1])
        total += matches[:, j] * reached
    whole = np.zeros(matches.shape[2])
    for step in total:
        whole += step
    return decay * decay * whole
