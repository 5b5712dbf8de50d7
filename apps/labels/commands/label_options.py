"""Options that several commands of labelling share."""

from typing import Annotated

import typer

ControlsOption = Annotated[
    str | None,
    typer.Option(
        "--controls",
        metavar="FILE",
        help="Pairs with a known score, which annotators are judged by: a table, or the key of their tasks.",
    ),
]
