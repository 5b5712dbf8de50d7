"""The published scores of the STS tasks and of STS Benchmark, as tables with a label for each row."""

import csv
import difflib
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLES = ("sts2017", "stsbenchmark", "sts2012", "sts2013", "sts2014", "sts2015", "sts2016")
"""The names of the tables."""

SUMMARIES = ("primary", "mean", "all", "allnrm")
"""Columns that sum up others: ``primary`` of 2017 and what `aggregates` gives to 2012 to 2016."""

_REMARKS = {
    "sts2017": "Primary is the mean of all seven tracks; some values near zero are printed without their sign.",
    "sts2016": (
        "The means printed for ECNU lie 0.3 to 0.7 above those that its figures give with the sizes of the files: "
        "for EN-seven 78.13."
    ),
}
_FACTS = ("team", "corrected", "source", "note")
_SETS = re.compile(r"STS Benchmark (?P<split>dev|test)|track (?P<track>\d[ab]?)|(?P<year>\d{4}) (?P<file>.+)")


@dataclass(frozen=True)
class PublishedRow:
    """Published scores of one run.

    Attributes
    ----------
    label
        The team, and from its second row on a number: ``ECNU``, ``ECNU 2``, ``ECNU 3``.
    team
        As printed.
    run
        Position among the rows of its team, from 1; not the number that the team gave the run.
    corrected
        Whether it is printed as corrected or late.
    values
        100 times the Pearson correlation for each printed column, as printed; near zero some lack their sign.
    source, note
        Publication of the row, and a remark on it.
    """

    label: str
    team: str
    run: int
    corrected: bool
    values: Mapping[str, float]
    source: str
    note: str

    @property
    def origin(self) -> str:
        """Source and note in one line."""
        return f"{self.source}; {self.note}" if self.note else self.source


@dataclass(frozen=True)
class PublishedTable:
    """A table of published scores.

    Attributes
    ----------
    name
        One of `TABLES`.
    columns
        ``primary`` and the tracks of 2017, the splits of STS Benchmark, or the files of a year and their `SUMMARIES`.
    rows
        In the order in which they are printed.
    decimals
        Number of decimals of the printed values.
    remark
        Remark on the whole table.
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[PublishedRow, ...]
    decimals: int
    remark: str = ""

    @property
    def sets(self) -> tuple[str, ...]:
        """The columns that are sets of pairs."""
        return tuple(column for column in self.columns if column not in SUMMARIES)

    def row(self, label: str) -> PublishedRow:
        """Return the row of a label.

        Raises
        ------
        ValueError
            If the table has no such row; names similar labels.
        """
        rows = {row.label: row for row in self.rows}
        if label in rows:
            return rows[label]
        lower = {name.lower(): name for name in rows}
        close = [lower[name] for name in difflib.get_close_matches(label.lower(), lower, n=5, cutoff=0.5)]
        remedy = f"it may be one of {', '.join(close)}" if close else f"its first rows are {', '.join(list(rows)[:5])}"
        raise ValueError(f"the table {self.name} has no row {label!r}; {remedy}")


@cache
def read_table(name: str) -> PublishedTable:
    """Return a table of published scores.

    Parameters
    ----------
    name
        One of `TABLES`: ``sts2017`` holds the 84 submissions and the baseline of SemEval-2017 Task 1 (Cer et al.,
        2017), ``stsbenchmark`` what was printed for STS Benchmark, and the others the known scores of 2012 to 2016.

    Raises
    ------
    ValueError
        If no table has this name.
    """
    if name not in TABLES:
        raise ValueError(f"no published table is called {name!r}; the tables are {', '.join(TABLES)}")
    path = Path(__file__).parent / "data" / "published" / f"{name}.csv"
    with path.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    columns = tuple(column for column in lines[0] if column not in _FACTS)
    counts: Counter[str] = Counter()
    rows = []
    for line in lines:
        team = line["team"]
        counts[team] += 1
        label = team if counts[team] == 1 else f"{team} {counts[team]}"
        values = {column: float(line[column]) for column in columns if line[column]}
        facts = (line["corrected"] == "yes", values, line["source"], line["note"])
        rows.append(PublishedRow(label, team, counts[team], *facts))
    decimals = max(len(line[column].partition(".")[2]) for line in lines for column in columns)
    return PublishedTable(name, columns, tuple(rows), decimals, _REMARKS.get(name, ""))


def place_of(name: str) -> tuple[str, str]:
    """Return the table and the column of a set such as ``track 5``, ``STS Benchmark test`` or ``2015 images``."""
    match = _SETS.fullmatch(name)
    if match is not None:
        table = "stsbenchmark" if match["split"] else "sts2017" if match["track"] else f"sts{match['year']}"
        column = match["split"] or match["track"] or match["file"]
        if table in TABLES and column in read_table(table).sets:
            return table, column
    raise ValueError(f"no published table has a column for {name!r}; the tables are {', '.join(TABLES)}")
