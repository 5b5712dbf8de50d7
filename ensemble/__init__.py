"""What people use and measure: the estimator, metrics, batch prediction, the command line."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .metrics import Evaluation, evaluate
    from .predictor import Prediction, Predictor, load
    from .similarity import SimilarityEnsemble

__all__ = ["Evaluation", "Prediction", "Predictor", "SimilarityEnsemble", "evaluate", "load"]

_HOME = {
    "evaluate": ".metrics",
    "Evaluation": ".metrics",
    "Prediction": ".predictor",
    "Predictor": ".predictor",
    "SimilarityEnsemble": ".similarity",
    "load": ".predictor",
}


def __getattr__(name: str) -> object:
    # On demand: the estimator needs scikit-learn, whose import takes longer than most predictions.
    if name in _HOME:
        return getattr(import_module(_HOME[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
