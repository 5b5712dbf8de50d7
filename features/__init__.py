"""What a pair of sentences looks like in numbers: analysis, resources, feature families and the matrix."""

from .base import Feature, feature
from .catalogue import FEATURE_SETS, all_features, resolve
from .matrix import FeatureMatrix, extract
from .pairs import AnalysedPair, Pair, PairBatch, Sentence

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
