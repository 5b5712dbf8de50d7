"""Print how often screening drops exactly the bad annotators, by their kind and share, and where it breaks.

Three rules stand side by side: the published thresholds applied to all annotators at once, the same with the worst
dropped one by one (confidence 0.5), and the default, which drops who is surely under a threshold. All is simulated.
"""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from samewise.apps.labels import Annotations, gold, screen
from samewise.apps.labels.agreement import Panel
from samewise.apps.labels.screening import MIN_CORRELATION, MIN_KAPPA
from samewise.apps.labels.simulated_annotators import KINDS, Labels, Simulation, colluding, simulate


def at_once(annotations: Annotations) -> set[str]:
    found = Panel(annotations).agreement(np.ones(len(annotations.annotators), dtype=bool))
    passes = (found.pearson >= MIN_CORRELATION) & (found.kappa >= MIN_KAPPA)
    return {name for name, good in zip(annotations.annotators, passes, strict=True) if not good}


def one_by_one(
    annotations: Annotations, confidence: float = 0.95, known: Mapping[str, float] | None = None
) -> set[str]:
    return {each.annotator for each in screen(annotations, confidence=confidence, known=known) if not each.kept}


RULES: dict[str, Callable[[Annotations], set[str]]] = {
    "all at once": at_once,
    "one by one": lambda annotations: one_by_one(annotations, 0.5),
    "default": one_by_one,
}


class Found(NamedTuple):
    """In how many runs exactly the bad went, how many of the bad stayed, and how many of the honest went."""

    runs: int
    exact: int
    missed: int
    wronged: int
    honest: int

    def __str__(self) -> str:
        return f"{self.exact}/{self.runs}, {self.missed} stayed, {self.wronged} of {self.honest} honest dropped"


def count(made: Sequence[Simulation], rule: Callable[[Simulation], set[str]]) -> Found:
    dropped = [rule(each) for each in made]
    return Found(
        len(made),
        sum(names == each.bad for names, each in zip(dropped, made, strict=True)),
        sum(len(each.bad - names) for names, each in zip(dropped, made, strict=True)),
        sum(len(names - each.bad) for names, each in zip(dropped, made, strict=True)),
        sum(len(each.annotations.annotators) - len(each.bad) for each in made),
    )


def crowds(
    kind: str, bad: int, seeds: int, pairs: int, annotators: int, noise: tuple[float, float]
) -> list[Simulation]:
    ways = list(KINDS.values())
    chosen = [ways[k % len(ways)] if kind == "mixed" else KINDS[kind] for k in range(bad)]
    return [simulate(pairs, annotators, chosen, noise=noise, seed=seed) for seed in range(seeds)]


def by_share(seeds: int) -> None:
    print("## By kind and share of the bad: 300 pairs, 20 annotators, 5 a pair, 75 labels each (default rule)\n")
    for kind in (*KINDS, "mixed"):
        for bad in (1, 2, 4, 6, 8, 10):
            made = crowds(kind, bad, seeds, 300, 20, (0.4, 0.6))
            print(f"{kind:9} {bad / 20:4.0%}  {count(made, lambda each: one_by_one(each.annotations))}")


def by_labels(seeds: int) -> None:
    print("\n## By labels of each annotator, 5 % to 40 % bad of all kinds\n")
    for noise in ((0.4, 0.6), (0.6, 0.8)):
        for pairs, annotators in ((20, 10), (50, 10), (100, 20), (200, 20), (300, 20), (1000, 20)):
            shares = [max(1, round(annotators * share)) for share in (0.05, 0.2, 0.4)]
            made = [
                each
                for kind in (*KINDS, "mixed")
                for bad in shares
                for each in crowds(kind, bad, seeds, pairs, annotators, noise)
            ]
            for name, rule in RULES.items():
                found = count(made, lambda each, rule=rule: rule(each.annotations))
                print(f"noise {noise[0]} to {noise[1]}, {5 * pairs // annotators:4} labels each, {name:11}  {found}")


def by_collusion(seeds: int) -> None:
    print("\n## Colluding: the bad share one answer key; 300 pairs, 20 annotators\n")
    for bad in (2, 4, 6, 8, 10, 12):
        ways: list[Labels] = [colluding()] * bad
        made = [simulate(300, 20, ways, seed=seed) for seed in range(seeds)]
        for name, step in (("no controls", None), ("every fifth pair known", 5)):
            found = count(
                made,
                lambda each, step=step: one_by_one(
                    each.annotations, known=dict(list(each.truth.items())[::step]) if step else None
                ),
            )
            print(f"{bad / 20:4.0%} {name:23} {found}")


def by_accuracy(seeds: int) -> None:
    print("\n## What it is worth: correlation of gold with truth and pairs left, mixed bad, 300 pairs, 20 annotators\n")
    for bad in (0, 2, 4, 8):
        rows = []
        for each in crowds("mixed", bad, seeds, 300, 20, (0.4, 0.6)):
            row = []
            for rule in ({}, {"min_correlation": -1, "min_kappa": -1, "min_common": 2}):
                for aggregate in ("median", "mean"):
                    found = gold(each.annotations, aggregate=aggregate, **rule)
                    truth = [each.truth[pair.pair] for pair in found.pairs]
                    row.append(np.corrcoef(truth, [pair.score for pair in found.pairs])[0, 1])
            row.append(len(gold(each.annotations).pairs))
            rows.append(row)
        means = np.mean(rows, axis=0).round(3).tolist()
        names = ("screened, median", "screened, mean", "none dropped but constants, median", "the same, mean", "pairs")
        print(f"{bad / 20:4.0%} bad  {json.dumps(dict(zip(names, means, strict=True)))}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=10, help="runs of each setting")
    seeds = parser.parse_args().seeds
    by_share(seeds)
    by_labels(seeds)
    by_collusion(seeds)
    by_accuracy(seeds)


if __name__ == "__main__":
    main()
