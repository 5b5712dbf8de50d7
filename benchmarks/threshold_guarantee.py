"""Share of random draws in which thresholds chosen on labelled pairs keep their bound on the share of false pairs.

Each table counts as a population, so that the true share is known; pairs to choose on are drawn from it, with
replacement. `kept` is the share of all draws in which the true share is within the bound. A draw on which no threshold
is shown to keep it is `refused`; nothing is called same then, and it counts as kept. `of answers` is what a user meets:
the share kept among the draws that got an answer, and beside it their number.

Besides STS and SICK there are made-up populations of scores, evenly spread over 0..5, whose pairs are the same with a
chance that rises with the score along a logistic curve. In `one-sided`, most pairs are the same. In `hard`, a fifth
more pairs are false than the bound allows, even among those with the highest scores, and in `one-sided, hard` among all
pairs: no answer can keep the bound there, so the only right answer is none.
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
    of_answers: float
    answers: int
    false: float
    recall: float


MADE = ("easy", "one-sided", "hard", "one-sided, hard")
"""Made-up populations; see `made`."""


def made(name: str, bound: float, pairs: int = 20_000) -> tuple[np.ndarray, np.ndarray]:
    """Return scores of a made-up population, and whether its pairs are the same."""
    random = np.random.default_rng(0)
    scores = 5.0 * random.random(pairs)
    curve = {
        "easy": 1.0 / (1.0 + np.exp((2.5 - scores) / 0.35)),
        "one-sided": 0.5 + 0.5 / (1.0 + np.exp(-scores / 0.8)),
        "hard": (1.0 - 1.2 * bound) / (1.0 + np.exp((2.0 - scores) / 0.35)),
        "one-sided, hard": np.full(pairs, 1.0 - 1.2 * bound),
    }
    return scores, random.random(pairs) < curve[name]


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


def measure(scores: np.ndarray, same: np.ndarray, labels: int, rule: Rule, confidence: float, draws: int) -> Shares:
    """Return how often a bound is kept by thresholds chosen on some labels."""
    random = np.random.default_rng(0)
    kept, false, recall = 0, [], []
    for _ in range(draws):
        rows = random.integers(0, len(scores), labels)
        called = scores >= _threshold(scores[rows], same[rows], rule, confidence)
        if called.any():
            false.append((~same[called]).mean())
            recall.append(called[same].mean())
            kept += bool(false[-1] <= rule.value)
    answers = len(false)
    means = (float(np.mean(each)) if each else np.nan for each in (false, recall))
    return Shares((kept + draws - answers) / draws, kept / answers if answers else np.nan, answers, *means)


def main() -> None:
    """Print a table of bounds and how often they are kept."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, stscompanion, sts2015 and sick")
    parser.add_argument("--model", default="full-stsb", help="profile or folder of a model; default full-stsb")
    parser.add_argument("--draws", type=int, default=300)
    parser.add_argument("--confidence", type=float, default=0.95)
    parser.add_argument("--same-from", type=float, default=4.0, help="label from which pairs are the same; default 4")
    parser.add_argument("--kept", type=Path, help="file that keeps the scores for another run")
    given = parser.parse_args()
    tables = {
        name: (data.scores, data.labels >= given.same_from)
        for name, data in _scored(given.model, given.data, given.kept).items()
    }
    print("data             labels  bound    kept  of answers  answers  refused  true share  recall")
    for bound in (0.05, 0.1, 0.2):
        for name, (scores, same) in {**tables, **{name: made(name, bound) for name in MADE}}.items():
            for labels in (100, 200, 400, 2_000):
                found = measure(scores, same, labels, Rule("max_false", bound), given.confidence, given.draws)
                print(
                    f"{name:16} {labels:6,} {bound:6.0%} {found.kept:7.1%} {found.of_answers:11.1%} {found.answers:8} "
                    f"{1 - found.answers / given.draws:8.1%} {found.false:11.2%} {found.recall:7.1%}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
