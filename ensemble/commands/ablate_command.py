"""The command that tells what each part of a feature set or of an ensemble is worth."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

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
    from ..experiments import Ablation, AblationRow, Agreement
    from ..experiments.ablation import Mode
    from ..experiments.variants import By

_DONE = {"drop": "left out", "only": "alone", "add": "added", "permute": "shuffled"}


def ablate(
    path: Annotated[str, typer.Argument(metavar="TRAIN", help="Table of pairs with scores, to fit on.")],
    folder: Annotated[
        Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for tables and finished fits; goes on there.")
    ],
    dev: Annotated[
        str | None,
        typer.Option("--dev", metavar="DEV", help="Table to measure on; cross-validation on TRAIN without it."),
    ] = None,
    mode: Annotated[
        str,
        typer.Option(
            "--mode", metavar="MODE", help="drop each part, only each part, add the best in turn, or permute."
        ),
    ] = "drop",
    by: Annotated[
        str, typer.Option("--by", metavar="PART", help="A part is a family, a column or a member.")
    ] = "family",
    features: FeaturesOption = None,
    members: Annotated[
        str, typer.Option("--members", metavar="M,M", help="The ensemble; networks only if they are named.")
    ] = "rf,gbm,xgb",
    settings: SettingsOption = None,
    seeds: Annotated[int, typer.Option("--seeds", metavar="N", min=1, help="Fit with the seeds 0 to N - 1.")] = 3,
    repeats: Annotated[
        int, typer.Option("--repeats", metavar="K", min=1, help="With permute: shuffle each part in K orders.")
    ] = 10,
    other: Annotated[
        Path | None,
        typer.Option("--compare", metavar="DIR", help="Also tell how far the ablation in DIR ranks the parts alike."),
    ] = None,
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
    """Tell what each family, column or member is worth, with intervals."""
    from dataclasses import replace

    from ..experiments import QUICK, agreement, read_rows
    from ..experiments import ablate as measure
    from ..experiments.ablation import MODES, PARTS
    from ..experiments.experiment_matrices import matrices
    from ..experiments.test_log import check_split, log_final
    from ..tables.labelled_pairs import digest_of, need_scores, read_pairs

    for option, value, known in (("--mode", mode, MODES), ("--by", by, PARTS)):
        if value not in known:
            raise typer.BadParameter(f"{value!r} is none of: {', '.join(known)}", param_hint=option)
    names = tuple(name.strip() for name in members.split(",") if name.strip())
    check_split([path] if dev is None else [path, dev], final)
    if folder.is_file():
        raise ValueError(f"{folder} is a file; name a folder")
    others = None if other is None else read_rows(other)
    own = member_settings(settings or ())
    params = {name: {**(QUICK.get(name, {}) if quick else {}), **own.get(name, {})} for name in {*names, *own}}
    pairs, scores, _ = read_pairs(path, columns)
    gold = need_scores(scores, path)
    held_out, truth = None, None
    if dev is not None:
        held_out, held_out_scores, _ = read_pairs(dev, columns)
        truth = need_scores(held_out_scores, dev)
    spec = features or "full"
    data = {"train": Path(path).name, "dev": dev and Path(dev).name}
    facts: dict[str, Any] = {**data, "features": spec, "quick": quick, "final": final, "settings": own}
    if final:
        digests = {"train_sha256": digest_of(path), "dev_sha256": dev and digest_of(dev)}
        log_final(folder, {**facts, **digests, "mode": mode, "by": by, "members": list(names), "seeds": seeds})
    with progress("extracting"):
        train, target = matrices(
            pairs,
            held_out,
            feature_spec(spec),
            names,
            cache=cache,
            pipeline=pipeline,
            vectors=vectors,
            encoder=encoder,
        )
    with progress("fitting") as tell:
        result = measure(
            train,
            target,
            gold,
            truth,
            mode=cast("Mode", mode),
            by=cast("By", by),
            members=names,
            seeds=seeds,
            repeats=repeats,
            params=params,
            jobs=jobs,
            progress=tell,
            folder=folder / "fits",
        )
    result = replace(result, facts=facts)
    written = [*result.write(folder)]
    ranks = None if others is None else agreement(result.rows, others)
    written.append(_write_report(result, ranks, str(other), folder))
    if as_json:
        print_json({**result.as_dict(), **({} if ranks is None else {"agreement": ranks.as_dict()})})
        return
    show_ablation(result)
    if ranks is not None:
        print()
        show_agreement(ranks, str(other))
    for note in result.notes:
        say(f"samewise: {note}")
    say(f"samewise: all rows are in {written[0]} and {written[1]}, and a page with charts in {written[2]}")


def _write_report(result: "Ablation", ranks: "Agreement | None", other: str, folder: Path) -> Path:
    from ..reports import ablation_report

    keys = ("delta", "low", "high", "p_holm")
    nan = float("nan")
    parts = [
        {"name": row.what, **{key: nan if getattr(row, key) is None else getattr(row, key) for key in keys}}
        for row in result.means
        if row.delta is not None
    ]
    measured_on = result.facts.get("dev") or f"{result.facts.get('train')} by cross-validation"
    title = f"What each {result.by} is worth on {measured_on}"
    facts: dict[str, Any] = {"change": _DONE[result.mode], "signature": str(result.facts), "title": title}
    if ranks is not None:
        facts |= {"agreement": ranks, "sides": _sides(ranks, Path(other).name)}
    path = folder / "report.html"
    path.write_text(ablation_report(parts, **facts), encoding="utf-8")
    return path


def show_ablation(result: "Ablation") -> None:
    """Print the means over the seeds: what costs or brings most first, with ``add`` by step."""
    added = result.mode == "add"
    verb = {"drop": "without", "only": "only", "add": "with", "permute": "shuffled"}[result.mode]
    header = (verb, "columns", "Pearson", *(("gain",) if added else ()), "to the whole", "95 % interval", "p (Holm)")
    rows = [_cells(row, added) for row in (result.whole, *result.means)]
    show(rows, header, numbers=range(1, len(header)))


def show_agreement(ranks: "Agreement", other: str) -> None:
    """Print the ranks of the parts in two ablations side by side, and how far they agree."""
    first, second = _sides(ranks, other)
    rows = [
        (row.what, f"{row.delta:+.4f}", str(row.rank), f"{row.other_delta:+.4f}", str(row.other_rank))
        for row in ranks.rows
    ]
    show(rows, ("", first, "rank", second, "rank"), numbers=range(1, 5))
    print(f"rank correlation: Spearman {ranks.spearman:.3f}, Kendall {ranks.kendall:.3f}")


def _sides(ranks: "Agreement", other: str) -> tuple[str, str]:
    first, second = (_DONE[change] for change in ranks.changes)
    return first, f"{second} ({other})"


def _cells(row: "AblationRow", added: bool) -> tuple[str, ...]:
    delta = "" if row.delta is None else f"{row.delta:+.4f}"
    interval = "" if row.low is None else f"{row.low:+.4f} to {row.high:+.4f}"
    chance = "" if row.p_holm is None else "< 0.001" if row.p_holm < 0.001 else f"{row.p_holm:.3f}"
    gain = ("" if row.gain is None else f"{row.gain:+.4f}",) if added else ()
    name = "(the whole)" if row.step is None and row.change == "whole" else f"+ {row.what}" if added else row.what
    return (name, str(row.columns), f"{row.pearson:.4f}", *gain, delta, interval, chance)
