"""Vectors of sentences by a user-supplied sentence encoder, which ``--encoder`` names.

The first two measures are those of `contextual`; BERTScore (Zhang et al., 2020) matches the words of two sentences by
their vectors in context. The encoder is not stored with a model; the family is in no set, because a model
that has it needs the same encoder wherever it is loaded.
"""

import numpy as np

from ..base.feature import PairBatch, feature
from ..encoders import encoder_measures as measures
from ..pipeline.user_supplied import UserEncoder
from ..statistics.counts import Idf


@feature(*measures.COSINES, low=-1.0, needs=("idf", "user_encoder"), source="Reimers and Gurevych 2019", section="EMB3")
def cosine(pairs: PairBatch, idf: Idf, user_encoder: UserEncoder) -> np.ndarray:
    """Cosines of the vectors of the sentences, and of other vectors, as in `contextual.cosine`."""
    return measures.sentence_cosines(pairs, user_encoder.encoder, idf)


@feature(*measures.DISTANCES, high=2.0, needs=("user_encoder",), source="Reimers and Gurevych 2019", section="EMB3")
def distance(pairs: PairBatch, user_encoder: UserEncoder) -> np.ndarray:
    """Distances of the vectors of the sentences, as in `contextual.distance`."""
    return measures.distances(pairs, user_encoder.encoder)


@feature(*measures.MATCH, high=np.inf, needs=("idf", "user_encoder"), source="Zhang et al. 2020", section="EMB7")
def match(pairs: PairBatch, idf: Idf, user_encoder: UserEncoder) -> np.ndarray:
    """Seventeen statistics of the best cosine of each word in context to a word of the other sentence.

    `encoder_measures.match` lists them.
    """
    return measures.match(pairs, user_encoder.encoder, idf)
