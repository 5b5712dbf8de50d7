"""The command that fits a model."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .console import progress, say, show
from .evaluate_command import show_evaluation
from .options import (
    CacheOption,
    EncoderOption,
    FeaturesOption,
    JobsOption,
    PipelineOption,
    ScoredColumnsOption,
    SettingsOption,
    VectorsOption,
    feature_spec,
    member_settings,
)

if TYPE_CHECKING:
    import numpy as np

    from ..core.combination import Rule
    from ..core.estimator import SimilarityEnsemble
    from ..experiments.search_result import Search


def train(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores.")],
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the model.")],
    dev: Annotated[str | None, typer.Option("--dev", metavar="DEV", help="Table to measure the model on.")] = None,
    test: Annotated[
        str | None,
        typer.Option("--test", metavar="TEST", help="Table to score once, when all is chosen; kept with the model."),
    ] = None,
    features: FeaturesOption = None,
    members: Annotated[
        str, typer.Option("--members", metavar="M,M", help="What to combine: regressors, and networks (see the docs).")
    ] = "rf,gbm,xgb",
    combine: Annotated[
        str, typer.Option("--combine", metavar="RULE", help="mean, or stack: weights fitted out of fold.")
    ] = "mean",
    calibrate: Annotated[
        bool, typer.Option("--calibrate", help="Bend the scores so that they are right on average.")
    ] = False,
    contrasts: Annotated[
        float,
        typer.Option("--contrasts", metavar="SHARE", help="Pairs made by rule to fit on besides, as a share of TRAIN."),
    ] = 0.0,
    settings: SettingsOption = None,
    search: Annotated[
        int | None,
        typer.Option(
            "--search", metavar="N", min=1, help="Draw N settings a regressor; take the best in folds of TRAIN."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of everything random.")] = 0,
    columns: ScoredColumnsOption = None,
    jobs: JobsOption = -1,
    cache: CacheOption = None,
    pipeline: PipelineOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
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
    from ...features.linguistics.languages import Languages
    from ..core.estimator import SimilarityEnsemble
    from ..evaluation.metrics import evaluate as measure
    from ..tables.labelled_pairs import digest_of, need_scores, read_pairs

    if folder.is_file() or (folder.is_dir() and any(folder.iterdir()) and not (folder / "manifest.json").is_file()):
        raise ValueError(f"{folder} is there already and holds no model; name another folder")
    pairs, scores, table = read_pairs(path, columns)
    gold = need_scores(scores, path)
    if groups is not None and groups not in table.column_names:
        raise ValueError(f"{path} has no column {groups!r}; its columns are: {', '.join(table.column_names)}")
    labels = None if groups is None else table[groups].to_pylist()
    measured = {}
    for name, other in (("dev", dev), ("test", test)):
        if other is not None:
            held_out, held_out_scores, _ = read_pairs(other, columns)
            measured[name] = (Path(other).name, held_out, need_scores(held_out_scores, other))
    spec = features or "full"
    names = tuple(name.strip() for name in members.split(",") if name.strip())
    model = SimilarityEnsemble(
        features=feature_spec(spec),
        members=names,
        combine=cast("Rule", combine),
        calibrate=calibrate,
        contrasts=contrasts,
        member_params=member_settings(settings or ()),
        random_state=seed,
        n_jobs=jobs,
        cache=cache,
        pipeline=pipeline,
        vectors=vectors,
        encoder=encoder,
        languages=None if languages is None else Languages.parse(languages).candidates,
    )
    chosen = list(settings or ())
    if search is not None:
        # Beside the bundle, whose folder holds what its manifest lists and nothing else.
        log = folder.resolve().with_name(f"{folder.resolve().name}.search.csv")
        chosen += _search(model, pairs, gold, labels, search, log)
        model.set_params(member_params=member_settings(chosen))
    results = {}
    with progress("training"):
        model.fit(pairs, gold, labels)
        for name, (_, held_out, held_out_gold) in measured.items():
            found = model.predict_pairs(held_out)
            results[name] = measure(held_out_gold, found.score, found.low, found.high, seed=seed)
    # No folder and no date: the same data, settings and seed give the same bytes. What was searched is now a setting.
    command = ["samewise", "train", Path(path).name, "--features", spec, "--members", members, "--seed", str(seed)]
    command += ["--combine", combine] if combine != "mean" else []
    command += ["--calibrate"] if calibrate else []
    command += ["--contrasts", str(contrasts)] if contrasts else []
    for setting in chosen:
        key, _, value = setting.partition("=")
        command += ["--set", f"{key}={Path(value).name if Path(value).is_dir() else value}"]
    command += ["--pipeline", pipeline] if pipeline else []
    command += ["--languages", languages] if languages else []
    command += ["--groups", groups] if groups else []
    trained = model.predictor_
    command += [part for key in trained.given for part in (f"--{key}", trained.manifest["training"][key]["name"])]
    training = {"data": Path(path).name, "pairs": len(pairs), "sha256": digest_of(path), "command": shlex.join(command)}
    metrics = {name: {"data": measured[name][0], **result.as_dict()} for name, result in results.items()}
    model.save(folder, training=training, metrics=metrics, licence=licence)
    show([("model", str(folder)), ("signature", model.signature), ("trained on", f"{len(pairs):,} pairs")])
    for name, result in results.items():
        show([(name, measured[name][0])])
        show_evaluation(result)


def _search(
    model: "SimilarityEnsemble",
    pairs: list[tuple[str, str]],
    gold: "np.ndarray",
    labels: list[Any] | None,
    draws: int,
    path: Path,
) -> list[str]:
    """Search the regressors of a model, write all candidates to a file; return the best settings for ``--set``."""
    from ..core.folds import sentence_groups
    from ..experiments.experiment_matrices import matrices
    from ..experiments.random_search import SPACE, search

    names = list(model.members)
    others = [name for name in names if name not in SPACE]
    if others:
        say(f"samewise: networks are not searched, only {', '.join(SPACE)}; {', '.join(others)} stays as set")
    given: dict[str, Any] = {key: getattr(model, key) for key in ("cache", "pipeline", "vectors", "encoder")}
    with progress("extracting"):
        matrix, _ = matrices(pairs, None, model.features, names, **given)
    assert matrix.pairs is not None
    with progress("searching") as tell:
        found = search(
            matrix,
            gold,
            sentence_groups(matrix.pairs, labels),
            members=names,
            draws=draws,
            params=model.member_params,
            seed=model.random_state or 0,
            jobs=model.n_jobs,
            progress=tell,
        )
    found.write(path)
    show_search(found)
    for member in found.members:
        if found.best(member).is_default:
            say(
                f"samewise: the default won: none of {draws} settings drawn is better for {member}, which keeps its own"
            )
    say(f"samewise: all candidates are in {path}")
    return found.as_options()


def show_search(found: "Search") -> None:
    """Print the default and the best settings of each regressor, with the mean and deviation over the folds."""
    rows = []
    for member in found.members:
        default, best = found.default(member), found.best(member)
        figures = (f"{side.mean:.4f} (sd {side.std:.4f})" for side in (default, best))
        settings = ", ".join(f"{key} {value}" for key, value in found.settings.get(member, {}).items())
        rows.append((member, *figures, f"{best.mean - default.mean:+.4f}", settings or "the default"))
    show(rows, ("member", "default", "best", "gain", "settings"), numbers=(1, 2, 3))
