"""Training and test sets of systems: STS Benchmark, or a shared task after all earlier tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...ensemble.tables.labelled_pairs import need_scores, read_pairs

YEARS = ("2012", "2013", "2014", "2015", "2016")
"""Shared tasks before the introduction of tracks; a model for one is fitted on the pairs of earlier years."""

TRACK_5 = "5"


class Labelled(NamedTuple):
    """n pairs and their gold scores, shape (n,), 0..5."""

    pairs: list[tuple[str, str]]
    gold: np.ndarray


@dataclass(frozen=True)
class Exercise:
    """A training set and the sets to score with one fit.

    Attributes
    ----------
    name
        ``STS Benchmark``, ``STS 2015``, ``track 5``.
    train
        Pairs to fit on.
    sets
        Pairs to score, by name of the set.
    """

    name: str
    train: Labelled
    sets: Mapping[str, Labelled]


class _Row(NamedTuple):
    pair: tuple[str, str]
    score: float
    file: str
    year: str


def exercises(protocol: str, tracks: Sequence[str], data: str | Path) -> list[Exercise]:
    """Return the exercises of a protocol.

    Parameters
    ----------
    protocol
        ``B``: fitted on STS Benchmark train, measured on dev and test (Cer et al., 2017). ``T``: for each of the
        tracks fitted on all English pairs of the tasks before it (Agirre et al., 2012 to 2016).
    tracks
        For ``T`` some of `YEARS` and ``5``, the English track of 2017.
    data
        Folder with ``stsbenchmark``, and for ``T`` ``stscompanion``, ``sts2015`` and ``sts2017``, as they are
        distributed.

    Raises
    ------
    ValueError
        If the protocol or a track is unknown, or a file does not exist.
    """
    folder = Path(data)
    if protocol == "B":
        train, dev, test = (_labelled(_rows(folder, f"stsbenchmark/sts-{split}.csv")) for split in _SPLITS)
        return [Exercise("STS Benchmark", train, {"dev": dev, "test": test})]
    if protocol != "T":
        raise ValueError(f"protocol must be B (STS Benchmark) or T (shared tasks), got {protocol!r}; choose one")
    unknown = [track for track in tracks if track not in (*YEARS, TRACK_5)]
    if unknown or not tracks:
        tracks_of_t = ", ".join((*YEARS, TRACK_5))
        raise ValueError(f"track must be one of {tracks_of_t}, got {(unknown or [''])[0]!r}; choose at least one")
    # Track 5 is part of the benchmark; its rows must not be training pairs.
    rows = [row for name in _FILES for row in _rows(folder, name) if row.year != "2017"]
    return [_task(track, rows, folder) for track in tracks]


_SPLITS = ("train", "dev", "test")
_FILES = (
    *(f"stsbenchmark/sts-{split}.csv" for split in _SPLITS),
    *("stscompanion/sts-mt.csv", "stscompanion/sts-other.csv", "sts2015/answers-students.tsv"),
)


def _task(track: str, rows: Sequence[_Row], folder: Path) -> Exercise:
    if track == TRACK_5:
        inputs, gold = (f"sts2017/STS.{kind}.track5.en-en.txt" for kind in ("input", "gs"))
        pairs, scores, _ = read_pairs(_there(folder, inputs), gold=_there(folder, gold))
        return Exercise("track 5", _labelled(rows), {"track 5": Labelled(pairs, need_scores(scores, inputs))})
    before = [row for row in rows if row.year < track or row.year == "2012train"]
    now = [row for row in rows if row.year[:4] == track and row.year != "2012train"]
    files = dict.fromkeys(row.file for row in now)
    sets = {f"{track} {file}": _labelled([row for row in now if row.file == file]) for file in files}
    return Exercise(f"STS {track}", _labelled(before), sets)


def _rows(folder: Path, name: str) -> list[_Row]:
    path = _there(folder, name)
    pairs, scores, table = read_pairs(path)
    gold = need_scores(scores, str(path)).tolist()
    if "year" not in table.column_names:  # the file of 2015 that is in neither collection
        return [_Row(pair, score, Path(name).stem, "2015") for pair, score in zip(pairs, gold, strict=True)]
    origin = zip(table["file"].to_pylist(), map(str, table["year"].to_pylist()), strict=True)
    return [_Row(pair, score, *where) for pair, score, where in zip(pairs, gold, origin, strict=True)]


def _labelled(rows: Sequence[_Row]) -> Labelled:
    return Labelled([row.pair for row in rows], np.asarray([row.score for row in rows], dtype=np.float64))


def _there(folder: Path, name: str) -> Path:
    path = folder / name
    if not path.is_file():
        raise ValueError(f"{path} does not exist; give the folder that holds {name} with --data")
    return path
