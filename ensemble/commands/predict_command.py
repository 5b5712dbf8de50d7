"""Command that scores a table."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from .console import print_json, progress, say
from .option_groups import ADVANCED, model_of_run, option_groups
from .options import (
    CheckpointOption,
    ColumnOption,
    EngineOption,
    EscapeFormulasOption,
    FormatOption,
    IdOption,
    JsonOption,
    KeepApartOption,
    MasterOption,
    ResumeOption,
    SentenceCacheOption,
    WorkersOption,
    delimited_text,
    engine_named,
    kinds_named,
    model_source,
    most_rejects,
)
from .outputs import check_rejects, output_name, suggest_for_table

if TYPE_CHECKING:
    from ..loading import ModelRef
    from ..scoring import Summary
    from ..tables.table_format import DelimitedText

TABLES = "CSV, TSV, JSONL (also .gz, ...), Parquet, .xlsx or .ods, a folder or pattern of them; - is standard input."


@dataclass(frozen=True)
class Execution:
    """Settings of a run over a table: processes, batches, checkpoints and engine."""

    workers: WorkersOption = "auto"
    batch_size: Annotated[
        int, typer.Option("--batch-size", rich_help_panel=ADVANCED, metavar="N", min=1, help="Rows scored at a time.")
    ] = 2048
    resume: ResumeOption = False
    checkpoint: CheckpointOption = 10.0
    sentence_cache: SentenceCacheOption = None
    engine: EngineOption = "local"
    master: MasterOption = None


@dataclass(frozen=True)
class Answers:
    """Columns that are asked for besides score, low, high and flags."""

    decide: Annotated[
        bool,
        typer.Option("--decide", help="Add the decision, same, different or unsure, and its reason; see threshold."),
    ] = False
    probability_of: Annotated[
        float | None,
        typer.Option(
            "--probability-of",
            metavar="S",
            help="Add the probability that people would give S or more; match leaves out pairs that score less.",
        ),
    ] = None
    differences: Annotated[
        bool,
        typer.Option("--differences", help="Add the words in which the texts differ: numbers, names, negations, ..."),
    ] = False
    keep_apart: KeepApartOption = None

    @property
    def kinds(self) -> tuple[str, ...] | None:
        """Kinds of differences that keep texts apart; None for those of the decision."""
        if self.keep_apart is not None and not self.decide:
            raise typer.BadParameter(
                "must be given with --decide, as only a decision uses it", param_hint="--keep-apart"
            )
        return kinds_named(self.keep_apart)


@option_groups(source=model_source, execution=Execution, answers=Answers, text=delimited_text, most=most_rejects)
def predict(
    table: Annotated[str, typer.Argument(metavar="IN", help=TABLES)],
    target: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="OUT",
            help="File to write, compressed if it ends in .gz, .zst, .xz or .bz2; - is standard output.",
        ),
    ] = "-",
    column: ColumnOption = None,
    id: IdOption = None,
    *,
    source: "ModelRef",
    execution: Execution,
    answers: Answers,
    covers: Annotated[
        bool,
        typer.Option("--covers", help="Add how much of the first text the second says, and how much it adds, 0..1."),
    ] = False,
    format: FormatOption = None,
    text: "DelimitedText",
    escape_formulas: EscapeFormulasOption = False,
    most: int | None,
    as_json: JsonOption = False,
) -> None:
    """Write a table with score, low, high and flags added.

    Bad rows go to OUT.rejects.jsonl.
    """
    _check_execution(execution, id, text, escape_formulas)
    target = output_name(target)
    if execution.engine == "spark":
        model_of_run(source, engine=execution.engine)
        summary = _predict_by_spark(table, target, source, execution, answers, covers, column, format)
    else:
        from ..scoring import predict_file

        cached = source if execution.sentence_cache is None else replace(source, cache=str(execution.sentence_cache))
        with progress("scoring") as bar:
            summary = predict_file(
                table,
                target,
                model=model_of_run(cached, workers=execution.workers, batch_size=execution.batch_size),
                columns=column,
                id=id,
                workers=execution.workers,
                batch_size=execution.batch_size,
                resume=execution.resume,
                checkpoint=execution.checkpoint,
                format=(format, "jsonl" if as_json and target == "-" else format),
                progress=bar,
                decide=answers.decide,
                at_least=answers.probability_of,
                differences=answers.differences,
                covers=covers,
                keep_apart=answers.kinds,
                escape_formulas=escape_formulas,
                **text,
            )
    _show_summary(summary, target, as_json)
    suggest_for_table(summary.flags, summary.rows, source.languages, source.translate)
    check_rejects(summary.rows, summary.rejects, most)


def _check_execution(execution: Execution, id: str | None, text: "DelimitedText", escape_formulas: bool) -> None:
    if execution.engine == "local":
        if execution.master is not None:
            raise typer.BadParameter(
                "must be given with --engine spark, as only Spark has a master", param_hint="--master"
            )
        return
    if execution.resume or execution.sentence_cache is not None or id is not None or execution.workers != "auto":
        raise typer.BadParameter(
            "must be local with --resume, --sentence-cache, --id or --workers; leave these out for Spark",
            param_hint="--engine",
        )
    if text != delimited_text() or escape_formulas:
        raise typer.BadParameter(
            "must be local with --delimiter, --no-header, --encoding, --sheet or --escape-formulas; leave these out "
            "for Spark",
            param_hint="--engine",
        )


def _predict_by_spark(
    table: str,
    target: str,
    source: "ModelRef",
    execution: Execution,
    answers: Answers,
    covers: bool,
    columns: str | None,
    format: str | None,
) -> "Summary":
    summary: Summary = engine_named(execution.engine).predict_spark(
        table,
        target,
        model=source,
        columns=columns,
        batch_size=execution.batch_size,
        format=format,
        master=execution.master,
        decide=answers.decide,
        at_least=answers.probability_of,
        differences=answers.differences,
        covers=covers,
        keep_apart=answers.kinds,
    )
    return summary


def _show_summary(summary: "Summary", target: str, as_json: bool) -> None:
    if as_json and target != "-":
        print_json(summary.as_dict())
        return
    flags = "".join(f", {count:,} {flag}" for flag, count in sorted(summary.flags.items()))
    flags += "".join(f", {count:,} {name}" for name, count in sorted((summary.decisions or {}).items()))
    where = f"; see {target}.rejects.jsonl" if summary.rejects and target != "-" else ""
    rejects = f", {summary.rejects:,} rejected" if summary.rejects else ""
    resumed = f", {summary.resumed:,} of them scored before" if summary.resumed else ""
    rows = f"{summary.rows:,} {'row' if summary.rows == 1 else 'rows'}"
    rate = f"{summary.seconds:.1f} s, {summary.pairs_per_second:,.0f} pairs/s"
    cached = f", {summary.known / summary.sentences:.0%} of sentences known" if summary.known else ""
    say(f"{rows}{resumed}{flags}{rejects}, {rate}{cached}{where}")
