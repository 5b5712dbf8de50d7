"""Errors of decisions that are chosen on few labels, beside never saying "same" and beside a threshold alone.

The groups of a table (intents of tickets, products) are divided into two halves at random. Of each half come pairs of
one group, and as many of each text and the text of another group that has the highest score with it. `labels` pairs of
one half choose a decision by the rule ``cost 1:1``, half of them the same; errors are those on the pairs of the other
half, of which half are the same as well. So whoever never says "same" is wrong on half of them.
"""

import argparse
import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from samewise.ensemble.core.decision import Rule
from samewise.ensemble.core.kind_choice import ComparedPairs, choose, kinds_in
from samewise.ensemble.core.scale import POINTS
from samewise.ensemble.differences.facts import KEEP_APART
from samewise.ensemble.loading import load

RULE = Rule("cost", 1.0)
DECIDERS = ("never", "threshold", "all kinds", "chosen")


class Texts(NamedTuple):
    """Texts of a table, the group of each, shape (n,), and the scores of all pairs, shape (n, n)."""

    texts: list[str]
    groups: np.ndarray
    scores: np.ndarray


class Pairs(NamedTuple):
    """Pairs by the places of their texts, and whether they are the same; arrays of shape (m,)."""

    first: np.ndarray
    second: np.ndarray
    same: np.ndarray

    def take(self, rows: np.ndarray) -> "Pairs":
        """Return some of the pairs."""
        return Pairs(self.first[rows], self.second[rows], self.same[rows])


def read(path: Path) -> tuple[list[str], list[str]]:
    """Return the texts of a table of tickets or products, and the group of each."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    if "intent" in rows[0]:
        return [f"{row['subject']}. {row['body']}" for row in rows], [row["intent"] for row in rows]
    return [row["title"] for row in rows], [row["product"] for row in rows]


def scored(path: Path, profile: str, kept: Path | None) -> Texts:
    """Return a table with the scores of all pairs of its texts."""
    texts, groups = read(path)
    first, second = np.triu_indices(len(texts), 1)
    file = None if kept is None else kept / f"{path.stem}-{profile}.npz"
    if file is not None and file.is_file():
        found = np.load(file)["s"]
    else:
        found = load(profile).predict([(texts[i], texts[j]) for i, j in zip(first, second, strict=True)])
        if file is not None:
            np.savez(file, s=found)
    scores = np.full((len(texts), len(texts)), -1.0)
    scores[first, second] = scores[second, first] = found
    return Texts(texts, np.unique(groups, return_inverse=True)[1], scores)


def hard_pairs(table: Texts, texts: np.ndarray, random: np.random.Generator) -> Pairs:
    """Return pairs among some texts: half of one group, half of the nearest texts of two groups."""
    groups = table.groups[texts]
    scores = np.where(groups[:, None] == groups, -2.0, table.scores[np.ix_(texts, texts)])
    nearest = np.stack([np.arange(len(texts)), scores.argmax(axis=1)])
    first, second = np.unique(np.sort(nearest, axis=0), axis=1)
    one, other = np.nonzero(np.triu(groups[:, None] == groups, 1))
    count = min(len(one), len(first))
    same, different = random.permutation(len(one))[:count], random.permutation(len(first))[:count]
    return Pairs(
        texts[np.r_[one[same], first[different]]],
        texts[np.r_[other[same], second[different]]],
        np.arange(2 * count) < count,
    )


def drawn(table: Texts, draws: int, labels: int) -> Iterator[tuple[Pairs, Pairs]]:
    """Yield for each draw the labelled pairs and those that are held out."""
    for draw in range(draws):
        random = np.random.default_rng(draw)
        half = random.permutation(table.groups.max() + 1) < (table.groups.max() + 1) // 2
        chosen, out = (hard_pairs(table, np.flatnonzero(side[table.groups]), random) for side in (half, ~half))
        count = len(chosen.same) // 2
        rows = np.r_[
            random.permutation(count)[: labels // 2], count + random.permutation(count)[: labels - labels // 2]
        ]
        yield chosen.take(rows), out


def measure(path: Path, profile: str, draws: int, labels: int, kept: Path | None) -> None:
    """Print the errors on a table."""
    table = scored(path, profile, kept)
    parts = list(drawn(table, draws, labels))
    places = sorted({place for both in parts for pairs in both for place in zip(*map(list, pairs[:2]), strict=True)})
    found = load("surface").differences([(table.texts[i], table.texts[j]) for i, j in places])
    differs = dict(zip(places, kinds_in(found), strict=True))

    def compared(pairs: Pairs) -> ComparedPairs:
        rows = [differs[place] for place in zip(*map(list, pairs[:2]), strict=True)]
        return ComparedPairs(table.scores[pairs.first, pairs.second], POINTS, pairs.same, np.asarray(rows, dtype=bool))

    errors: dict[str, list[float]] = {name: [] for name in DECIDERS}
    kinds: Counter[str] = Counter()
    for labelled, out in parts:
        pairs, others = compared(labelled), compared(out)
        chosen = choose(pairs, RULE, 0.95)
        kinds.update([", ".join(chosen.kinds) or "none"])
        deciders = (
            (np.inf, ()),
            (pairs.tally().cheapest(1.0), ()),
            (pairs.tally(KEEP_APART).cheapest(1.0), KEEP_APART),
            (chosen.found.same_from, chosen.kinds),
        )
        for name, (same_from, names) in zip(DECIDERS, deciders, strict=True):
            called = (others.scores >= same_from) & ~others.apart(names)
            errors[name].append(float((called != others.same).mean()))
    for name, shares in errors.items():
        beside = " ".join(f"{np.mean(np.asarray(shares) > np.asarray(errors[other])):9.0%}" for other in DECIDERS[:2])
        print(f"{path.stem:10} {profile:8} {name:10} {np.mean(shares):7.1%} {np.quantile(shares, 0.9):7.1%} {beside}")
    print("   kinds chosen:", "; ".join(f"{count} x {names}" for names, count in kinds.most_common(4)), flush=True)


def main() -> None:
    """Print the errors for each table and profile."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path, nargs="+", help="tickets.tsv, products.tsv")
    parser.add_argument("--models", nargs="+", default=["surface", "fast"], help="profiles; default surface fast")
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--labels", type=int, default=75)
    parser.add_argument("--kept", type=Path, help="folder that keeps the scores for another run")
    given = parser.parse_args()
    print("table      profile  decider     errors    9/10  > never  > threshold, share of draws")
    for path in given.tables:
        for profile in given.models:
            measure(path, profile, given.draws, given.labels, given.kept)


if __name__ == "__main__":
    main()
