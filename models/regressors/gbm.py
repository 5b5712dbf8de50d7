"""Gradient boosting of regression trees (Friedman, 2001), fitted by scikit-learn."""

import numpy as np

from ..tree_ensembles.conversion import from_boosting
from ..tree_ensembles.tree_arrays import TreeEnsemble
from ..tree_ensembles.tree_regressor import TreeRegressor, columns_of_split


def fit_trees(regressor: TreeRegressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    """Return the trees of a boosting fitted on n rows, on one core."""
    from sklearn.ensemble import GradientBoostingRegressor

    settings = regressor.settings_for(GradientBoostingRegressor)
    if settings.get("max_features") == SETTINGS["max_features"]:
        settings["max_features"] = columns_of_split(SETTINGS["max_features"], values.shape[1])
    if len(values) == 1:  # a single row, of which no part can be left out
        settings["subsample"] = 1.0
    boosting = GradientBoostingRegressor(**settings, random_state=regressor.random_state)
    return from_boosting(boosting.fit(values, y, sample_weight=weights))


SETTINGS = {
    "n_estimators": 300,
    "learning_rate": 0.04,
    "max_depth": 6,
    "subsample": 0.5,
    "max_features": 0.08,
    "min_samples_leaf": 25,
}

REGRESSOR = TreeRegressor("gbm", SETTINGS, fit_trees)
