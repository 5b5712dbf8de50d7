"""Features of pairs of sentences: analysis, resources, families and the matrix."""

from .catalogue import all_features, resolve
from .declaration import Feature, feature
from .matrix import FeatureMatrix, extract
from .named_sets import FEATURE_SETS
from .sentences import AnalysedPair, Pair, PairBatch, Sentence

__all__ = [
    "FEATURE_SETS",
    "AnalysedPair",
    "Feature",
    "FeatureMatrix",
    "Pair",
    "PairBatch",
    "Sentence",
    "all_features",
    "extract",
    "feature",
    "resolve",
]
