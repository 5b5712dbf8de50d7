"""Record of the code of shipped features in a model, and what has changed since."""

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ...features.catalogue import all_features
from ...features.declaration import Feature, feature_records
from ...features.matrix import FeatureMatrix
from ...features.provenance import package_digest
from ...models.bundle import BundleError

RECORD = "feature_code"
"""Key of the manifest."""

_TOLERANCE = 1e-5


def code_record(features: Sequence[Feature], matrix: FeatureMatrix) -> dict[str, Any]:
    """Return the record: the digest of each shipped feature, and a checksum of its columns of fixed pairs.

    Parameters
    ----------
    features
        Features of a model.
    matrix
        Their columns of `manifest.PROBE`.
    """
    digests = feature_records(value for value in features if value in all_features())
    facts = {name: {"digest": digest, "checksum": _checksum(matrix, name)} for name, digest in digests.items()}
    return {"package": package_digest(), "features": facts}


def changed_features(manifest: Mapping[str, Any], features: Sequence[Feature]) -> list[str]:
    """Return the full names of features whose code has changed since a model was trained.

    Comments, docstrings and formatting do not count. Nothing is returned for a model without a record.

    Raises
    ------
    samewise.models.bundle.BundleError
        If the record is malformed.
    """
    record = manifest.get(RECORD)
    if record is None:
        return []
    recorded = record.get("features") if isinstance(record, dict) else None
    if not isinstance(recorded, dict) or not all(isinstance(facts, dict) for facts in recorded.values()):
        raise BundleError(f"the manifest holds {record!r:.60} for the code of its features; train the model again")
    if record.get("package") == package_digest():
        return []
    present = feature_records(value for value in features if value.full_name in recorded)
    return [name for name, digest in present.items() if recorded[name].get("digest") != digest]


def check_feature_code(
    folder: str, manifest: Mapping[str, Any], features: Sequence[Feature], matrix: Callable[[], FeatureMatrix]
) -> None:
    """Refuse a bundle whose shipped features now compute other values; warn if only their code changed.

    Parameters
    ----------
    folder, manifest, features
        Of the bundle.
    matrix
        Returns the columns of `manifest.PROBE`; called only if code changed.

    Raises
    ------
    samewise.models.bundle.BundleError
        If a column of the fixed pairs differs from the recorded column.
    """
    changed = changed_features(manifest, features)
    if not changed:
        return
    present, recorded = matrix(), manifest[RECORD]["features"]
    for name in changed:
        if not _equal(_checksum(present, name), recorded[name].get("checksum")):
            raise BundleError(
                f"the feature {name} computes other values than when {folder} was trained; install samewise "
                f"{manifest['samewise']}, or train the model again"
            )
    warnings.warn(
        f"the code of {changed[0]} changed since {folder} was trained, and its values did not; save the model again to "
        "record the new code",
        UserWarning,
        stacklevel=4,
    )


def _checksum(matrix: FeatureMatrix, feature: str) -> float:
    # Each cell has a weight of its own, so that exchanged columns or rows do not go unnoticed.
    columns = [place for place, name in enumerate(matrix.columns) if name.rpartition(".")[0] == feature]
    cells = matrix.values[:, columns].astype(np.float64).ravel()
    return float(cells @ (1.0 + np.arange(len(cells)) * math.sqrt(5.0) % 1.0))


def _equal(value: float, recorded: Any) -> bool:
    return isinstance(recorded, float) and math.isclose(value, recorded, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
