"""Command that prepares the texts of a table for many later matches."""

from typing import TYPE_CHECKING, Annotated

import typer

from .choices import names_of
from .console import print_json, say
from .matching_options import ViewsOption
from .option_groups import model_of_run, option_groups
from .options import ColumnOption, FormatOption, IdOption, JsonOption, WorkersOption, delimited_text, model_source
from .predict_command import TABLES

if TYPE_CHECKING:
    from ..loading import ModelRef
    from ..tables.table_format import DelimitedText


@option_groups(source=model_source, text=delimited_text)
def index(
    table: Annotated[str, typer.Argument(metavar="IN", help=TABLES)],
    target: Annotated[
        str, typer.Option("-o", "--output", metavar="DIR", help="Folder for the index; with --append, an index.")
    ],
    column: ColumnOption = None,
    id: IdOption = None,
    append: Annotated[bool, typer.Option("--append", help="Add the rows to the index in DIR.")] = False,
    views: ViewsOption = None,
    *,
    source: "ModelRef",
    workers: WorkersOption = "auto",
    format: FormatOption = None,
    text: "DelimitedText",
    as_json: JsonOption = False,
) -> None:
    """Prepare the texts of a table for `samewise match A DIR`."""
    from ..matching.index import index_file

    made = index_file(
        table,
        target,
        model=model_of_run(source, workers=workers),
        column=column,
        id=id,
        append=append,
        views=None if views is None else names_of(views),
        workers=workers,
        format=format,
        **text,
    )
    rows, texts = len(made), len(made.texts.texts)
    if as_json:
        facts = {"rows": rows, "column": made.column, "texts": texts, "views": list(made.views)}
        print_json({**facts, "signature": made.signature})
        return
    views_read = ", ".join(made.views)
    say(f"{rows:,} rows by column {made.column}, {texts:,} different texts; views {views_read}: {target}")
