"""Command that adapts a model to user-supplied labels."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from .choices import PROFILES, check_model
from .console import print_json, progress, show
from .experiment_options import say_detected
from .option_groups import load_model, only, option_groups
from .options import ColumnOption, JsonOption, ScaleOption, delimited_text, model_source
from .outputs import check_model_folder

if TYPE_CHECKING:
    from ..core.adaptation import Adaptation
    from ..core.predictor import Predictor
    from ..loading import ModelRef
    from ..tables.table_format import DelimitedText

_CHANGES = {
    "nothing": "nothing",
    "constant": "a constant added",
    "line": "a line",
    "members": "new weights of the members",
    "columns": "new weights of the members and points by columns",
    "summary": "new weights of the members and points by a summary",
    "curve": "an increasing curve",
    "probability": "a curve to the probability of yes",
}


@option_groups(
    source=only(model_source, "features_file", "vectors", "encoder", "wordnet", "glossary"), text=delimited_text
)
def adapt(
    model: Annotated[
        str,
        typer.Argument(
            metavar="NAME_OR_DIR",
            callback=check_model,
            autocompletion=PROFILES.complete,
            help="Folder of a model, or a profile.",
        ),
    ],
    table: Annotated[str, typer.Argument(metavar="LABELLED", help="Table of pairs with labels of your own.")],
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the adapted model.")],
    column: ColumnOption = None,
    scale: ScaleOption = None,
    *,
    source: "ModelRef",
    text: "DelimitedText",
    as_json: JsonOption = False,
) -> None:
    """Adapt a model to a few labels of your own.

    Scale, bias and intervals move to those of the labels. The model is not trained again.
    """
    from ..core.adapted_model import adapt as adapt_model
    from ..tables.labelled_pairs import digest_of, read_labelled_pairs

    check_model_folder(folder)
    labelled = read_labelled_pairs(table, column, scale=scale, **text)
    say_detected(scale, labelled.scale)
    before = cast("Predictor", load_model(replace(source, model=model)))
    with progress("adapting"):
        after, result = adapt_model(before, labelled.pairs, labelled.labels, labelled.scale)
    adapted = {"data": Path(table).name, "pairs": len(labelled.pairs), "sha256": digest_of(table)}
    after = after.with_statement(training={"adapted": adapted})
    after.save(folder)
    if as_json:
        facts = {"model": str(folder), "signature": after.signature, "change": result.chosen}
        tried = [change._asdict() for change in result.tried]
        print_json({**facts, "measure": result.measure, "scale": str(after.scale), "tried": tried})
        return
    _show(folder, after, result, len(labelled.pairs))


def _show(folder: Path, model: "Predictor", result: "Adaptation", pairs: int) -> None:
    show(
        [
            ("model", str(folder)),
            ("signature", model.signature),
            ("adapted to", f"{pairs:,} labels on {model.scale}"),
            ("change", _CHANGES[result.chosen]),
        ]
    )
    rows = [
        (_CHANGES[change.name], f"{change.error:.3f}", "" if place == 0 else f"± {change.standard_error:.3f}")
        for place, change in enumerate(result.tried)
    ]
    show(rows, ("change", f"{result.measure} on labels left out", "of the difference"), numbers=(1, 2))
