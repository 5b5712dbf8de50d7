"""The command that measures a model."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .comparison_table import show_comparison
from .console import print_json, progress, show
from .evaluation_table import show_assessment, show_evaluation
from .options import (
    EncoderOption,
    JsonOption,
    LanguagesOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    ScoredColumnsOption,
    TranslateOption,
    VectorsOption,
    load_chosen,
)

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from ..core.predictor import Predictor
    from ..evaluation.assessment import Scored
    from ..evaluation.system_comparison import Comparison

__all__ = ["MEMBERS_ALONE", "evaluate", "show_evaluation"]

MEMBERS_ALONE = "members"
"""What `--compare` compares if no model is named."""

OWN_INTERVAL = "interval"
"""What `--confidence` names for the model's own: how much narrower its interval is than the whole scale."""

_WORST = 10
"""Errors that `--all` lists."""


def evaluate(
    path: Annotated[
        str, typer.Argument(metavar="TEST", help="Table of pairs with scores; with --tracks, the folder of the task.")
    ],
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    languages: LanguagesOption = None,
    translate: TranslateOption = None,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COL",
            help="Also measure each group of this column; A,B by one, then the other; A+B by both.",
        ),
    ] = None,
    gold: Annotated[Path | None, typer.Option("--gold", metavar="FILE", help="File with one score a line.")] = None,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Measure the cosine of one-hot vectors instead.")
    ] = False,
    columns: ScoredColumnsOption = None,
    bands: Annotated[
        bool, typer.Option("--bands", help="Also tell how often the interval holds in each band of the score.")
    ] = False,
    aggregates: Annotated[
        bool, typer.Option("--aggregates", help="Also ALL, ALLnrm and Mean of SemEval-2012, over the groups of --by.")
    ] = False,
    track: Annotated[
        str | None,
        typer.Option("--track", metavar="COL", help="Column with SemEval-2017's tracks, for primary6 and primary7."),
    ] = None,
    tracks: Annotated[
        str | None,
        typer.Option(
            "--tracks", metavar="T,T", help="Tracks of SemEval-2017 in the folder TEST, such as 1,4a; or all."
        ),
    ] = None,
    ranking: Annotated[bool, typer.Option("--ranking", help="Also Kendall's tau, nDCG, nCG and F1.")] = False,
    dev: Annotated[
        str | None, typer.Option("--dev", metavar="DEV", help="Table of pairs on which F1's thresholds are chosen.")
    ] = None,
    calibration: Annotated[
        bool, typer.Option("--calibration", help="Also tell whether scores and intervals mean what they say.")
    ] = False,
    confidence: Annotated[
        str | None,
        typer.Option(
            "--confidence",
            metavar="COL",
            help="Also Pearson weighted by this column; 'interval' for the model's own confidence.",
        ),
    ] = None,
    worst: Annotated[int, typer.Option("--worst", metavar="N", min=0, help="Also list the N largest errors.")] = 0,
    everything: Annotated[bool, typer.Option("--all", help="All of these that the table allows.")] = False,
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            metavar="[DIR]",
            help="Also measure another model, or without DIR the members, their mean and stack; may be repeated.",
        ),
    ] = None,
    matrix: Annotated[
        bool, typer.Option("--matrix", help="With --compare, also Williams' test of every pair of systems.")
    ] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE.html", help="Also write a page with charts, for a browser.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a model: Pearson with its interval, Spearman, RMSE, within-1 rate, coverage."""
    if baseline and (model or profile or others):
        raise typer.BadParameter("--baseline measures no model; leave out the models", param_hint="--baseline")
    alone = (by, bands, aggregates, track, ranking, dev, calibration, confidence, worst, everything)
    if others and any(alone):
        raise typer.BadParameter(
            "a comparison is not by group or band, nor of more measures; leave out --by, --bands and the like, or "
            "--compare",
            param_hint="--compare",
        )
    if matrix and not others:
        raise typer.BadParameter("there is nothing to compare; add --compare", param_hint="--matrix")
    if baseline and bands:
        raise typer.BadParameter("--baseline has no intervals; leave out --bands", param_hint="--bands")
    if aggregates and not (by or track):
        raise typer.BadParameter("there are no groups; add --by or --track", param_hint="--aggregates")
    if dev and not (ranking or everything):
        raise typer.BadParameter("only F1 has thresholds to choose; add --ranking", param_hint="--dev")
    if tracks is not None:
        if baseline or others or any(alone) or gold is not None or columns is not None or report is not None:
            raise typer.BadParameter(
                "tracks have a table of their own; leave other measures out", param_hint="--tracks"
            )
        _evaluate_tracks(path, tracks, model, profile, own, vectors, encoder, languages, translate, seed, as_json)
        return
    from ..evaluation.assessment import Wanted, assess
    from ..evaluation.groupings import groupings_of
    from ..tables.labelled_pairs import need_scores, read_pairs

    chosen = (
        None
        if baseline
        else load_chosen(model, profile, own, vectors, encoder, languages=languages, translate=translate)
    )
    pairs, scores, table = read_pairs(path, columns, gold=gold)
    groups = {} if by is None else groupings_of(table, by, path)
    labels = None if track is None else _tracks(table, track, path)
    truth = need_scores(scores, path)
    if others:
        assert chosen is not None
        result = _compare(chosen, str(model or profile or "full"), others, pairs, truth, seed)
        show_comparison(result, as_json, matrix)
        if not as_json:
            show([("model", chosen.signature)])
        if report is not None:
            _report(report, path, _scored(chosen, pairs, truth), {}, chosen, seed, result)
        return
    with progress("measuring"):
        scored = _scored(chosen, pairs, truth)
        wanted = Wanted(
            ranking=ranking or everything,
            thresholds=None if dev is None else _thresholds(chosen, dev, columns),
            calibration=calibration or everything,
            bands=bands or everything,
            aggregates=aggregates or (everything and bool(by or track)),
            weights=None if confidence is None else _weights(scored, table, confidence, path),
            tracks=labels,
            worst=worst or (_WORST if everything else 0),
        )
        found = assess(scored, groups, wanted, seed)
    if report is not None:
        _report(report, path, scored, groups, chosen, seed)
    signature = "one-hot cosine" if chosen is None else chosen.signature
    if as_json:
        print_json({**found.as_dict(), "signature": signature})
        return
    show_assessment(found)
    show([("model", signature)])


def _evaluate_tracks(
    path: str,
    tracks: str,
    model: str | None,
    profile: str | None,
    own: Path | None,
    vectors: Path | None,
    encoder: str | None,
    languages: str | None,
    translate: str | None,
    seed: int,
    as_json: bool,
) -> None:
    from ..core.profiles import MULTILINGUAL
    from .track_table import evaluate_tracks

    if languages is None and profile != MULTILINGUAL:
        chosen = load_chosen(model, profile, own, vectors, encoder, languages="auto", translate=translate)
    else:
        chosen = load_chosen(model, profile, own, vectors, encoder, languages=languages, translate=translate)
    evaluate_tracks(chosen, path, tracks, told=languages is None, seed=seed, as_json=as_json)


def _scored(chosen: "Predictor | None", pairs: list[tuple[str, str]], truth: "np.ndarray") -> "Scored":
    from ..evaluation.assessment import Scored

    if chosen is None:
        from ..evaluation.metrics import one_hot_cosine

        return Scored(pairs, truth, one_hot_cosine(pairs))
    found = chosen.predict_pairs(pairs)
    return Scored(pairs, truth, found.score, found.low, found.high, found.flags, chosen.interval.level)


def _thresholds(chosen: "Predictor | None", dev: str, columns: str | None) -> dict[float, float]:
    from ..evaluation.ranking import tuned_thresholds
    from ..tables.labelled_pairs import need_scores, read_pairs

    pairs, scores, _ = read_pairs(dev, columns)
    scored = _scored(chosen, pairs, need_scores(scores, dev))
    return tuned_thresholds(scored.gold, scored.score)


def _tracks(table: "pa.Table", track: str, path: str) -> list[str]:
    from ..evaluation.aggregates import track_of
    from ..evaluation.groupings import labels_of

    return [track_of(label) for label in labels_of(table, track, path)]


def _weights(scored: "Scored", table: "pa.Table", confidence: str, path: str) -> "np.ndarray":
    from ..evaluation.groupings import weights_of

    if confidence != OWN_INTERVAL or OWN_INTERVAL in table.column_names:
        return weights_of(table, confidence, path)
    if scored.low is None or scored.high is None:
        raise typer.BadParameter("--baseline has no intervals; name a column", param_hint="--confidence")
    weights: np.ndarray = 100.0 * (1.0 - (scored.high - scored.low) / 5.0)
    if not weights.any():
        raise ValueError("every interval of the model is the whole scale, so it has no confidence; name a column")
    return weights


def _compare(
    chosen: "Predictor",
    name: str,
    others: list[str],
    pairs: list[tuple[str, str]],
    truth: "np.ndarray",
    seed: int,
) -> "Comparison":
    from ..evaluation.system_comparison import compare
    from ..multilingual.model_source import load

    systems: dict[str, np.ndarray] = {}
    with progress("measuring"):
        if MEMBERS_ALONE in others:
            # The last is the model itself.
            *alone, (_, own) = chosen.predict_members(pairs).items()
            systems |= dict(alone)
        else:
            own = chosen.predict_pairs(pairs).score
        systems |= {other: load(other).predict_pairs(pairs).score for other in others if other != MEMBERS_ALONE}
        return compare(truth, {**systems, name: own}, reference=name, seed=seed)


def _report(
    file: Path,
    path: str,
    scored: "Scored",
    groups: "Mapping[str, Sequence[str]]",
    chosen: "Predictor | None",
    seed: int,
    comparison: "Comparison | None" = None,
) -> None:
    from ..reports import evaluation_report

    members = None
    if chosen is not None:
        # The last is the model itself.
        *alone, _ = chosen.predict_members(scored.pairs).items()
        members = dict(alone)
    page = evaluation_report(
        scored.gold,
        scored.score,
        scored.low,
        scored.high,
        groups=next(iter(groups.values()), None),
        members=members,
        pairs=scored.pairs,
        signature="one-hot cosine" if chosen is None else chosen.signature,
        title=Path(path).name,
        comparison=comparison,
        seed=seed,
    )
    file.write_text(page, encoding="utf-8")
