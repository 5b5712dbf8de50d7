"""Command that explains the scores of pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import print_json, say, show
from .hints import suggest_languages
from .model_options import model_source
from .option_groups import option_groups
from .options import ColumnsOption, FormatOption, JsonOption
from .outputs import check_outputs, write_text

if TYPE_CHECKING:
    from ..core.explanation import Explanation
    from ..multilingual.model_source import ModelSource

OF_TRANSLATIONS = "of the translations; only shared_space, if listed, reads the texts themselves"

LEAST = 0.005
"""Least size of the points that are shown on a line of their own; less would be shown as 0.00."""


@option_groups(source=model_source)
def explain(
    a: Annotated[str | None, typer.Argument(metavar="A", help="One text.", show_default=False)] = None,
    b: Annotated[str | None, typer.Argument(metavar="B", help="The other.", show_default=False)] = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="IN", help="Explain every pair of a table instead, into OUT.")
    ] = None,
    target: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="With --table: file to write; - is output.")
    ] = None,
    columns: ColumnsOption = None,
    format: FormatOption = None,
    *,
    source: "ModelSource",
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write a page for a browser, of the two texts.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Explain the score of a pair: points by family of features, and the aligned words."""
    if table is not None:
        if a is not None or target is None or as_json or html is not None:
            raise typer.BadParameter(
                "a table is explained into -o OUT, without texts, --json and --html", param_hint="--table"
            )
        _explain_table(table, target, source, columns, format)
        return
    if a is None or b is None:
        raise typer.BadParameter("give two texts, or --table IN -o OUT", param_hint="A B")
    if target is not None or columns is not None or format is not None:
        raise typer.BadParameter("-o, --columns and --format go with a table; name one", param_hint="--table")
    _explain_pair((a, b), source, html, as_json)


def _explain_table(table: str, target: str, source: "ModelSource", columns: str | None, format: str | None) -> None:
    from ..scoring.explained_tables import explain_file
    from ..tables.table_files import check_target

    check_target(table, target)
    check_outputs(target)
    rows = explain_file(table, target, model=source.load(), columns=columns, format=format)
    say(f"{rows:,} {'row' if rows == 1 else 'rows'}")


def _explain_pair(pair: tuple[str, str], source: "ModelSource", html: Path | None, as_json: bool) -> None:
    check_outputs(html)
    model = source.load()
    [explanation] = model.explain([pair])
    if html is not None:
        from ..reports import explanation_report

        write_text(html, explanation_report([explanation], [pair], model.signature))
    suggest_languages(explanation.flags, source.languages, source.translate)
    if as_json:
        print_json({**explanation.as_dict(), "signature": model.signature})
        return
    _show(explanation)
    show([("model", model.signature)])


def _show(explanation: "Explanation") -> None:
    large = {name: points for name, points in explanation.contributions.items() if abs(points) >= LEAST}
    other = sum(points for name, points in explanation.contributions.items() if name not in large)
    rows = [("base", f"{explanation.base:.2f}"), *((name, f"{points:+.2f}") for name, points in large.items())]
    rows += [("other", f"{other:+.2f}")] if abs(other) >= LEAST else []
    rows += [("score", f"{explanation.score:.2f}"), ("interval", f"{explanation.low:.2f} to {explanation.high:.2f}")]
    rows += [("flags", ", ".join(explanation.flags))] if explanation.flags else []
    translations = zip(("first text", "second text"), explanation.translations, strict=True)
    rows += [(f"{side}, translated", text) for side, text in translations if text is not None]
    if any(text is not None for text in explanation.translations):
        rows += [("points and words", OF_TRANSLATIONS)]
    show(rows)
    for i, j in explanation.alignment:
        print(f"{explanation.tokens[0][i]} — {explanation.tokens[1][j]}")
