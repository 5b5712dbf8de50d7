"""What people use and measure: the estimator, metrics, batch prediction, the command line."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .explanation import Explanation
    from .folds import SentenceKFold
    from .frames import score_table
    from .metrics import Evaluation, evaluate
    from .predictor import Prediction, Predictor, load
    from .similarity import SimilarityEnsemble
    from .transformer import PairFeatures

__all__ = [
    "Evaluation",
    "Explanation",
    "PairFeatures",
    "Prediction",
    "Predictor",
    "SentenceKFold",
    "SimilarityEnsemble",
    "evaluate",
    "load",
    "score_table",
]

_HOME = {
    "evaluate": ".metrics",
    "Evaluation": ".metrics",
    "Explanation": ".explanation",
    "PairFeatures": ".transformer",
    "SentenceKFold": ".folds",
    "Prediction": ".predictor",
    "Predictor": ".predictor",
    "SimilarityEnsemble": ".similarity",
    "load": ".predictor",
    "score_table": ".frames",
}


def __getattr__(name: str) -> object:
    # On demand: the estimator needs scikit-learn, whose import takes longer than most predictions.
    if name in _HOME:
        return getattr(import_module(_HOME[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
