"""How alike two sentences are in meaning, from 0 (unrelated) to 5 (the same)."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from samewise.ensemble import SimilarityEnsemble, evaluate, load, score_table
    from samewise.features import FeatureMatrix, Pair, feature

__all__ = ["FeatureMatrix", "Pair", "SimilarityEnsemble", "evaluate", "feature", "load", "score_table"]


def __getattr__(name: str) -> object:
    # On demand, so that `samewise --help` does not wait for what it does not use.
    if name in __all__:
        from samewise import ensemble, features

        return getattr(features if name in features.__all__ else ensemble, name)
    raise AttributeError(f"module 'samewise' has no attribute {name!r}")
