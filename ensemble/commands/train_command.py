"""Command that fits a model."""

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .choices import Choices, names_of
from .console import detail, progress, say, show
from .evaluation_table import measure, show_held_out
from .experiment_options import Reading
from .option_groups import ADVANCED, option_groups
from .options import (
    DEFAULT_FEATURES,
    DevOption,
    FeaturesOption,
    LanguagesOption,
    MembersOption,
    SeedOption,
    SettingsOption,
    feature_spec,
    member_settings,
)
from .outputs import check_model_folder, check_outputs
from .training_data import read_held_out_pairs, read_training_pairs, scale_to_record

if TYPE_CHECKING:
    from ..core.combination import Rule
    from ..core.estimator import SimilarityEnsemble
    from ..core.scale import Scale

_RULES = Choices(lambda: ("mean", "stack"))  # the estimator refuses others


@dataclass(frozen=True)
class Recipe:
    """Features, members and settings of the ensemble to fit."""

    features: FeaturesOption = None
    members: MembersOption = "rf,gbm,xgb"
    combine: Annotated[
        str,
        typer.Option(
            "--combine",
            metavar="RULE",
            autocompletion=_RULES.complete,
            help="mean, or stack: weights fitted out of fold.",
        ),
    ] = "mean"
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Calibrate the scores, so that they are right on average.")
    ] = False
    contrast_share: Annotated[
        float,
        typer.Option("--contrast-share", metavar="SHARE", help="Also fit on pairs made by rule, as a share of TRAIN."),
    ] = 0.0
    settings: SettingsOption = None
    search: Annotated[
        int | None,
        typer.Option(
            "--search",
            rich_help_panel=ADVANCED,
            metavar="N",
            min=1,
            help="Draw N settings a regressor; take the best in folds of TRAIN.",
        ),
    ] = None
    seed: SeedOption = 0

    def model(self, reading: Reading, languages: str | None, scale: "Scale") -> "SimilarityEnsemble":
        """Return the ensemble, to be fitted on a scale."""
        from ...features.linguistics.languages import Languages
        from ..core.estimator import SimilarityEnsemble

        return SimilarityEnsemble(
            features=feature_spec(self.features),
            members=names_of(self.members),
            combine=cast("Rule", self.combine),
            calibrate=self.calibrate,
            scale=str(scale),
            contrasts=self.contrast_share,
            member_params=member_settings(self.settings or ()),
            random_state=self.seed,
            n_jobs=reading.jobs,
            languages=None if languages is None else Languages.parse(languages).candidates,
            **reading.resources,
        )

    def arguments(self, settings: Sequence[str]) -> list[str]:
        """Return the arguments that repeat this recipe with these settings of members."""
        features = DEFAULT_FEATURES if self.features is None else self.features
        arguments = ["--features", features, "--members", self.members, "--seed", str(self.seed)]
        arguments += ["--combine", self.combine] if self.combine != "mean" else []
        arguments += ["--calibrate"] if self.calibrate else []
        arguments += ["--contrast-share", str(self.contrast_share)] if self.contrast_share else []
        for setting in settings:
            key, _, value = setting.partition("=")
            if key.endswith(".checkpoints"):  # of this machine, and no part of the result
                continue
            arguments += ["--set", f"{key}={Path(value).name if Path(value).exists() else value}"]
        return arguments


@option_groups(recipe=Recipe, reading=Reading)
def train(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores.")],
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the model.")],
    dev: DevOption = None,
    test: Annotated[
        str | None,
        typer.Option("--test", metavar="TEST", help="Table to score once, when all is chosen; kept with the model."),
    ] = None,
    *,
    recipe: Recipe,
    reading: Reading,
    languages: LanguagesOption = None,
    groups: Annotated[
        str | None,
        typer.Option(
            "--groups",
            metavar="COL",
            help="Column of TRAIN whose equal values, such as sources, stay in one fold; intervals then hold for new "
            "ones.",
        ),
    ] = None,
    sources: Annotated[
        str | None,
        typer.Option(
            "--sources",
            rich_help_panel=ADVANCED,
            metavar="COL",
            help="Column of TRAIN that names the set in which a pair was scored; the level of each set is removed.",
        ),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(
            "--weights", rich_help_panel=ADVANCED, metavar="COL", help="Column of TRAIN with how much a pair counts."
        ),
    ] = None,
    relative: Annotated[
        str | None,
        typer.Option(
            "--relative",
            rich_help_panel=ADVANCED,
            metavar="COL",
            help="Column of TRAIN that marks pairs whose scores only compare them with pairs that look as much alike.",
        ),
    ] = None,
    held_out_column: Annotated[
        str | None,
        typer.Option(
            "--held-out-column",
            rich_help_panel=ADVANCED,
            metavar="COL",
            help="Column of TRAIN that marks the pairs to fit weights and intervals on, such as those that no network "
            "given as fitted has seen, or that people scored.",
        ),
    ] = None,
    licence: Annotated[
        str | None, typer.Option("--licence", rich_help_panel=ADVANCED, help="Terms of the model, kept with it.")
    ] = None,
) -> None:
    """Fit a model, measure it on DEV and TEST, and save it."""
    from ..tables.labelled_pairs import digest_of

    check_model_folder(folder)
    data, marks = read_training_pairs(
        path, reading, groups=groups, unseen=held_out_column, sources=sources, weights=weights, relative=relative
    )
    held_out = {
        name: read_held_out_pairs(other, reading, data.scale)
        for name, other in (("dev", dev), ("test", test))
        if other is not None
    }
    model = recipe.model(reading, languages, data.scale)
    settings = list(recipe.settings or ())
    if recipe.search is not None:
        from .training_data import search_settings

        # Beside the bundle, whose folder holds what its manifest lists and nothing else.
        log = folder.resolve().with_name(f"{folder.resolve().name}.search.csv")
        if log.exists() and not log.read_bytes().startswith(b'"member","rank",'):
            raise ValueError(f"{log} must be of an earlier search, got another file; name another folder")
        check_outputs(log)
        settings += search_settings(model, data.pairs, data.points, marks.groups, recipe.search, log)
        model.set_params(member_params=member_settings(settings))
    detail(f"features {model.features}; members {', '.join(model.members)}; workers {reading.workers}")
    with progress("training"):
        model.fit(data.pairs, data.labels, *marks)
        results = {name: measure(model, pairs, data.pairs, recipe.seed) for name, pairs in held_out.items()}
    # No folder and no date, so that the same data, settings and seed give the same bytes. The result of a search is a
    # setting like those of --set.
    command = ["samewise", "train", Path(path).name, *recipe.arguments(settings)]
    command += ["--pipeline", reading.pipeline] if reading.pipeline else []
    command += ["--languages", languages] if languages else []
    trained = model.predictor_
    named = {
        # Resources by name, without the folders of this machine.
        **{key: trained.manifest["training"][key]["name"] for key in trained.user_files},
        "groups": groups,
        "sources": sources,
        "weights": weights,
        "relative": relative,
        "held-out-column": held_out_column,
        "scale": scale_to_record(reading.scale, data.scale),
    }
    command += [part for name, value in named.items() if value is not None for part in (f"--{name}", value)]
    training = {
        "data": Path(path).name,
        "pairs": len(data.pairs),
        "sha256": digest_of(path),
        "command": shlex.join(command),
    }
    metrics = {name: {"data": held_out[name].name, **result.as_dict()} for name, result in results.items()}
    statement: dict[str, Any] = {"training": training, "metrics": metrics, "licence": licence}
    model.save(folder, **statement)
    signature = model.predictor_.with_statement(**statement).signature
    show([("model", str(folder)), ("signature", signature), ("trained on", f"{len(data.pairs):,} pairs")])
    show_held_out(results, {name: pairs.name for name, pairs in held_out.items()}, Path(path).name, data.scale)
    if test is not None:
        say(
            f"samewise: this was a look at {Path(test).name}; log its date, signature and figure, choose nothing by it "
            "and look once a release"
        )
