"""Paragraph vectors (Le and Mikolov, 2014): distributed memory (Tian et al., 2017) and bag of words.

Both models were trained beforehand on a quarter of a million English sentences; ECNU trained on the sentences that it
scored. The vector of a sentence is the most likely one, which `paragraph_models` computes. Words that the models lack
are left out; a sentence without any other word has no vector.
"""

import numpy as np

from ...features.arrays.dense_kernels import K11, k11
from ...features.arrays.ragged import Ragged, ratio
from ...features.base.feature import PairBatch, feature
from ...features.base.token_sequences import vocabulary
from ..lexicon.paragraph_models import PRECISION, bag_turns, memory_turns, most_likely, paragraph_models


def _known_words(pairs: PairBatch) -> Ragged:
    words = vocabulary(pairs, "words")
    place = paragraph_models().find(words.hashes)[words.ids.values]
    return Ragged(place, words.ids.offsets).where(place >= 0)


@feature(*K11, low=-np.inf, high=np.inf, needs=("paragraphs",), source="Tian et al. 2017", section="D2V1")
def distributed_memory(pairs: PairBatch) -> np.ndarray:
    """K11 of the paragraph vectors of distributed memory, which predict a word together with its neighbours."""
    models = paragraph_models()
    turns = memory_turns(models, _known_words(pairs))
    vectors = most_likely(turns, models.memory_nodes, models.scales[1], PRECISION["memory"])
    return k11(vectors[pairs.left], vectors[pairs.right])


@feature(
    "cosine", "bray_curtis", "pearson", low=-1.0, needs=("paragraphs",), source="Lau and Baldwin 2016", section="D2V1"
)
def bag_of_words(pairs: PairBatch) -> np.ndarray:
    """Cosine, Bray-Curtis similarity and correlation of the vectors that predict each word by itself.

    Duma and Menzel (2017) use the same comparison. Bray-Curtis similarity is 1 less the sum of the differences over
    that of the absolute sums, and at least -1.
    """
    models = paragraph_models()
    vectors = most_likely(bag_turns(models, _known_words(pairs)), models.bag_nodes, models.scales[0], PRECISION["bag"])
    u, v = vectors[pairs.left], vectors[pairs.right]

    def cosine(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return ratio((x * y).sum(axis=1), np.sqrt((x * x).sum(axis=1) * (y * y).sum(axis=1)))

    apart, together = np.abs(u - v).sum(axis=1), np.abs(u + v).sum(axis=1)
    none = ~(u.any(axis=1) & v.any(axis=1))
    columns = [
        cosine(u, v),
        1 - ratio(apart, together, 2.0),
        cosine(*(x - x.mean(axis=1, keepdims=True) for x in (u, v))),
    ]
    return np.clip(np.where(none[:, None], 0.0, np.stack(columns, axis=1)), -1.0, 1.0)
