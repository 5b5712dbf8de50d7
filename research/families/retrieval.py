"""Sentences as queries, compared by the documents that they retrieve (Itoh, 2016).

The author's collection, ranking function and combination are not described in full. Here the collection is the glosses
of WordNet, one document for each synset. The ranking function is BM25; the index keeps the postings with the greatest
weights.
"""

from typing import NamedTuple

import numpy as np

from ...features.alignment.coverage import coverage
from ...features.arrays.joins import among, chunks
from ...features.arrays.ragged import Ragged, ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import vocabulary
from ..lexicon.glosses import WEIGHT_BITS, common_documents, cosine, documents_found, gloss_index

DEPTH = 100
"""Number of documents that a sentence retrieves."""

PERSISTENCE = 0.98
"""Probability that the reader of a list goes on to its next document (Webber et al., 2010).

The first 100 documents have 96 % of the total weight. With 0.9, where the first ten have 86 %, rank-biased overlap
correlates with the scores of STS Benchmark train by 0.54 instead of 0.62.
"""


_POSTINGS_AT_A_TIME = 1 << 18
_ROW_SHIFT = 32


class Retrieved(NamedTuple):
    """Documents that sentences retrieve: one row for each sentence, the best first.

    Attributes
    ----------
    documents
        Numbers of the documents; those with equal scores are in order.
    scores
        Whole numbers, parallel to the values of `documents`.
    """

    documents: Ragged
    scores: np.ndarray

    @property
    def ranks(self) -> np.ndarray:
        """Place of each document in its row, from 0."""
        return np.arange(len(self.scores)) - np.repeat(self.documents.offsets[:-1], self.documents.lengths)


def _retrieve(pairs: PairBatch) -> Retrieved:
    def compute() -> Retrieved:
        matches = documents_found(pairs, gloss_index())
        # Stable, so that documents stay in order where scores are equal.
        order = np.lexsort((-matches.plain, matches.documents.rows))
        ranked = Retrieved(Ragged(matches.documents.values[order], matches.documents.offsets), matches.plain[order])
        best = ranked.ranks < DEPTH
        return Retrieved(ranked.documents.where(best), ranked.scores[best].astype(np.float64))

    return pairs.memo("retrieved", compute)


def _merits() -> np.ndarray:
    # Contribution of a common document to rank-biased overlap if the worse of its ranks is k: it counts at every depth
    # from there to the last, divided by the depth.
    depth = np.arange(1, DEPTH + 1)
    return np.cumsum((PERSISTENCE ** (depth - 1) / depth)[::-1])[::-1]


@feature("cosine", "rank_biased", "share", needs=("glosses",), source="Itoh 2016", section="IR1")
def glosses(pairs: PairBatch) -> np.ndarray:
    """Cosine of the BM25 scores of the 100 best glosses, rank-biased overlap of both lists, Dice share in common.

    Rank-biased overlap (Webber et al., 2010) is cut at rank 100 and divided by the most that lists of these lengths can
    reach.
    """
    retrieved = _retrieve(pairs)
    common = common_documents(retrieved.documents, pairs.left, pairs.right)
    n, merits, ranks = len(pairs), _merits(), retrieved.ranks
    reached = np.bincount(common.row, weights=merits[np.maximum(ranks[common.a], ranks[common.b])], minlength=n)
    most = np.concatenate([[0.0], np.cumsum(merits)])
    size_a, size_b = retrieved.documents.lengths[pairs.left], retrieved.documents.lengths[pairs.right]
    shared = 2.0 * np.bincount(common.row, minlength=n)
    columns = [
        cosine(retrieved.documents, retrieved.scores, common, pairs.left, pairs.right),
        ratio(reached, most[np.minimum(size_a, size_b)]),
        ratio(shared, (size_a + size_b).astype(np.float64)),
    ]
    return np.minimum(np.stack(columns, axis=1), 1.0)


def _importance(pairs: PairBatch) -> np.ndarray:
    # Contribution of each token of the distinct sentences, flat, to the scores of the documents that its sentence
    # retrieves.
    index, stems, documents = gloss_index(), vocabulary(pairs, "stems"), _retrieve(pairs).documents
    retrieved_keys = np.sort(documents.rows << _ROW_SHIFT | documents.values)
    place = index.find(stems.hashes)[stems.ids.values]
    tokens = np.flatnonzero(place >= 0)
    codes, which = np.unique(stems.ids.rows[tokens] << _ROW_SHIFT | place[tokens], return_inverse=True)
    row, place = codes >> _ROW_SHIFT, codes & (1 << _ROW_SHIFT) - 1
    postings, importance = Ragged(index.postings, index.offsets), np.zeros(len(codes))
    for part in chunks(postings.lengths[place], _POSTINGS_AT_A_TIME):
        part_postings = postings.take(place[part])
        document = (part_postings.values >> np.uint32(WEIGHT_BITS)).astype(np.int64)
        weight = (part_postings.values & np.uint32((1 << WEIGHT_BITS) - 1)) * 1.0
        retrieved = among(row[part][part_postings.rows] << _ROW_SHIFT | document, retrieved_keys)
        importance[part] = np.bincount(part_postings.rows, weights=weight * retrieved, minlength=part.stop - part.start)
    result = np.zeros(len(stems.ids.values))
    result[tokens] = importance[which]
    return result


@feature("both", "min", "max", level="parsed", needs=("paraphrases", "glosses"), source="Itoh 2016", section="IR1")
def aligned(pairs: PairBatch) -> np.ndarray:
    """Linked share of both sentences and of either, words weighted by their part in the retrieval.

    The weight of a word is the contribution of its stem to the BM25 scores of the 100 best glosses of its sentence; 0
    without glosses.
    """
    covered = coverage(pairs, _importance(pairs))
    return np.stack([covered.both, np.minimum(*covered.sides), np.maximum(*covered.sides)], axis=1)
