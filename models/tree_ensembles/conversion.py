"""The trees of models that scikit-learn or XGBoost fitted, as `TreeEnsemble`; predictions stay equal to the last bit.

Neither library is imported here: the fitted model is an argument.
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .tree_arrays import LEAF, TreeEnsemble

if TYPE_CHECKING:
    from sklearn.ensemble import GradientBoostingRegressor, RandomForestRegressor
    from xgboost import Booster

_IDENTITY = ("reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror")  # objectives without a link function

_Tree = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def _breadth_first(
    left: np.ndarray,
    right: np.ndarray,
    feature: np.ndarray,
    threshold: np.ndarray,
    value: np.ndarray,
    weight: np.ndarray,
) -> _Tree:
    """Return the features of all nodes, the thresholds of the inner ones, and the values and covers of the leaves."""
    levels = [np.zeros(1, dtype=np.intp)]
    while len(levels[-1]):
        inner = levels[-1][left[levels[-1]] >= 0]
        levels.append(np.column_stack([left[inner], right[inner]]).ravel())
    order = np.concatenate(levels)
    leaf = left[order] < 0
    inner, ends = order[~leaf], order[leaf]
    return np.where(leaf, LEAF, feature[order]), threshold[inner], value[ends], weight[ends].astype(np.float32)


def _sklearn_tree(tree: Any, factor: float = 1.0) -> _Tree:
    # For float32 x, x <= t in float64 is x <= f with f the largest float32 not above t, and so x < the float32 after f.
    threshold = tree.threshold.astype(np.float32)
    threshold = np.where(threshold > tree.threshold, np.nextafter(threshold, np.float32(-np.inf)), threshold)
    threshold = np.nextafter(threshold, np.float32(np.inf))
    value = factor * tree.value[:, 0, 0]
    weight = tree.weighted_n_node_samples
    return _breadth_first(tree.children_left, tree.children_right, tree.feature, threshold, value, weight)


def _joined(width: int, trees: Sequence[_Tree], base: float = 0.0, divisor: int = 1) -> TreeEnsemble:
    sizes = [len(tree[0]) for tree in trees]
    roots = np.concatenate([[0], np.cumsum(sizes[:-1])]).astype(np.int32)
    feature, threshold, value, cover = (np.concatenate(part) for part in zip(*trees, strict=True))
    kind = np.int16 if width <= np.iinfo(np.int16).max else np.int32
    return TreeEnsemble(int(width), roots, feature.astype(kind), threshold, value, base, divisor, cover=cover)


def from_forest(forest: "RandomForestRegressor") -> TreeEnsemble:
    """Return the trees of a fitted forest with one output."""
    if forest.n_outputs_ != 1:
        raise ValueError(f"the forest predicts {forest.n_outputs_} outputs; fit one with a single output")
    trees = [_sklearn_tree(tree.tree_) for tree in forest.estimators_]
    return _joined(forest.n_features_in_, trees, divisor=len(trees))


def from_boosting(boosting: "GradientBoostingRegressor") -> TreeEnsemble:
    """Return the trees of a fitted boosting whose first prediction is a constant (the default) or zero."""
    zero = boosting.init_ == "zero"
    if not zero and not hasattr(boosting.init_, "constant_"):
        raise ValueError(f"boosting that begins with {boosting.init_!r} cannot be kept as trees; leave out `init`")
    trees = [_sklearn_tree(tree.tree_, boosting.learning_rate) for tree in boosting.estimators_[:, 0]]
    base = 0.0 if zero else float(np.ravel(boosting.init_.constant_)[0])
    return _joined(boosting.n_features_in_, trees, base=base)


def from_xgboost(booster: "Booster") -> TreeEnsemble:
    """Return the trees of a booster with numeric splits, one output, and an objective without a link function."""
    learner = json.loads(bytes(booster.save_raw("json")))["learner"]
    kind, objective = learner["gradient_booster"]["name"], learner["objective"]["name"]
    if kind != "gbtree" or objective not in _IDENTITY:
        raise ValueError(f"XGBoost's {kind} with {objective} cannot be kept as trees; use gbtree, reg:squarederror")
    model = learner["gradient_booster"]["model"]
    # From XGBoost 3.4 on, trees that were fitted with dropout look like others but for this list of factors.
    if any(float(factor) != 1.0 for factor in model.get("weight_drop", ())):
        raise ValueError(
            "XGBoost trees fitted with dropout cannot be kept; leave out rate_drop, skip_drop and one_drop"
        )
    records = model["trees"]
    if any(tree["categories_nodes"] or int(tree["tree_param"]["size_leaf_vector"]) > 1 for tree in records):
        raise ValueError("XGBoost trees with categories or several outputs cannot be kept; fit on numbers, one output")
    trees = []
    for tree in records:
        conditions = np.asarray(tree["split_conditions"], dtype=np.float32)
        left, right, feature = (np.asarray(tree[key]) for key in ("left_children", "right_children", "split_indices"))
        weight = np.asarray(tree["sum_hessian"], dtype=np.float32)
        # A leaf's condition is its value.
        trees.append(_breadth_first(left, right, feature, conditions, conditions, weight))
    base = np.float32(np.ravel(json.loads(learner["learner_model_param"]["base_score"]))[0])
    return _joined(int(learner["learner_model_param"]["num_feature"]), trees, base=float(base))
