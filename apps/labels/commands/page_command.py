"""Command that shows a page on which a person labels pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...._messages import from_extra
from ....ensemble.commands.console import say
from ....ensemble.commands.option_groups import option_groups
from ....ensemble.commands.options import ColumnOption, ScaleOption, delimited_text
from ....ensemble.commands.outputs import check_outputs

if TYPE_CHECKING:
    from ....ensemble.tables.table_format import DelimitedText


@option_groups(text=delimited_text)
def page(
    path: Annotated[
        str, typer.Argument(metavar="PAIRS", help="Table of pairs, such as the pairs for review of dedupe.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="Table of the answers; if it exists, it is continued.")
    ],
    host: Annotated[str, typer.Option("--host", metavar="NAME", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65_535, help="Port; 0 is any that is free.")
    ] = 8000,
    column: ColumnOption = None,
    scale: ScaleOption = None,
    *,
    text: "DelimitedText",
) -> None:
    """Show a page on which you say of each pair whether it means the same.

    Each answer is saved at once. Ctrl-C ends the page, and the same command goes on where it stopped.
    """
    with from_extra("serve", "the page"):
        from ...serve.server import listening, run
        from ..label_page import LabelPages, label_app, scale_of

    from ....ensemble.tables.table_files import check_target
    from ..pair_answers import PairAnswers, read_asked

    check_target(path, output)
    check_outputs(output)
    pairs = read_asked(path, column, **text)
    pages = LabelPages(pairs, PairAnswers(output), scale_of(pairs, scale), Path(path).name)
    with listening(host, port) as listener:
        run(
            label_app(pages, host),
            listener,
            lambda address: print(f"{address} asks about {len(pairs):,} pairs", flush=True),
        )
    answered = len(pairs) - pages.labels.count(None)
    say(f"{answered:,} of {len(pairs):,} pairs have an answer in {output}")
    if answered:
        say(f"next: {pages.command}")
