"""Command that explains the scores of pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..differences.facts import MIRRORED
from .console import print_json, say, show
from .option_groups import load_model, option_groups
from .options import (
    ColumnOption,
    EscapeFormulasOption,
    FormatOption,
    JsonOption,
    ReportOption,
    delimited_text,
    model_source,
)
from .outputs import check_outputs, suggest_for_pair, write_text
from .score_command import named_scale

if TYPE_CHECKING:
    from ..core.explanation import Explanation
    from ..core.scale import Scale
    from ..loading import ModelRef
    from ..tables.table_format import DelimitedText

NOTHING = "(nothing)"

OF_TRANSLATIONS = "of the translations; only shared_space, if listed, reads the texts themselves"


@option_groups(source=model_source, text=delimited_text)
def explain(
    a: Annotated[str | None, typer.Argument(metavar="A", help="One text.", show_default=False)] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="The other.", show_default=False)] = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="IN", help="Explain every pair of a table instead, into OUT.")
    ] = None,
    target: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="With --table: file to write; - is output.")
    ] = None,
    column: ColumnOption = None,
    format: FormatOption = None,
    *,
    source: "ModelRef",
    text: "DelimitedText",
    escape_formulas: EscapeFormulasOption = False,
    report: ReportOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain the score of a pair: points, words, differences.

    Points are given by family of features; words are the aligned ones; differences are those of meaning.
    """
    if table is not None:
        if a is not None or target is None or as_json or report is not None:
            raise typer.BadParameter(
                "must be given with -o OUT, and without texts, --json and --report", param_hint="--table"
            )
        _explain_table(table, target, source, column, format, escape_formulas, text)
        return
    if a is None or b is None:
        raise typer.BadParameter("give two texts, or --table IN -o OUT", param_hint="A B")
    if target is not None or column is not None or format is not None or escape_formulas or text != delimited_text():
        raise typer.BadParameter("must be given with -o and with options of tables; name a table", param_hint="--table")
    _explain_pair((a, b), source, report, as_json)


def _explain_table(
    table: str,
    target: str,
    source: "ModelRef",
    columns: str | None,
    format: str | None,
    escape: bool,
    text: "DelimitedText",
) -> None:
    from ..scoring.explained_tables import explain_file
    from ..tables.table_files import check_target

    check_target(table, target)
    check_outputs(target)
    rows = explain_file(
        table, target, model=load_model(source), columns=columns, format=format, escape_formulas=escape, **text
    )
    say(f"{rows:,} {'row' if rows == 1 else 'rows'}")


def _explain_pair(pair: tuple[str, str], source: "ModelRef", report: Path | None, as_json: bool) -> None:
    check_outputs(report)
    model = load_model(source)
    [explanation] = model.explain([pair])
    if report is not None:
        from ..reports import explanation_report

        write_text(report, explanation_report([explanation], [pair], model.signature, scale=model.scale))
    suggest_for_pair(pair, explanation.flags, source.languages, source.translate)
    if as_json:
        print_json({**explanation.as_dict(), "signature": model.signature, **named_scale(model.scale)})
        return
    _show(explanation, model.scale)
    show([("model", model.signature)])


def _show(explanation: "Explanation", scale: "Scale") -> None:
    # Smaller values would be shown as 0.00.
    least = 0.5 * 10.0**-scale.digits
    large = {name: points for name, points in explanation.contributions.items() if abs(points) >= least}
    other = sum(points for name, points in explanation.contributions.items() if name not in large)
    rows = [("base", scale.text(explanation.base))]
    rows += [(name, scale.signed_text(points)) for name, points in large.items()]
    rows += [("other", scale.signed_text(other))] if abs(other) >= least else []
    rows += [(scale.title, scale.text(explanation.score))]
    rows += [("interval", f"{scale.text(explanation.low)} to {scale.text(explanation.high)}")]
    rows += [("flags", ", ".join(explanation.flags))] if explanation.flags else []
    translations = zip(("first text", "second text"), explanation.translations, strict=True)
    rows += [(f"{side}, translated", text) for side, text in translations if text is not None]
    if any(text is not None for text in explanation.translations):
        rows += [("points and words", OF_TRANSLATIONS)]
    rows += [("scale", name) for name in named_scale(scale).values()]
    show(rows)
    for i, j in explanation.alignment:
        print(f"{explanation.tokens[0][i]} — {explanation.tokens[1][j]}")
    for difference in explanation.differences:
        both = f"{difference.a or NOTHING} — {difference.b or NOTHING}"
        words = difference.a or difference.b if difference.kind in MIRRORED else both
        print(f"{difference.kind}: {words}")
