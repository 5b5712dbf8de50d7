"""Fit on the English pairs of STS 2012 to 2015 and measure on STS 2016 and on track 5 of SemEval-2017 Task 1.

This is the protocol of the shared tasks, where every earlier year was for training (Agirre et al., 2016; Cer et al.,
2017). Such a model has seen pairs that STS Benchmark holds out, so it does not ship, and no figure on that benchmark
may come from it. Settings that need choosing are chosen on the years before, never on the 250 pairs of track 5.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from samewise.ensemble.evaluation.metrics import evaluate
from samewise.ensemble.evaluation.system_comparison import compare

from samewise import SimilarityEnsemble

PUBLISHED = {"track 5": 0.8547, "2016": 0.7781}
"""The best published: ECNU's systems, rank 1 of 2017 by the task's table; Samsung Poland, 2016."""

PAIRS_2012_TO_2015 = 13_592


def read_english(data: Path) -> Iterator[tuple[str, str, float, str, str]]:
    """Yield (a, b, score, set, year) of every English pair of 2012 to 2016 that is here."""
    for path in sorted((data / "stsbenchmark").glob("sts-*.csv")):
        for row in _rows(path):
            yield row[5], row[6], float(row[4]), row[1], row[2]
    for path in sorted((data / "stscompanion").glob("*.csv")):
        for row in _rows(path):
            yield row[4], row[5], float(row[3]), row[0], row[1]
    for row in _rows(data / "sts2015" / "answers-students.tsv"):
        yield row[1], row[2], float(row[0]), "answers-students", "2015"


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8") as file:
        yield from (line.rstrip("\n").split("\t") for line in file)


def read_track_5(data: Path) -> tuple[list[tuple[str, str]], np.ndarray]:
    """Return the 250 pairs of track 5 and their scores."""
    folder = data / "sts2017"
    pairs = [(row[0], row[1]) for row in _rows(folder / "STS.input.track5.en-en.txt")]
    return pairs, np.asarray([float(row[0]) for row in _rows(folder / "STS.gs.track5.en-en.txt")])


def main() -> None:
    """Print the figures, and keep them as JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stscompanion, sts2015 and sts2017")
    parser.add_argument("--features", default="full")
    parser.add_argument("--members", default="rf,gbm,xgb,cross_encoder")
    parser.add_argument("--combine", default="mean")
    parser.add_argument("--params", type=json.loads, default={}, help="settings of members, as JSON")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cache", type=Path, help="folder that keeps computed features")
    parser.add_argument("-o", "--output", type=Path, help="folder for the model; it must not ship")
    options = parser.parse_args()
    every = [row for row in read_english(options.data) if not row[3].startswith("track5")]
    train = [row for row in every if row[4][:4] <= "2015"]
    later = [row for row in every if row[4] == "2016"]
    assert len(train) == PAIRS_2012_TO_2015, f"{len(train)} pairs of 2012 to 2015"
    model = SimilarityEnsemble(
        features=options.features,
        members=tuple(options.members.split(",")),
        combine=options.combine,
        member_params=options.params,
        interval=None,
        random_state=options.seed,
        n_jobs=-1,
        cache=options.cache,
    )
    model.fit([row[:2] for row in train], [row[2] for row in train])
    if options.output is not None:
        model.save(options.output, training={"data": "STS 2012-2015", "pairs": len(train)})
    print(model.signature)
    gold, sets = np.asarray([row[2] for row in later]), [row[3] for row in later]
    pairs, track_5 = read_track_5(options.data)
    scores = model.predictor_.predict_members([row[:2] for row in later])
    alone = model.predictor_.predict_members(pairs)
    print(f"{'system':>16} {'track 5':>8} {'95 % interval':>18} {'2016, by set':>14}")
    for name in scores:
        last = evaluate(gold, scores[name], groups=sets, seed=options.seed)
        now = evaluate(track_5, alone[name], seed=options.seed)
        interval = f"{now.pearson_low:.4f} to {now.pearson_high:.4f}"
        print(f"{name:>16} {now.pearson:8.4f} {interval:>18} {last.weighted_mean:14.4f}", flush=True)
    print(f"{'published':>16} {PUBLISHED['track 5']:8.4f} {'':>18} {PUBLISHED['2016']:14.4f}")
    print({name: round(group.pearson, 4) for name, group in last.groups.items()})
    for row in compare(track_5, alone, reference=name, seed=options.seed).rows:
        if row.difference is not None:
            print(f"{row.system} less {name}: {row.difference.value:+.4f}, Williams p {row.difference.p:.4f}")


if __name__ == "__main__":
    main()
