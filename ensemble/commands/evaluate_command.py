"""Command that measures a model."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .comparison_tables import show_comparison
from .console import print_json, progress, show
from .evaluation_options import (
    MEMBERS_ALONE,
    RULES,
    ComparedSystems,
    EvaluationData,
    Measures,
    confidence_column,
    confidence_of,
    read_data,
    score_pairs,
    thresholds_on,
)
from .evaluation_table import show_assessment
from .experiment_options import need_two
from .option_groups import ADVANCED, load_model, option_groups, option_rules
from .options import ColumnOption, JsonOption, ReportOption, ScaleOption, SeedOption, delimited_text, model_source
from .outputs import check_outputs, write_text

if TYPE_CHECKING:
    import numpy as np

    from ..evaluation.assessment import Scored
    from ..evaluation.system_comparison import Comparison
    from ..loading import LoadedModel, ModelRef
    from ..tables.table_format import DelimitedText

BASELINE = "one-hot cosine"
"""Signature of the baseline."""


@option_rules(*RULES)
@option_groups(source=model_source, measures=Measures, compared=ComparedSystems, text=delimited_text)
def evaluate(
    path: Annotated[
        str, typer.Argument(metavar="TEST", help="Table of pairs with scores; with --tracks, the folder of the task.")
    ],
    source: "ModelRef",
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COL",
            help="Also measure each group of this column; A,B by A and then by B; A+B by both.",
        ),
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option("--gold", rich_help_panel=ADVANCED, metavar="FILE", help="File with one score a line."),
    ] = None,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Measure the cosine of one-hot vectors instead.")
    ] = False,
    column: ColumnOption = None,
    scale: ScaleOption = None,
    *,
    measures: Measures,
    compared: ComparedSystems,
    text: "DelimitedText",
    report: ReportOption = None,
    seed: SeedOption = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a model on pairs with scores.

    The measures are Pearson with its interval, Spearman, RMSE, the within-1 rate and coverage.
    """
    from ..evaluation.assessment import assess

    check_outputs(report)
    if measures.tracks is not None:
        from .comparison_tables import evaluate_tracks

        evaluate_tracks(source, path, measures.tracks, seed=seed, as_json=as_json)
        return
    model = None if baseline else load_model(source)
    answers = None if model is None else model.scale
    data = read_data(path, column, gold, by, measures.track, scale=scale, model=answers, **text)
    need_two(data.gold, path)
    dev = None
    if measures.threshold_data is not None:
        dev = read_data(measures.threshold_data, column, None, None, None, scale=scale, model=answers, **text)
    weights = None if measures.weight_column is None else confidence_column(data, measures.weight_column)
    if compared.models:
        assert model is not None, "--baseline excludes --against"
        # So that it can be compared with the same model without it.
        name = source.model if source.glossary is None else f"{source.model} with the glossary"
        _compare(model, name, data, compared, report, seed, as_json)
        return
    with progress("measuring"):
        scored = score_pairs(model, data)
        wanted = replace(
            measures.wanted(by),
            thresholds=None if dev is None else thresholds_on(model, dev),
            weights=confidence_of(scored) if measures.weight_column is not None and weights is None else weights,
            tracks=data.tracks,
        )
        assessment = assess(scored, data.groups, wanted, seed)
    if report is not None:
        _write_page(report, data, scored, model, seed=seed)
    signature = BASELINE if model is None else model.signature
    if as_json:
        print_json({**assessment.as_dict(), "signature": signature})
        return
    show_assessment(assessment)
    show([("model", signature)])


def _compare(
    model: "LoadedModel",
    name: str,
    data: EvaluationData,
    compared: ComparedSystems,
    report: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    from ..evaluation.system_comparison import compare

    with progress("measuring"):
        systems = _scores_by_system(model, name, compared.models or [], data.pairs)
        comparison = compare(data.gold, systems, reference=name, seed=seed)
    show_comparison(comparison, as_json, compared.matrix)
    if not as_json:
        show([("model", model.signature)])
    if report is not None:
        _write_page(report, data, score_pairs(model, data), model, seed=seed, comparison=comparison)


def _scores_by_system(
    model: "LoadedModel", name: str, others: list[str], pairs: list[tuple[str, str]]
) -> dict[str, "np.ndarray"]:
    from ..loading import load

    if MEMBERS_ALONE in others:
        # The last is the model itself.
        *alone, (_, scores) = _members(model, pairs).items()
        systems = dict(alone)
    else:
        systems, scores = {}, _points(model, pairs)
    systems |= {other: _points(load(other), pairs) for other in others if other != MEMBERS_ALONE}
    return {**systems, name: scores}


def _members(model: "LoadedModel", pairs: list[tuple[str, str]]) -> dict[str, "np.ndarray"]:
    return {name: model.scale.points(scores) for name, scores in model.predict_members(pairs).items()}


def _points(model: "LoadedModel", pairs: list[tuple[str, str]]) -> "np.ndarray":
    return model.scale.points(model.predict_pairs(pairs).score)


def _write_page(
    file: Path,
    data: EvaluationData,
    scored: "Scored",
    model: "LoadedModel | None",
    *,
    seed: int,
    comparison: "Comparison | None" = None,
) -> None:
    from ..reports import evaluation_report

    members = None
    if model is not None:
        # The last is the model itself.
        *alone, _ = _members(model, list(scored.pairs)).items()
        members = dict(alone)
    page = evaluation_report(
        scored.gold,
        scored.score,
        scored.low,
        scored.high,
        groups=next(iter(data.groups.values()), None),
        members=members,
        pairs=scored.pairs,
        signature=BASELINE if model is None else model.signature,
        title=Path(data.path).name,
        comparison=comparison,
        seed=seed,
        scale=scored.scale,
        labels=scored.labels,
        **({} if model is None else _decided(model, scored)),
    )
    write_text(file, page)


def _decided(model: "LoadedModel", scored: "Scored") -> dict[str, Any]:
    # The decision that a single model may carry, and what it says of the pairs.
    from ..core.manifest import DECISION
    from ..core.model_decision import decision_of, reasons_of

    part = model.parts.get("model")
    if part is None or DECISION not in part.manifest or not scored.labels.binary:
        return {}
    decision = decision_of(model.parts)
    scores = scored.scale.scores(scored.score)
    return {"decision": decision, "reasons": reasons_of(part, decision, scored.pairs, scores)}
