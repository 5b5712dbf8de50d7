"""Print what a few labels of a new source are worth: errors before and after `samewise adapt`, on its other pairs.

The models are those of ``benchmarks/left_out_sources.py``: nothing of a source's collection was fitted on. From each
source labels are drawn at random, several times; the model is adapted to them and measured on the other pairs.
"""

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from left_out_sources import LEVEL, OutOfFold, Scored, fitted_without, out_of_fold
from samewise.ensemble.core.adaptation import CorrectedCombination, Labelled, adapted
from samewise.ensemble.core.folds import sentence_groups
from samewise.ensemble.core.predictive_distribution import spread_of
from samewise.features.analysis.analysis import analyse
from samewise.features.pipeline.matrix import FeatureMatrix

from samewise import load

SIZES = (20, 50, 100, 300)

FEWEST = 100
"""Fewest pairs of a source that are left to measure on."""


class Draw(NamedTuple):
    """Figures of one draw of labels: RMSE and coverage of 90 % intervals, before and after, and the change chosen."""

    before: float
    after: float
    covered_before: float
    covered_after: float
    chosen: str


def columns_of(profile: str, data: Scored, keep: Path) -> FeatureMatrix:
    """Return the columns that a profile reads of all pairs, which are kept in a file."""
    file, model = keep / f"{profile}-columns.npy", load(profile)
    if not file.is_file():
        np.save(file, model.extract(model.analyse(data.pairs)).values)
    return FeatureMatrix(np.load(file), model.columns)


def draws(scores: OutOfFold, matrix: FeatureMatrix, count: int) -> dict[tuple[str, int], list[Draw]]:
    """Return for each scored source and number of labels the figures of some draws."""
    data = scores.data
    batch = analyse(data.pairs, "text")
    linked = sentence_groups(batch, data.collection)
    # Pairs of one text have no score to learn.
    different = np.asarray([pair.a.text != pair.b.text for pair in batch])
    found: dict[tuple[str, int], list[Draw]] = {}
    for source in sorted(set(data.source[data.scored].tolist())):
        rows = np.flatnonzero((data.source == source) & different)
        without = data.collection != data.collection[rows[0]]
        combination, uncertainty = fitted_without(scores, linked, without)
        groups = sentence_groups(analyse([data.pairs[row] for row in rows], "text"))
        columns = FeatureMatrix(matrix.values[rows], matrix.columns)
        of_source = Labelled(scores.members[rows], columns, data.gold[rows], groups)
        for size in SIZES:
            if len(rows) < size + FEWEST:
                continue
            for draw in range(count):
                order = np.random.default_rng(draw).permutation(len(rows))
                labelled = order[:size]
                changed = adapted(combination, uncertainty, of_source.take(labelled))
                unlabelled, figures = of_source.take(order[size:]), []
                for rule, unsure in (
                    (CorrectedCombination(combination), uncertainty),
                    (changed.corrected, changed.uncertainty),
                ):
                    points, gold = rule.apply(unlabelled), unlabelled.gold
                    low, high = unsure.ends(points, unsure.deviation(points, spread_of(unlabelled.scores)))
                    figures.append((np.sqrt(((points - gold) ** 2).mean()), ((low <= gold) & (gold <= high)).mean()))
                (before, covered_before), (after, covered_after) = figures
                found.setdefault((source, size), []).append(
                    Draw(float(before), float(after), float(covered_before), float(covered_after), changed.chosen)
                )
    return found


def lines(found: dict[tuple[str, int], list[Draw]], unseen: Sequence[str]) -> list[str]:
    """Return a table by source with a column for each number of labels, and means over all sources and unseen ones."""
    sizes = sorted({size for _, size in found})
    sources = sorted({source for source, _ in found})
    header = "".join(f"{f'{size} labels':>22}" for size in sizes)
    printed = [f"{'RMSE':>22}{'before':>9}{header}"]
    for source in sources:
        of_source = {size: found[source, size] for size in sizes if (source, size) in found}
        before = np.mean([draw.before for draw in of_source[min(of_source)]])
        cells = "".join(f"{_change(of_source[size]) if size in of_source else '':>22}" for size in sizes)
        printed.append(f"{source:>22}{before:>9.3f}{cells}")
    for title, names in (("mean", sources), ("mean without *", [name for name in sources if name in unseen])):
        for size in sizes:
            rows = [found[name, size] for name in names if (name, size) in found]
            if not rows:
                continue
            before = np.asarray([np.mean([draw.before for draw in row]) for row in rows])
            after = np.asarray([np.mean([draw.after for draw in row]) for row in rows])
            covered = [np.mean([[draw.covered_before, draw.covered_after] for draw in row], axis=0) for row in rows]
            share = np.mean(covered, axis=0)
            chosen = [draw.chosen for row in rows for draw in row]
            kinds = ", ".join(f"{name} {chosen.count(name) / len(chosen):.0%}" for name in sorted(set(chosen)))
            printed.append(
                f"{title}, {size} labels, {len(rows)} sources: RMSE {before.mean():.3f} to {after.mean():.3f} "
                f"({after.mean() / before.mean() - 1:+.1%}; mean of the ratios {(after / before).mean() - 1:+.1%}); "
                f"worst {(after / before - 1).max():+.1%}; coverage {share[0]:.1%} to {share[1]:.1%}; changes: {kinds}"
            )
    return printed


def _change(row: Sequence[Draw]) -> str:
    ratios = np.asarray([draw.after / draw.before - 1.0 for draw in row])
    return f"{ratios.mean():+.1%} ± {ratios.std(ddof=1):.1%}"


def main() -> None:
    """Print a table for each profile named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", help="the table of scripts/make_scored_pairs.py")
    parser.add_argument("--profiles", nargs="+", default=["full"])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--keep", type=Path, default=Path(".start/left-out"), help="folder for what is slow to compute")
    options = parser.parse_args()
    data = Scored.read(options.table)
    unseen = sorted(set(data.source[data.scored & data.unseen].tolist()))
    for profile in options.profiles:
        scores = out_of_fold(profile, data, options.keep)
        found = draws(scores, columns_of(profile, scores.data, options.keep), options.draws)
        print(f"\n{profile}, intervals of {LEVEL:.0%}")
        print("\n".join(lines(found, unseen)))


if __name__ == "__main__":
    main()
