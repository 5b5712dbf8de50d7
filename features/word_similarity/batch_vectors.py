"""The vectors of the words of a batch, each distinct word looked up once."""

from ..lexicon.word_vectors import Embedded, WordVectors
from ..sentences import PairBatch
from ..token_sequences import Field, vocabulary


def embedded(pairs: PairBatch, vectors: WordVectors, field: Field = "words") -> Embedded:
    """Return the vectors of ``vocabulary(pairs, field).items``, in that order."""

    def compute() -> Embedded:
        items = vocabulary(pairs, field)
        return vectors.embed(items.items, items.hashes)

    return pairs.memo(("word vectors", vectors.digest, field), compute)
