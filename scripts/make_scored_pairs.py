"""All English pairs with scores whose terms allow it, as one table, to fit the general models on.

They are those of the shared tasks of SemEval 2012 to 2017: STS Benchmark, the rest of STS 2012 to 2016, and answers of
students of 2015. A row names its source (a set of one year), the collection that the source was taken from, and
whether that collection is unseen: has no pair in STS Benchmark train, on which networks are fitted. SICK is not among
them: its terms do not allow it, and it stays a test.
"""

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from samewise.features.analysis.analysis import normalise

FIELDS = ("sentence1", "sentence2", "score", "source", "collection", "unseen")

_NAMES = {"surprise.OnWN": "OnWN", "surprise.SMTnews": "SMTnews"}


class Scored(NamedTuple):
    """Pair with its score and its source: the collection and the year."""

    a: str
    b: str
    score: float
    collection: str
    year: int

    @property
    def source(self) -> str:
        """Name of the set of one year."""
        return f"{self.collection} {self.year}"


def scored_pairs(data: Path) -> Iterator[Scored]:
    """Yield all pairs, those of STS Benchmark train first."""
    for split in ("train", "dev", "test"):
        for row in _rows(data / "stsbenchmark" / f"sts-{split}.csv"):
            yield _scored(row[1:])
    for name in ("mt", "other"):
        for row in _rows(data / "stscompanion" / f"sts-{name}.csv"):
            yield _scored(row)
    for score, a, b in _rows(data / "sts2015" / "answers-students.tsv"):
        yield Scored(normalise(a), normalise(b), float(score), "answers-students", 2015)


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _scored(row: list[str]) -> Scored:
    name, year, _, score, a, b = row[:6]
    return Scored(normalise(a), normalise(b), float(score), _NAMES.get(name, name), int(year[:4]))


def distinct(pairs: Iterator[Scored]) -> list[Scored]:
    """Return each pair once, in either order of its texts, where it stands first, with the mean of its scores."""
    first: dict[frozenset[str], Scored] = {}
    scores: dict[frozenset[str], list[float]] = {}
    for pair in pairs:
        key = frozenset((pair.a, pair.b))
        first.setdefault(key, pair)
        scores.setdefault(key, []).append(pair.score)
    return [pair._replace(score=sum(scores[key]) / len(scores[key])) for key, pair in first.items()]


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE")
    args = parser.parse_args()
    seen = {_scored(row[1:]).collection for row in _rows(args.data / "stsbenchmark" / "sts-train.csv")}
    pairs = distinct(scored_pairs(args.data))
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        writer.writerow(FIELDS)
        for pair in pairs:
            unseen = pair.collection not in seen
            writer.writerow([pair.a, pair.b, f"{pair.score:g}", pair.source, pair.collection, int(unseen)])
    print(f"{len(pairs):,} pairs of {len({pair.source for pair in pairs})} sources")


if __name__ == "__main__":
    main()
