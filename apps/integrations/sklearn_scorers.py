"""Scorers for scikit-learn: the correlations by which the field measures a model."""

from typing import Any

import numpy as np

from ...ensemble.evaluation.metrics import pearson


def pearson_scorer() -> Any:
    """Return a scorer of Pearson's correlation, for ``scoring=`` of `cross_val_score` and its relatives."""
    from sklearn.metrics import make_scorer

    return make_scorer(pearson)


def spearman_scorer() -> Any:
    """Return a scorer of Spearman's rank correlation, for ``scoring=`` of `cross_val_score` and its relatives."""
    from sklearn.metrics import make_scorer

    return make_scorer(_spearman)


# A function of the module, so that processes of joblib can unpickle the scorer.
def _spearman(gold: np.ndarray, scores: np.ndarray) -> float:
    from scipy.stats import rankdata

    return pearson(rankdata(gold), rankdata(scores))
