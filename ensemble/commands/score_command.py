"""Command that scores one pair."""

from typing import TYPE_CHECKING, Annotated

import typer

from .console import print_json, show
from .option_groups import load_model, option_groups
from .options import JsonOption, model_source
from .outputs import suggest_for_pair

if TYPE_CHECKING:
    from ..core.scale import Scale
    from ..loading import ModelRef


@option_groups(source=model_source)
def score(
    a: Annotated[str, typer.Argument(metavar="A", help="One text.")],
    b: Annotated[str, typer.Argument(metavar="B", help="The other.")],
    source: "ModelRef",
    as_json: JsonOption = False,
) -> None:
    """Score one pair: score, interval, flags."""
    from ..core.manifest import has_decision
    from ..loading import main_part

    model = load_model(source)
    prediction, scale = model.predict_pairs([(a, b)]), model.scale
    value, low, high = (float(column[0]) for column in (prediction.score, prediction.low, prediction.high))
    flags = list(prediction.flags[0])
    suggest_for_pair((a, b), flags, source.languages, source.translate)
    decided: dict[str, str] = {}
    if has_decision(model.parts):
        from ..core.model_decision import decision_of, reasons_of

        decision = decision_of(model.parts)
        [reason] = reasons = reasons_of(main_part(model), decision, [(a, b)], prediction.score)
        decided["decision"] = str(decision.decide(prediction.score, reasons)[0])
        if reason is not None:
            decided["reason"] = reason
    if as_json:
        facts = {"score": value, "low": low, "high": high, "flags": flags, "signature": model.signature}
        print_json({**facts, **decided, **named_scale(scale)})
        return
    rows = [(scale.title, scale.text(value)), ("interval", f"{scale.text(low)} to {scale.text(high)}")]
    rows += [("flags", ", ".join(flags))] if flags else []
    rows += [("scale", name) for name in named_scale(scale).values()]
    show([*rows, *decided.items(), ("model", model.signature)])


def named_scale(scale: "Scale") -> dict[str, str]:
    """Return the name of a scale for an answer; nothing for 0..5."""
    from ..core.scale import POINTS

    return {} if scale == POINTS else {"scale": str(scale)}
