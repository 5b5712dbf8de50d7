"""Random forest (Breiman, 2001), fitted by scikit-learn."""

import numpy as np

from ..tree_ensembles.conversion import from_forest
from ..tree_ensembles.tree_arrays import TreeEnsemble
from ..tree_ensembles.tree_regressor import TreeRegressor


def fit_trees(regressor: TreeRegressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    """Return the trees of a forest fitted on n rows; the number of cores does not change a tree."""
    from sklearn.ensemble import RandomForestRegressor

    settings = regressor.settings_for(RandomForestRegressor)
    forest = RandomForestRegressor(**settings, random_state=regressor.random_state, n_jobs=regressor.n_jobs)
    return from_forest(forest.fit(values, y, sample_weight=weights))


REGRESSOR = TreeRegressor("rf", {"n_estimators": 200, "min_samples_leaf": 3, "max_features": 0.35}, fit_trees)
