"""The product: estimator, predictor, evaluation, batch prediction, service and command line."""

from importlib import import_module
from typing import TYPE_CHECKING

from .._notebook_html import draw_with

if TYPE_CHECKING:
    from .core.classifier import SimilarityClassifier
    from .core.estimator import SimilarityEnsemble
    from .core.explanation import Explanation
    from .core.folds import SentenceKFold
    from .core.pair_features import PairFeatures
    from .core.prediction import Prediction
    from .core.predictor import Predictor
    from .evaluation.binary_metrics import BinaryEvaluation
    from .evaluation.metrics import Evaluation, evaluate
    from .loading import load
    from .matching.api import dedupe, match
    from .matching.index import Index
    from .scoring.data_frames import score_table
    from .scoring.single_pair import score

__all__ = [
    "BinaryEvaluation",
    "Evaluation",
    "Explanation",
    "Index",
    "PairFeatures",
    "Prediction",
    "Predictor",
    "SentenceKFold",
    "SimilarityClassifier",
    "SimilarityEnsemble",
    "dedupe",
    "evaluate",
    "load",
    "match",
    "score",
    "score_table",
]

_HOME = {
    "BinaryEvaluation": ".evaluation.binary_metrics",
    "dedupe": ".matching.api",
    "Index": ".matching.index",
    "match": ".matching.api",
    "evaluate": ".evaluation.metrics",
    "Evaluation": ".evaluation.metrics",
    "Explanation": ".core.explanation",
    "PairFeatures": ".core.pair_features",
    "SentenceKFold": ".core.folds",
    "Prediction": ".core.prediction",
    "Predictor": ".core.predictor",
    "SimilarityClassifier": ".core.classifier",
    "SimilarityEnsemble": ".core.estimator",
    "load": ".loading",
    "score": ".scoring.single_pair",
    "score_table": ".scoring.data_frames",
}


def __getattr__(name: str) -> object:
    # On demand: the estimator needs scikit-learn, whose import takes longer than most predictions.
    if name in _HOME:
        return getattr(import_module(_HOME[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


def _drawn(value: object) -> str:
    from .reports.notebook_drawings import drawn

    return drawn(value)


# Results lie below the reports that draw them, and may not import these.
draw_with(_drawn)
