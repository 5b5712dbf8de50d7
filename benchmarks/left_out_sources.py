"""Print how general models do on sources of text that they were not fitted on, one source left out at a time.

The table is that of ``scripts/make_scored_pairs.py``. Every pair that people scored is scored by regressors
that saw nothing of its collection, nor of the others in its fold, and combination and intervals are fitted without its
collection, too. The networks are fitted on STS Benchmark train: collections that have pairs there are marked with a
star, because for them neither the networks nor the twin are judged on unknown text. Beside the model stand its
twin, the cosine of the sentence encoder and RapidFuzz's ratio; Pearson's correlation needs no line to scale those.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from challenge import cosine_scores
from rapidfuzz import fuzz
from samewise.ensemble.core.combination import Combination
from samewise.ensemble.core.estimator import SimilarityEnsemble
from samewise.ensemble.core.folds import sentence_groups
from samewise.ensemble.core.manifest import SOURCE_LEVELS
from samewise.ensemble.core.out_of_fold import fit_on_unseen
from samewise.ensemble.core.predictive_distribution import spread_of
from samewise.ensemble.core.uncertainty import Uncertainty
from samewise.ensemble.evaluation.metrics import pearson
from samewise.ensemble.evaluation.system_comparison import williams
from samewise.ensemble.tables.labelled_pairs import need_scores, read_pairs
from samewise.features.analysis.analysis import analyse
from samewise.models.member import make_member
from samewise.models.profiles import profile_folder

from samewise import load

LEVEL = 0.9


class Scored(NamedTuple):
    """All scored pairs.

    Attributes
    ----------
    pairs, gold
        n pairs and their scores, 0..5.
    source, collection
        Shape (n,): the set of one year, and the collection over all years.
    unseen
        Shape (n,): whether the collection has no pair in STS Benchmark train.
    weight
        Shape (n,): how much each pair counts; less than 1 for pairs written for this project.
    """

    pairs: list[tuple[str, str]]
    gold: np.ndarray
    source: np.ndarray
    collection: np.ndarray
    unseen: np.ndarray
    weight: np.ndarray

    @classmethod
    def read(cls, path: str) -> "Scored":
        """Read the table."""
        pairs, scores, table = read_pairs(path)
        names = ("source", "collection", "unseen", "weight")
        source, collection, unseen, weight = (np.asarray(table[name].to_pylist()) for name in names)
        return cls(pairs, need_scores(scores, path), source, collection, unseen.astype(int) == 1, weight.astype(float))

    @property
    def scored(self) -> np.ndarray:
        """Marks of the pairs whose scores people gave, shape (n,)."""
        return self.weight == 1.0

    def of(self, rows: np.ndarray) -> "Scored":
        """Return the pairs that a mask marks."""
        pairs = [pair for pair, mark in zip(self.pairs, rows.tolist(), strict=True) if mark]
        return Scored(pairs, *(column[rows] for column in self[1:]))


class LeftOut(NamedTuple):
    """Scores and ends of intervals of the scored pairs, shape (n,), made without their collection."""

    score: np.ndarray
    low: np.ndarray
    high: np.ndarray
    deviation: np.ndarray


class OutOfFold(NamedTuple):
    """Scores of all pairs by the members of a recipe, out of folds of whole collections.

    Attributes
    ----------
    data
        The n pairs: with those written for this project if the recipe removes levels of sources.
    levels
        Whether it does.
    members, removed
        Shape (n, m) and (n,): the scores, and the points that were removed from each pair's own score.
    averaged
        For each member whether it enters a stack as part of the mean of the regressors.
    stacked
        Whether the recipe is a stack.
    judged
        Shape (n,): the pairs that no network of the recipe has seen.
    """

    data: Scored
    levels: bool
    members: np.ndarray
    removed: np.ndarray
    averaged: list[bool]
    stacked: bool
    judged: np.ndarray


def out_of_fold(profile: str, everything: Scored, keep: Path) -> OutOfFold:
    """Return the scores of the members of a profile's recipe; they are kept in a file, which is read if it is there."""
    folder = profile_folder(profile)
    model = SimilarityEnsemble.load(folder)
    members = [make_member(name) for name in model.members]
    networks = [member.name for member in members if not member.reads_columns]
    levels = SOURCE_LEVELS in model.predictor_.manifest
    data = everything if levels else everything.of(everything.scored)
    judged = data.unseen if networks else np.ones(len(data.pairs), bool)
    file = keep / f"{profile}.npz"
    if not file.is_file():
        settings = dict(model.member_params or {})
        settings |= {name: {**settings[name], "fitted": str(folder)} for name in networks}
        model.set_params(member_params=settings, n_jobs=2)
        marks = (data.source, data.weight, ~data.scored) if levels else ()
        model.fit(data.pairs, data.gold, data.collection, judged, *marks)
        keep.mkdir(parents=True, exist_ok=True)
        np.savez(file, members=model.oof_members_, removed=model.removed_)
    kept = np.load(file)
    averaged = [member.averaged for member in members]
    return OutOfFold(data, levels, kept["members"], kept["removed"], averaged, model.combine == "stack", judged)


def fitted_without(found: OutOfFold, groups: np.ndarray, others: np.ndarray) -> tuple[Combination, Uncertainty]:
    """Return combination and uncertainty of a recipe, fitted on those of the rows `others` that no network has seen."""
    rows, data = others & found.judged, found.data
    return fit_on_unseen(
        found.members[rows],
        data.gold[rows],
        groups[rows],
        "stack" if found.stacked else "mean",
        calibrate=False,
        level=LEVEL,
        averaged=found.averaged,
        sources=(data.source if found.levels else data.collection)[rows],
        removed=found.removed[rows],
        weights=data.weight[rows],
        relative=~data.scored[rows],
    )


def left_out(found: OutOfFold) -> LeftOut:
    """Return the scores of the scored pairs by combinations and intervals fitted without their collection."""
    data = found.data
    groups = sentence_groups(analyse(data.pairs, "text"), data.collection)
    columns = np.zeros((4, len(data.pairs)))
    for name in np.unique(data.collection[data.scored]):
        own = data.collection == name
        combination, uncertainty = fitted_without(found, groups, ~own)
        points = combination.apply(found.members[own])
        spread = spread_of(found.members[own][:, combination.counted(found.members.shape[1])])
        deviation = uncertainty.deviation(points, spread)
        columns[:, own] = (points, *uncertainty.ends(points, deviation), deviation)
    return LeftOut(*columns[:, data.scored])


def table(data: Scored, found: LeftOut, others: Mapping[str, np.ndarray]) -> list[dict[str, object]]:
    """Return a row for each source: correlations, the difference from each other system, coverage and width."""
    rows: list[dict[str, object]] = []
    for name in sorted(set(data.source.tolist())):
        own = data.source == name
        gold, score = data.gold[own], found.score[own]
        covered = (found.low[own] <= gold) & (gold <= found.high[own])
        width = (found.high - found.low)[own].mean()
        row: dict[str, object] = {"source": name if data.unseen[own].all() else f"{name} *", "n": int(own.sum())}
        row |= {"left out": pearson(gold, score), "RMSE": float(np.sqrt(((score - gold) ** 2).mean()))}
        row |= {"coverage": float(covered.mean()), "width": float(width)}
        for other, scores in others.items():
            row[other] = pearson(gold, scores[own])
            row[f"p, {other}"] = _p(gold, score, scores[own])
        rows.append(row)
    return rows


def _p(gold: np.ndarray, score: np.ndarray, other: np.ndarray) -> float:
    _, p = williams(pearson(gold, score), pearson(gold, other), pearson(score, other), len(gold))
    return float(p)


def summary(rows: Sequence[Mapping[str, object]], others: Sequence[str]) -> list[str]:
    """Return lines on all sources and on those of unknown text alone: means, worst, and how often each system wins."""
    lines = []
    for title, part in (("all sources", rows), ("without *", [row for row in rows if "*" not in str(row["source"])])):
        first = np.asarray([row["left out"] for row in part], dtype=float)
        coverage = np.asarray([row["coverage"] for row in part], dtype=float)
        lines.append(
            f"{title}: {len(part)}; left out: mean {first.mean():.4f}, worst {first.min():.4f}; coverage: mean "
            f"{coverage.mean():.1%}, at least 80 % on {(coverage >= 0.8).sum()}, least {coverage.min():.1%}; width "
            f"{np.mean([float(str(row['width'])) for row in part]):.2f}"
        )
        for other in others:
            scores = np.asarray([row[other] for row in part], dtype=float)
            p = np.asarray([row[f"p, {other}"] for row in part], dtype=float)
            better, worse, sure = first > scores, first < scores, p < 0.05
            lines.append(
                f"  beside {other}: mean {scores.mean():.4f}, worst {scores.min():.4f}; better on {better.sum()} "
                f"({(better & sure).sum()} by Williams' test), worse on {worse.sum()} ({(worse & sure).sum()})"
            )
    return lines


def main() -> None:
    """Print a table for each profile named, and lines that sum it up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="the table of scripts/make_scored_pairs.py")
    parser.add_argument("--profiles", nargs="+", default=["surface", "fast", "full"])
    parser.add_argument("--keep", type=Path, default=Path(".start/left-out"), help="folder for what is slow to compute")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON lines")
    options = parser.parse_args()
    everything = Scored.read(options.table)
    data = everything.of(everything.scored)
    others = references(data)
    for profile in options.profiles:
        found = left_out(out_of_fold(profile, everything, options.keep))
        twin = twin_scores(profile, data, options.keep)
        rows = table(data, found, {"twin": twin.score, **others})
        if options.json:
            print("\n".join(json.dumps({"profile": profile, **row}) for row in rows))
            continue
        print(f"\n{profile}")
        _print(rows)
        print("\n".join(summary(rows, ["twin", *others])))
        print("its twin\n" + "\n".join(summary(table(data, twin, {}), [])))


def references(data: Scored) -> dict[str, np.ndarray]:
    """Return the scores of other systems."""
    ratios = np.asarray([fuzz.ratio(a, b) for a, b in data.pairs])
    return {"cosine": cosine_scores(data.pairs), "RapidFuzz": ratios}


def twin_scores(profile: str, data: Scored, keep: Path) -> LeftOut:
    """Return the scores of pairs by the twin of a profile; they are kept in a file, which is read if it is there."""
    file = keep / f"{profile}-stsb.npy"
    if not file.is_file():
        keep.mkdir(parents=True, exist_ok=True)
        np.save(file, np.stack(load(f"{profile}-stsb").predict_pairs(data.pairs).numbers[:3]))
    return LeftOut(*np.load(file), np.zeros(len(data.pairs)))


def _print(rows: Sequence[Mapping[str, object]]) -> None:
    names = [name for name in rows[0] if not name.startswith("p, ")]
    print("".join(f"{name:>22}" if name == "source" else f"{name:>11}" for name in names))
    for row in rows:
        cells = [row[name] for name in names]
        print("".join(f"{cell:>22}" if isinstance(cell, str) else f"{_number(cell):>11}" for cell in cells))


def _number(cell: object) -> str:
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


if __name__ == "__main__":
    main()
