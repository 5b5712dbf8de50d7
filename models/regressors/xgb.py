"""Gradient boosting by XGBoost (Chen and Guestrin, 2016)."""

import numpy as np

from ..tree_ensembles.conversion import from_xgboost
from ..tree_ensembles.tree_arrays import TreeEnsemble
from ..tree_ensembles.tree_regressor import TreeRegressor


def fit_trees(regressor: TreeRegressor, values: np.ndarray, y: np.ndarray, weights: np.ndarray) -> TreeEnsemble:
    """Return the trees of a booster fitted on n rows."""
    from xgboost import XGBModel, XGBRegressor

    # XGBRegressor accepts any keyword, so a misspelt setting would go unnoticed: its parent lists the valid ones.
    settings = regressor.settings_for(XGBModel)
    model = XGBRegressor(**settings, objective="reg:squarederror", random_state=regressor.random_state, n_jobs=1)
    return from_xgboost(model.fit(values, y, sample_weight=weights).get_booster())


SETTINGS = {
    "n_estimators": 800,
    "learning_rate": 0.02,
    "max_depth": 5,
    "subsample": 0.5,
    "colsample_bytree": 0.4,
    "min_child_weight": 16,
    "reg_lambda": 1.0,
}

REGRESSOR = TreeRegressor("xgb", SETTINGS, fit_trees, libraries=("xgboost",))
