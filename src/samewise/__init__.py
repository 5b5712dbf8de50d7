"""Semantic similarity of two sentences, from 0 (unrelated) to 5 (the same)."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samewise.ensemble import (
        Index,
        PairFeatures,
        SentenceKFold,
        SimilarityClassifier,
        SimilarityEnsemble,
        dedupe,
        evaluate,
        load,
        match,
        score,
        score_table,
    )
    from samewise.features import FeatureMatrix, Pair, feature

    __version__: str

__all__ = [
    "FeatureMatrix",
    "Index",
    "Pair",
    "PairFeatures",
    "SentenceKFold",
    "SimilarityClassifier",
    "SimilarityEnsemble",
    "dedupe",
    "evaluate",
    "feature",
    "load",
    "match",
    "score",
    "score_table",
]


def __dir__() -> list[str]:
    # Names that the module only imports are left out; names that are loaded on demand are listed.
    return [*__all__, "__version__"]


def __getattr__(name: str) -> object:
    # On demand, so that `samewise --help` does not wait for unused imports.
    if name in __all__:
        home = "features" if name in ("FeatureMatrix", "Pair", "feature") else "ensemble"
        return getattr(import_module(f"samewise.{home}"), name)
    if name == "__version__":
        return import_module("importlib.metadata").version("samewise")
    raise AttributeError(f"module 'samewise' has no attribute {name!r}")
