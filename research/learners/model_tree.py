"""A regression tree with linear models in its leaves (Quinlan, 1992)."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.linear_model import Ridge
from sklearn.tree import DecisionTreeRegressor


class ModelTree(RegressorMixin, BaseEstimator):
    """A shallow regression tree whose nodes hold ridge regressions, smoothed from the leaf to the root.

    The tree follows M5 (Quinlan, 1992): splits reduce the variance, and every node has a linear model of its rows. A
    leaf of n rows predicts (n p + s q) / (n + s), where p is the prediction of its model and q that of its parent, and
    so on up to the root. M5 prunes; this tree limits `max_depth` instead. scikit-learn has no model tree.
    """

    def __init__(
        self,
        max_depth: int = 2,
        min_samples_leaf: int = 20,
        alpha: float = 1.0,
        smoothing: float = 15.0,
        random_state: int | None = 0,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.alpha = alpha
        self.smoothing = smoothing
        self.random_state = random_state

    def fit(self, values: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> "ModelTree":
        """Grow the tree and fit the model of each node; values of shape (n, k), scores of shape (n,)."""
        tree = DecisionTreeRegressor(
            max_depth=self.max_depth, min_samples_leaf=self.min_samples_leaf, random_state=self.random_state
        )
        self.tree_ = tree.fit(values, y, sample_weight=sample_weight)
        inside = tree.decision_path(values).tocsc()
        models = np.empty((tree.tree_.node_count, values.shape[1] + 1))
        for node in range(len(models)):
            rows = inside.indices[inside.indptr[node] : inside.indptr[node + 1]]
            weights = None if sample_weight is None else sample_weight[rows]
            model = Ridge(self.alpha).fit(values[rows], y[rows], sample_weight=weights)
            models[node] = *model.coef_, model.intercept_
        self.models_ = self._smoothed(models)
        return self

    def _smoothed(self, models: np.ndarray) -> np.ndarray:
        tree = self.tree_.tree_
        parents = np.full(len(models), -1)
        for children in (tree.children_left, tree.children_right):
            parents[children[children >= 0]] = np.flatnonzero(children >= 0)
        smoothed = models.copy()
        for leaf in np.flatnonzero(tree.children_left < 0):
            node = leaf
            while (parent := parents[node]) >= 0:
                size = tree.n_node_samples[node]
                smoothed[leaf] = (size * smoothed[leaf] + self.smoothing * models[parent]) / (size + self.smoothing)
                node = parent
        return smoothed

    def predict(self, values: np.ndarray) -> np.ndarray:
        """Return the score of each row, shape (n, k) to (n,)."""
        models = self.models_[self.tree_.apply(values)]
        scores: np.ndarray = np.einsum("nk,nk->n", values, models[:, :-1]) + models[:, -1]
        return scores
