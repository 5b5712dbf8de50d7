"""Features of pairs of sentences: analysis, resources, families and the matrix."""

from .base.feature import Feature, feature
from .base.sentences import AnalysedPair, Pair, PairBatch, Sentence
from .pipeline.catalogue import all_features, resolve
from .pipeline.matrix import FeatureMatrix, extract
from .pipeline.named_sets import FEATURE_SETS

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
