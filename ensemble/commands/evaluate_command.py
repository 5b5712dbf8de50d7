"""The command that measures a model."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .console import print_json, progress, show
from .options import (
    EncoderOption,
    JsonOption,
    ModelOption,
    OwnOption,
    ProfileOption,
    ScoredColumnsOption,
    VectorsOption,
    load_chosen,
)

if TYPE_CHECKING:
    import numpy as np

    from ..metrics import Evaluation
    from ..predictor import Predictor

MEMBERS_ALONE = "members"
"""What `--compare` compares if no model is named."""


def evaluate(
    path: Annotated[str, typer.Argument(metavar="TEST", help="Table of pairs with scores.")],
    model: ModelOption = None,
    profile: ProfileOption = None,
    own: OwnOption = None,
    vectors: VectorsOption = None,
    encoder: EncoderOption = None,
    by: Annotated[
        str | None, typer.Option("--by", metavar="COL", help="Also measure each group of this column.")
    ] = None,
    gold: Annotated[Path | None, typer.Option("--gold", metavar="FILE", help="File with one score a line.")] = None,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Measure the cosine of one-hot vectors instead.")
    ] = False,
    columns: ScoredColumnsOption = None,
    bands: Annotated[
        bool, typer.Option("--bands", help="Also tell how often the interval holds in each band of the score.")
    ] = False,
    others: Annotated[
        list[str] | None,
        typer.Option(
            "--compare",
            metavar="[DIR]",
            help="Also measure another model, or without DIR the members, their mean and stack; may be repeated.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Seed of the bootstrap.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Measure a model: Pearson with its interval, Spearman, RMSE, within-1 rate, coverage."""
    if baseline and (model or profile or others):
        raise typer.BadParameter("--baseline measures no model; leave out the models", param_hint="--baseline")
    if others and (by or bands):
        raise typer.BadParameter(
            "a comparison is not by group or band; leave out --by, --bands or --compare", param_hint="--compare"
        )
    if baseline and bands:
        raise typer.BadParameter("--baseline has no intervals; leave out --bands", param_hint="--bands")
    from ..comparison import coverage_by_band
    from ..metrics import evaluate as measure
    from ..metrics import one_hot_cosine
    from ..tables.labelled import need_scores, read_pairs
    from ..tables.reading import find_column

    chosen = None if baseline else load_chosen(model, profile, own, vectors, encoder)
    pairs, scores, table = read_pairs(path, columns, gold=gold)
    labels = None
    if by is not None:
        labels = [str(label) for label in table.column(find_column(by, table.column_names, path)).to_pylist()]
    truth = need_scores(scores, path)
    if others:
        assert chosen is not None
        _compare(chosen, str(model or profile or "full"), others, pairs, truth, seed, as_json)
        return
    held: list[dict[str, Any]] = []
    with progress("measuring"):
        if chosen is None:
            result = measure(truth, one_hot_cosine(pairs), groups=labels, seed=seed)
        else:
            found = chosen.predict_pairs(pairs)
            result = measure(truth, found.score, found.low, found.high, groups=labels, seed=seed)
            held = coverage_by_band(truth, found.score, found.low, found.high) if bands else []
    signature = "one-hot cosine" if chosen is None else chosen.signature
    if as_json:
        print_json({**result.as_dict(), **({"bands": held} if bands else {}), "signature": signature})
        return
    show_evaluation(result)
    if bands:
        rows = [_band_cells(row) for row in held]
        show(rows, ("scores", "n", "coverage", "mean width"), numbers=range(1, 4))
    show([("model", signature)])


def _band_cells(row: dict[str, Any]) -> tuple[str, ...]:
    if not row["n"]:
        return (row["band"], "0", "", "")
    return (row["band"], f"{row['n']:,}", f"{row['coverage']:.1%}", f"{row['mean_width']:.2f}")


def _compare(
    chosen: "Predictor",
    name: str,
    others: list[str],
    pairs: list[tuple[str, str]],
    truth: "np.ndarray",
    seed: int,
    as_json: bool,
) -> None:
    from ..comparison import compare
    from ..predictor import load
    from .comparison_table import show_comparison

    systems: dict[str, np.ndarray] = {}
    with progress("measuring"):
        if MEMBERS_ALONE in others:
            # The last is the model itself.
            *alone, (_, own) = chosen.predict_members(pairs).items()
            systems |= dict(alone)
        else:
            own = chosen.predict_pairs(pairs).score
        systems |= {other: load(other).predict_pairs(pairs).score for other in others if other != MEMBERS_ALONE}
        result = compare(truth, {**systems, name: own}, reference=name, seed=seed)
    show_comparison(result, as_json)
    if not as_json:
        show([("model", chosen.signature)])


def show_evaluation(result: "Evaluation") -> None:
    """Print the figures of a model, of all pairs and of each group."""
    rows = []
    for name, part in [("all", result), *result.groups.items()]:
        interval = f"{part.pearson_low:.4f} to {part.pearson_high:.4f}"
        coverage = "" if part.coverage is None else f"{part.coverage:.1%}"
        figures = (f"{part.pearson:.4f}", interval, f"{part.spearman:.4f}", f"{part.rmse:.3f}", f"{part.within_1:.1%}")
        rows.append((name, f"{part.n:,}", *figures, coverage))
    header = ("pairs", "n", "Pearson", "95 % interval", "Spearman", "RMSE", "within 1", "coverage")
    show(rows, header, numbers=range(1, 8))
    if result.weighted_mean is not None:
        show([("weighted mean of the groups' Pearson", f"{result.weighted_mean:.4f}")])
