"""Random forest (Breiman, 2001), fitted by scikit-learn."""

import numpy as np

from ..tree_ensembles.conversion import from_forest
from ..tree_ensembles.tree_arrays import TreeEnsemble
from ..tree_ensembles.tree_regressor import TreeRegressor, columns_of_split


def fit_trees(regressor: TreeRegressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    """Return the trees of a forest fitted on n rows; the number of cores does not change a tree."""
    from sklearn.ensemble import RandomForestRegressor

    settings = regressor.settings_for(RandomForestRegressor)
    if settings.get("max_features") == SETTINGS["max_features"]:
        settings["max_features"] = columns_of_split(SETTINGS["max_features"], values.shape[1])
    if isinstance(share := settings.get("max_samples"), float):
        # A share of the weights, as scikit-learn takes it, but never so few rows that it warns.
        settings["max_samples"] = min(len(y), max(int(share * weights.sum()), FEWEST))
    forest = RandomForestRegressor(**settings, random_state=regressor.random_state, n_jobs=regressor.n_jobs)
    return from_forest(forest.fit(values, y, sample_weight=weights))


FEWEST = 20
"""Rows that a tree is fitted on, at least, if there are as many."""

SETTINGS = {"n_estimators": 200, "min_samples_leaf": 3, "max_features": 0.15, "max_samples": 0.6}

REGRESSOR = TreeRegressor("rf", SETTINGS, fit_trees)
