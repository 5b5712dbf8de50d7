"""Choose hyper-parameters by cross-validation on a training file, folds grouped by sentence; print a table.

Every candidate of every regressor is fitted on the same folds; the figure is the Pearson correlation of all out-of-fold
predictions with gold. Nothing but the training file is looked at. docs/training.md records what came out.
"""

import argparse
import time
from itertools import product
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from samewise.ensemble.core.folds import grouped_folds, sentence_groups
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.tables.labelled_pairs import read_pairs
from samewise.features import FeatureMatrix, extract, resolve
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import highest_level
from samewise.features.pipeline.registry import Resources
from samewise.models.member import make_member

GRID: dict[str, dict[str, tuple[Any, ...]]] = {
    "rf": {"n_estimators": (200,), "min_samples_leaf": (2, 3, 5), "max_features": (0.1, 0.2, 0.35, 0.5)},
    "gbm": {
        "n_estimators": (600,),
        "learning_rate": (0.02, 0.035),
        "max_depth": (5, 6),
        "subsample": (0.5,),
        "max_features": (0.06, 0.12, 0.2),
        "min_samples_leaf": (10, 25),
    },
    "xgb": {
        "n_estimators": (800,),
        "learning_rate": (0.02, 0.03),
        "max_depth": (4, 5),
        "subsample": (0.5,),
        "colsample_bytree": (0.1, 0.2, 0.4),
        "min_child_weight": (4, 8, 16),
        "reg_lambda": (1.0,),
    },
}


def _held_out(
    name: str, params: dict[str, Any], matrix: FeatureMatrix, gold: np.ndarray, train: np.ndarray, rows: np.ndarray
) -> np.ndarray:
    return make_member(name, params, n_jobs=1).fit(matrix.take(train), gold[train]).predict(matrix.take(rows))


def main() -> None:
    """Search the grid and print one line a candidate, best first, then the best of each together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("train", help="training file")
    parser.add_argument("--features", default="full")
    parser.add_argument("--members", default="rf,gbm,xgb")
    parser.add_argument("--cache", help="folder that keeps computed features")
    options = parser.parse_args()
    pairs, gold, _ = read_pairs(options.train)
    assert gold is not None, "a training file has scores"
    features, columns = resolve(options.features.split(","))
    batch = analyse(pairs, highest_level(features))
    resources = Resources.fit([need for value in features for need in value.needs], batch.sentences)
    matrix = extract(batch, features, resources, columns=columns, cache=options.cache)
    folds = grouped_folds(sentence_groups(batch))
    together = np.zeros(len(gold))
    with Parallel(n_jobs=2) as parallel:
        for name in options.members.split(","):
            found = []
            for values in product(*GRID[name].values()):
                params = dict(zip(GRID[name], values, strict=True))
                started = time.perf_counter()
                parts = parallel(delayed(_held_out)(name, params, matrix, gold, *fold) for fold in folds)
                predicted = np.empty(len(gold))
                for (_, rows), part in zip(folds, parts, strict=True):
                    predicted[rows] = part
                found.append((pearson(gold, predicted), time.perf_counter() - started, params, predicted))
            found.sort(key=lambda item: -item[0])
            for r, seconds, params, _ in found:
                print(f"{name:4} {r:.4f} {seconds:6.1f} s  {params}", flush=True)
            together += found[0][3]
    print(f"mean {pearson(gold, together):.4f}          {matrix.values.shape[1]} columns")


if __name__ == "__main__":
    main()
