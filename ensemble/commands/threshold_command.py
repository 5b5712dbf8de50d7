"""Command that chooses the scores from which two texts are the same, on labelled pairs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from .comparison_tables import decision_rows, threshold_text
from .console import print_json, progress, say, show
from .option_groups import load_model, only, option_groups
from .options import (
    ColumnOption,
    JsonOption,
    KeepApartOption,
    ReportOption,
    SameFromOption,
    ScaleOption,
    delimited_text,
    kinds_named,
    model_source,
)
from .outputs import check_model_folder, check_outputs, write_text

if TYPE_CHECKING:
    from ..core.decision import Decision, Rule
    from ..core.predictor import Predictor
    from ..core.scale import Scale
    from ..core.threshold_choice import Thresholds
    from ..loading import ModelRef
    from ..tables.labelled_pairs import LabelledPairs
    from ..tables.table_format import DelimitedText

_PRINTED = 4
"""One row of the curve in this number is printed, besides those of the chosen thresholds."""


def share_of(text: str) -> float:
    """Return a share such as ``1%`` or ``0.01``, between 0 and 1; other text ends the command with exit status 2."""
    number, percent, rest = text.strip().partition("%")
    try:
        share = float(number) / (100.0 if percent else 1.0)
    except ValueError:
        share = 0.0
    if rest or not 0.0 < share < 1.0:
        raise typer.BadParameter(f"must be a share between 0 and 1, such as 1% or 0.01, got {text!r}")
    return share


def _cost_of(text: str) -> float:
    # What a false pair costs, in missed pairs.
    costs = text.split(":")
    try:
        false, missed = map(float, costs)
    except ValueError:
        false = missed = 0.0
    if not (0.0 < false < 1e6 and 0.0 < missed < 1e6):
        raise typer.BadParameter(f"must be two numbers above 0, such as 10:1, got {text!r}")
    return false / missed


def rule_of(
    max_false: Annotated[
        str | None,
        typer.Option("--max-false", metavar="S", help="Largest share of false pairs among those called same: 1%."),
    ] = None,
    precision: Annotated[
        str | None,
        typer.Option(
            "--precision", metavar="S", help="Least share of true pairs among those called same; 99% is --max-false 1%."
        ),
    ] = None,
    recall: Annotated[
        str | None, typer.Option("--recall", metavar="S", help="Least share of the same pairs that are found: 90%.")
    ] = None,
    cost: Annotated[
        str | None,
        typer.Option(
            "--cost",
            metavar="F:M",
            help="Costs of a false pair and of a missed one; the threshold with the least total is chosen.",
        ),
    ] = None,
    max_missed: Annotated[
        str | None,
        typer.Option(
            "--max-missed",
            metavar="S",
            help="Largest share of missed pairs among those called different; by default that of --max-false.",
        ),
    ] = None,
) -> "Rule":
    """Return the rule that the options ask for."""
    from ..core.decision import Rule

    given = [text for text in (max_false, precision, recall, cost) if text is not None]
    if len(given) != 1:
        raise typer.BadParameter(
            f"one of --max-false, --precision, --recall and --cost must be given, got {len(given) or 'none'}",
            param_hint="--max-false",
        )
    missed = None if max_missed is None else share_of(max_missed)
    if cost is not None:
        return Rule("cost", _cost_of(cost), missed)
    if recall is not None:
        return Rule("recall", share_of(recall), missed)
    share = share_of(max_false) if max_false is not None else round(1.0 - share_of(precision or ""), 12)
    return Rule("max_false", share, share if missed is None else missed)


@option_groups(
    rule=rule_of,
    source=only(model_source, "model", "features_file", "vectors", "encoder", "wordnet", "glossary"),
    text=delimited_text,
)
def threshold(
    table: Annotated[str, typer.Argument(metavar="LABELLED", help="Table of labelled pairs, drawn like your data.")],
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder for the model.")],
    rule: "Rule",
    same_from: SameFromOption = None,
    confidence: Annotated[
        str, typer.Option("--confidence", metavar="S", help="Confidence with which each share is kept.")
    ] = "95%",
    keep_apart: KeepApartOption = None,
    column: ColumnOption = None,
    scale: ScaleOption = None,
    *,
    source: "ModelRef",
    report: ReportOption = None,
    text: "DelimitedText",
    as_json: JsonOption = False,
) -> None:
    """Choose the score from which two texts are the same.

    The score below which two texts are different is chosen too, and the differences that keep texts apart whatever
    their score. The model is written with all of them.
    """
    from ..core.model_decision import LabelledScores, with_thresholds
    from ..differences.keeping_apart import deciding_kind
    from ..reports import threshold_report
    from ..tables.labelled_pairs import digest_of, read_labelled_pairs

    level = share_of(confidence)
    check_model_folder(folder)
    check_outputs(report)
    labelled = read_labelled_pairs(table, column, scale=scale, **text)
    gold_from = _gold_from(same_from, labelled)
    model = cast("Predictor", load_model(source))  # no languages are named
    with progress("scoring"):
        scores = model.predict_pairs(labelled.pairs).score
        differences = model.differences(labelled.pairs)
    data = LabelledScores(scores, labelled.labels, labelled.scale, Path(table).name, digest_of(table), differences)
    decided, decision, found = with_thresholds(model, data, rule, gold_from, level, kinds_named(keep_apart))
    decided.save(folder)
    calls = decision.decide(scores, [deciding_kind(one, decision.keep_apart) for one in differences]).tolist()
    if report is not None:
        page = threshold_report(
            decision,
            scores,
            data.same_from(gold_from),
            differences=differences,
            pairs=labelled.pairs,
            scale=decided.scale,
            signature=decided.signature,
            title=Path(table).name,
            facts=[*decision_rows(decision, decided.scale), *_cost_rows(found, decided.scale)],
        )
        write_text(report, page)
    counts = {name: calls.count(name) for name in ("same", "unsure", "different")}
    if as_json:
        facts: dict[str, Any] = {"model": str(folder), "signature": decided.signature, "counts": counts}
        if found.cost is not None:
            facts |= {"cost": found.cost, "cost_ends": found.cost_ends, "threshold_ends": found.threshold_ends}
        print_json({**facts, "promise": decision.promise, "decision": decision.to_dict()})
        return
    _show(folder, decided, decision, found, counts)
    if decision.different_below is None:
        say("samewise: no pair is called different, because no threshold is shown to keep the share of missed pairs")


def _gold_from(given: float | None, labelled: "LabelledPairs") -> float:
    if labelled.scale.binary:
        if given is not None:
            raise typer.BadParameter("must be left out where labels say yes or no", param_hint="--same-from")
        return 0.5
    if given is None:
        raise typer.BadParameter(
            f"must be given, for labels are on {labelled.scale}: the label from which a pair is the same",
            param_hint="--same-from",
        )
    return given


def _show(folder: Path, model: "Predictor", decision: "Decision", found: "Thresholds", counts: dict[str, int]) -> None:
    shares = ", ".join(f"{count:,} {name} ({count / decision.pairs:.1%})" for name, count in counts.items())
    rows = [("model", str(folder)), ("signature", model.signature), *decision_rows(decision, model.scale)]
    rows += [("of these pairs", shares)]
    show([*rows, *_cost_rows(found, model.scale)])
    print()
    header = ("score from", "pairs", "false", "share", "at most", "recall")
    lines = [
        (
            *(threshold_text(score, model.scale), f"{same:,.0f}", f"{false:,.0f}"),
            *(f"{false / same:.2%}" if same else "-", f"{bound:.2%}", f"{recall:.1%}"),
        )
        for place, (score, same, false, bound, recall) in enumerate(decision.curve.rows())
        if place % _PRINTED == 0 or score in (decision.same_from, decision.different_below)
    ]
    show(lines, header, numbers=range(len(header)))


def _cost_rows(found: "Thresholds", scale: "Scale") -> list[tuple[str, str]]:
    if found.cost is None or found.cost_ends is None or found.threshold_ends is None:
        return []
    low, high = (threshold_text(end, scale) for end in found.threshold_ends)
    least, most = found.cost_ends
    return [
        ("cost of a pair", f"{found.cost:.3f} missed pairs ({least:.3f} to {most:.3f}, by resampling)"),
        ("best threshold", f"{low} to {high}, by resampling"),
    ]
