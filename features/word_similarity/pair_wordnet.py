"""WordNet that the features of a batch read."""

from ..lexicon.wordnet import WordNet, wordnet
from ..sentences import PairBatch


def wordnet_of(pairs: PairBatch) -> WordNet:
    """Return the user-supplied WordNet of a batch, or the shipped one if it has none."""
    own: WordNet | None = pairs.own_tables.get("wordnet")
    return wordnet() if own is None else own
