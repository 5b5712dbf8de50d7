"""Command that removes duplicates from a table."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .choices import Choices
from .console import print_json, say
from .matching_options import (
    CandidateOptions,
    DryRunOption,
    MatchingExecution,
    Steps,
    recalls,
    show_estimate,
)
from .option_groups import ADVANCED, model_of_run, option_groups
from .options import (
    ColumnOption,
    EscapeFormulasOption,
    FormatOption,
    IdOption,
    JsonOption,
    KeepApartOption,
    ReportOption,
    SameFromOption,
    delimited_text,
    kinds_named,
    model_source,
    most_rejects,
)
from .outputs import check_rejects
from .predict_command import TABLES

if TYPE_CHECKING:
    from ..loading import ModelRef
    from ..matching.dedupe_files import DedupeRun, DedupeSummary
    from ..tables.table_format import DelimitedText

_KEEPS = Choices(lambda: ("first", "longest", "central", "most-complete", "newest:C", "oldest:C"))
"""Rows as they are completed; `options.DedupeOptions` refuses an unknown one."""


def _check_keep(keep: str) -> str:
    if ":" not in keep:
        _KEEPS.check(keep)
    return keep


@option_groups(
    source=model_source,
    search=CandidateOptions,
    execution=MatchingExecution,
    text=delimited_text,
    most=most_rejects,
)
def dedupe(
    table: Annotated[str, typer.Argument(metavar="IN", help=TABLES.partition("; -")[0] + ".")],
    target: Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="File for the rows that are kept.")],
    column: ColumnOption = None,
    id: IdOption = None,
    keep: Annotated[
        str,
        typer.Option(
            "--keep",
            metavar="K",
            callback=_check_keep,
            autocompletion=_KEEPS.complete,
            help="Row that stands for a group: first, longest, central, most-complete, or newest:C or oldest:C by the "
            "dates in column C.",
        ),
    ] = "first",
    same_from: SameFromOption = None,
    unsure_from: Annotated[
        float | None,
        typer.Option(
            "--unsure-from",
            metavar="S",
            help="Score from which a pair is left for review; by default a fifth of the scale below --same-from.",
        ),
    ] = None,
    model_thresholds: Annotated[
        bool,
        typer.Option("--model-thresholds", help="Take the thresholds of the model's decision; see samewise threshold."),
    ] = False,
    keep_apart: KeepApartOption = None,
    removed: Annotated[
        str | None,
        typer.Option(
            "--removed", rich_help_panel=ADVANCED, metavar="FILE", help="File for removed rows; OUT.removed by default."
        ),
    ] = None,
    review: Annotated[
        str | None,
        typer.Option(
            "--review",
            rich_help_panel=ADVANCED,
            metavar="FILE",
            help="File for pairs to review; OUT.review by default.",
        ),
    ] = None,
    fill: Annotated[
        bool,
        typer.Option(
            "--fill",
            rich_help_panel=ADVANCED,
            help="Fill missing cells of kept rows from the removed ones.",
        ),
    ] = False,
    report: ReportOption = None,
    scores: Annotated[
        Path | None,
        typer.Option(
            "--scores",
            rich_help_panel=ADVANCED,
            metavar="FILE",
            help="File that keeps the scores, for a run with another --same-from or with more rows.",
        ),
    ] = None,
    *,
    source: "ModelRef",
    search: CandidateOptions,
    execution: MatchingExecution,
    format: FormatOption = None,
    text: "DelimitedText",
    escape_formulas: EscapeFormulasOption = False,
    most: int | None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a table without the rows that repeat another row.

    A row repeats another if the two mean the same: by default, if their score is 4 or more of 0 to 5. Nothing is lost:
    every removed row is kept in a file, and pairs that score a little less stand in another, for review.
    """
    from ..matching.dedupe_files import beside, dedupe_file, estimate_dedupe
    from ..matching.options import DedupeOptions

    execution.check(dry_run)
    options = DedupeOptions(
        keep=keep,
        same_from=same_from,
        unsure_from=unsure_from,
        model_thresholds=model_thresholds,
        keep_apart=kinds_named(keep_apart),
        **search.fields(),
    )
    if dry_run:
        show_estimate(
            estimate_dedupe(
                table, model=source, options=options, column=column, format=format, workers=execution.workers, **text
            ),
            as_json,
        )
        return
    with Steps() as steps, execution.started() as engine:
        summary = dedupe_file(
            table,
            target,
            model=model_of_run(source, engine=execution.engine, workers=execution.workers),
            options=options,
            column=column,
            id=id,
            removed=removed,
            review=review,
            workers=execution.workers,
            resume=execution.resume,
            checkpoint=execution.checkpoint,
            cache=execution.sentence_cache,
            format=format,
            progress=steps,
            engine=engine,
            report=report,
            page=_page,
            scores=scores,
            fill=fill,
            escape_formulas=escape_formulas,
            **text,
        )
    if as_json:
        print_json(summary.as_dict())
    else:
        _show(summary, beside(target, "review") if review is None else review)
    check_rejects(summary.rows, summary.rejects, most)


def _page(run: "DedupeRun") -> str:
    from ..reports.duplicates_page import duplicates_report

    return duplicates_report(run)


def _show(summary: "DedupeSummary", review: str | Path) -> None:
    resumed = f", {summary.resumed:,} of them scored before" if summary.resumed else ""
    rejects = f", {summary.rejects:,} rejected" if summary.rejects else ""
    reasons = "".join(f", {count:,} {reason}" for reason, count in sorted(summary.review.items())) or ", none"
    say(
        f"{summary.rows:,} rows by column {summary.columns[0]}{rejects}: {summary.kept:,} kept, {summary.removed:,} "
        f"removed in {summary.groups:,} groups ({summary.equal:,} with an equal text); pairs for review{reasons}; "
        f"{summary.candidates:,} candidates{resumed}{recalls(summary.recall)}, {summary.seconds:.1f} s"
    )
    if unsure := summary.review["unsure"]:
        pairs = "pair scores" if unsure == 1 else "pairs score"
        say(
            f"{unsure:,} more {pairs} from {summary.unsure_from:g} to {summary.same_from:g}, too little to be removed: "
            f"look at {review}, and add --same-from {summary.unsure_from:g} to remove such rows, or label some pairs "
            "and let samewise threshold choose the score"
        )
    if len(set(summary.rows_removed.values())) > 1:
        say("rows that another --same-from removes:")
        for score, removed in summary.rows_removed.items():
            say(f"{score:6g}  {removed:,}{' (this run)' if score == summary.same_from else ''}")
