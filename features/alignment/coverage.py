"""Share of two sentences that a word alignment covers, for a batch of pairs."""

from dataclasses import dataclass

import numpy as np

from ..arrays.ragged import ratio
from ..base.sentences import PairBatch
from ..base.token_sequences import content_mask, token_ids, vocabulary, word_classes
from ..statistics.counts import LemmaIdf, Weighting, idf_weights
from .aligner import Linked, link_pairs
from .alignment_input import prepare
from .spelling_links import with_spelling_links


def links(pairs: PairBatch, *, parsed: bool = True) -> Linked:
    """Align every pair of a batch, also words that are misspelt or split in two.

    Parameters
    ----------
    pairs
        A batch of the level ``lexical`` or ``parsed``.
    parsed
        Whether to use dependencies and names; without them six of the nine stages run.
    """

    def compute() -> Linked:
        linked = link_pairs(prepare(pairs, parsed=parsed), pairs.left, pairs.right)
        return with_spelling_links(pairs, linked)

    return pairs.memo(("links", parsed), compute)


def covered(pairs: PairBatch, *, parsed: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Return the weight of the link of each token of ``token_ids(pairs).a`` and ``.b``: 0, 0.5 or 1."""

    def compute() -> tuple[np.ndarray, np.ndarray]:
        linked = links(pairs, parsed=parsed)
        sides = []
        for places, side in ((linked.i, token_ids(pairs).a), (linked.j, token_ids(pairs).b)):
            cover = np.zeros(len(side.values))
            np.maximum.at(cover, side.offsets[linked.row] + places, linked.weight)
            sides.append(cover)
        return sides[0], sides[1]

    return pairs.memo(("covered", parsed), compute)


@dataclass(frozen=True)
class Coverage:
    """Weight of the linked tokens and of all tokens of either side, each of shape (n,)."""

    linked_a: np.ndarray
    all_a: np.ndarray
    linked_b: np.ndarray
    all_b: np.ndarray

    @property
    def both(self) -> np.ndarray:
        """Linked share of both sentences together; 0 if their weight is 0."""
        return ratio(self.linked_a + self.linked_b, self.all_a + self.all_b)

    @property
    def sides(self) -> tuple[np.ndarray, np.ndarray]:
        """Linked share of either sentence."""
        return ratio(self.linked_a, self.all_a), ratio(self.linked_b, self.all_b)


def coverage(pairs: PairBatch, weights: np.ndarray, *, parsed: bool = True) -> Coverage:
    """Return the linked weight of either side, given a weight for each token of the distinct sentences."""
    n = len(pairs)
    sums = []
    for cover, side in zip(covered(pairs, parsed=parsed), token_ids(pairs), strict=True):
        weight = weights[side.values]
        rows = side.rows
        sums += [np.bincount(rows, weights=weight * cover, minlength=n), np.bincount(rows, weights=weight, minlength=n)]
    return Coverage(*sums)


def by_class(pairs: PairBatch, weights: np.ndarray, *, parsed: bool = True) -> list[Coverage]:
    """Return `coverage` of the nouns, verbs, adjectives, adverbs and other tokens alone."""
    classes = word_classes(pairs)
    return [coverage(pairs, weights * (classes == kind), parsed=parsed) for kind in range(5)]


def ones(pairs: PairBatch) -> np.ndarray:
    """Return a weight of 1 for every token of the distinct sentences."""
    return np.ones(len(word_classes(pairs)))


def content(pairs: PairBatch) -> np.ndarray:
    """Return a weight of 1 for the content words among the tokens of the distinct sentences."""
    return content_mask(pairs).astype(np.float64)


def lemma_weights(pairs: PairBatch, lemma_idf: LemmaIdf, kind: Weighting) -> np.ndarray:
    """Return the idf of the lemma of every token of the distinct sentences."""
    return idf_weights(pairs, "lemmas", lemma_idf, kind)[vocabulary(pairs, "lemmas").ids.values]
