"""Learning curves of several ways to choose pairs, and how far each is from choice at random."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from ...core.combination import Combination
from ...experiments.ablation_result import MEAN, write_twice
from ...experiments.learning_curve import CurveRow, curve_rows
from ...experiments.member_fits import Scores


@dataclass(frozen=True)
class SimulationRow(CurveRow):
    """A point of a learning curve, as in `CurveRow`, and how far it is from random choice.

    Attributes
    ----------
    method
        Which way of choosing.
    delta, delta_low, delta_high
        Of ``mean``: the correlation less that of random choice at this size, and the ends of its 95 % interval, dev
        pairs drawn with replacement, for both the same ones; None for random and for single seeds.
    """

    method: str = ""
    delta: float | None = None
    delta_low: float | None = None
    delta_high: float | None = None


@dataclass(frozen=True)
class Simulation:
    """Learning curves of several ways to choose.

    Attributes
    ----------
    methods, members, seeds, sizes
        What was tried.
    scored
        Number of dev pairs.
    rows
        By method and size; of each the mean, then its seeds.
    notes
        What a reader of the figures must know.
    facts
        What the caller adds; plain JSON values.
    """

    methods: tuple[str, ...]
    members: tuple[str, ...]
    seeds: tuple[int, ...]
    sizes: tuple[int, ...]
    scored: int
    rows: tuple[SimulationRow, ...]
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def means(self) -> tuple[SimulationRow, ...]:
        """The means over the seeds."""
        return tuple(row for row in self.rows if row.seed == MEAN)

    def to_table(self) -> pa.Table:
        """Return all rows as an Arrow table, one column for each attribute of `SimulationRow`, the method first."""
        names = ["method", *(key.name for key in fields(SimulationRow) if key.name != "method")]
        types = {"method": pa.string(), "n": pa.int64(), "seed": pa.string()}
        schema = pa.schema([(name, types.get(name, pa.float64())) for name in names])
        return pa.Table.from_pylist([asdict(row) for row in self.rows], schema=schema)

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**vars(self), "facts": dict(self.facts), "rows": [asdict(row) for row in self.rows]}

    def write(self, folder: str | Path) -> tuple[Path, Path]:
        """Write all rows as ``simulation.parquet`` and ``simulation.csv``; return their paths."""
        return write_twice(self.to_table(), Path(folder) / "simulation")


def method_rows(way: str, n: int, truth: np.ndarray, found: Mapping[str, list[list[Scores]]]) -> list[SimulationRow]:
    """Return the mean and the single rows of a method at n labels.

    Parameters
    ----------
    way, n
        The method and the number of labels.
    truth
        Gold scores of the dev pairs.
    found
        For the method, and for ``random`` if it was tried, what the members of each seed give to the dev pairs.
    """
    rows = [SimulationRow(**vars(row), method=way) for row in curve_rows(n, truth, found[way])]
    if way == "random" or "random" not in found:
        return rows
    mine, random = (
        [Combination().apply(np.column_stack([one.values for one in members])) for members in found[name]]
        for name in (way, "random")
    )
    delta, low, high = _difference(truth, mine, random)
    mean = SimulationRow(**{**vars(rows[0]), "delta": delta, "delta_low": low, "delta_high": high})
    return [mean, *rows[1:]]


def _difference(
    truth: np.ndarray, mine: Sequence[np.ndarray], others: Sequence[np.ndarray]
) -> tuple[float, float | None, float | None]:
    """Return the mean correlation of one side less that of the other, and the ends of its paired bootstrap interval."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(truth), size=(2_000, len(truth)))
    whole = np.arange(len(truth))[None]
    at_hand, resampled = (
        np.mean([_pearson(truth, s, rows) for s in mine], axis=0)
        - np.mean([_pearson(truth, s, rows) for s in others], axis=0)
        for rows in (whole, drawn)
    )
    if not np.isfinite(resampled).any():
        return float(np.nan_to_num(at_hand[0])), None, None
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    return float(np.nan_to_num(at_hand[0])), float(low), float(high)


def _pearson(truth: np.ndarray, score: np.ndarray, rows: np.ndarray) -> np.ndarray:
    a, b = truth[rows], score[rows]
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    size = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.where(size > 0, (a * b).sum(axis=1) / np.where(size > 0, size, 1.0), np.nan)
