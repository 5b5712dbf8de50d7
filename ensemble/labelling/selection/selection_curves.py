"""Learning curves of several selection methods, and the difference of each from random choice."""

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
    """Point of a learning curve, as in `CurveRow`, and its difference from random choice.

    Attributes
    ----------
    method
        Selection method.
    delta, delta_low, delta_high
        Of ``mean``: the correlation minus that of random choice at this size, and the ends of its 95 % interval, with
        the same resampled dev pairs for both; None for random and for single seeds.
    """

    method: str = ""
    delta: float | None = None
    delta_low: float | None = None
    delta_high: float | None = None


@dataclass(frozen=True)
class Simulation:
    """Learning curves of several selection methods.

    Attributes
    ----------
    methods, members, seeds, sizes
        Settings of the simulation.
    scored
        Number of dev pairs.
    rows
        By method and size; of each the mean, then its seeds.
    notes
        Caveats for readers of the figures.
    facts
        Facts added by the caller; plain JSON values.
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


def method_rows(
    method: str, n: int, truth: np.ndarray, scores: Mapping[str, list[list[Scores]]]
) -> list[SimulationRow]:
    """Return the mean and the single rows of a method at n labels.

    Parameters
    ----------
    method, n
        The method and the number of labels.
    truth
        Gold scores of the dev pairs.
    scores
        Scores of the dev pairs by the members of each seed, for the method and for ``random`` if it was tried.
    """
    rows = [SimulationRow(**vars(row), method=method) for row in curve_rows(n, truth, scores[method])]
    if method == "random" or "random" not in scores:
        return rows
    chosen, random = (
        [Combination().apply(np.column_stack([each.values for each in members])) for members in scores[name]]
        for name in (method, "random")
    )
    delta, low, high = _difference(truth, chosen, random)
    mean = SimulationRow(**{**vars(rows[0]), "delta": delta, "delta_low": low, "delta_high": high})
    return [mean, *rows[1:]]


def _difference(
    truth: np.ndarray, scores: Sequence[np.ndarray], others: Sequence[np.ndarray]
) -> tuple[float, float | None, float | None]:
    """Return the mean correlation of scores minus that of others, and the ends of its paired bootstrap interval."""
    rng = np.random.default_rng(0)
    drawn = rng.integers(len(truth), size=(2_000, len(truth)))
    whole = np.arange(len(truth))[None]
    observed, resampled = (
        np.mean([_pearson(truth, s, rows) for s in scores], axis=0)
        - np.mean([_pearson(truth, s, rows) for s in others], axis=0)
        for rows in (whole, drawn)
    )
    if not np.isfinite(resampled).any():
        return float(np.nan_to_num(observed[0])), None, None
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    return float(np.nan_to_num(observed[0])), float(low), float(high)


def _pearson(truth: np.ndarray, score: np.ndarray, rows: np.ndarray) -> np.ndarray:
    a, b = truth[rows], score[rows]
    a, b = a - a.mean(axis=1, keepdims=True), b - b.mean(axis=1, keepdims=True)
    size = np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))
    return np.where(size > 0, (a * b).sum(axis=1) / np.where(size > 0, size, 1.0), np.nan)
