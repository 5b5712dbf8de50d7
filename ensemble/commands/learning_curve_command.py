"""The command that tells what more training pairs add."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import print_json, progress, say, show
from .options import (
    CacheOption,
    EncoderOption,
    FeaturesOption,
    JobsOption,
    JsonOption,
    PipelineOption,
    ScoredColumnsOption,
    SettingsOption,
    VectorsOption,
    feature_spec,
    member_settings,
)

if TYPE_CHECKING:
    from ..experiments.learning_curve import LearningCurve


def learning_curve(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores, to fit on.")],
    dev: Annotated[str, typer.Option("--dev", metavar="DEV", help="Table to measure on.")],
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for tables and finished fits; goes on there.")
    ],
    sizes: Annotated[
        str | None,
        typer.Option("--sizes", metavar="N,N", help="Numbers of training pairs; 100, 200, 400 and so on, and all."),
    ] = None,
    features: FeaturesOption = None,
    members: Annotated[
        str, typer.Option("--members", metavar="M,M", help="The ensemble; networks only if they are named.")
    ] = "rf,gbm,xgb",
    settings: SettingsOption = None,
    seeds: Annotated[
        int, typer.Option("--seeds", metavar="N", min=1, help="Draw and fit with the seeds 0 to N - 1.")
    ] = 3,
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer trees: a first look in a fraction of the time.")
    ] = False,
    final: Annotated[
        bool, typer.Option("--final", help="Measure on a test split, for once; a line goes to DIR/log.jsonl.")
    ] = False,
    columns: ScoredColumnsOption = None,
    jobs: JobsOption = -1,
    cache: CacheOption = None,
    pipeline: PipelineOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    as_json: JsonOption = False,
) -> None:
    """Tell what more training pairs add: correlation by their number, with intervals."""
    from dataclasses import replace

    from ..experiments import QUICK
    from ..experiments.experiment_matrices import matrices
    from ..experiments.learning_curve import learning_curve as measure
    from ..experiments.test_log import check_split, log_final
    from ..tables.labelled_pairs import digest_of, need_scores, read_pairs

    wanted = None if sizes is None else _numbers(sizes)
    names = tuple(name.strip() for name in members.split(",") if name.strip())
    check_split([path, dev], final)
    if folder.is_file():
        raise ValueError(f"{folder} is a file; name a folder")
    own = member_settings(settings or ())
    params = {name: {**(QUICK.get(name, {}) if quick else {}), **own.get(name, {})} for name in {*names, *own}}
    (pairs, scores, _), (held_out, held_out_scores, _) = read_pairs(path, columns), read_pairs(dev, columns)
    gold, truth = need_scores(scores, path), need_scores(held_out_scores, dev)
    spec = features or "full"
    facts: dict[str, Any] = {"train": Path(path).name, "dev": Path(dev).name, "features": spec, "quick": quick}
    facts |= {"final": final, "settings": own}
    if final:
        digests = {"train_sha256": digest_of(path), "dev_sha256": digest_of(dev)}
        log_final(folder, {**facts, **digests, "sizes": wanted, "members": list(names), "seeds": seeds})
    given: dict[str, Any] = {"cache": cache, "pipeline": pipeline, "vectors": vectors, "encoder": encoder}
    with progress("extracting"):
        train, target = matrices(pairs, held_out, feature_spec(spec), names, **given)
    assert target is not None
    fitting: dict[str, Any] = {"seeds": seeds, "params": params, "jobs": jobs, "folder": folder / "fits"}
    with progress("fitting") as tell:
        result = measure(train, target, gold, truth, sizes=wanted, members=names, progress=tell, **fitting)
    result = replace(result, facts=facts)
    written = [*result.write(folder), _write_report(result, folder)]
    if as_json:
        print_json(result.as_dict())
        return
    show_learning_curve(result)
    for note in result.notes:
        say(f"samewise: {note}")
    say(f"samewise: all rows are in {written[0]} and {written[1]}, and a page with a chart in {written[2]}")


def _numbers(sizes: str) -> list[int]:
    items = [item.strip() for item in sizes.split(",") if item.strip()]
    if not items or not all(item.isdecimal() for item in items):
        raise typer.BadParameter(f"{sizes!r} is no list of numbers such as 100,300,1000", param_hint="--sizes")
    return [int(item) for item in items]


def _write_report(result: "LearningCurve", folder: Path) -> Path:
    from ..reports import learning_curve_report

    title = f"What more pairs of {result.facts['train']} add on {result.facts['dev']}"
    rows = [{key: getattr(row, key) for key in ("n", "pearson", "low", "high")} for row in result.means]
    path = folder / "report.html"
    path.write_text(learning_curve_report(rows, signature=str(result.facts), title=title), encoding="utf-8")
    return path


def show_learning_curve(result: "LearningCurve") -> None:
    """Print the means over the seeds by number of pairs, and the deviation over the seeds."""
    rows = [
        (
            f"{row.n:,}",
            f"{row.pearson:.4f}",
            f"{row.low:.4f} to {row.high:.4f}",
            "" if row.std is None else f"{row.std:.4f}",
            f"{row.seconds:.1f} s",
        )
        for row in result.means
    ]
    show(rows, ("pairs", "Pearson", "95 % interval", "over seeds", "fitting"), numbers=range(5))
