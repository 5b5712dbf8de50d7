"""Cosine of averaged word vectors of words, lemmas and content lemmas (Meng et al., 2017; Sultan et al., 2015).

The average of all words is in `embedding.cosine_distilled` and `embedding.cosine_relational`.
"""

import numpy as np

from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import WORD_CLASSES, Field, content_mask, vocabulary, word_classes
from ...features.lexicon.word_vectors import shipped_vectors
from ...features.word_similarity.vector_pooling import Rows, cosines, embedded, rows_without, stored, weighted_sums

_COLUMNS = ("removed", "lemmas", "content")


def _views(pairs: PairBatch) -> tuple[tuple[Field, Rows], ...]:
    lemmas = vocabulary(pairs, "lemmas").ids
    content = content_mask(pairs) & (word_classes(pairs) < WORD_CLASSES.index("other"))
    return (
        ("words", rows_without(pairs, "words", "ecnu")),
        ("lemmas", Rows(lemmas, pairs.left, pairs.right)),
        ("lemmas", Rows(lemmas.where(content), pairs.left, pairs.right)),
    )


@feature(
    *_COLUMNS, low=-1.0, level="lexical", needs=("distilled",), source="Meng et al. 2017; Sultan et al. 2015",
    section="EMB3",
)  # fmt: skip
def distilled(pairs: PairBatch) -> np.ndarray:
    """Cosine of the averaged vectors of the words without stop words, of all lemmas, and of the content lemmas.

    Stop words of ECNU are kept where removing them empties a side. Content lemmas are those of nouns, verbs, adjectives
    and adverbs that are not stop words. 0 where a side has no such word.
    """
    columns = []
    for field, (items, left, right) in _views(pairs):
        vectors = embedded(pairs, shipped_vectors("distilled"), field)
        weight = stored(vectors, np.ones(len(vectors.scales)))
        (sums,) = weighted_sums(vectors.codes, items, [weight[items.values]])
        columns.append(cosines(sums[left], sums[right]))
    return np.stack(columns, axis=1)
