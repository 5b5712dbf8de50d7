"""Share of random draws in which thresholds chosen on labelled pairs keep their bound on the share of false pairs.

`kept` is the promise itself. The table counts as the population, so that the true share is known; pairs to choose on
are drawn from it, with replacement, half as many as it has. The share of draws in which the true share is within the
bound must be at least the confidence. `other half` is what a user can see: the table is split at random, thresholds are
chosen on one half, and the share of splits is printed in which the share of false pairs of the other half is within the
bound. That half is a sample, so it may break the bound by chance where the true share does not. A draw on which no
threshold could be shown to keep the bound is `refused`; nothing is called same then, and it counts as kept.
"""

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.core.threshold_choice import Tally, choose_thresholds
from samewise.ensemble.loading import load
from samewise.ensemble.tables.labelled_pairs import read_pairs

SETS = {
    "STS": (
        *(f"stsbenchmark/sts-{part}.csv" for part in ("dev", "test")),
        *(f"stscompanion/sts-{part}.csv" for part in ("mt", "other")),
        "sts2015/answers-students.tsv",
    ),
    "SICK": ("sick/SICK_train.txt", "sick/SICK_trial.txt"),
}


class Labelled(NamedTuple):
    """Scores of n pairs, and their labels, both on 0..5."""

    scores: np.ndarray
    labels: np.ndarray


class Shares(NamedTuple):
    """Results over many draws: shares of draws, and means over those that were not refused."""

    kept: float
    other_half: float
    false: float
    recall: float
    refused: float


def _scored(model: str, data: Path, kept: Path | None) -> dict[str, Labelled]:
    if kept is not None and kept.is_file():
        arrays = np.load(kept)
        return {name: Labelled(*arrays[name]) for name in SETS}
    loaded = load(model)
    found = {}
    for name, files in SETS.items():
        parts = [read_pairs(data / file)[:2] for file in files]
        labels = np.concatenate([labels for _, labels in parts if labels is not None])
        pairs = [pair for part, _ in parts for pair in part]
        found[name] = Labelled(np.asarray(loaded.predict_pairs(pairs).score), labels)
    if kept is not None:
        np.savez(kept, **{name: np.stack(columns) for name, columns in found.items()})
    return found


def _threshold(scores: np.ndarray, same: np.ndarray, rule: Rule, confidence: float) -> float:
    try:
        found = choose_thresholds(Tally.of(scores, same, POINTS), rule, confidence).same_from
    except ValueError:
        found = None
    return np.inf if found is None else found


def measure(data: Labelled, gold_from: float, rule: Rule, confidence: float, draws: int) -> Shares:
    """Return how often a bound is kept."""
    random = np.random.default_rng(0)
    scores, same = data.scores, data.labels >= gold_from
    kept, other_half, false, recall, refused = 0, 0, [], [], 0
    for _ in range(draws):
        rows = random.integers(0, len(scores), len(scores) // 2)
        called = scores >= _threshold(scores[rows], same[rows], rule, confidence)
        refused += not called.any()
        kept += not called.any() or bool((~same[called]).mean() <= rule.value)
        if called.any():
            false.append((~same[called]).mean())
            recall.append(called[same].mean())
        chosen = random.permutation(len(scores)) < len(scores) // 2
        called = scores[~chosen] >= _threshold(scores[chosen], same[chosen], rule, confidence)
        other_half += not called.any() or bool((~same[~chosen][called]).mean() <= rule.value)
    means = (float(np.mean(each)) if each else np.nan for each in (false, recall))
    return Shares(kept / draws, other_half / draws, *means, refused / draws)


def main() -> None:
    """Print a table of bounds and how often they are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stscompanion, sts2015 and sick")
    parser.add_argument("--model", default="full-stsb", help="profile or folder of a model; default full-stsb")
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--kept", type=Path, help="file that keeps the scores for another run")
    given = parser.parse_args()
    print("data   pairs  same from  bound  confidence    kept  other half  true share  recall  refused")
    for name, data in _scored(given.model, given.data, given.kept).items():
        for gold_from in (4.0, 3.0):
            for bound in (0.05, 0.1, 0.2):
                for confidence in (0.9, 0.95):
                    found = measure(data, gold_from, Rule("max_false", bound), confidence, given.draws)
                    print(
                        f"{name:5} {len(data.scores):6,} {gold_from:10g} {bound:6.0%} {confidence:11.0%} "
                        f"{found.kept:7.1%} {found.other_half:11.1%} {found.false:11.2%} {found.recall:7.1%} "
                        f"{found.refused:8.1%}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
