"""Print how precise and how complete the differences between two texts are, by kind, on one half of a suite.

The suite is `tests/challenge/differences.tsv`. A row has one difference, or none where its kind is `same`. A reported
difference is right if it is of the kind of its row and has a word in common with what is expected on either side, or
none where none is expected. Half `choose` may guide changes; half `held` is looked at once for each release.
"""

import argparse
import csv
import hashlib
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from samewise.ensemble.differences.facts import KINDS, Difference
from samewise.ensemble.differences.text_differences import LEVEL, differences
from samewise.features.analysis.analysis import analyse

SUITE = Path(__file__).resolve().parents[1] / "tests" / "challenge" / "differences.tsv"
COLUMNS = ("kind", "text", "half", "sentence1", "sentence2", "a", "b")
HALVES = ("choose", "held")
SAME = "same"
REST = ("added", "missing")


class Counts(NamedTuple):
    """Counts of one kind.

    Attributes
    ----------
    rows
        Rows of the kind.
    reported
        Differences of the kind that were reported on any row; added and missing words of `SAME` rows do not count.
    right
        Rows whose difference was reported.
    """

    rows: int
    reported: int
    right: int

    @property
    def precision(self) -> float:
        """Share of the reported differences that are right, 0..1; 1 if none was reported."""
        return self.right / self.reported if self.reported else 1.0

    @property
    def recall(self) -> float:
        """Share of the rows whose difference was reported, 0..1; 1 if there are none."""
        return self.right / self.rows if self.rows else 1.0


def read_rows(path: Path = SUITE, half: str | None = None) -> list[dict[str, str]]:
    """Return the rows of the suite, or of one half, each with the values of `COLUMNS`."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if half in (None, row["half"])]


def digest(rows: Sequence[dict[str, str]]) -> str:
    """Return the start of the SHA-256 of all rows."""
    values = [[row[column] for column in COLUMNS] for row in rows]
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:12]


def found_in(rows: Sequence[dict[str, str]]) -> list[list[Difference]]:
    """Return the differences of each row."""
    return differences(analyse([(row["sentence1"], row["sentence2"]) for row in rows], LEVEL))


def is_right(row: dict[str, str], difference: Difference) -> bool:
    """Return whether a difference is the one that a row expects."""
    sides = ((row["a"], difference.a), (row["b"], difference.b))
    return difference.kind == row["kind"] and all(_agree(expected, found) for expected, found in sides)


def _agree(expected: str, found: str) -> bool:
    one, other = set(expected.lower().split()), set(found.lower().split())
    return bool(one & other) or not (one or other)


def count(rows: Sequence[dict[str, str]], found: Sequence[Sequence[Difference]]) -> dict[str, Counts]:
    """Return the counts of each kind.

    A row of kind `added` or `missing` may be told in several runs of words: those after the first are not counted if
    they are words of what is expected.
    """
    rows_of, reported, right = (dict.fromkeys(KINDS, 0) for _ in range(3))
    for row, some in zip(rows, found, strict=True):
        if row["kind"] != SAME:
            rows_of[row["kind"]] += 1
        hit = False
        for one in some:
            fits = is_right(row, one)
            if (fits and hit) or (row["kind"] == SAME and one.kind in REST):
                continue
            hit |= fits
            reported[one.kind] += 1
            right[one.kind] += fits
    return {kind: Counts(rows_of[kind], reported[kind], right[kind]) for kind in KINDS}


def render(table: dict[str, Counts]) -> str:
    """Return a table with a line for each kind."""
    lines = [f"{'':12} {'rows':>4} {'reported':>8} {'precision':>9} {'recall':>7}"]
    for kind, one in table.items():
        lines.append(f"{kind:12} {one.rows:4} {one.reported:8} {one.precision:9.2f} {one.recall:7.2f}")
    return "\n".join(lines)


def main() -> None:
    """Find the differences of one half of the suite and print precision and recall by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=HALVES, default="choose", help="rows to read (default: %(default)s)")
    parser.add_argument("--errors", action="store_true", help="print the rows that are wrong")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON")
    options = parser.parse_args()
    rows = read_rows(half=options.half)
    found_in(rows[:8])
    start = time.perf_counter()
    found = found_in(rows)
    seconds = time.perf_counter() - start
    table = count(rows, found)
    if options.json:
        kinds = {kind: one._asdict() for kind, one in table.items()}
        print(json.dumps({"suite": digest(rows), "half": options.half, "kinds": kinds}))
        return
    print(f"{len(rows)} pairs, {1000 * seconds / len(rows):.1f} ms a pair\n\n{render(table)}")
    if options.errors:
        for row, some in zip(rows, found, strict=True):
            wrong = [one for one in some if not is_right(row, one) and not (row["kind"] == SAME and one.kind in REST)]
            if wrong or (row["kind"] != SAME and not any(is_right(row, one) for one in some)):
                print(f"\n{row['kind']}: {row['sentence1']} | {row['sentence2']} ({row['a']} | {row['b']})")
                print("   ", "; ".join(f"{one.kind} {one.a!r} {one.b!r}" for one in some))


if __name__ == "__main__":
    main()
