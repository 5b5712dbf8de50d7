"""The command that tells why pairs have their scores."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import print_json, say, show
from .hints import suggest_languages
from .options import (
    ColumnsOption,
    EncoderOption,
    FormatOption,
    JsonOption,
    LanguagesOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    TranslateOption,
    VectorsOption,
    load_chosen,
)

if TYPE_CHECKING:
    from ..core.explanation import Explanation

OF_TRANSLATIONS = "of the translations; only shared_space, if listed, reads the texts themselves"

LEAST = 0.005
"""What adds less is not shown by itself: it would be 0.00."""


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
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write a page for a browser, of the two texts.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Tell why a pair has its score: points by family of features, and the aligned words."""
    if table is not None:
        if a is not None or target is None or as_json or html is not None:
            raise typer.BadParameter(
                "a table is explained into -o OUT, without texts, --json and --html", param_hint="--table"
            )
        from ..scoring.explained_tables import explain_file

        chosen = load_chosen(model, profile, own, vectors, encoder, languages=languages, translate=translate)
        rows = explain_file(table, target, model=chosen, columns=columns, format=format)
        say(f"{rows:,} {'row' if rows == 1 else 'rows'}")
        return
    if a is None or b is None:
        raise typer.BadParameter("give two texts, or --table IN -o OUT", param_hint="A B")
    if target is not None or columns is not None or format is not None:
        raise typer.BadParameter("-o, --columns and --format go with a table; name one", param_hint="--table")
    chosen = load_chosen(model, profile, own, vectors, encoder, languages=languages, translate=translate)
    [found] = chosen.explain([(a, b)])
    if html is not None:
        from ..reports import explanation_report

        html.write_text(explanation_report([found], [(a, b)], chosen.signature), encoding="utf-8")
    suggest_languages(found.flags, languages, translate)
    if as_json:
        print_json({**found.as_dict(), "signature": chosen.signature})
        return
    _show(found)
    show([("model", chosen.signature)])


def _show(found: "Explanation") -> None:
    large = {name: points for name, points in found.contributions.items() if abs(points) >= LEAST}
    other = sum(points for name, points in found.contributions.items() if name not in large)
    rows = [("base", f"{found.base:.2f}"), *((name, f"{points:+.2f}") for name, points in large.items())]
    rows += [("other", f"{other:+.2f}")] if abs(other) >= LEAST else []
    rows += [("score", f"{found.score:.2f}"), ("interval", f"{found.low:.2f} to {found.high:.2f}")]
    rows += [("flags", ", ".join(found.flags))] if found.flags else []
    translations = zip(("first text", "second text"), found.translations, strict=True)
    rows += [(f"{side}, translated", text) for side, text in translations if text is not None]
    if any(text is not None for text in found.translations):
        rows += [("points and words", OF_TRANSLATIONS)]
    show(rows)
    for i, j in found.alignment:
        print(f"{found.tokens[0][i]} — {found.tokens[1][j]}")
