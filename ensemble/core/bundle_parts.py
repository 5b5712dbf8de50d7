"""Parts of a fitted model, read from a bundle; no code of the bundle is run."""

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ...features.analysis.analysis import VERSION as ANALYSIS_VERSION
from ...features.base.feature import Feature
from ...features.linguistics.glossary import Glossary
from ...features.pipeline.catalogue import all_features, core_features, resolve
from ...features.pipeline.matrix import FeatureMatrix
from ...features.pipeline.registry import RESOURCES, Resources
from ...features.pipeline.user_supplied import GIVEN, USER_SUPPLIED, UserSupplied
from ...features.statistics.fitted import Resource
from ...models.bundle import BundleError, read_bundle
from ...models.member import Member, load_member
from ...models.npz import unpack_arrays
from .combination import Combination
from .manifest import GLOSSARY
from .scale import Scale
from .uncertainty import stored_uncertainty

CHECKSUMS = "checksums"
"""Key of the manifest."""

_TOLERANCE = 1e-5


def checksums(features: Sequence[Feature], matrix: FeatureMatrix) -> dict[str, float]:
    """Return a checksum of the columns of each feature, by its full name, from the columns of `manifest.PROBE`."""
    sums = {}
    for value in features:
        columns = [k for k, name in enumerate(matrix.columns) if name.rpartition(".")[0] == value.full_name]
        cells = matrix.values[:, columns].astype(np.float64).ravel()
        # Each cell has a weight of its own, so that exchanged columns or rows do not go unnoticed.
        sums[value.full_name] = float(cells @ (1.0 + np.arange(len(cells)) * math.sqrt(5.0) % 1.0))
    return sums


def check_feature_values(
    folder: str, manifest: Mapping[str, Any], features: Sequence[Feature], matrix: FeatureMatrix
) -> None:
    """Refuse a bundle whose features, shipped or user-supplied, compute other values than when it was trained."""
    recorded, own = manifest.get(CHECKSUMS, {}), manifest.get("own_features", {})
    for name, value in checksums(features, matrix).items():
        if not math.isclose(value, recorded.get(name, math.nan), rel_tol=_TOLERANCE, abs_tol=_TOLERANCE):
            remedy = f"restore {own[name]['file']}" if name in own else f"install samewise {manifest['samewise']}"
            raise BundleError(
                f"the feature {name} computes other values than when {folder} was trained; {remedy}, or train the "
                "model again"
            )


USER_RESOURCES: dict[str, type[UserSupplied]] = {
    kind.option.removeprefix("--"): kind for kind in USER_SUPPLIED.values()
}
"""User-supplied resources by the keyword that names their place, in Python, in a manifest and on the command line."""


def read_parts(
    folder: str | Path,
    features: Sequence[Feature] = (),
    **places: str | Path | None,
) -> dict[str, Any]:
    """Return the fields of a `Predictor` from a bundle.

    Parameters
    ----------
    folder
        The bundle.
    features
        User-supplied features that the model was trained with.
    **places
        Places of the user-supplied resources, by keyword of `USER_RESOURCES`, if they are no longer where the model was
        trained. A model that reads none can extract other features with them.

    Raises
    ------
    samewise.models.bundle.BundleError
        If a file is missing, changed or malformed, or the model needs a feature, a version, word vectors, an encoder or
        a WordNet that is missing.
    """
    if unknown := places.keys() - USER_RESOURCES.keys():
        raise TypeError(f"a place must be that of {', '.join(USER_RESOURCES)}, got {min(unknown)!r}; correct it")
    bundle = read_bundle(folder)
    manifest = dict(bundle.manifest)
    if manifest.get("analysis") != ANALYSIS_VERSION:
        raise BundleError(
            f"{folder} must have the text analysis {ANALYSIS_VERSION}, got {manifest.get('analysis')}; "
            f"install samewise {manifest['samewise']} or train the model again"
        )
    columns = tuple(manifest["columns"])

    def read_members() -> tuple[Member, ...]:
        return tuple(
            _load_member(facts["name"], bundle.files[facts["file"]], columns, facts["params"])
            for facts in manifest["members"]
        )

    with ThreadPoolExecutor(1) as pool:  # unpacking leaves the interpreter free to import the features
        unpacked = pool.submit(read_members)
        chosen = _features(folder, manifest, columns, features)
    try:
        members = unpacked.result()
        facts = manifest.get("combination")
        combination = Combination() if facts is None else Combination.from_dict(facts, len(members))
        # So that malformed ones show now.
        Scale.from_manifest(manifest)
        if GLOSSARY in manifest:
            Glossary.of(manifest[GLOSSARY])
        interval = stored_uncertainty(manifest["interval"])
        kinds = {name: (RESOURCES[name], bundle.files[file]) for name, file in manifest["resources"].items()}
        resources = {name: kind(unpack_arrays(data, names=kind.layout)) for name, (kind, data) in kinds.items()}
        resources |= _user_resources(folder, manifest, places)
    except KeyError as error:
        raise BundleError(
            f"the manifest of {folder} names {error}, which does not exist; train the model again"
        ) from error
    except (TypeError, AttributeError) as error:  # settings of a member, which its module knows
        raise BundleError(f"the manifest of {folder} is malformed ({error}); train the model again") from error
    except BundleError:
        raise
    except ValueError as error:
        raise BundleError(f"{folder} cannot be used: {error}") from error
    missing = [need for value in chosen for need in value.needs if need in GIVEN or need in RESOURCES]
    missing = [need for need in missing if need not in resources]
    if missing or not members:
        what = f"the resource {missing[0]!r}" if missing else "its members"
        raise BundleError(f"{folder} lacks {what}; train the model again")
    read = {"features": chosen, "columns": columns, "resources": Resources(resources), "members": members}
    return {**read, "interval": interval, "manifest": manifest, "combination": combination}


def _load_member(name: str, data: bytes, columns: Sequence[str], params: Mapping[str, Any] | None) -> Member:
    if name != "summary":
        return load_member(name, data, columns, params)
    from .summary_correction import SummaryCorrection  # reads differences, which other models do without

    return SummaryCorrection().from_bytes(data, columns, params)


def _features(
    folder: str | Path, manifest: Mapping[str, Any], columns: Sequence[str], user_supplied: Sequence[Feature]
) -> tuple[Feature, ...]:
    available = (*core_features(), *user_supplied)
    if not set(columns) <= {column for value in available for column in value.columns}:
        available = (*all_features(), *user_supplied)
    trained = manifest.get("own_features", {})
    names = {column for value in available for column in value.columns}
    missing = next((column for column in columns if column not in names), None)
    if missing is not None:
        origin = trained.get(missing.rpartition(".")[0], {}).get("file")
        remedy = f"pass the feature of {origin}" if origin else f"install samewise {manifest['samewise']}"
        raise BundleError(f"{folder} needs the column {missing!r}, which is not in the catalogue; {remedy}")
    needed = {column.rpartition(".")[0] for column in columns}
    chosen = [value for value in available if value.full_name in needed]
    return resolve(chosen)[0] if chosen else ()


def _user_resources(
    folder: str | Path, manifest: Mapping[str, Any], places: Mapping[str, str | Path | None]
) -> dict[str, Resource]:
    resources: dict[str, Resource] = {}
    for key, kind in USER_RESOURCES.items():
        place = places.get(key)
        digest = manifest.get("given", {}).get(kind.name)
        recorded = manifest["training"].get(key) or {}
        what = "" if digest is None else f"{folder} needs the {kind.title} {str(recorded.get('name'))!r}"
        recorded_only = digest is not None and place is None
        if recorded_only:
            place = recorded.get("path")
            # The path in a manifest may name a pipe that never ends.
            if place is None or not (Path(place).is_file() or Path(place).is_dir()):
                raise BundleError(f"{what}, not found at {place!r}; pass --{key} with the place")
        if place is None:
            continue
        try:
            resources[kind.name] = kind.read(place, digest)
        except ValueError as error:
            if recorded_only:  # without the error, which may quote a file that its user has never named
                raise BundleError(f"{what}, got another file at {place!r}; pass --{key} with the place") from None
            raise BundleError(f"{what}: {error}" if what else str(error)) from None
    return resources
