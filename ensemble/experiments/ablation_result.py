"""Result of an ablation: one row for each variant and seed, as rows, a data frame or files."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..._files import complete_file
from ..._messages import short_repr

WHOLE = "whole"
"""Name of the whole, with which every variant is compared."""
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
        Change of the whole: ``drop``, ``only``, ``add`` or ``permute``; ``whole`` for the whole.
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
        Difference from the correlation of the whole with the same seed, -2..2; None for the whole.
    gain
        Of ``add``, difference from the correlation of the step before; else None.
    low, high
        Ends of the 95 % paired bootstrap interval of the delta; None for one seed and for the whole.
    p, p_holm
        Two-sided p-value of Williams' test, of ``permute`` that of the bootstrap, alone and corrected for the number of
        variants (Holm, 1979); None without an interval, or if the test is undefined.
    columns, members
        Number of columns and of members of the variant; of ``permute``, number of shuffled columns.
    seconds
        Duration of its fits; a fit that several variants share counts for each. Of ``permute``, duration of its
        predictions. It alone differs between runs.
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
    """Contribution of every part of a whole.

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
        Caveats for readers of the figures.
    facts
        Facts added by the caller, such as file names; plain JSON values.
    """

    mode: str
    by: str
    members: tuple[str, ...]
    seeds: tuple[int, ...]
    columns: tuple[str, ...]
    rows: tuple[AblationRow, ...]
    notes: tuple[str, ...] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(
            self,
            mode=self.mode,
            by=self.by,
            members="+".join(self.members),
            seeds=self.seeds,
            columns=len(self.columns),
            whole=self.whole.pearson if self.rows else None,
            delta={row.what: row.delta for row in self.means},
        )

    @property
    def whole(self) -> AblationRow:
        """The mean over the seeds of the whole."""
        return self.rows[0]

    @property
    def means(self) -> tuple[AblationRow, ...]:
        """The means over the seeds of the variants, largest effect first; with ``add``, by step."""
        means = [row for row in self.rows[1:] if row.seed == MEAN and row.change != WHOLE]
        if self.mode == "add":
            return tuple(means)
        return tuple(sorted(means, key=lambda row: row.pearson, reverse=self.mode == "only"))

    def to_table(self) -> pa.Table:
        """Return all rows as an Arrow table, one column for each attribute of `AblationRow`."""
        columns = {}
        for key in fields(AblationRow):
            kind = _TYPES.get(key.name) or (pa.int64() if key.name in _COUNTS else pa.float64())
            columns[key.name] = pa.array([getattr(row, key.name) for row in self.rows], kind)
        return pa.table(columns)

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
    """Write a table as Parquet and as CSV, creating their folder if necessary; return both paths."""
    import pyarrow.csv
    import pyarrow.parquet

    paths = path.with_suffix(".parquet"), path.with_suffix(".csv")
    path.parent.mkdir(parents=True, exist_ok=True)
    with complete_file(paths[0]) as file:
        pyarrow.parquet.write_table(table, file)
    with complete_file(paths[1]) as file:
        pyarrow.csv.write_csv(table, file)
    return paths


def read_rows(folder: str | Path) -> tuple[AblationRow, ...]:
    """Return the rows that `Ablation.write` wrote to a folder.

    Raises
    ------
    ValueError
        If the file does not exist, or is not the table of an ablation.
    """
    import pyarrow.parquet

    path = Path(folder) / "ablation.parquet"
    if not path.is_file():
        raise ValueError(f"the folder must hold ablation.parquet, got {folder}; name the output folder of an ablation")
    try:
        table = pyarrow.parquet.read_table(path)
        return tuple(AblationRow(**row) for row in table.to_pylist())
    except (pa.ArrowException, TypeError) as error:
        raise ValueError(f"the file must be the table of an ablation, got {path}; run the ablation again") from error
