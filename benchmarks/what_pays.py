"""Print what each family of columns, each resource that several families read, and the network of a profile are worth.

XGBoost is fitted without the columns of one of them, on five parts of whole collections of the table of
``scripts/make_scored_pairs.py``, and stacked with the network of the profile where it has one. The columns of what is
printed:

- ms: milliseconds a pair that are saved, the least of three runs of 1,000 pairs on one core;
- r: change of the mean of Pearson's r on the sources of which no network has seen a pair;
- AUC: change of the area under the ROC curve at equal word overlap on the held contrast squares.

Both are means of two seeds. A change says nothing if it is no greater than that of two other seeds, which stands first.

    python benchmarks/what_pays.py TABLE --profile full
"""

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from left_out_sources import Scored
from overlap_auc import matched_auc, word_overlap
from samewise.ensemble.contrasts.squares import ALIKE, SIDES, read_squares, square_pairs
from samewise.ensemble.evaluation.metrics import pearson
from samewise.features.analysis.analysis import analyse
from samewise.features.base.feature import Feature
from samewise.features.pipeline.matrix import BATCH, FeatureMatrix, extract
from samewise.models.member import make_member, scores_of_member
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold

from samewise import load

SQUARES = sorted((Path(__file__).resolve().parents[1] / "data" / "contrasts").glob("squares-*.tsv"))
QUICK = {"n_estimators": 200, "learning_rate": 0.08}
SEEDS, OTHERS = (0, 1), (2, 3)
TIMED, ROUNDS = 1_000, 3

Pair = tuple[str, str]


class Worth(NamedTuple):
    """Mean of r on unseen sources, and AUC at equal overlap."""

    r: float
    auc: float


class Trial:
    """Columns and network scores of a profile on the pairs of a table and on held squares, and the worth of parts."""

    def __init__(self, profile: str, data: Scored, keep: Path) -> None:
        self.model, self.data = load(profile), data
        rows = [row for path in SQUARES for row in read_squares(path, held=True)]
        self.squares, self.n = square_pairs(rows), len(data.pairs)
        self.networks = [member for member in self.model.members if not member.reads_columns]
        file = keep / f"{profile}-read.npz"
        if not file.is_file():
            np.savez(file, **dict(zip(("values", "network"), self._read([*data.pairs, *self.squares]), strict=True)))
        kept = np.load(file)
        self.matrix, self.network = FeatureMatrix(kept["values"], self.model.columns), kept["network"]

    def _read(self, pairs: Sequence[Pair]) -> tuple[np.ndarray, np.ndarray]:
        values, scores = [], []
        for start in range(0, len(pairs), BATCH):
            matrix = self.model.extract(self.model.analyse(pairs[start : start + BATCH]))
            values.append(matrix.values)
            scores.append(np.column_stack([np.empty((len(matrix), 0))] + [
                scores_of_member(member, matrix) for member in self.networks
            ]))  # fmt: skip
        return np.concatenate(values), np.concatenate(scores)

    def worth(self, columns: Sequence[str], network: bool = True, seeds: Sequence[int] = SEEDS) -> Worth:
        """Return what the profile is worth with these columns, the mean of some seeds."""
        return Worth(*np.mean([self._worth(columns, network, seed) for seed in seeds], axis=0).tolist())

    def _worth(self, columns: Sequence[str], network: bool, seed: int) -> Worth:
        data, n, matrix = self.data, self.n, self.matrix.select(*columns)
        regressor = make_member("xgb").with_settings(QUICK, seed)
        known, squares = np.zeros(n), np.zeros(len(self.squares))
        held = matrix.take(np.arange(n, len(matrix)))
        for train, left in GroupKFold(5).split(known, groups=data.collection):
            fitted = regressor.fit(matrix.take(train), data.gold[train], data.weight[train])
            known[left] = fitted.predict(matrix.take(left))
            squares += fitted.predict(held) / 5
        unseen = data.scored & data.unseen
        if network and self.networks:
            both = np.column_stack([np.concatenate([known, squares]), self.network])
            scores = LinearRegression().fit(both[:n][unseen], data.gold[unseen]).predict(both)
            known, squares = scores[:n], scores[n:]
        sources = [unseen & (data.source == name) for name in np.unique(data.source[unseen])]
        same = np.tile(np.arange(len(SIDES)) < ALIKE, len(squares) // len(SIDES))
        r = np.mean([pearson(data.gold[rows], known[rows]) for rows in sources])
        return Worth(float(r), matched_auc(squares, same, word_overlap(self.squares)))

    def milliseconds(self, kept: Callable[[Feature], bool]) -> float:
        """Return the time that the features that are kept take, a pair."""
        features, level = [one for one in self.model.features if kept(one)], self.model.level
        pairs = self.data.pairs[:: self.n // TIMED][:TIMED]
        return _least(lambda: extract(analyse(pairs, level), features, self.model.resources)) / len(pairs)

    def milliseconds_of_networks(self) -> float:
        """Return the time that the networks take, a pair."""
        pairs = self.data.pairs[:: self.n // TIMED][:TIMED]
        batches = iter([analyse(pairs, self.model.level) for _ in range(ROUNDS)])

        def once() -> None:
            matrix = FeatureMatrix(np.zeros((len(pairs), 0), np.float32), (), next(batches))
            for member in self.networks:
                scores_of_member(member, matrix)

        return _least(once) / len(pairs)


def _least(run: Callable[[], object]) -> float:
    def once() -> float:
        started = time.process_time()
        run()
        return 1_000 * (time.process_time() - started)

    return min(once() for _ in range(ROUNDS))


def parts(features: Sequence[Feature]) -> dict[str, frozenset[str]]:
    """Return the full names of the features of each family, and of each resource that several families read."""
    found = {
        name: [one for one in features if one.family == name] for name in dict.fromkeys(f.family for f in features)
    }
    for need in sorted({need for one in features for need in (*one.needs, *one.tables)}):
        reading = [one for one in features if need in (*one.needs, *one.tables)]
        if len({one.family for one in reading}) > 1:
            found[f"all that read {need}"] = reading
    return {name: frozenset(one.full_name for one in reading) for name, reading in found.items()}


def main() -> None:
    """Print a line for each part, those that cost most first."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", help="the table of scripts/make_scored_pairs.py")
    parser.add_argument("--profile", default="full")
    parser.add_argument("--keep", type=Path, default=Path(".start"), help="folder for what is slow to compute")
    options = parser.parse_args()
    trial = Trial(options.profile, Scored.read(options.table), options.keep)
    columns, features = trial.matrix.columns, trial.model.features
    whole = trial.worth(columns)
    print(f"{options.profile}: {len(columns)} columns, r {whole.r:.4f}, AUC {whole.auc:.4f}", flush=True)

    def line(name: str, count: int, spent: float, found: Worth) -> None:
        change = Worth(found.r - whole.r, found.auc - whole.auc)
        print(f"{name:42} {count:4} {spent:6.2f} ms  r {change.r:+.4f}  AUC {change.auc:+.4f}", flush=True)

    line("other seeds", 0, 0.0, trial.worth(columns, seeds=OTHERS))
    if trial.networks:
        line("without its network", 0, trial.milliseconds_of_networks(), trial.worth(columns, network=False))
    every = trial.milliseconds(lambda one: True)
    left = {
        name: (out, every - trial.milliseconds(lambda one, out=out: one.full_name not in out))
        for name, out in parts(features).items()
    }
    for name, (out, spent) in sorted(left.items(), key=lambda item: -item[1][1]):
        kept = [column for column in columns if column.rpartition(".")[0] not in out]
        line(f"without {name}", len(columns) - len(kept), spent, trial.worth(kept))


if __name__ == "__main__":
    main()
