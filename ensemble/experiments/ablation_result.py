"""What an ablation found: one row for each variant and seed, as rows, a data frame or files."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

WHOLE = "whole"
"""The name of what every variant is compared with."""
MEAN = "mean"
"""In place of a seed: the mean of the scores over the seeds."""

_TYPES = {"what": pa.string(), "change": pa.string(), "seed": pa.string()}
_COUNTS = ("step", "n", "columns", "members")


@dataclass(frozen=True)
class AblationRow:
    """A variant of the whole, fitted with one seed, or the mean of its scores over the seeds.

    Attributes
    ----------
    what
        The family, column or member; ``whole`` for all of them.
    change
        What was done with it: ``drop``, ``only``, ``add`` or ``permute``; ``whole`` for the whole.
    step
        Of ``add``, the number of items so far, this one included; else None.
    seed
        The seed, or ``mean``.
    n
        Number of pairs that were scored.
    pearson
        Pearson correlation with gold, -1..1; 0 where every score is the same. Of ``permute``, the mean over the orders
        in which the part was shuffled.
    delta
        How far it lies above that of the whole with the same seed, -2..2; None for the whole.
    gain
        Of ``add``, how far it lies above that of the step before; else None.
    low, high
        Ends of the 95 % paired bootstrap interval of the delta; None for one seed and for the whole.
    p, p_holm
        Two-sided p-value of Williams' test, of ``permute`` that of the bootstrap, alone and corrected for the number of
        variants (Holm, 1979); None where there is no interval, or the test is undefined.
    columns, members
        How many columns and members the variant has; of ``permute``, how many columns were shuffled.
    seconds
        How long its fits took; a fit that several variants share counts for each. Of ``permute``, how long its
        predictions took. It alone differs between runs.
    """

    what: str
    change: str
    step: int | None
    seed: str
    n: int
    pearson: float
    delta: float | None
    gain: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    columns: int
    members: int
    seconds: float


@dataclass(frozen=True)
class Ablation:
    """What every part of a whole is worth.

    Attributes
    ----------
    mode
        ``drop``, ``only``, ``add`` or ``permute``.
    by
        ``family``, ``column`` or ``member``.
    members, seeds, columns
        The ensemble, its seeds, and the columns of the whole.
    rows
        The whole first, then the variants, in the order of the matrix or, with ``add``, in that of the steps; of each
        the mean, then its seeds.
    notes
        What a reader of the figures must know.
    facts
        What the caller adds, such as the names of the files; plain JSON values.
    """

    mode: str
    by: str
    members: tuple[str, ...]
    seeds: tuple[int, ...]
    columns: tuple[str, ...]
    rows: tuple[AblationRow, ...]
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> AblationRow:
        """The mean over the seeds of the whole."""
        return self.rows[0]

    @property
    def means(self) -> tuple[AblationRow, ...]:
        """The means over the seeds of the variants: by how much they cost or bring; with ``add``, by step."""
        found = [row for row in self.rows[1:] if row.seed == MEAN and row.change != WHOLE]
        if self.mode == "add":
            return tuple(found)
        return tuple(sorted(found, key=lambda row: row.pearson, reverse=self.mode == "only"))

    def to_table(self) -> pa.Table:
        """Return all rows as an Arrow table, one column for each attribute of `AblationRow`."""
        return pa.table(
            {
                key.name: pa.array([getattr(row, key.name) for row in self.rows], _type(key.name))
                for key in fields(AblationRow)
            }
        )

    def to_frame(self) -> Any:
        """Return all rows as a pandas DataFrame, or as an Arrow table where pandas is not installed."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            return self.to_table()
        del pd
        return self.to_table().to_pandas()

    def as_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {**vars(self), "facts": dict(self.facts), "rows": [vars(row) for row in self.rows]}

    def write(self, folder: str | Path) -> tuple[Path, Path]:
        """Write all rows as ``ablation.parquet`` and ``ablation.csv``; return their paths."""
        return write_twice(self.to_table(), Path(folder) / "ablation")


def write_twice(table: pa.Table, path: Path) -> tuple[Path, Path]:
    """Write a table as Parquet and CSV beside each other, in a folder that is made if need be; return their paths."""
    import pyarrow.csv
    import pyarrow.parquet

    paths = path.with_suffix(".parquet"), path.with_suffix(".csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    pyarrow.parquet.write_table(table, paths[0])
    pyarrow.csv.write_csv(table, paths[1])
    return paths


def read_rows(folder: str | Path) -> tuple[AblationRow, ...]:
    """Return the rows that `Ablation.write` wrote to a folder.

    Raises
    ------
    ValueError
        If there is no such file, or it is none of an ablation.
    """
    import pyarrow.parquet

    path = Path(folder) / "ablation.parquet"
    if not path.is_file():
        raise ValueError(f"{folder} holds no ablation.parquet; name the output folder of another ablation")
    try:
        table = pyarrow.parquet.read_table(path)
        return tuple(AblationRow(**row) for row in table.to_pylist())
    except (pa.ArrowException, TypeError) as error:
        raise ValueError(f"{path} is not the table of an ablation; make it again") from error


def _type(name: str) -> pa.DataType:
    return _TYPES.get(name) or (pa.int64() if name in _COUNTS else pa.float64())
