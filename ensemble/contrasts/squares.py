"""Contrast squares, of which models learn and by which they are judged; ``data/contrasts`` tells what they are.

A square is a text, the same in other words (``same``), a near copy of the same meaning (``kept``), a near copy of
another meaning (``changed``), and that in other words (``changed_same``): four pairs of one meaning and six of two.
"""

import csv
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from zlib import crc32

import numpy as np

ONE, OTHER = ("text", "same", "kept"), ("changed", "changed_same")
"""Columns of a square; those of each group have one meaning."""

SIDES = [*combinations(ONE, 2), OTHER, *((one, other) for one in ONE for other in OTHER)]
"""The ten pairs of a square, those of one meaning first."""

ALIKE = 4
"""Number of these that have one meaning."""

HELD = 10
"""One square in so many is held."""


def is_held(name: str, one_in: int = HELD) -> bool:
    """Return whether what has this name is kept for judging, by the CRC-32 of the name."""
    return crc32(name.encode()) % one_in == 0


def read_squares(path: Path, held: bool | None = None) -> list[dict[str, str]]:
    """Return the squares of a table: all, those held, or the others."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [row for row in rows if held in (None, is_held(row["id"]))]


def square_pairs(rows: Sequence[dict[str, str]]) -> list[tuple[str, str]]:
    """Return the ten pairs of each square, in the order of `SIDES`."""
    return [(row[a], row[b]) for row in rows for a, b in SIDES]


def square_scores(rows: Sequence[dict[str, str]]) -> np.ndarray:
    """Return the scores of these pairs: 5 for one meaning, and ``change_score`` for two."""
    return np.concatenate(
        [np.repeat([5.0, float(row["change_score"])], [ALIKE, len(SIDES) - ALIKE]) for row in rows] or [np.empty(0)]
    )
