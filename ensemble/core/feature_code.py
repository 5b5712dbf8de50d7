"""Record of the code of shipped features in a model, and what has changed since."""

import math
from collections.abc import Mapping, Sequence
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


def with_other_values(manifest: Mapping[str, Any], names: Sequence[str], matrix: FeatureMatrix) -> list[str]:
    """Return those of the named features whose columns of `manifest.PROBE` differ from the recorded ones."""
    recorded = manifest[RECORD]["features"]
    return [name for name in names if not _equal(_checksum(matrix, name), recorded[name].get("checksum"))]


def _checksum(matrix: FeatureMatrix, feature: str) -> float:
    # Each cell has a weight of its own, so that exchanged columns or rows do not go unnoticed.
    columns = [place for place, name in enumerate(matrix.columns) if name.rpartition(".")[0] == feature]
    cells = matrix.values[:, columns].astype(np.float64).ravel()
    return float(cells @ (1.0 + np.arange(len(cells)) * math.sqrt(5.0) % 1.0))


def _equal(value: float, recorded: Any) -> bool:
    return isinstance(recorded, float) and math.isclose(value, recorded, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
