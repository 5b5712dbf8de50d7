"""Command that verifies a model and describes it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .choices import PROFILES, check_model
from .comparison_tables import decision_rows
from .console import print_json, show
from .option_groups import load_model, only, option_groups
from .options import JsonOption, model_source

if TYPE_CHECKING:
    from ..core.predictor import Predictor
    from ..loading import ModelRef


@option_groups(source=only(model_source, "features_file", "vectors", "encoder", "wordnet"))
def info(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="NAME_OR_DIR",
            callback=check_model,
            autocompletion=PROFILES.complete,
            help="Folder of a model, or a profile.",
        ),
    ] = "full",
    *,
    source: "ModelRef",
    as_json: JsonOption = False,
) -> None:
    """Verify a model and describe it."""
    describe(cast("Predictor", load_model(replace(source, model=folder))), as_json)  # no languages are named


def describe(model: "Predictor", as_json: bool = False) -> None:
    """Print the description of a model as a table, or as one line of JSON."""
    if as_json:
        from ...models.bundle import digest

        facts = {"signature": model.signature, "digest": digest(model.manifest), "verified": True}
        print_json({**facts, "probe_difference": model.probe_difference(), "manifest": model.manifest})
        return
    manifest = model.manifest
    show(
        [
            ("signature", model.signature),
            ("verified", "every file is as it was saved"),
            ("probe", f"scores here differ by at most {model.probe_difference():.1g} from those when it was made"),
            *_facts(model),
            *_resources(model),
            *_decision(model),
            *_figures(manifest.get("metrics", {})),
        ]
    )


def _facts(model: "Predictor") -> list[tuple[str, str]]:
    manifest = model.manifest
    files, training = manifest.get("files", {}), manifest.get("training", {})
    size = sum(file.get("size", file.get("bytes", 0)) for file in files.values())
    return [
        ("size", f"{size / 1e6:.2f} MB in {len(files)} files"),
        ("scale", str(model.scale)),
        ("features", f"{len(model.features)} with {len(model.columns)} columns"),
        ("members", _members(model)),
        ("combined by", _combination(model)),
        *_families(model),
        ("trained on", str(training.get("data", "not recorded"))),
        *_levels(manifest.get("source_levels", {})),
        ("command", str(training.get("command", "not recorded"))),
        ("licence", str(manifest.get("licence"))),
    ]


def _levels(levels: Mapping[str, float]) -> list[tuple[str, str]]:
    if not levels:
        return []
    low, high = min(levels, key=levels.__getitem__), max(levels, key=levels.__getitem__)
    ends = f"from {levels[low]:+.2f} ({low}) to {levels[high]:+.2f} ({high})"
    return [("levels removed", f"of {len(levels)} sources of scores, {ends}")]


def _decision(model: "Predictor") -> list[tuple[str, str]]:
    from ..core.manifest import has_decision
    from ..core.model_decision import decision_of

    return decision_rows(decision_of(model.parts), model.scale) if has_decision(model.parts) else []


def _members(model: "Predictor") -> str:
    names = [member.name for member in model.members]
    left_out = [name for name in model.manifest.get("fitted_members", names) if name not in names]
    return ", ".join(names) + (f"; left out with weight 0: {', '.join(left_out)}" if left_out else "")


def _combination(model: "Predictor") -> str:
    names, weights = [member.name for member in model.members], model.combination.weights
    shares = model.manifest.get("member_shares", {})
    weighted = ", ".join(
        f"{name} {weight:.2f}{f' ({shares[name]:.0%} of the variance)' if name in shares else ''}"
        for name, weight in zip(names, weights, strict=False)
    )
    rule = f"stack: {weighted}" if weights else "mean"
    return f"{rule}, calibrated" if model.combination.knots else rule


def _families(model: "Predictor") -> list[tuple[str, str]]:
    """Return the families of columns, those that decide most splits of the trees first."""
    from ...models.tree_ensembles.tree_regressor import TreeRegressor

    columns = Counter(column.partition(".")[0] for column in model.columns)
    read = [one for member in model.members if isinstance(member, TreeRegressor) for one in member.columns_of_splits()]
    splits = Counter(column.partition(".")[0] for column in read)
    if not splits:
        return []
    order = sorted(columns, key=lambda family: (-splits[family], family))
    named = (f"{family} {columns[family]} ({splits[family] / len(read):.0%})" for family in order)
    return [("columns", f"by family, with its share of the trees' splits: {', '.join(named)}")]


def _resources(model: "Predictor") -> list[tuple[str, str]]:
    from ..core.bundle_parts import USER_RESOURCES

    manifest, rows = model.manifest, []
    if "pipeline" in manifest.get("foundations", {}):
        pipeline = manifest["foundations"]["pipeline"]
        rows.append(("parsed by", f"{pipeline['name']} {pipeline['digest']}"))
    for key, path in model.user_files.items():
        kind, name = USER_RESOURCES[key], manifest.get("training", {}).get(key, {}).get("name")
        rows.append((kind.title, f"{name} {manifest['given'][kind.name]} at {path}"))
    return rows


_MEASURES = {
    **{"pearson": "Pearson", "auc": "AUC", "average_precision": "average precision", "f1": "best F1"},
    **{"log_loss": "log loss", "brier": "Brier score", "calibration_error": "calibration error"},
}
"""Titles of the figures of a manifest that are printed."""


def _figures(metrics: Mapping[str, Any]) -> list[tuple[str, str]]:
    return [
        (f"{title} on {name}", f"{facts[key]:.4f} ({facts.get('data', 'unnamed')}, {facts.get('n', '?')} pairs)")
        for name, facts in metrics.items()
        for key, title in _MEASURES.items()
        if isinstance(facts, dict) and isinstance(facts.get(key), float)
    ]
