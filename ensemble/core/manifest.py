"""Manifest of a fitted model: settings, parts, training statement and what the scores depend on."""

import hashlib
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..._code_version import installed_version
from ...features.analysis.analysis import VERSION as ANALYSIS_VERSION
from ...features.analysis.annotator import Annotator, load_annotator
from ...features.base.feature import Feature
from ...features.pipeline.catalogue import all_features, core_features
from ...features.pipeline.registry import Resources, record_of_tables, tables_read
from ...features.pipeline.user_supplied import GIVEN
from ...models.bundle import BundleError
from ...models.member import Member
from .combination import Combination
from .uncertainty import Uncertainty

PROBE = (
    ("A man is playing a guitar.", "Someone plays the guitar."),
    ("The council approved the new budget on 3 May.", "On 3 May the new budget was not approved."),
    ("Two dogs run across a field.", "Shares fell by 4.5% in early trading."),
)
"""Pairs whose scores are stored in every bundle, so that another machine can check that it computes the same."""

FITTED = "fitted_members"
"""Key of the manifest: all members that were fitted, where some were left out because their weight is 0."""

MEMBER_SHARES = "member_shares"
"""Key of the manifest: the share of each member in the variance of the combined scores."""

SOURCE_LEVELS = "source_levels"
"""Key of the manifest: points by which the scores of each source are above those of like pairs."""

DECISION = "decision"
"""Key of the manifest: the decision of a model that has one."""

GLOSSARY = "glossary"
"""Key of the manifest: the groups of a user's words that mean the same, if the model has a glossary."""

_LIBRARIES = ("numpy", "scikit-learn", "scipy", "xgboost", "xgboost-cpu", "PyStemmer", "RapidFuzz")
_NETWORK_LIBRARIES = ("onnxruntime", "tokenizers", "torch", "transformers")


def has_decision(parts: Mapping[str, Any]) -> bool:
    """Return whether a model, given by its parts, has a decision that `decision_of` can read or refuse."""
    return "model" in parts and DECISION in parts["model"].manifest


def new_manifest(
    features: Sequence[Feature],
    columns: Sequence[str],
    feature_set: str,
    members: Sequence[Member],
    resources: Resources,
    combination: Combination,
    interval: Uncertainty,
    seed: int | None,
    annotator: Annotator | None = None,
) -> dict[str, Any]:
    """Return the manifest of a model that was just fitted; `annotator` is that of features above ``tokens``."""
    libraries = _LIBRARIES + (() if all(member.reads_columns for member in members) else _NETWORK_LIBRARIES)
    tables = [*tables_read(features), *(table for member in members for table in member.tables)]
    read: dict[str, dict[str, Any]] = {
        "foundations": record_of_tables(tables, annotator),
        "given": {name: resources[name].digest for name in GIVEN if name in resources},
    }
    return {
        "samewise": installed_version("samewise") or "unknown",
        "libraries": {name: installed for name in libraries if (installed := installed_version(name))},
        "python": platform.python_version(),
        "analysis": ANALYSIS_VERSION,
        "feature_set": feature_set,
        "set_digest": hashlib.sha256("\n".join([str(ANALYSIS_VERSION), *columns]).encode()).hexdigest()[:16],
        "own_features": {
            value.full_name: {"file": Path(value.compute.__code__.co_filename).name}
            for value in features
            if value not in core_features() and value not in all_features()
        },
        **part_facts(columns, members, resources, combination, interval),
        **{key: facts for key, facts in read.items() if facts},
        "seed": seed,
        "training": {},
        "metrics": {},
        "licence": "unspecified",
    }


def part_facts(
    columns: Sequence[str],
    members: Sequence[Member],
    resources: Resources,
    combination: Combination,
    interval: Uncertainty,
) -> dict[str, Any]:
    """Return the entries of a manifest that describe the parts of a model, as JSON values."""
    return {
        "columns": list(columns),
        "members": [{"name": m.name, "file": file_name(m), "params": dict(m.params)} for m in members],
        "combine": combination.rule,
        "combination": combination.to_dict(),
        "resources": {name: f"{name}.npz" for name in resources.stored},
        "interval": interval.to_dict(),
    }


def file_name(member: Member) -> str:
    """Return the name of a member's file in a bundle."""
    return f"{member.name}{member.suffix}"


def with_statement(
    manifest: Mapping[str, Any],
    training: Mapping[str, Any] | None,
    metrics: Mapping[str, Any] | None,
    licence: str | None,
) -> dict[str, Any]:
    """Return a manifest with facts added to its training statement and its metrics, and with its terms."""
    return {
        **manifest,
        "training": {**manifest.get("training", {}), **(training or {})},
        "metrics": {**manifest.get("metrics", {}), **(metrics or {})},
        "licence": licence or manifest.get("licence", "unspecified"),
    }


def check_foundations(manifest: Mapping[str, Any], pipeline: str | None) -> Annotator | None:
    """Check the shipped tables, and return the pipeline that a model was trained with, None if it needs none."""
    recorded = manifest.get("foundations", {})
    annotator = None
    if "pipeline" in recorded:
        try:
            annotator = load_annotator(pipeline)
        except ValueError as error:
            raise BundleError(f"the model needs its spaCy pipeline: {error}") from None
    present = record_of_tables(recorded, annotator)
    changed = next((name for name, fact in recorded.items() if present.get(name) != fact), None)
    if changed is not None:
        raise BundleError(
            f"the model was trained with the {changed} {_fact(recorded[changed])} and here is "
            f"{_fact(present.get(changed))}; install samewise {manifest['samewise']}, or train the model again"
        )
    return annotator


def _fact(fact: Any) -> str:
    return f"{fact.get('name')} {fact.get('digest')}" if isinstance(fact, dict) else str(fact)
