"""Command that scores one pair."""

from typing import TYPE_CHECKING, Annotated

import typer

from .console import print_json, show
from .hints import suggest_languages
from .model_options import model_source
from .option_groups import option_groups
from .options import JsonOption

if TYPE_CHECKING:
    from ..multilingual.model_source import ModelSource


@option_groups(source=model_source)
def score(
    a: Annotated[str, typer.Argument(metavar="A", help="One text.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    source: "ModelSource",
    as_json: JsonOption = False,
) -> None:
    """Score one pair: score, interval, flags."""
    model = source.load()
    prediction = model.predict_pairs([(a, b)])
    value, low, high = (float(column[0]) for column in (prediction.score, prediction.low, prediction.high))
    flags = list(prediction.flags[0])
    suggest_languages(flags, source.languages, source.translate)
    if as_json:
        print_json({"score": value, "low": low, "high": high, "flags": flags, "signature": model.signature})
        return
    rows = [("score", f"{value:.2f}"), ("interval", f"{low:.2f} to {high:.2f}")]
    rows += [("flags", ", ".join(flags))] if flags else []
    show([*rows, ("model", model.signature)])
