"""Make the pairs that readers of pairs learn from before they see a score of a person.

``pairs.tsv`` has natural pairs with the cosine that all-mpnet-base-v2 gives their texts, and triples made by rule with
the scores of the guideline. ``lessons.tsv`` has half of these, without the pairs of STS Benchmark train and without the
score of natural pairs, which a network that is fitted on scores will give. No score of a person is read.
"""

import argparse
import csv
import random
from collections.abc import Iterable
from pathlib import Path

from corpus import by_source
from pair_pool import natural_pairs, scored_without_scores
from rule_triples import ScoredPair, near_copy, rule_triples
from samewise.ensemble.contrasts.edit import all_changes
from teacher import cosines_of

LONGEST = 100
"""Characters from which on a sentence is not edited by rule."""

TRIPLES, ROLES = 2_500, 5_000
"""Most triples of each kind of change, and of exchanged roles, which networks had learned worst."""


def balanced_triples(data: Path, wordnet: Path, seed: int) -> list[ScoredPair]:
    """Return the scored pairs of triples, as many of each kind of change as the sentences allow, up to a limit."""
    texts = [text for each in by_source(data, wordnet).values() for text in each if len(text) < LONGEST]
    most = {change.name: TRIPLES for change in all_changes().values() if not change.keeps} | {"roles": ROLES}
    return rule_triples(texts, most, random.Random(seed))


def read_pairs(path: Path) -> list[ScoredPair]:
    """Return the rows of ``pairs.tsv``."""
    with path.open(encoding="utf-8", newline="") as file:
        return [(a, b, float(score)) for a, b, score in csv.reader(file, delimiter="\t")]


def _write(path: Path, rows: Iterable[tuple[str, str, float | str]]) -> None:
    with path.with_suffix(".partial").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t").writerows(rows)
    path.with_suffix(".partial").replace(path)


def main() -> None:
    """Write both files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="folder with stsbenchmark, parallel, ppdb and ud")
    parser.add_argument("--wordnet", type=Path, default=Path("/usr/share/wordnet"))
    parser.add_argument("--teacher", required=True, help="folder or hub name of all-mpnet-base-v2")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, required=True, help="folder; keeps what is done so far too")
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    pairs = [pair for pair in natural_pairs(options.data, options.wordnet, options.seed) if not near_copy(*pair)]
    cosines = cosines_of(pairs, options.teacher, options.output).tolist()
    natural = [(*pair, 5.0 * cosine) for pair, cosine in zip(pairs, cosines, strict=True)]
    by_rule = balanced_triples(options.data, options.wordnet, options.seed)
    print(f"{len(natural):,} natural pairs, {len(by_rule):,} made by rule", flush=True)
    every = natural + by_rule
    random.Random(options.seed).shuffle(every)
    _write(options.output / "lessons.tsv", _lessons(every, set(pairs), options.data))
    _write(options.output / "pairs.tsv", every)


def _lessons(
    every: Iterable[ScoredPair], natural: set[tuple[str, str]], data: Path
) -> list[tuple[str, str, float | str]]:
    train = {frozenset(pair) for pair in scored_without_scores(data)}
    unseen = [(a, b, "" if (a, b) in natural else score) for a, b, score in every if frozenset((a, b)) not in train]
    return unseen[::2]


if __name__ == "__main__":
    main()
