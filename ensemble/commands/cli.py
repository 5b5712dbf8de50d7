"""The commands: parse, call, print. What they need is imported inside them, so that help does not wait for it."""

import shlex
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from typer.core import TyperGroup

from . import feature_commands
from .console import print_json, progress, reporting, say, show
from .options import (
    ColumnsOption,
    EncoderOption,
    FeaturesOption,
    FormatOption,
    JsonOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    ScoredColumnsOption,
    VectorsOption,
    chosen_model,
    feature_spec,
    load_chosen,
    member_settings,
)

if TYPE_CHECKING:
    import numpy as np

    from ..combination import Rule
    from ..metrics import Evaluation
    from ..predictor import Predictor


MEMBERS_ALONE = "members"
"""What `--compare` compares if no model is named."""


class _Commands(TyperGroup):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        # `--compare` alone compares the members; an option that may do without a value is more than typer offers.
        bare = [i for i, arg in enumerate(args) if arg == "--compare" and (args[i + 1 :] or ["-"])[0].startswith("-")]
        for place in reversed(bare):
            args = [*args[: place + 1], MEMBERS_ALONE, *args[place + 1 :]]
        return super().parse_args(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        with reporting(bool(ctx.params.get("debug"))):
            return super().invoke(ctx)


app = typer.Typer(
    cls=_Commands,
    help="How alike two sentences are in meaning, from 0 (unrelated) to 5 (the same).",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.add_typer(feature_commands.app, name="features")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"samewise {version('samewise')}")
        raise typer.Exit()


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def score(
    a: Annotated[str, typer.Argument(metavar="A", help="One text.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Score one pair: score, interval, flags."""
    chosen = load_chosen(model, profile, own, vectors, encoder)
    found = chosen.predict_pairs([(a, b)])
    value, low, high = (float(ends[0]) for ends in (found.score, found.low, found.high))
    flags = list(found.flags[0])
    if as_json:
        print_json({"score": value, "low": low, "high": high, "flags": flags, "signature": chosen.signature})
        return
    rows = [("score", f"{value:.2f}"), ("interval", f"{low:.2f} to {high:.2f}")]
    rows += [("flags", ", ".join(flags))] if flags else []
    show([*rows, ("model", chosen.signature)])


@app.command()
def predict(
    source: Annotated[str, typer.Argument(metavar="IN", help="CSV, TSV, JSONL or Parquet file; - is standard input.")],
    target: Annotated[
        str, typer.Option("-o", "--output", metavar="OUT", help="File to write; - is standard output.")
    ] = "-",
    columns: ColumnsOption = None,
    id: Annotated[
        str | None, typer.Option("--id", metavar="COL", help="Column that names a row among the rejects.")
    ] = None,
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, help="Processes; one a core, at most 8, if not given."),
    ] = None,
    batch_size: Annotated[int, typer.Option("--batch-size", metavar="N", min=1, help="Rows scored at a time.")] = 2048,
    format: FormatOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON; without -o, write the rows as JSON lines.")
    ] = False,
) -> None:
    """Write a table with score, low, high and flags added; bad rows go to OUT.rejects.jsonl."""
    chosen = chosen_model(model, profile)
    from ..batch import predict_file

    with progress("scoring") as bar:
        summary = predict_file(
            source,
            target,
            model=chosen,
            features_file=own,
            vectors=vectors,
            encoder=encoder,
            columns=columns,
            id=id,
            batch_size=batch_size,
            workers=workers,
            format=format,
            target_format="jsonl" if as_json and target == "-" else None,
            progress=bar,
        )
    if as_json and target != "-":
        print_json(summary.as_dict())
        return
    flags = "".join(f", {count:,} {flag}" for flag, count in sorted(summary.flags.items()))
    where = f"; see {target}.rejects.jsonl" if summary.rejects and target != "-" else ""
    rejects = f", {summary.rejects:,} rejected" if summary.rejects else ""
    say(f"{summary.rows:,} {'row' if summary.rows == 1 else 'rows'}{flags}{rejects}, {summary.seconds:.1f} s{where}")


@app.command()
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
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="M.KEY=VALUE", help="A setting of a member, as in xgb.max_depth=4; repeatable."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of everything random.")] = 0,
    columns: ScoredColumnsOption = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", help="Cores to fit on; -1 is all.")] = -1,
    cache: Annotated[
        Path | None, typer.Option("--cache", metavar="DIR", help="Folder that keeps computed features.")
    ] = None,
    pipeline: Annotated[
        str | None,
        typer.Option("--pipeline", metavar="NAME", help="Installed spaCy package that parses; ours if not given."),
    ] = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    licence: Annotated[str | None, typer.Option("--licence", help="Terms of the model, kept with it.")] = None,
) -> None:
    """Fit a model, measure it on DEV and TEST, and save it."""
    from ..metrics import evaluate as measure
    from ..similarity import SimilarityEnsemble
    from ..tables.labelled import digest_of, need_scores, read_pairs

    if folder.is_file() or (folder.is_dir() and any(folder.iterdir()) and not (folder / "manifest.json").is_file()):
        raise ValueError(f"{folder} is there already and holds no model; name another folder")
    pairs, scores, _ = read_pairs(path, columns)
    gold = need_scores(scores, path)
    measured = {}
    for name, table in (("dev", dev), ("test", test)):
        if table is not None:
            held_out, held_out_scores, _ = read_pairs(table, columns)
            measured[name] = (Path(table).name, held_out, need_scores(held_out_scores, table))
    spec = features or "full"
    names = tuple(name.strip() for name in members.split(",") if name.strip())
    model = SimilarityEnsemble(
        features=feature_spec(spec),
        members=names,
        combine=cast("Rule", combine),
        calibrate=calibrate,
        member_params=member_settings(settings or ()),
        random_state=seed,
        n_jobs=jobs,
        cache=cache,
        pipeline=pipeline,
        vectors=vectors,
        encoder=encoder,
    )
    results = {}
    with progress("training"):
        model.fit(pairs, gold)
        for name, (_, held_out, held_out_gold) in measured.items():
            found = model.predict_pairs(held_out)
            results[name] = measure(held_out_gold, found.score, found.low, found.high, seed=seed)
    # No folder and no date: the same data, settings and seed give the same bytes.
    command = ["samewise", "train", Path(path).name, "--features", spec, "--members", members, "--seed", str(seed)]
    command += ["--combine", combine] if combine != "mean" else []
    command += ["--calibrate"] if calibrate else []
    for setting in settings or ():
        key, _, value = setting.partition("=")
        command += ["--set", f"{key}={Path(value).name if Path(value).is_dir() else value}"]
    command += ["--pipeline", pipeline] if pipeline else []
    trained = model.predictor_
    command += [part for key in trained.given for part in (f"--{key}", trained.manifest["training"][key]["name"])]
    training = {"data": Path(path).name, "pairs": len(pairs), "sha256": digest_of(path), "command": shlex.join(command)}
    metrics = {name: {"data": measured[name][0], **result.as_dict()} for name, result in results.items()}
    model.save(folder, training=training, metrics=metrics, licence=licence)
    show([("model", str(folder)), ("signature", model.signature), ("trained on", f"{len(pairs):,} pairs")])
    for name, result in results.items():
        show([(name, measured[name][0])])
        _show_evaluation(result)


@app.command()
def evaluate(
    path: Annotated[str, typer.Argument(metavar="TEST", help="Table of pairs with scores.")],
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="COL", help="Also measure each group of this column.")
    ] = None,
    gold: Annotated[Path | None, typer.Option("--gold", metavar="FILE", help="File with one score a line.")] = None,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Measure the cosine of one-hot vectors instead.")
    ] = False,
    columns: ScoredColumnsOption = None,
    bands: Annotated[
        bool, typer.Option("--bands", help="Also tell how often the interval holds in each band of the score.")
    ] = False,
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            metavar="[DIR]",
            help="Also measure another model, or without DIR the members, their mean and stack; may be repeated.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a model: Pearson with its interval, Spearman, RMSE, within-1 rate, coverage."""
    if baseline and (model or profile or others):
        raise typer.BadParameter("--baseline measures no model; leave out the models", param_hint="--baseline")
    if others and (by or bands):
        raise typer.BadParameter(
            "a comparison is not by group or band; leave out --by, --bands or --compare", param_hint="--compare"
        )
    if baseline and bands:
        raise typer.BadParameter("--baseline has no intervals; leave out --bands", param_hint="--bands")
    from ..comparison import coverage_by_band
    from ..metrics import evaluate as measure
    from ..metrics import one_hot_cosine
    from ..tables.labelled import need_scores, read_pairs
    from ..tables.reading import find_column

    chosen = None if baseline else load_chosen(model, profile, own, vectors, encoder)
    pairs, scores, table = read_pairs(path, columns, gold=gold)
    labels = None
    if by is not None:
        labels = [str(label) for label in table.column(find_column(by, table.column_names, path)).to_pylist()]
    truth = need_scores(scores, path)
    if others:
        assert chosen is not None
        _compare(chosen, str(model or profile or "full"), others, pairs, truth, seed, as_json)
        return
    held: list[dict[str, Any]] = []
    with progress("measuring"):
        if chosen is None:
            result = measure(truth, one_hot_cosine(pairs), groups=labels, seed=seed)
        else:
            found = chosen.predict_pairs(pairs)
            result = measure(truth, found.score, found.low, found.high, groups=labels, seed=seed)
            held = coverage_by_band(truth, found.score, found.low, found.high) if bands else []
    signature = "one-hot cosine" if chosen is None else chosen.signature
    if as_json:
        print_json({**result.as_dict(), **({"bands": held} if bands else {}), "signature": signature})
        return
    _show_evaluation(result)
    if bands:
        rows = [_band_cells(row) for row in held]
        show(rows, ("scores", "n", "coverage", "mean width"), numbers=range(1, 4))
    show([("model", signature)])


def _band_cells(row: dict[str, Any]) -> tuple[str, ...]:
    if not row["n"]:
        return (row["band"], "0", "", "")
    return (row["band"], f"{row['n']:,}", f"{row['coverage']:.1%}", f"{row['mean_width']:.2f}")


def _compare(
    chosen: "Predictor",
    name: str,
    others: list[str],
    pairs: list[tuple[str, str]],
    truth: "np.ndarray",
    seed: int,
    as_json: bool,
) -> None:
    from ..comparison import compare
    from ..predictor import load
    from .comparison_table import show_comparison

    systems: dict[str, np.ndarray] = {}
    with progress("measuring"):
        if MEMBERS_ALONE in others:
            # The last is the model itself.
            *alone, (_, own) = chosen.predict_members(pairs).items()
            systems |= dict(alone)
        else:
            own = chosen.predict_pairs(pairs).score
        systems |= {other: load(other).predict_pairs(pairs).score for other in others if other != MEMBERS_ALONE}
        result = compare(truth, {**systems, name: own}, reference=name, seed=seed)
    show_comparison(result, as_json)
    if not as_json:
        show([("model", chosen.signature)])


def _show_evaluation(result: "Evaluation") -> None:
    rows = []
    for name, part in [("all", result), *result.groups.items()]:
        interval = f"{part.pearson_low:.4f} to {part.pearson_high:.4f}"
        coverage = "" if part.coverage is None else f"{part.coverage:.1%}"
        figures = (f"{part.pearson:.4f}", interval, f"{part.spearman:.4f}", f"{part.rmse:.3f}", f"{part.within_1:.1%}")
        rows.append((name, f"{part.n:,}", *figures, coverage))
    header = ("pairs", "n", "Pearson", "95 % interval", "Spearman", "RMSE", "within 1", "coverage")
    show(rows, header, numbers=range(1, 8))
    if result.weighted_mean is not None:
        show([("weighted mean of the groups' Pearson", f"{result.weighted_mean:.4f}")])


@app.command()
def info(
    folder: Annotated[str, typer.Argument(metavar="[DIR]", help="Folder of a model, or a profile.")] = "full",
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Verify a model and print what is known of it."""
    from ..predictor import USER_RESOURCES

    chosen = load_chosen(folder, None, own, vectors, encoder)
    if as_json:
        facts = {"signature": chosen.signature, "verified": True, "probe_difference": chosen.probe_difference()}
        print_json({**facts, "manifest": chosen.manifest})
        return
    manifest = chosen.manifest
    training, metrics = manifest.get("training", {}), manifest.get("metrics", {})
    size = sum(file.get("size", file.get("bytes", 0)) for file in manifest.get("files", {}).values())
    rows = [
        ("signature", chosen.signature),
        ("verified", "every file is as it was saved"),
        ("probe", f"scores here differ by at most {chosen.probe_difference():.1g} from those when it was made"),
        ("size", f"{size / 1e6:.2f} MB in {len(manifest.get('files', {}))} files"),
        ("features", f"{len(chosen.features)} with {len(chosen.columns)} columns"),
        ("members", ", ".join(member.name for member in chosen.members)),
        ("combined by", _combined_by(chosen)),
        ("trained on", str(training.get("data", "not recorded"))),
        ("command", str(training.get("command", "not recorded"))),
        ("licence", str(manifest.get("licence"))),
    ]
    if "pipeline" in manifest.get("foundations", {}):
        pipeline = manifest["foundations"]["pipeline"]
        rows.append(("parsed by", f"{pipeline['name']} {pipeline['digest']}"))
    for key, place in chosen.given.items():
        kind, name = USER_RESOURCES[key], training.get(key, {}).get("name")
        rows.append((kind.title, f"{name} {manifest['given'][kind.name]} at {place}"))
    figures = [
        (f"Pearson on {name}", f"{facts['pearson']:.4f} ({facts.get('data', 'unnamed')}, {facts.get('n', '?')} pairs)")
        for name, facts in metrics.items()
        if isinstance(facts, dict) and isinstance(facts.get("pearson"), float)
    ]
    show([*rows, *figures])


def _combined_by(model: "Predictor") -> str:
    names, weights = [member.name for member in model.members], model.combination.weights
    weighted = ", ".join(f"{name} {weight:.2f}" for name, weight in zip(names, weights, strict=False))
    rule = f"stack: {weighted}" if weights else "mean"
    return f"{rule}, calibrated" if model.combination.knots else rule


def main() -> None:
    """Run the command line."""
    # A polite end: what is half written is removed.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    app()
