"""Tracks of SemEval-2017 Task 1 (Cer et al., 2017), read from its files, scored and compared with its table."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ...features.linguistics.languages import ENGLISH, Languages
from ..loading import Model
from ..tables.labelled_pairs import need_scores, read_pairs
from .aggregates import TRACKS, primary
from .metrics import Evaluation, evaluate
from .system_comparison import williams

ASSUMED = 0.9
"""Assumed correlation of two systems' scores where those of one are not published."""

LEVEL = 0.05
"""Differences with a smaller p-value are marked."""

_INPUT = re.compile(r"STS\.input\.track(?P<track>\d[ab]?)\.(?P<sides>[a-z]{2}-[a-z]{2})\.txt")


@dataclass(frozen=True)
class Track:
    """A track with its pairs.

    Attributes
    ----------
    name
        One of `aggregates.TRACKS`.
    languages
        The languages of its texts; a file of two languages does not keep one order.
    pairs, gold
        n pairs and their scores, 0..5.
    """

    name: str
    languages: Languages
    pairs: list[tuple[str, str]]
    gold: np.ndarray


@dataclass(frozen=True)
class TrackScores:
    """Figures of a model on tracks."""

    evaluations: dict[str, Evaluation]  # by track
    flags: dict[str, dict[str, int]]  # number of pairs with each flag, by track
    averages: dict[str, Any]  # the value of `aggregates.primary`

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        tracks = {name: {**figures.as_dict(), "flags": self.flags[name]} for name, figures in self.evaluations.items()}
        return {"tracks": tracks, **self.averages}


def read_tracks(folder: str | Path, names: str = "all") -> list[Track]:
    """Return the tracks of a folder with the files of the task, in the order of `aggregates.TRACKS`."""
    wanted = TRACKS if names == "all" else tuple(name.strip() for name in names.split(","))
    unknown = [name for name in wanted if name not in TRACKS]
    if unknown:
        raise ValueError(f"a track must be one of {', '.join(TRACKS)}, or all, got {unknown[0]!r}")
    if not Path(folder).is_dir():
        raise ValueError(f"tracks must be in a folder, got {folder}; name that of STS.input.track1.ar-ar.txt and so on")
    files = {}
    for path in sorted(Path(folder).iterdir()):
        match = _INPUT.fullmatch(path.name)
        if match is not None:
            files[match["track"]] = path, match["sides"]
    tracks = []
    for name in (name for name in TRACKS if name in wanted):
        if name not in files:
            raise ValueError(f"{folder} must have a file STS.input.track{name}.*.txt; add it or leave track {name} out")
        path, sides = files[name]
        gold = path.with_name(path.name.replace("input", "gs", 1))
        pairs, scores, _ = read_pairs(path, gold=gold)
        languages = Languages.parse(",".join(dict.fromkeys(sides.split("-"))))
        tracks.append(Track(name, languages, pairs, need_scores(scores, str(path))))
    return tracks


def score_tracks(model: Model, tracks: Sequence[Track], *, known_languages: bool = True, seed: int = 0) -> TrackScores:
    """Score the pairs of tracks."""
    evaluations, flags = {}, {}
    for track in tracks:
        spoken = track.languages
        if spoken.sides is None:
            # A text of a track in one language may be English all the same, such as one that is a name.
            spoken = Languages(tuple(dict.fromkeys((*spoken.candidates, ENGLISH))))
        sides = spoken.of_pairs(track.pairs) if known_languages else None
        prediction = model.predict_pairs(track.pairs, sides)
        score, low, high = map(model.scale.points, (prediction.score, prediction.low, prediction.high))
        evaluations[track.name] = evaluate(track.gold, score, low, high, seed=seed)
        counts = Counter(flag for of_pair in prediction.flags for flag in of_pair)
        flags[track.name] = dict(sorted(counts.items()))
    averages = primary({name: figures.pearson for name, figures in evaluations.items()})
    return TrackScores(evaluations, flags, averages)


def gap_mark(ours: float, published: float, n: int) -> str:
    """Return the mark of a published correlation beside ours: ``+`` higher, ``-`` lower, or nothing."""
    t, p = williams(published, ours, ASSUMED, n)
    if not p < LEVEL:  # NaN where there is no test
        return ""
    return "+" if t > 0 else "-"


def published_marks(scores: TrackScores, values: Mapping[str, float]) -> dict[str, str]:
    """Return `gap_mark` of each track that a published row has a value for, 100 times a correlation."""
    return {
        name: gap_mark(figures.pearson, values[name] / 100, figures.n)
        for name, figures in scores.evaluations.items()
        if name in values
    }
