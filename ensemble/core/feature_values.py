"""Checksums of the values of features on fixed pairs: a model is refused where a feature computes something else."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...features.declaration import Feature
from ...features.matrix import FeatureMatrix
from ...models.bundle import BundleError

CHECKSUMS = "checksums"
"""Key of the manifest."""

_TOLERANCE = 1e-5


def checksums(features: Sequence[Feature], matrix: FeatureMatrix) -> dict[str, float]:
    """Return a checksum of the columns of each feature, by its full name.

    Parameters
    ----------
    features
        Features of a model.
    matrix
        Its columns of `manifest.PROBE`.
    """
    return {value.full_name: _checksum(matrix, value.full_name) for value in features}


def check_feature_values(
    folder: str, manifest: Mapping[str, Any], features: Sequence[Feature], matrix: FeatureMatrix
) -> None:
    """Refuse a bundle whose features, shipped or user-supplied, compute other values than when it was trained.

    Parameters
    ----------
    folder, manifest, features
        Of the bundle.
    matrix
        Its columns of `manifest.PROBE`.

    Raises
    ------
    samewise.models.bundle.BundleError
        With the name of the feature.
    """
    recorded, own = manifest.get(CHECKSUMS, {}), manifest.get("own_features", {})
    for name, value in checksums(features, matrix).items():
        if not math.isclose(value, recorded.get(name, math.nan), rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            remedy = f"restore {own[name]['file']}" if name in own else f"install samewise {manifest['samewise']}"
            raise BundleError(
                f"the feature {name} computes other values than when {folder} was trained; {remedy}, or train the "
                "model again"
            )


def _checksum(matrix: FeatureMatrix, feature: str) -> float:
    # Each cell has a weight of its own, so that exchanged columns or rows do not go unnoticed.
    columns = [place for place, name in enumerate(matrix.columns) if name.rpartition(".")[0] == feature]
    cells = matrix.values[:, columns].astype(np.float64).ravel()
    return float(cells @ (1.0 + np.arange(len(cells)) * math.sqrt(5.0) % 1.0))
