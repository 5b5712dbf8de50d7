"""Command that fits a model."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .console import progress, say, show
from .evaluation_table import show_evaluation
from .experiment_options import Pairs, Reading, read_held_out
from .option_groups import option_groups
from .options import DEFAULT_FEATURES, FeaturesOption, SettingsOption, feature_spec, member_settings, names_of
from .outputs import check_model_folder, check_outputs

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..core.combination import Rule
    from ..core.estimator import SimilarityEnsemble
    from ..core.predictor import Predictor
    from ..evaluation.metrics import Evaluation


@dataclass(frozen=True)
class Recipe:
    """Features, members and settings of the ensemble to fit."""

    features: FeaturesOption = None
    members: Annotated[
        str, typer.Option("--members", metavar="M,M", help="What to combine: regressors, and networks (see the docs).")
    ] = "rf,gbm,xgb"
    combine: Annotated[
        str, typer.Option("--combine", metavar="RULE", help="mean, or stack: weights fitted out of fold.")
    ] = "mean"
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Calibrate the scores, so that they are right on average.")
    ] = False
    contrasts: Annotated[
        float,
        typer.Option("--contrasts", metavar="SHARE", help="Also fit on pairs made by rule, as a share of TRAIN."),
    ] = 0.0
    settings: SettingsOption = None
    search: Annotated[
        int | None,
        typer.Option(
            "--search", metavar="N", min=1, help="Draw N settings a regressor; take the best in folds of TRAIN."
        ),
    ] = None
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of everything random.")] = 0

    def model(self, reading: Reading, languages: str | None) -> "SimilarityEnsemble":
        """Return the ensemble, to be fitted."""
        from ...features.linguistics.languages import Languages
        from ..core.estimator import SimilarityEnsemble

        return SimilarityEnsemble(
            features=feature_spec(self.features),
            members=names_of(self.members),
            combine=cast("Rule", self.combine),
            calibrate=self.calibrate,
            contrasts=self.contrasts,
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
        arguments += ["--contrasts", str(self.contrasts)] if self.contrasts else []
        for setting in settings:
            key, _, value = setting.partition("=")
            if key.endswith(".checkpoints"):  # of this machine, and no part of the result
                continue
            arguments += ["--set", f"{key}={Path(value).name if Path(value).is_dir() else value}"]
        return arguments


@option_groups(recipe=Recipe, reading=Reading)
def train(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores.")],
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the model.")],
    dev: Annotated[str | None, typer.Option("--dev", metavar="DEV", help="Table to measure the model on.")] = None,
    test: Annotated[
        str | None,
        typer.Option("--test", metavar="TEST", help="Table to score once, when all is chosen; kept with the model."),
    ] = None,
    *,
    recipe: Recipe,
    reading: Reading,
    languages: Annotated[
        str | None,
        typer.Option("--languages", metavar="L,L", help="Languages of the texts, for --features multilingual."),
    ] = None,
    groups: Annotated[
        str | None,
        typer.Option("--groups", metavar="COL", help="Column of TRAIN whose equal values stay in one fold."),
    ] = None,
    licence: Annotated[str | None, typer.Option("--licence", help="Terms of the model, kept with it.")] = None,
) -> None:
    """Fit a model, measure it on DEV and TEST, and save it."""
    from ..tables.labelled_pairs import digest_of, need_scores, read_pairs

    check_model_folder(folder)
    pairs, scores, table = read_pairs(path, reading.columns)
    gold = need_scores(scores, path)
    labels = None if groups is None else _column(table, groups, path)
    held_out = {
        name: (Path(other).name, *read_held_out(other, reading.columns))
        for name, other in (("dev", dev), ("test", test))
        if other is not None
    }
    model = recipe.model(reading, languages)
    settings = list(recipe.settings or ())
    if recipe.search is not None:
        from .train_search import search_settings

        # Beside the bundle, whose folder holds what its manifest lists and nothing else.
        log = folder.resolve().with_name(f"{folder.resolve().name}.search.csv")
        if log.exists() and not log.read_bytes().startswith(b'"member","rank",'):
            raise ValueError(f"{log} must be of an earlier search, got another file; name another folder")
        check_outputs(log)
        settings += search_settings(model, pairs, gold, labels, recipe.search, log)
        model.set_params(member_params=member_settings(settings))
    with progress("training"):
        model.fit(pairs, gold, labels)
        results = _measure(model, held_out, pairs, recipe.seed)
    # No folder and no date, so that the same data, settings and seed give the same bytes. The result of a search is a
    # setting like those of --set.
    command = ["samewise", "train", Path(path).name, *recipe.arguments(settings)]
    command += _reading_arguments(model.predictor_, reading.pipeline, languages, groups)
    training = {"data": Path(path).name, "pairs": len(pairs), "sha256": digest_of(path), "command": shlex.join(command)}
    metrics = {name: {"data": held_out[name][0], **result.as_dict()} for name, result in results.items()}
    statement: dict[str, Any] = {"training": training, "metrics": metrics, "licence": licence}
    model.save(folder, **statement)
    signature = model.predictor_.with_statement(**statement).signature
    show([("model", str(folder)), ("signature", signature), ("trained on", f"{len(pairs):,} pairs")])
    for name, result in results.items():
        show([(name, held_out[name][0])])
        show_evaluation(result)
        if result.groups:
            say(
                f"samewise: {held_out[name][0]} holds pairs or sentences of {Path(path).name}, which flatter a model; "
                "the lines below the first leave them out"
            )
    if test is not None:
        say(
            f"samewise: this was a look at {Path(test).name}; log its date, signature and figure, choose nothing by it "
            "and look once a release"
        )


def _column(table: "pa.Table", name: str, path: str) -> list[Any]:
    if name not in table.column_names:
        raise ValueError(f"{path} has no column {name!r}; its columns are: {', '.join(table.column_names)}")
    labels: list[Any] = table[name].to_pylist()
    return labels


def _measure(
    model: "SimilarityEnsemble",
    held_out: "Mapping[str, tuple[str, Pairs, np.ndarray]]",
    training: "Pairs",
    seed: int,
) -> dict[str, "Evaluation"]:
    from ..evaluation.leaks import Leaks
    from ..evaluation.metrics import evaluate

    results = {}
    for name, (_, pairs, gold) in held_out.items():
        prediction = model.predict_pairs(pairs)
        score, low, high = prediction.score, prediction.low, prediction.high
        leaks = Leaks.of(pairs, training)
        parts = {
            label: evaluate(gold[new], score[new], low[new], high[new], seed=seed)
            for label, new in (("no pair of TRAIN", ~leaks.pairs), ("no sentence of TRAIN", ~leaks.sentences))
            if 1 < new.sum() < len(new)
        }
        results[name] = replace(evaluate(gold, score, low, high, seed=seed), groups=parts)
    return results


def _reading_arguments(
    trained: "Predictor", pipeline: str | None, languages: str | None, groups: str | None
) -> list[str]:
    arguments = ["--pipeline", pipeline] if pipeline else []
    arguments += ["--languages", languages] if languages else []
    arguments += ["--groups", groups] if groups else []
    # By name, without the folders of this machine.
    resources = {key: trained.manifest["training"][key]["name"] for key in trained.user_files}
    return arguments + [part for key, name in resources.items() for part in (f"--{key}", name)]
