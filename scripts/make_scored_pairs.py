"""All English pairs with scores whose terms allow it, as one table, to fit models on.

They are those of the shared tasks of SemEval 2012 to 2017: STS Benchmark, the rest of STS 2012 to 2016, and answers of
students of 2015. A row names its source (a set of one year), the collection that the source was taken from, whether
networks have seen nothing of that collection (they are fitted on STS Benchmark train), and how much it counts.
SICK is not among them: its terms do not allow it, and it stays a test.

Then come pairs written for this project, in ``data``: contrast squares and labelled collections, without those that are
held. A square, an intent, a product and a question are collections of their own; their scores compare them with each
other only (``relative``). With ``--benchmark`` the scored pairs are those of STS Benchmark train alone.
"""

import argparse
import csv
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from samewise.ensemble.contrasts.squares import is_held, read_squares, square_pairs, square_scores
from samewise.features.analysis.analysis import normalise
from sklearn.feature_extraction.text import TfidfVectorizer

FIELDS = ("sentence1", "sentence2", "score", "source", "collection", "unseen", "weight", "relative")

_NAMES = {"surprise.OnWN": "OnWN", "surprise.SMTnews": "SMTnews"}


WRITTEN = Path(__file__).resolve().parents[1] / "data"

WEIGHT = 0.2
"""Weight of a pair that was written for this project, beside 1 for a pair that people scored."""

DRAWN = 2
"""Pairs of a square that are taught, drawn from its ten."""

KEPT_FROM_NETWORKS = 10
"""One square in so many is not taught to networks: weights of members beside them are fitted on these."""

ONE_IN = 3
"""One intent, product or question in so many is held."""

SAME, OTHER = 4.5, 2.0
"""Scores of two texts of one intent or product, and of texts of two; relative ones, of which the difference matters."""


def taught_to_networks(square: str) -> bool:
    """Return whether networks learn from a square, by its name."""
    return not is_held(f"combination {square}", KEPT_FROM_NETWORKS)


class Scored(NamedTuple):
    """Pair with its score, its source and the collection that this was taken from, and how much it counts."""

    a: str
    b: str
    score: float
    source: str
    collection: str
    weight: float = 1.0


def benchmark_pairs(data: Path, *splits: str) -> Iterator[Scored]:
    """Yield the pairs of parts of STS Benchmark."""
    for split in splits:
        for row in _rows(data / "stsbenchmark" / f"sts-{split}.csv"):
            yield _scored(row[1:])


def scored_pairs(data: Path) -> Iterator[Scored]:
    """Yield all pairs, those of STS Benchmark train first."""
    yield from benchmark_pairs(data, "train", "dev", "test")
    for name in ("mt", "other"):
        for row in _rows(data / "stscompanion" / f"sts-{name}.csv"):
            yield _scored(row)
    for score, a, b in _rows(data / "sts2015" / "answers-students.tsv"):
        yield Scored(normalise(a), normalise(b), float(score), "answers-students 2015", "answers-students")


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def _scored(row: list[str]) -> Scored:
    name, year, _, score, a, b = row[:6]
    collection = _NAMES.get(name, name)
    return Scored(normalise(a), normalise(b), float(score), f"{collection} {year[:4]}", collection)


def written_pairs(folder: Path = WRITTEN) -> Iterator[Scored]:
    """Yield the pairs written for this project that are not held."""
    for path in sorted((folder / "contrasts").glob("squares-*.tsv")):
        for row in read_squares(path, held=False):
            pairs, scores = square_pairs([row]), square_scores([row])
            for place in random.Random(row["id"]).sample(range(len(pairs)), DRAWN):
                yield _written(*pairs[place], float(scores[place]), "contrasts", row["id"])
    tickets = [(row["intent"], f"{row['subject']}. {row['body']}") for row in _table(folder, "tickets")]
    titles = [(row["product"], row["title"]) for row in _table(folder, "products")]
    for source, labelled in (("tickets", tickets), ("products", titles)):
        taught = [(name, text) for name, text in labelled if not is_held(name, ONE_IN)]
        yield from _labelled_pairs(source, *zip(*taught, strict=True))
    for row in _table(folder, "answers"):
        if not is_held(row["question_id"], ONE_IN):
            points = float(row["points"])
            yield _written(row["reference"], row["answer"], 2.5 * points, "answers", row["question_id"])


def _labelled_pairs(source: str, names: Sequence[str], texts: Sequence[str]) -> Iterator[Scored]:
    # All pairs of one name, and for each text the two that are closest in characters among those of other names.
    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 5), sublinear_tf=True).fit_transform(texts)
    near = np.asarray((vectors @ vectors.T).todense())
    same = np.equal.outer(names, names)
    for i, j in np.argwhere(np.triu(same, 1)).tolist():
        yield _written(texts[i], texts[j], SAME, source, names[i])
    closest = np.argsort(np.where(same, -1.0, near), axis=1, kind="stable")[:, -2:]
    others = {(min(i, j), max(i, j)) for i, row in enumerate(closest.tolist()) for j in row}
    for i, j in sorted(others):
        yield _written(texts[i], texts[j], OTHER, source, names[i])


def _written(a: str, b: str, score: float, source: str, name: str) -> Scored:
    return Scored(normalise(a), normalise(b), score, source, f"{source} {name}", WEIGHT)


def _table(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / "collections" / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


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
    parser.add_argument("--benchmark", action="store_true", help="of scored pairs those of STS Benchmark train alone")
    args = parser.parse_args()
    train = list(benchmark_pairs(args.data, "train"))
    seen = {pair.collection for pair in train}
    pairs = train if args.benchmark else distinct(scored_pairs(args.data))
    pairs += written_pairs()
    args.output.parent.mkdir(parents=True, exist_ok=True)
    with args.output.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        writer.writerow(FIELDS)
        for pair in pairs:
            square = pair.collection.removeprefix("contrasts ")
            kept = pair.source == "contrasts" and not taught_to_networks(square)
            unseen = kept if pair.weight < 1 else pair.collection not in seen
            facts = pair.source, pair.collection, int(unseen), f"{pair.weight:g}", int(pair.weight < 1)
            writer.writerow([pair.a, pair.b, f"{pair.score:g}", *facts])
    print(f"{len(pairs):,} pairs of {len({pair.source for pair in pairs})} sources")


if __name__ == "__main__":
    main()
