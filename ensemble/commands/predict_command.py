"""The command that scores a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import print_json, progress, say
from .hints import suggest_languages
from .options import (
    ColumnsOption,
    EncoderOption,
    FormatOption,
    LanguagesOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    TranslateOption,
    VectorsOption,
    WorkersOption,
    chosen_model,
)

if TYPE_CHECKING:
    from ..scoring import Summary

TABLES = "CSV, TSV, JSONL (also .gz, .zst) or Parquet file, a folder or a quoted pattern of them; - is standard input."

ENGINES = ("local", "spark")


def _known_engine(engine: str) -> str:
    if engine not in ENGINES:
        raise typer.BadParameter(f"{engine!r} is none of: {', '.join(ENGINES)}")
    return engine


def predict(
    source: Annotated[str, typer.Argument(metavar="IN", help=TABLES)],
    target: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="File to write, compressed if it ends in .gz or .zst; - is standard output.",
        ),
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
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
    workers: WorkersOption = "auto",
    batch_size: Annotated[int, typer.Option("--batch-size", metavar="N", min=1, help="Rows scored at a time.")] = 2048,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with an unfinished run, if there is one; else begin.")
    ] = False,
    checkpoint: Annotated[
        float,
        typer.Option("--checkpoint", metavar="S", min=0.0, help="Seconds between what is put on disk to go on from."),
    ] = 10.0,
    cache: Annotated[
        Path | None,
        typer.Option("--cache", metavar="DIR", help="Folder that keeps analyses and encodings of sentences."),
    ] = None,
    engine: Annotated[
        str,
        typer.Option(
            "--engine",
            metavar="E",
            callback=_known_engine,
            help="local, or spark (see the docs); OUT is then a folder.",
        ),
    ] = "local",
    master: Annotated[
        str | None, typer.Option("--master", metavar="URL", help="With --engine spark: Spark's master, such as yarn.")
    ] = None,
    format: FormatOption = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a summary as JSON; without -o, write the rows as JSON lines.")
    ] = False,
) -> None:
    """Write a table with score, low, high and flags added; bad rows go to OUT.rejects.jsonl."""
    options: dict[str, Any] = {
        "model": chosen_model(model, profile),
        "features_file": own,
        "vectors": vectors,
        "encoder": encoder,
        "languages": languages,
        "translate": translate,
        "columns": columns,
        "batch_size": batch_size,
        "format": format,
    }
    if engine == "spark":
        if resume or cache is not None or id is not None or workers != "auto":
            raise typer.BadParameter(
                "Spark has its own ways to go on and to divide work; leave out --resume, --cache, --id and --workers",
                param_hint="--engine",
            )
        summary = _predict_by_spark(source, target, master=master, **options)
        _tell(summary, target, as_json)
        suggest_languages(summary.flags, languages, translate)
        return
    if master is not None:
        raise typer.BadParameter("only Spark has a master; add --engine spark", param_hint="--master")
    from ..scoring import predict_file

    with progress("scoring") as bar:
        summary = predict_file(
            source,
            target,
            id=id,
            workers=workers,
            cache=cache,
            resume=resume,
            checkpoint=checkpoint,
            target_format="jsonl" if as_json and target == "-" else None,
            progress=bar,
            **options,
        )
    _tell(summary, target, as_json)
    suggest_languages(summary.flags, languages, translate)


def _predict_by_spark(source: str, target: str, **options: Any) -> "Summary":
    try:
        from ..scoring.spark import predict_spark
    except ModuleNotFoundError as error:
        raise ValueError(str(error)) from error
    return predict_spark(source, target, **options)


def _tell(summary: "Summary", target: str, as_json: bool) -> None:
    if as_json and target != "-":
        print_json(summary.as_dict())
        return
    flags = "".join(f", {count:,} {flag}" for flag, count in sorted(summary.flags.items()))
    where = f"; see {target}.rejects.jsonl" if summary.rejects and target != "-" else ""
    rejects = f", {summary.rejects:,} rejected" if summary.rejects else ""
    resumed = f", {summary.resumed:,} of them scored before" if summary.resumed else ""
    rows = f"{summary.rows:,} {'row' if summary.rows == 1 else 'rows'}"
    rate = f"{summary.seconds:.1f} s, {summary.pairs_per_second:,.0f} pairs/s"
    known = f", {summary.known / summary.sentences:.0%} of sentences known" if summary.known else ""
    say(f"{rows}{resumed}{flags}{rejects}, {rate}{known}{where}")
