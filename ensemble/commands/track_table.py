"""Table of a model on the tracks of SemEval-2017, beside the systems that took part."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from ..evaluation.aggregates import TRACKS, primary
from ..evaluation.tracks import ASSUMED, LEVEL, TrackScores, published_marks, read_tracks, score_tracks
from .console import print_json, progress, show

if TYPE_CHECKING:
    from ..evaluation.published_scores import PublishedRow
    from ..multilingual.model_source import ModelSource

_SHOWN = 10


def evaluate_tracks(source: "ModelSource", folder: str, names: str, *, seed: int, as_json: bool) -> None:
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


def _track_cells(values: Mapping[str, float], marks: Mapping[str, str]) -> list[str]:
    averages = primary({name: values[name] for name in TRACKS if name in values})
    means = [averages["primary7"], averages["primary6"]]
    figures = ["" if value is None else f"{value:.2f} " for value in means]
    return [*figures, *(f"{values[name]:.2f}{marks.get(name, '') or ' '}" if name in values else "" for name in TRACKS)]


def _published() -> "list[PublishedRow]":
    # The first rows of the table, the best of each track, and the baseline.
    from ..evaluation.published_scores import read_table

    rows = read_table("sts2017").rows
    best = {max(rows, key=lambda row: row.values.get(name, 0.0)).label for name in TRACKS}
    kept = {row.label for row in rows[:_SHOWN]} | best | {"cosine baseline"}
    return [row for row in rows if row.label in kept]
