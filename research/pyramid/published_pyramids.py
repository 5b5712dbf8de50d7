"""Figures of Baumel, Cohen and Elhadad (2016) on the pyramids of DUC 2005 to 2007."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

PAIRS, POSITIVES, QUESTIONS = 197_619, 8_390, 8_755
"""Sizes of the published tests."""


class PublishedFigures(NamedTuple):
    """Published figures of an embedding: F and mean reciprocal rank, 0..1, and success rate in per cent, 0..100."""

    embedding: str
    binary_f: float
    success: float
    mrr: float

    @property
    def success_rate(self) -> float:
        """Success rate, 0..1."""
        return round(self.success / 100, 5)


@cache
def published_figures() -> tuple[PublishedFigures, ...]:
    """Return the published table, in the order in which it is printed."""
    with (Path(__file__).parent / "data" / "baumel2016.csv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return tuple(
            PublishedFigures(row["embedding"], *(float(row[key]) for key in PublishedFigures._fields[1:]))
            for row in rows
        )
