"""Tables of systems side by side: compared on pairs, on tracks, and by their decisions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..evaluation.aggregates import TRACKS, primary
from ..evaluation.tracks import ASSUMED, LEVEL, TrackScores, published_marks, read_tracks, score_tracks
from .console import print_json, progress, show

if TYPE_CHECKING:
    from ..core.decision import Decision
    from ..core.scale import Scale
    from ..evaluation.published_scores import PublishedRow
    from ..evaluation.system_comparison import Comparison, Row
    from ..loading import ModelRef


def show_comparison(result: "Comparison", as_json: bool = False, matrix: bool = False) -> None:
    """Print a comparison, one line a system, or as one line of JSON; with `matrix` also each pair of systems."""
    if as_json:
        print_json(result.as_dict())
        return
    agreement = ("system", "Pearson", "95 % interval", "Spearman", "RMSE")
    header = (*agreement, "difference", "95 % interval", "Williams p (Holm)")
    show([_cells(row) for row in result.rows], header, numbers=range(1, 8))
    show([("pairs", f"{result.n:,}"), ("difference", f"to {result.reference}, with its paired bootstrap interval")])
    if matrix:
        _show_matrix(result)


def _show_matrix(result: "Comparison") -> None:
    names = [row.system for row in result.rows]
    cells = {(name, name): "-" for name in names}
    for test in result.williams:
        cells[test.first, test.second] = _p(test.p_holm)
        cells[test.second, test.first] = f"{-test.difference:+.4f}"
    rows = [(f"{k} {name}", *(cells[name, other] for other in names)) for k, name in enumerate(names, 1)]
    show(rows, ("system", *(str(k) for k in range(1, len(names) + 1))), numbers=range(1, len(names) + 1))
    show(
        [
            ("above the diagonal", "Williams p, Holm over all pairs"),
            ("below it", "Pearson of the row less the column's"),
        ]
    )


def _cells(row: "Row") -> tuple[str, ...]:
    evaluation, difference = row.evaluation, row.difference
    interval = f"{evaluation.pearson_low:.4f} to {evaluation.pearson_high:.4f}"
    cells = (row.system, f"{evaluation.pearson:.4f}", interval, f"{evaluation.spearman:.4f}", f"{evaluation.rmse:.3f}")
    if difference is None:
        return (*cells, "", "", "")
    ends = f"{difference.low:+.4f} to {difference.high:+.4f}"
    return (*cells, f"{difference.value:+.4f}", ends, _p(difference.p_holm))


def _p(value: float) -> str:
    # NaN where the systems differ only by a linear map, or there are too few pairs.
    return "" if value != value else "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def decision_rows(decision: "Decision", scale: "Scale") -> list[tuple[str, str]]:
    """Return the thresholds of a decision, its kinds, rule and promise, and what it was chosen on, with their names."""
    ends = (("same from", decision.same_from), ("different below", decision.different_below))
    rows = [(name, "no score" if end is None else threshold_text(end, scale)) for name, end in ends]
    rows += [("kept apart by", ", ".join(decision.keep_apart) or "no difference")]
    sure = "" if decision.rule.kind == "cost" else f"; confidence {100 * decision.confidence:g} %"
    which = "labelled yes" if decision.labels == "yes/no" else f"labelled {decision.gold_from:g} or more"
    chosen = f"{decision.pairs:,} pairs of {decision.data}, the same where {which}"
    return [*rows, ("rule", f"{decision.rule}{sure}"), ("promise", decision.promise), ("chosen on", chosen)]


def threshold_text(score: float, scale: "Scale") -> str:
    """Return a threshold as text, without rounding: thresholds are multiples of a five-hundredth of the scale."""
    exact = f"{score:.{scale.digits + 1}f}"
    return exact.removesuffix("0") if exact.endswith("0") and scale.digits else exact


_SHOWN = 10


def evaluate_tracks(source: "ModelRef", folder: str, names: str, *, seed: int, as_json: bool) -> None:
    """Score the tracks of a folder and print them with the averages and the published table.

    A source that names no languages reads all that it knows, and each track names its own.
    """
    from ...models.profiles import MULTILINGUAL

    by_track = source.languages is None and source.model != MULTILINGUAL
    model = (replace(source, languages="auto") if by_track else source).load()
    tracks = read_tracks(folder, names)
    with progress("measuring"):
        scores = score_tracks(model, tracks, known_languages=by_track, seed=seed)
    if as_json:
        print_json({**scores.as_dict(), "signature": model.signature})
        return
    _show_tracks(scores)
    print()
    _show_beside(scores)
    show([("model", model.signature)])


def _show_tracks(scores: TrackScores) -> None:
    rows = []
    for name, part in scores.evaluations.items():
        interval = f"{part.pearson_low:.4f} to {part.pearson_high:.4f}"
        flags = ", ".join(f"{count} {flag}" for flag, count in scores.flags[name].items())
        figures = (f"{part.pearson:.4f}", interval, f"{part.spearman:.4f}", f"{part.coverage:.1%}")
        rows.append((name, str(part.n), *figures, flags))
    header = ("track", "n", "Pearson", "95 % interval", "Spearman", "coverage", "flags")
    show(rows, header, numbers=(1, 2, 3, 4, 5))


def _show_beside(scores: TrackScores) -> None:
    ours = {name: 100 * part.pearson for name, part in scores.evaluations.items()}
    rows = [("this model", *_track_cells(ours, {}))]
    for row in _published():
        rows.append((row.label, *_track_cells(row.values, published_marks(scores, row.values))))
    show(rows, ("100 r", "primary7", "primary6", *TRACKS), numbers=range(1, 10))
    if len(rows) > 1:
        print(
            f"+ and -: higher or lower than this model by more than chance (Williams' test, p < {LEVEL:g}), if their "
            f"scores correlate by {ASSUMED:g}: only the correlations of published systems are known."
        )


def _published() -> "list[PublishedRow]":
    # The first rows of the table, the best of each track, and the baseline.
    from ..evaluation.published_scores import read_table

    rows = read_table("sts2017").rows
    best = {max(rows, key=lambda row: row.values.get(name, 0.0)).label for name in TRACKS}
    kept = {row.label for row in rows[:_SHOWN]} | best | {"cosine baseline"}
    return [row for row in rows if row.label in kept]


def _track_cells(values: Mapping[str, float], marks: Mapping[str, str]) -> list[str]:
    averages = primary({name: values[name] for name in TRACKS if name in values})
    means = [averages["primary7"], averages["primary6"]]
    figures = ["" if value is None else f"{value:.2f} " for value in means]
    return [*figures, *(f"{values[name]:.2f}{marks.get(name, '') or ' '}" if name in values else "" for name in TRACKS)]
