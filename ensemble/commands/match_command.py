"""Command that matches the rows of a table with those of another."""

from typing import TYPE_CHECKING, Annotated

import typer

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
    delimited_text,
    model_source,
    most_rejects,
)
from .outputs import check_rejects, output_name
from .predict_command import TABLES, Answers

if TYPE_CHECKING:
    from ..loading import ModelRef
    from ..matching.match_files import MatchSummary
    from ..tables.table_format import DelimitedText


def _two(names: str | None) -> tuple[str | None, str | None]:
    if names is None:
        return None, None
    if "," not in names:
        return names, names
    from ..tables.table_reader import split_columns

    a, b = split_columns(names)
    return a, b


@option_groups(
    source=model_source,
    search=CandidateOptions,
    execution=MatchingExecution,
    answers=Answers,
    text=delimited_text,
    most=most_rejects,
)
def match(
    a: Annotated[str, typer.Argument(metavar="A", help=TABLES)],
    b: Annotated[str, typer.Argument(metavar="B", help="Table whose rows are searched; as A.")],
    target: Annotated[str, typer.Option("-o", "--output", metavar="OUT", help="File to write, or - .")] = "-",
    top: Annotated[
        int, typer.Option("--top", metavar="N", min=0, help="Largest number of rows of B for each row of A; 0 for all.")
    ] = 5,
    one_to_one: Annotated[
        bool,
        typer.Option(
            "--one-to-one",
            rich_help_panel=ADVANCED,
            help="Match each row of A and of B once at most.",
        ),
    ] = False,
    column: ColumnOption = None,
    id: IdOption = None,
    *,
    source: "ModelRef",
    search: CandidateOptions,
    execution: MatchingExecution,
    answers: Answers,
    format: FormatOption = None,
    text: "DelimitedText",
    escape_formulas: EscapeFormulasOption = False,
    most: int | None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find for each row of A the rows of B that mean the same.

    Each match is a row of the output, with its score.
    """
    from ..matching.match_files import estimate_match, match_file
    from ..matching.options import MatchOptions

    execution.check(dry_run)
    options = MatchOptions(
        top=top or None,
        probability_of=answers.probability_of,
        decide=answers.decide,
        differences=answers.differences,
        keep_apart=answers.kinds,
        one_to_one=one_to_one,
        **search.fields(),
    )
    target = output_name(target)
    if dry_run:
        show_estimate(
            estimate_match(
                a,
                b,
                model=source,
                options=options,
                columns=_two(column),
                format=format,
                workers=execution.workers,
                **text,
            ),
            as_json,
        )
        return
    with Steps() as steps, execution.started() as engine:
        summary = match_file(
            a,
            b,
            target,
            model=model_of_run(source, engine=execution.engine, workers=execution.workers),
            options=options,
            columns=_two(column),
            ids=_two(id),
            workers=execution.workers,
            resume=execution.resume,
            checkpoint=execution.checkpoint,
            cache=execution.sentence_cache,
            format=format,
            target_format="jsonl" if as_json and target == "-" else None,
            progress=steps,
            engine=engine,
            escape_formulas=escape_formulas,
            **text,
        )
    _show(summary, target, as_json)
    check_rejects(summary.rows, summary.rejects, most)


def _show(summary: "MatchSummary", target: str, as_json: bool) -> None:
    if as_json and target != "-":
        print_json(summary.as_dict())
        return
    resumed = f", {summary.resumed:,} of them scored before" if summary.resumed else ""
    rejects = f", {summary.rejects:,} rejected" if summary.rejects else ""
    first, second = summary.columns
    by = f"column {first}" if second in (first, None) else f"columns {first} and {second}"
    say(
        f"{summary.rows:,} rows against {summary.others:,}, by {by}{rejects}: {summary.matched:,} matched, "
        f"{summary.pairs:,} pairs; {summary.candidates:,} candidates{resumed}{recalls(summary.recall)}, "
        f"{summary.seconds:.1f} s"
    )
